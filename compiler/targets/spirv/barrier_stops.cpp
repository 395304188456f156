//===- barrier_stops.cpp - Groups that end at a barrier ------------------------===//
//
// Where one item has trapped (lowering/traps.h) its group ends at the next barrier, since what
// the item should have written is missing. The barriers that are left must be reached all the
// same, by all items: a device may count them. In straight code that is simple. An item that
// is out goes from barrier to barrier and skips the stretches of code between:
//
//   if (bad) { tell the host; stopped = 1; goto meet1; }
//   ...
//   meet1: barrier();
//   if (stopped == 1) goto meet2;
//   ...
//   meet2: barrier();
//   if (stopped == 1 || stopped == 2) return;
//   ...
//
// Who traps leaves the number of the next barrier in the group's memory. A mere flag would stop
// those who look late, when an item that is ahead has trapped behind the barrier already. The
// first number stays: behind that barrier all items are out, and none is left to trap.
//
//===----------------------------------------------------------------------===//

#include "compiler/targets/spirv/barrier_stops.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace ka;

namespace {

SmallVector<Instruction *, 16> barriersOf(Function &F) {
  SmallVector<Instruction *, 16> Result;
  for (Instruction &I : instructions(F))
    if (isSynchronising(I))
      Result.push_back(&I);
  return Result;
}

/// In an order in which none comes before another one that dominates it.
void sortByOrder(MutableArrayRef<Instruction *> Barriers, const DominatorTree &Dominators) {
  Dominators.updateDFSNumbers();
  llvm::sort(Barriers, [&](const Instruction *A, const Instruction *B) {
    if (A->getParent() == B->getParent())
      return A != B && A->comesBefore(B);
    return Dominators.getNode(A->getParent())->getDFSNumIn() <
           Dominators.getNode(B->getParent())->getDFSNumIn();
  });
}

/// How many of the sorted barriers lie before the block's end.
size_t stretchOf(const BasicBlock &B, ArrayRef<Instruction *> Barriers,
                 const DominatorTree &Dominators) {
  return partition_point(
             Barriers,
             [&](const Instruction *I) { return Dominators.dominates(I, B.getTerminator()); }) -
         Barriers.begin();
}

bool isReachable(const BasicBlock &From, const BasicBlock &To) {
  SmallPtrSet<const BasicBlock *, 32> Seen;
  SmallVector<const BasicBlock *, 32> Work = {&From};
  while (!Work.empty()) {
    const BasicBlock *B = Work.pop_back_val();
    if (B == &To)
      return true;
    if (Seen.insert(B).second)
      Work.append(succ_begin(B), succ_end(B));
  }
  return false;
}

/// An item can end otherwise than by a trap without coming by this block.
bool canBeMissed(const BasicBlock &Passed) {
  const BasicBlock *Entry = &Passed.getParent()->getEntryBlock();
  SmallPtrSet<const BasicBlock *, 32> Seen = {&Passed};
  SmallVector<const BasicBlock *, 32> Work;
  if (Seen.insert(Entry).second)
    Work.push_back(Entry);
  while (!Work.empty()) {
    const BasicBlock *B = Work.pop_back_val();
    if (succ_empty(B) && !endsWithTrap(*B))
      return true;
    for (const BasicBlock *S : successors(B))
      if (Seen.insert(S).second)
        Work.push_back(S);
  }
  return false;
}

class Stopper {
public:
  explicit Stopper(Function &F) : F(F), C(F.getContext()) {
    for (BasicBlock &B : F)
      if (endsWithTrap(B))
        Traps.push_back(&B);
  }

  void run() {
    if (Traps.empty())
      return;
    // A variable of the group, without the casts that belong to the trap's block.
    Flag = cast<CallInst>(Traps.front()->getTerminator()->getPrevNode())
               ->getArgOperand(1)
               ->stripPointerCasts();
    SmallVector<Instruction *, 16> Barriers = barriersOf(F);
    DominatorTree Dominators(F);
    sortByOrder(Barriers, Dominators);
    SmallVector<size_t, 8> Stretches;
    for (BasicBlock *T : Traps)
      Stretches.push_back(stretchOf(*T, Barriers, Dominators));

    for (Instruction *I : Barriers) {
      Meetings.push_back(I->getParent()->splitBasicBlock(I, "meet"));
      Meetings.back()->splitBasicBlock(std::next(I->getIterator()), "resume");
    }
    End = BasicBlock::Create(C, "stopped", &F);
    ReturnInst::Create(C, End);
    for (auto [T, Stretch] : zip_equal(Traps, Stretches))
      skipRest(*T, Stretch);
    // Before the first trap nobody can be out.
    for (size_t B = *min_element(Stretches); B != Barriers.size(); ++B)
      checkBehind(B);
    if (pred_empty(End))
      DeleteDeadBlock(End);
    repairDominance();
  }

private:
  /// Where an item goes that is out, behind so many barriers.
  BasicBlock *next(size_t Barrier) { return Barrier == Meetings.size() ? End : Meetings[Barrier]; }

  void skipRest(BasicBlock &T, size_t Stretch) {
    IRBuilder<> B(T.getTerminator());
    if (Stretch != Meetings.size())
      B.CreateStore(B.getInt32(Stretch + 1), Flag);
    B.CreateBr(next(Stretch));
    T.getTerminator()->eraseFromParent();
  }

  void checkBehind(size_t Barrier) {
    BasicBlock *Meeting = Meetings[Barrier];
    BasicBlock *Resume = Meeting->getSingleSuccessor();
    IRBuilder<> B(Meeting->getTerminator());
    Value *Before = B.CreateSub(B.CreateLoad(B.getInt32Ty(), Flag), B.getInt32(1));
    B.CreateCondBr(B.CreateICmpULE(Before, B.getInt32(Barrier)), next(Barrier + 1), Resume);
    Meeting->getTerminator()->eraseFromParent();
  }

  /// Who skips a stretch has no use for its values.
  void repairDominance() {
    DominatorTree Dominators(F);
    for (BasicBlock &B : F)
      for (Instruction &I : B) {
        SmallVector<Use *, 4> Broken;
        for (Use &U : I.uses())
          if (!Dominators.dominates(&I, U))
            Broken.push_back(&U);
        if (Broken.empty())
          continue;
        SSAUpdater Updater;
        Updater.Initialize(I.getType(), I.getName());
        Updater.AddAvailableValue(&F.getEntryBlock(), Constant::getNullValue(I.getType()));
        Updater.AddAvailableValue(&B, &I);
        for (Use *U : Broken)
          Updater.RewriteUse(*U);
      }
  }

  Function &F;
  LLVMContext &C;
  Value *Flag = nullptr;
  SmallVector<BasicBlock *, 8> Traps;
  /// The blocks that begin with the barriers.
  SmallVector<BasicBlock *, 16> Meetings;
  BasicBlock *End = nullptr;
};

} // namespace

bool ka::spirv::hasStraightBarriers(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  SmallVector<Instruction *, 16> Barriers = barriersOf(F);
  if (any_of(Barriers, [&](const Instruction *I) {
        return !Dominators.isReachableFromEntry(I->getParent()) ||
               Loops.getLoopFor(I->getParent()) || canBeMissed(*I->getParent());
      }))
    return false;
  // Where nobody returns, nothing else says so.
  sortByOrder(Barriers, Dominators);
  for (size_t B = 1; B < Barriers.size(); ++B)
    if (!Dominators.dominates(Barriers[B - 1], Barriers[B]))
      return false;
  // A trap that items come to from several stretches would need to know from which.
  return none_of(F, [&](const BasicBlock &T) {
    if (!endsWithTrap(T))
      return false;
    size_t Stretch = stretchOf(T, Barriers, Dominators);
    return Stretch != Barriers.size() && isReachable(*Barriers[Stretch]->getParent(), T);
  });
}

void ka::spirv::stopAtBarriers(Function &F) { Stopper(F).run(); }
