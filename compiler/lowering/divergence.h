//===- divergence.h - What is the same for all items of a group -----------===//
//
// A value is uniform if all items of a group that reach it have the same one;
// control is uniform at a block if all items of the group reach it together,
// equally often. Everything else is divergent. The analysis never calls
// something uniform that is not.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_DIVERGENCE_H
#define KA_COMPILER_LOWERING_DIVERGENCE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace ka {

class Divergence {
public:
  explicit Divergence(llvm::Function &F);

  bool isDivergent(const llvm::Value *V) const { return Values.contains(V); }
  /// Control at the block depends on an item's own data.
  bool isDivergent(const llvm::BasicBlock *B) const { return Cause.count(B); }
  /// The branch that made the block's control divergent.
  const llvm::Instruction *cause(const llvm::BasicBlock *B) const { return Cause.lookup(B); }
  /// The block ends in a branch whose items part, though they came together.
  bool isParting(const llvm::BasicBlock *B) const;
  /// Where items that parted in B meet again; null if only at the function's end.
  llvm::BasicBlock *meeting(const llvm::BasicBlock *B) const;
  /// Every way from B leads to a trap, if to anywhere, and to no barrier before.
  bool isDoomed(const llvm::BasicBlock *B) const { return Doomed.contains(B); }
  /// Where items that come to B were last together with the others of their group: the nearest
  /// blocks under uniform control on all ways to B, or B itself.
  llvm::SmallVector<llvm::BasicBlock *, 4> lastTogether(llvm::BasicBlock &B) const;

private:
  void markValue(const llvm::Value *V);
  void markBranch(const llvm::Instruction *Terminator);
  void findDoomed();
  void findMeetings();
  bool isSource(const llvm::Instruction &I) const;
  bool mayBePrivate(const llvm::Value *Pointer) const;
  void noteStore(const llvm::Instruction &I);
  void markMemory(const llvm::AllocaInst *A);
  const llvm::AllocaInst *privateMemory(const llvm::Value *Pointer) const;
  void findEscapes();

  llvm::Function &F;
  llvm::DenseSet<const llvm::BasicBlock *> Doomed;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Meetings;
  llvm::DenseSet<const llvm::Value *> Values;
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::Instruction *> Cause;
  /// Private memory whose contents may differ between items.
  llvm::DenseSet<const llvm::AllocaInst *> Memory;
  bool AnyEscapes = false;
  llvm::DenseMap<const llvm::AllocaInst *, llvm::SmallVector<const llvm::Instruction *, 4>> Reads;
  llvm::SmallVector<const llvm::Instruction *, 32> Work;
};

} // namespace ka

#endif
