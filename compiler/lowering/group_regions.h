//===- group_regions.h - The stretches of a kernel between its barriers ---===//
//
// A region is code that each item of a group can go through alone, one after the other:
// it has one start, no barrier inside, and all items leave it for the same place. Where
// they go is either fixed, or chosen by a branch that is the same for all of them.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_GROUP_REGIONS_H
#define KA_COMPILER_LOWERING_GROUP_REGIONS_H

#include "compiler/lowering/divergence.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace ka {

struct GroupRegion {
  llvm::BasicBlock *Start = nullptr;
  llvm::SmallVector<llvm::BasicBlock *, 8> Blocks;
  /// The branch by which the whole group chooses where to go; or null, and:
  llvm::Instruction *Choice = nullptr;
  /// Where all items go; null if the kernel ends.
  llvm::BasicBlock *Next = nullptr;
  bool Traps = false;
  /// The group may come by again.
  bool Repeated = false;
};

class GroupRegions {
public:
  /// Takes the barriers out of F and says what lies between them; null if the items cannot go
  /// through it one after the other (F is then no longer of use). Its first block, which must end
  /// in a branch to another, is in no region. Every trap must be the end of its block
  /// (endsWithTrap).
  static std::unique_ptr<GroupRegions> find(llvm::Function &F);

  llvm::SmallVectorImpl<GroupRegion> &all() { return Regions; }
  /// Number of the region that the block is in.
  unsigned of(const llvm::BasicBlock *B) const { return Of.lookup(B); }
  bool isStart(const llvm::BasicBlock *B) const { return Starts.contains(B); }
  /// The same for all items of the group.
  bool isUniform(const llvm::Value &V) const { return !Walk->isDivergent(&V); }

private:
  explicit GroupRegions(llvm::Function &F) : F(F) {}

  void splitAtBarriers();
  bool findChoices();
  bool leadsToBarrier(const llvm::BasicBlock &From) const;
  bool assignBlocks();
  bool findEnds();
  void findRepeated();

  llvm::Function &F;
  std::unique_ptr<Divergence> Walk;
  llvm::DenseSet<const llvm::BasicBlock *> BehindBarriers, Starts;
  llvm::DenseSet<const llvm::Instruction *> Choices;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Of;
  llvm::SmallVector<GroupRegion, 8> Regions;
};

} // namespace ka

#endif
