//===- traps.h - Kernels that find something wrong ------------------------===//
//
// assert, ka_trap, abort, __builtin_trap and clang's checks that trap stop a
// work-item and tell the host why.
//
// Between placeTraps and expandTraps they are calls of "ka.mailbox.fail(site, flag)".
// Where all items of a group come by together, or no barrier comes any more, a `ret`
// follows, and the flag is null. Else an `unreachable` follows: the item goes to the
// next barrier, wherever that is, and the flag, in group memory, tells the others of
// the group to end there with it. What puts barriers into their final form, in the
// target, sees to that.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_TRAPS_H
#define KA_COMPILER_LOWERING_TRAPS_H

#include "compiler/lowering/kernel.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class IRBuilderBase;
}

namespace ka {

/// Whether C code that calls this function stops the item; the frontend asks.
bool isTrapFunction(llvm::StringRef CName);

/// In place of a site: the item goes where those go that trap, but tells the host nothing.
constexpr uint32_t NoSite = ~0U;

/// A call of "ka.mailbox.fail".
bool isTrap(const llvm::Instruction &I);
/// The block ends with a trap from which control does not return.
bool endsWithTrap(const llvm::BasicBlock &B);
/// Where a block that ends with a trap tells its group: a variable of the group, without the
/// casts that belong to the block.
llvm::Value *stopFlag(const llvm::BasicBlock &Trap);

/// Turns all calls that stop an item into traps, and adds their sites to the kernels.
/// Each kernel must be one function. False after an error.
bool placeTraps(DeviceModule &Device, DiagnosticHandler Report);

/// Tells of the trap of an item that has ended before, with its global ids and those of its group.
void reportTrap(llvm::IRBuilderBase &B, llvm::Value *Site, llvm::ArrayRef<llvm::Value *> GlobalId,
                llvm::ArrayRef<llvm::Value *> GroupId);

/// Turns traps and reports into stores to the mailbox: the first item to come has its say.
void expandTraps(llvm::Function &F);

} // namespace ka

#endif
