//===- barrier_stops.cpp - Groups that end at a barrier ------------------------===//
//
// Where one item has trapped (lowering/traps.h) its group ends at the next barrier, since what
// the item should have written is missing. And a whole group may return before a barrier. The
// barriers that are left could stand in a branch, which drivers do not all cope with. They stay
// straight if items that are out go from barrier to barrier and skip the stretches of code between:
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
// first number stays: behind that barrier all items are out, and none is left to trap. Where the
// whole group ends, each item knows by itself.
//
//===----------------------------------------------------------------------===//

#include "compiler/targets/spirv/barrier_stops.h"
#include "compiler/lowering/skipped_values.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace ka;

namespace {

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

/// LLVM's isPotentiallyReachable gives up after some blocks, and says yes.
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

/// Where an item ends before the last barrier, or by a trap anywhere.
struct Exit {
  Instruction *Terminator;
  std::optional<unsigned> Successor; // the edge; none: the terminator itself
  size_t Stretch;                    // how many barriers lie before it
  bool Alone;                        // by a trap that tells the group
};

struct Shape {
  SmallVector<Instruction *, 16> Barriers; // in their order
  SmallVector<Exit, 8> Exits;
};

bool isMereReturn(const BasicBlock &B) { return isa<ReturnInst>(B.front()); }

/// How barriers and exits lie, if all items come by the barriers in the same order until they end.
std::optional<Shape> findShape(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  Shape S;
  S.Barriers = barriersOf(F);
  ArrayRef<Instruction *> Barriers = S.Barriers;
  if (any_of(Barriers, [&](const Instruction *I) {
        return !Dominators.isReachableFromEntry(I->getParent()) || Loops.getLoopFor(I->getParent());
      }))
    return std::nullopt;
  sortByOrder(S.Barriers, Dominators);
  for (size_t B = 1; B < Barriers.size(); ++B)
    if (!Dominators.dominates(Barriers[B - 1], Barriers[B]))
      return std::nullopt;

  for (BasicBlock &B : F) {
    if (!Dominators.isReachableFromEntry(&B))
      continue;
    Instruction *Terminator = B.getTerminator();
    size_t Stretch = stretchOf(B, Barriers, Dominators);
    if (Stretch == Barriers.size()) {
      if (endsWithTrap(B))
        S.Exits.push_back({Terminator, std::nullopt, Stretch, true});
      continue;
    }
    size_t Before = S.Exits.size();
    if (endsWithTrap(B))
      S.Exits.push_back({Terminator, std::nullopt, Stretch, true});
    else if (isa<ReturnInst>(Terminator) && (!isMereReturn(B) || pred_empty(&B)))
      S.Exits.push_back({Terminator, std::nullopt, Stretch, false});
    else
      for (unsigned I = 0; I != Terminator->getNumSuccessors(); ++I)
        if (isMereReturn(*Terminator->getSuccessor(I)))
          S.Exits.push_back({Terminator, I, Stretch, false});
    // One that items come to from several stretches would need to know from which.
    if (S.Exits.size() != Before && isReachable(*Barriers[Stretch]->getParent(), B))
      return std::nullopt;
  }
  return S;
}

class Stopper {
public:
  Stopper(Function &F, Shape S) : F(F), C(F.getContext()), S(std::move(S)) {}

  void run() {
    if (S.Exits.empty())
      return;
    for (Instruction *I : S.Barriers) {
      Meetings.push_back(I->getParent()->splitBasicBlock(I, "meet"));
      Meetings.back()->splitBasicBlock(std::next(I->getIterator()), "resume");
    }
    End = BasicBlock::Create(C, "stopped", &F);
    ReturnInst::Create(C, End);
    for (const Exit &E : S.Exits)
      skipRest(E);
    for (size_t B = 0; B != Meetings.size(); ++B)
      checkBehind(B);
    if (pred_empty(End))
      DeleteDeadBlock(End);
    removeDeadReturns();
    zeroSkippedValues(F);
  }

private:
  /// Where an item goes that is out, behind so many barriers.
  BasicBlock *next(size_t Barrier) { return Barrier == Meetings.size() ? End : Meetings[Barrier]; }

  bool hasExit(size_t Stretch, bool Alone) const {
    return any_of(S.Exits, [&](const Exit &E) { return E.Stretch == Stretch && E.Alone == Alone; });
  }

  void skipRest(const Exit &E) {
    // A barrier may have been split off since.
    BasicBlock *From = E.Terminator->getParent();
    if (E.Successor) {
      From = BasicBlock::Create(C, "out", &F);
      E.Terminator->setSuccessor(*E.Successor, From);
    }
    IRBuilder<> B(From);
    if (!E.Successor)
      B.SetInsertPoint(E.Terminator);
    if (!E.Alone) {
      Together.insert(From);
    } else if (E.Stretch != Meetings.size()) {
      Flag = stopFlag(*E.Terminator->getParent());
      B.CreateStore(B.getInt32(E.Stretch + 1), Flag);
    }
    B.CreateBr(next(E.Stretch));
    if (!E.Successor)
      E.Terminator->eraseFromParent();
  }

  void checkBehind(size_t Barrier) {
    BasicBlock *Meeting = Meetings[Barrier];
    BasicBlock *Resume = Meeting->getSingleSuccessor();
    IRBuilder<> B(&Meeting->front());
    if (hasExit(Barrier, false)) {
      PHINode *P = B.CreatePHI(B.getInt1Ty(), pred_size(Meeting), "out");
      for (BasicBlock *From : predecessors(Meeting))
        P->addIncoming(Together.contains(From) ? B.getTrue() : IsOut ? IsOut : B.getFalse(), From);
      IsOut = P;
    }
    B.SetInsertPoint(Meeting->getTerminator());
    if (hasExit(Barrier, true)) {
      Value *Before = B.CreateSub(B.CreateLoad(B.getInt32Ty(), Flag), B.getInt32(1));
      Value *Stopped = B.CreateICmpULE(Before, B.getInt32(Barrier));
      // That holds for the stretches before, too, but for groups that returned.
      IsOut = IsOut && !Together.empty() ? B.CreateOr(IsOut, Stopped) : Stopped;
    }
    // Before the first exit nobody is out.
    if (!IsOut)
      return;
    B.CreateCondBr(IsOut, next(Barrier + 1), Resume);
    Meeting->getTerminator()->eraseFromParent();
  }

  void removeDeadReturns() {
    for (BasicBlock &B : make_early_inc_range(F))
      if (&B != &F.getEntryBlock() && isMereReturn(B) && pred_empty(&B))
        DeleteDeadBlock(&B);
  }

  Function &F;
  LLVMContext &C;
  Shape S;
  Value *Flag = nullptr;
  /// The blocks that begin with the barriers.
  SmallVector<BasicBlock *, 16> Meetings;
  BasicBlock *End = nullptr;
  /// Where whole groups end.
  SmallPtrSet<BasicBlock *, 8> Together;
  /// Behind the last barrier that was dealt with.
  Value *IsOut = nullptr;
};

} // namespace

bool ka::spirv::hasStraightBarriers(Function &F) { return findShape(F).has_value(); }

void ka::spirv::stopAtBarriers(Function &F) {
  if (std::optional<Shape> S = findShape(F))
    Stopper(F, std::move(*S)).run();
}
