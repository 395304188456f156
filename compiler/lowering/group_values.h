//===- group_values.h - What crosses from one region of a group to others -===//
//
// When each region becomes a loop over the items of a group (group_variant.h), a value
// that is made in one region and used in another is no longer at hand there:
//
//  - what is the same for all items is worked out once, between the loops;
//  - what is made of the item's ids by a few instructions is made again;
//  - all else goes through an array with an element for each item of the group.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_GROUP_VALUES_H
#define KA_COMPILER_LOWERING_GROUP_VALUES_H

#include "compiler/lowering/group_regions.h"
#include "llvm/IR/IRBuilder.h"

namespace ka {

class GroupValues {
public:
  /// The frame of a region: `Enter`, then for each item `Item` and the region's blocks, then
  /// `Leave`. Item ends in a branch to the region's start; the others have no end yet.
  struct Frame {
    llvm::BasicBlock *Enter, *Item, *Leave;
  };

  /// `Entry` comes before all regions: what it has is the same for all items, and variables are put
  /// there. `GroupItems`: how many items a group has; 0: that is not known.
  GroupValues(llvm::Function &F, GroupRegions &Regions, llvm::BasicBlock &Entry,
              llvm::ArrayRef<llvm::Value *> GroupSize, uint64_t GroupItems);

  /// Makes every use of a value one of what is at hand there. False if there is no room for what
  /// crosses (F is then no longer of use).
  bool connect();

  Frame &frame(unsigned Region) { return Frames[Region]; }
  /// In the region's loop: the item's number in its group; x varies fastest.
  llvm::Value *linearId(unsigned Region);
  /// Between the loops, behind the region where it is made: a value that all items have.
  llvm::Value *groupValue(llvm::Value *V);

private:
  llvm::Value *itemValue(llvm::Value *V, unsigned Region);
  llvm::Value *again(llvm::Instruction &I, unsigned Region);
  bool isFixed(const llvm::Value *V) const;
  bool isUniform(const llvm::Value *V) const;
  unsigned costOf(const llvm::Instruction &I);
  llvm::AllocaInst *array(llvm::Type *Element, llvm::Align Alignment);
  llvm::Value *element(llvm::AllocaInst *Array, unsigned Region);
  llvm::AllocaInst *arrayOf(llvm::Instruction &I);
  void storeTo(llvm::AllocaInst *Array, llvm::Value *V, unsigned Region,
               llvm::BasicBlock::iterator At);
  llvm::Value *loadFrom(llvm::AllocaInst *Array, llvm::Type *Type, unsigned Region);
  llvm::Value *variableOf(llvm::Instruction &I);
  bool placeVariables();
  bool crosses(const llvm::AllocaInst &A) const;
  bool findOwn(const llvm::AllocaInst &A);
  void placeStartPhis();
  void findUses();
  void bringStartPhis();
  void bringUniform(llvm::PHINode &P, unsigned From);

  llvm::Function &F;
  GroupRegions &Regions;
  llvm::BasicBlock &Entry;
  llvm::SmallVector<llvm::Value *, 3> GroupSize;
  uint64_t GroupItems, Bytes = 0;
  bool Fits = true;
  llvm::SmallVector<Frame, 8> Frames;
  llvm::SmallVector<llvm::Value *, 8> LinearIds;
  /// Of values and variables: where each item has one.
  llvm::DenseMap<const llvm::Instruction *, llvm::AllocaInst *> Arrays;
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> OfGroup;
  /// Addresses in variables of which each item has one, and what is made of such.
  llvm::DenseSet<const llvm::Value *> Own;
  llvm::SmallVector<llvm::DenseMap<const llvm::Instruction *, llvm::Value *>, 8> AtHand;
  /// Of phis at a start: the array out of which it comes.
  llvm::DenseMap<const llvm::Instruction *, llvm::AllocaInst *> ArrayOfPhi;
  llvm::SmallVector<std::pair<llvm::Use *, llvm::Value *>, 64> NewUses;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Costs;
};

} // namespace ka

#endif
