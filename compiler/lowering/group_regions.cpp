//===- group_regions.cpp - The stretches of a kernel between its barriers -===//
//
// Regions start at the kernel's start, behind barriers, where the group has chosen its way, and
// where ways out of different regions meet.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/group_regions.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace ka;

std::unique_ptr<GroupRegions> GroupRegions::find(Function &F) {
  std::unique_ptr<GroupRegions> R(new GroupRegions(F));
  R->splitAtBarriers();
  R->Walk = std::make_unique<Divergence>(F);
  if (!R->findChoices())
    return nullptr;
  for (Instruction *Barrier : barriersOf(F))
    Barrier->eraseFromParent();
  if (!R->assignBlocks() || !R->findEnds())
    return nullptr;
  R->findRepeated();
  return R;
}

void GroupRegions::splitAtBarriers() {
  for (Instruction *Barrier : barriersOf(F)) {
    BasicBlock *B = Barrier->getParent();
    BehindBarriers.insert(B->splitBasicBlock(Barrier->getNextNode(), B->getName() + ".behind"));
  }
}

/// Whether items that part here may come to a barrier before they all meet again.
bool GroupRegions::leadsToBarrier(const BasicBlock &From) const {
  const BasicBlock *Meeting = Walk->meeting(&From);
  DenseSet<const BasicBlock *> Seen;
  SmallVector<const BasicBlock *, 16> Ways;
  auto Enter = [&](const BasicBlock *B) {
    if (B != Meeting && !Walk->isDoomed(B) && Seen.insert(B).second)
      Ways.push_back(B);
  };
  for (const BasicBlock *S : successors(&From))
    Enter(S);
  while (!Ways.empty()) {
    const BasicBlock *B = Ways.pop_back_val();
    if (const BasicBlock *Next = B->getSingleSuccessor(); Next && BehindBarriers.contains(Next))
      return true;
    for (const BasicBlock *S : successors(B))
      Enter(S);
  }
  return false;
}

/// False if items of one group may choose differently.
bool GroupRegions::findChoices() {
  for (const BasicBlock &B : F) {
    const Instruction *End = B.getTerminator();
    auto Goes =
        make_filter_range(successors(&B), [&](const BasicBlock *S) { return !Walk->isDoomed(S); });
    if (std::distance(Goes.begin(), Goes.end()) < 2 || !leadsToBarrier(B))
      continue;
    if (Walk->isDivergent(End) || Walk->isDivergent(&B) ||
        any_of(successors(&B), [&](auto *S) { return Walk->isDoomed(S); }))
      return false;
    Choices.insert(End);
  }
  return true;
}

/// To a fixed point: each block gets the start that leads to it; a block that two starts lead to
/// becomes one itself, and all begins anew. False if a block is left over.
bool GroupRegions::assignBlocks() {
  const BasicBlock *Entry = &F.getEntryBlock();
  Starts.insert(Entry);
  Starts.insert(Entry->getSingleSuccessor());
  Starts.insert(BehindBarriers.begin(), BehindBarriers.end());
  for (const Instruction *Choice : Choices)
    for (const BasicBlock *S : successors(Choice))
      Starts.insert(S);
  DenseMap<const BasicBlock *, const BasicBlock *> StartOf;
  ReversePostOrderTraversal<Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    StartOf.clear();
    for (bool Moved = true; Moved && !Changed;) {
      Moved = false;
      for (const BasicBlock *B : Order) {
        if (Starts.contains(B)) {
          Moved |= StartOf.try_emplace(B, B).second;
          continue;
        }
        for (const BasicBlock *P : predecessors(B)) {
          const BasicBlock *Start = StartOf.lookup(P);
          if (!Start)
            continue;
          if (auto [At, New] = StartOf.try_emplace(B, Start); New) {
            Moved = true;
          } else if (At->second != Start) {
            Starts.insert(B);
            Changed = true;
            break;
          }
        }
        if (Changed)
          break;
      }
    }
  }
  DenseMap<const BasicBlock *, unsigned> Number;
  for (BasicBlock *B : Order) {
    const BasicBlock *Start = StartOf.lookup(B);
    if (!Start)
      return false;
    if (Start == Entry)
      continue;
    auto [At, New] = Number.try_emplace(Start, Regions.size());
    if (New) {
      Regions.emplace_back();
      Regions.back().Start = const_cast<BasicBlock *>(Start);
    }
    Of[B] = At->second;
    Regions[At->second].Blocks.push_back(B);
  }
  return true;
}

/// False if the items of a group leave a region for different places.
bool GroupRegions::findEnds() {
  for (GroupRegion &R : Regions) {
    bool Ends = false, Returns = false;
    for (BasicBlock *B : R.Blocks) {
      Instruction *End = B->getTerminator();
      if (endsWithTrap(*B)) {
        R.Traps = true;
        continue;
      }
      if (Choices.contains(End)) {
        if (Ends)
          return false;
        R.Choice = End;
        Ends = true;
        continue;
      }
      if (succ_empty(B)) {
        if (Ends && !Returns)
          return false;
        Ends = Returns = true;
        continue;
      }
      for (BasicBlock *S : successors(B)) {
        if (!Starts.contains(S))
          continue;
        if (Ends && R.Next != S)
          return false;
        Ends = true;
        R.Next = S;
      }
    }
  }
  return true;
}

void GroupRegions::findRepeated() {
  for (GroupRegion &R : Regions) {
    DenseSet<const BasicBlock *> Seen;
    SmallVector<const BasicBlock *, 8> Ways = {R.Start};
    while (!Ways.empty() && !R.Repeated)
      for (const BasicBlock *S : successors(Ways.pop_back_val())) {
        R.Repeated |= S == R.Start;
        if (Seen.insert(S).second)
          Ways.push_back(S);
      }
  }
}
