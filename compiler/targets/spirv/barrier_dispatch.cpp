//===- barrier_dispatch.cpp - Barriers in branches and loops -------------------===//
//
// A barrier in a branch or loop that all items of a group take together is right,
// but drivers for CPUs, which make loops over the items between barriers, do not
// all cope: PoCL 6 with its default method gives wrong results or ends the process
// where barriers stand in branches, or in loops without a turn (measured with
// random kernels). The same kernel as
//
//   for (state = 0;;) {
//     switch (state) { ... the code from each barrier up to the next ... }
//     barrier();
//     if (state == end) break;
//   }
//
// has one barrier, which every turn of one loop reaches. Each barrier becomes "go
// on from here in the next turn". Headers of loops with barriers become barriers
// too, which is harmless, so that no loop can be entered in the middle.
//
// An item that has trapped (lowering/traps.h) goes to the barrier that the others of its group
// come to next, and leaves that barrier's number in group memory. Who finds it there when he goes
// on behind that barrier ends. Who is late finds the same, since items that are ahead come by
// another barrier before they can trap again in front of this one. A barrier of its own in front of
// a loop keeps the question out of the loop. Where there is no such one barrier (in a loop with no
// other, for example), it is the number of the turn that is left, and asked for in every turn.
//
//===----------------------------------------------------------------------===//

#include "compiler/targets/spirv/barrier_dispatch.h"
#include "compiler/lowering/divergence.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/work_items.h"
#include "compiler/targets/spirv/barrier_stops.h"
#include "compiler/targets/spirv/hidden_zero.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace ka;

namespace {

/// Where items that trap tell the rest of their group; null if none does.
Value *anyStopFlag(Function &F) {
  for (BasicBlock &B : F)
    if (endsWithTrap(B))
      return stopFlag(B);
  return nullptr;
}

/// Which barrier each trap's group ends at.
class Stops {
public:
  explicit Stops(Function &F) : Walk(F) {
    for (BasicBlock &B : F)
      if (endsWithTrap(B))
        Traps.push_back(&B);
  }

  /// Barriers where the others meet, if that is in front of a loop with the next one.
  void addBarriers(const LoopInfo &Loops) {
    SmallPtrSet<BasicBlock *, 4> Places;
    for (BasicBlock *T : Traps) {
      BasicBlock *Meeting = nullptr;
      if (const Instruction *Cause = Walk.cause(T))
        Meeting = Walk.meeting(Cause->getParent());
      if (!Meeting || Walk.isDivergent(Meeting) || Loops.getLoopFor(Meeting) || Loops.getLoopFor(T))
        continue;
      Instruction *Next = barrierBehind(*T);
      if (Next && Loops.getLoopFor(Next->getParent()))
        Places.insert(Meeting);
    }
    for (BasicBlock *P : Places) {
      IRBuilder<> B(&*P->getFirstInsertionPt());
      callWorkItemFunction(B, WorkItemFunction::Barrier);
    }
  }

  /// False if there is a trap without such a barrier.
  bool find() {
    for (BasicBlock *T : Traps) {
      Instruction *Barrier = barrierBehind(*T);
      if (!Barrier || !firstBarriers(Barrier).keepsFrom(T))
        return false;
      Ends[T] = Barrier;
    }
    return true;
  }

  Instruction *of(const BasicBlock *Trap) const { return Ends.lookup(Trap); }
  bool isEnd(const Instruction *Barrier) const {
    return any_of(Ends, [&](const auto &E) { return E.second == Barrier; });
  }

private:
  struct Ahead {
    SmallPtrSet<Instruction *, 2> Barriers;   // the first ones
    SmallPtrSet<const BasicBlock *, 16> Seen; // blocks in front of them
    bool Returns = false;
    bool keepsFrom(const BasicBlock *B) const { return !Seen.contains(B); }
  };

  static void goOn(Ahead &A, BasicBlock *B, Instruction *From) {
    for (Instruction &I : make_range(From->getIterator(), B->end()))
      if (isSynchronising(I)) {
        A.Barriers.insert(&I);
        return;
      }
    A.Returns |= isa<ReturnInst>(B->getTerminator());
    for (BasicBlock *S : successors(B))
      if (A.Seen.insert(S).second)
        goOn(A, S, &S->front());
  }

  static Ahead firstBarriers(Instruction *Behind) {
    Ahead A;
    goOn(A, Behind->getParent(), Behind->getNextNode());
    return A;
  }

  /// The one that others come to next when an item traps; null if that is not always the same.
  Instruction *barrierBehind(BasicBlock &Trap) {
    Ahead A;
    for (BasicBlock *B : Walk.lastTogether(Trap))
      goOn(A, B, B->getTerminator());
    return A.Barriers.size() == 1 && !A.Returns ? *A.Barriers.begin() : nullptr;
  }

  Divergence Walk;
  SmallVector<BasicBlock *, 8> Traps;
  DenseMap<const BasicBlock *, Instruction *> Ends;
};

class Dispatcher {
public:
  Dispatcher(Function &F, const LoopInfo &Loops)
      : F(F), C(F.getContext()), Loops(Loops), Flag(anyStopFlag(F)), End(F) {
    SmallPtrSet<BasicBlock *, 8> Headers;
    for (Instruction *I : barriersOf(F))
      for (Loop *L = Loops.getLoopFor(I->getParent()); L; L = L->getParentLoop())
        Headers.insert(L->getHeader());
    for (BasicBlock *H : Headers) {
      IRBuilder<> B(&*H->getFirstInsertionPt());
      callWorkItemFunction(B, WorkItemFunction::Barrier);
    }
    End.addBarriers(Loops);
    CountsTurns = !End.find();
  }

  void run() {
    SmallVector<Instruction *, 16> Barriers = barriersOf(F);
    Entry = &F.getEntryBlock();
    moveIdsToEntry();
    // What the entry block computes is there for all turns.
    Instruction *Cut = Entry->getTerminator();
    for (Instruction *I : reverse(Barriers))
      if (I->getParent() == Entry)
        Cut = I;
    BasicBlock *Start = Entry->splitBasicBlock(Cut, "dispatch.start");
    moveFromEntry();
    SmallVector<BasicBlock *, 8> Resume;
    for (Instruction *I : Barriers)
      Resume.push_back(I->getParent()->splitBasicBlock(std::next(I->getIterator()), "resume"));
    keepValuesInMemory();

    SmallVector<Instruction *, 4> Ends;
    for (BasicBlock &B : F)
      if (isa<ReturnInst>(B.getTerminator()) || endsWithTrap(B))
        Ends.push_back(B.getTerminator());

    BasicBlock *Head = BasicBlock::Create(C, "dispatch", &F);
    Latch = BasicBlock::Create(C, "dispatch.meet", &F);
    BasicBlock *Done = BasicBlock::Create(C, "dispatch.done", &F);
    ReturnInst::Create(C, Done);
    IRBuilder<> B(&*Entry->getFirstInsertionPt());
    State = B.CreateAlloca(B.getInt32Ty(), nullptr, "state");
    Variables.push_back(State);
    AllocaInst *Turn = CountsTurns ? B.CreateAlloca(B.getInt32Ty(), nullptr, "turn") : nullptr;
    if (CountsTurns) {
      Variables.push_back(Turn);
      B.SetInsertPoint(Entry->getTerminator());
      B.CreateStore(B.getInt32(1), Turn);
    }

    goOnWith(Entry->getTerminator(), firstState(), Head);
    B.SetInsertPoint(Head);
    SwitchInst *Switch = B.CreateSwitch(B.CreateLoad(B.getInt32Ty(), State), Start, Resume.size());
    uint32_t Last = Barriers.size() + 1;
    DenseMap<const Instruction *, uint32_t> Numbers;
    for (auto [I, Barrier] : enumerate(Barriers)) {
      uint32_t Number = Numbers[Barrier] = I + 1;
      BasicBlock *Goal = Resume[I];
      if (!CountsTurns && End.isEnd(Barrier))
        Goal = endIfStopped(Number, Goal, Last);
      Switch->addCase(B.getInt32(Number), Goal);
      goOnWith(Barrier->getParent()->getTerminator(), B.getInt32(Number), Latch);
    }
    for (Instruction *I : Ends) {
      uint32_t Number = Last;
      if (isa<UnreachableInst>(I)) {
        B.SetInsertPoint(I);
        if (!CountsTurns)
          Number = Numbers.lookup(End.of(I->getParent()));
        B.CreateStore(CountsTurns ? B.CreateLoad(B.getInt32Ty(), Turn)
                                  : static_cast<Value *>(B.getInt32(Number)),
                      Flag);
      }
      goOnWith(I, B.getInt32(Number), Latch);
    }
    for (Instruction *Barrier : Barriers)
      Barrier->eraseFromParent();
    B.SetInsertPoint(Latch);
    callWorkItemFunction(B, WorkItemFunction::Barrier);
    Value *Over = B.CreateICmpEQ(B.CreateLoad(B.getInt32Ty(), State), B.getInt32(Last));
    if (CountsTurns) {
      Value *Now = B.CreateLoad(B.getInt32Ty(), Turn);
      Over = B.CreateOr(Over, B.CreateICmpEQ(B.CreateLoad(B.getInt32Ty(), Flag), Now));
      B.CreateStore(B.CreateAdd(Now, B.getInt32(1)), Turn);
    }
    B.CreateCondBr(Over, Done, Head);

    DominatorTree Dominators(F);
    PromoteMemToReg(Variables, Dominators);
  }

private:
  /// What an item can ask for anywhere, it need not keep from one turn to the next.
  void moveIdsToEntry() {
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (I.getParent() != Entry && I.isUsedOutsideOfBlock(I.getParent()) && !isSynchronising(I) &&
          workItemFunction(I) &&
          all_of(cast<CallInst>(I).args(), [](const Use &U) { return isa<Constant>(U); }))
        I.moveBefore(&*Entry->getFirstNonPHIOrDbgOrAlloca());
  }

  /// What only one place needs, and once, is worked out there.
  void moveFromEntry() {
    for (Instruction &I : make_early_inc_range(reverse(*Entry))) {
      if (I.use_empty() || I.mayReadOrWriteMemory() || I.isTerminator() || isa<AllocaInst>(I))
        continue;
      auto *First = cast<Instruction>(*I.user_begin());
      if (First->getParent() == Entry || Loops.getLoopFor(First->getParent()))
        continue;
      bool Together = all_of(I.users(), [&](User *U) {
        auto *Use = cast<Instruction>(U);
        if (Use->getParent() != First->getParent() || isa<PHINode>(Use))
          return false;
        if (Use->comesBefore(First))
          First = Use;
        return true;
      });
      if (Together)
        I.moveBefore(First);
    }
  }

  /// 0, but hidden. Otherwise a device's compiler takes the first turn out of the loop, and where
  /// little is left of it PoCL 6 ends the process ("Could not find a dominating alternative
  /// variable").
  Value *firstState() {
    IRBuilder<> B(Entry->getTerminator());
    return spirv::hiddenZero(B, B.getInt32Ty());
  }

  BasicBlock *endIfStopped(uint32_t Number, BasicBlock *Else, uint32_t Last) {
    BasicBlock *Ask = BasicBlock::Create(C, "stopped", &F, Else);
    BasicBlock *Stop = BasicBlock::Create(C, "stop", &F, Else);
    IRBuilder<> B(Ask);
    B.CreateCondBr(B.CreateICmpEQ(B.CreateLoad(B.getInt32Ty(), Flag), B.getInt32(Number)), Stop,
                   Else);
    B.SetInsertPoint(Stop);
    goOnWith(B.CreateUnreachable(), B.getInt32(Last), Latch);
    return Ask;
  }

  void goOnWith(Instruction *Terminator, Value *NewState, BasicBlock *To) {
    IRBuilder<> B(Terminator);
    B.CreateStore(NewState, State);
    B.CreateBr(To);
    Terminator->eraseFromParent();
  }

  /// Values that cross blocks, except those of the entry block, until the new
  /// control flow stands.
  void keepValuesInMemory() {
    SmallVector<PHINode *, 16> Phis;
    for (BasicBlock &B : F)
      for (PHINode &P : B.phis())
        Phis.push_back(&P);
    for (PHINode *P : Phis)
      if (AllocaInst *A = DemotePHIToStack(P, Entry->getFirstInsertionPt()))
        Variables.push_back(A);
    SmallVector<Instruction *, 32> Crossing;
    for (Instruction &I : instructions(F))
      if (I.getParent() != Entry && I.isUsedOutsideOfBlock(I.getParent()))
        Crossing.push_back(&I);
    for (Instruction *I : Crossing)
      if (AllocaInst *A = DemoteRegToStack(*I, false, Entry->getFirstInsertionPt()))
        Variables.push_back(A);
  }

  Function &F;
  LLVMContext &C;
  const LoopInfo &Loops; // of the kernel as it was
  Value *Flag;           // null if no item traps
  Stops End;
  bool CountsTurns = false;
  BasicBlock *Entry = nullptr;
  BasicBlock *Latch = nullptr;
  AllocaInst *State = nullptr;
  SmallVector<AllocaInst *, 32> Variables;
};

} // namespace

bool ka::spirv::dispatchBarriers(Function &F) {
  if (hasStraightBarriers(F))
    return false;
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  // Places in front of them.
  if (anyStopFlag(F))
    for (Loop *L : Loops.getLoopsInPreorder())
      if (!L->getLoopPreheader())
        InsertPreheaderForLoop(L, &Dominators, &Loops, nullptr, false);
  Dispatcher(F, Loops).run();
  return true;
}
