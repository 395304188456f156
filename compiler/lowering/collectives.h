//===- collectives.h - What the items of a group compute together ---------===//
//
// The functions of ka/sub_group.h take values of any type by their address.
// Early on their calls are given types, so that the address is gone before
// anything reasons about memory:
//
//   T   @ka.collective.shuffle.T(T value, i32 mode, i32 lane, i32 width, i1 exists)
//   i64 @ka.collective.match.T(T value, i1 exists)
//   T   @ka.collective.combine.T(T value, i32 class, i32 operation, i32 form, i1 exists)
//
// T is an integer, a floating-point type, or an array of 64-bit integers; the
// constants are those of ka/sub_group.h. The range guard sets `exists`: true, or
// whether the item is within the range. Votes are combinations. A target that has
// nothing of its own for them calls expandCollectives (software_collectives.h).
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_COLLECTIVES_H
#define KA_COMPILER_LOWERING_COLLECTIVES_H

#include "compiler/lowering/kernel.h"
#include "llvm/IR/Instructions.h"

namespace ka {

enum class Collective { Shuffle, Match, Combine };

/// Whether a kernel may call the C function of this name as one of them.
bool isCollectiveFunction(llvm::StringRef CName);

/// Whether it is one, before or after its calls have been given types.
bool isCollective(llvm::StringRef Name);

/// Which one a call with types is.
std::optional<Collective> collective(const llvm::Instruction &I);

/// The result is the same for all items of the group.
bool isGroupUniformCollective(const llvm::Instruction &I);

/// Gives all calls types. False if one has no constant size or operation.
bool typeCollectives(llvm::Module &M, DiagnosticHandler Report);

/// Says of all calls in F whether the item exists.
void setExists(llvm::Function &F, llvm::Value *Exists);

} // namespace ka

#endif
