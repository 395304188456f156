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
// An item that has trapped (lowering/traps.h) goes to the barrier, too, and leaves the
// number of the turn in group memory. Who finds the number of the turn there that just
// ended ends as well; that of the next turn is from an item that is already ahead.
//
//===----------------------------------------------------------------------===//

#include "compiler/targets/spirv/barrier_dispatch.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace ka;

namespace {

SmallVector<Instruction *, 8> barriersOf(Function &F) {
  SmallVector<Instruction *, 8> Result;
  for (Instruction &I : instructions(F))
    if (isSynchronising(I))
      Result.push_back(&I);
  return Result;
}

/// All items come by all barriers, once.
bool isStraight(Function &F, const LoopInfo &Loops) {
  PostDominatorTree PostDominators(F);
  return all_of(barriersOf(F), [&](const Instruction *I) {
    return !Loops.getLoopFor(I->getParent()) &&
           PostDominators.dominates(I->getParent(), &F.getEntryBlock());
  });
}

/// Where items that trap tell the rest of their group; null if none does. It is a variable of the
/// group, without the casts that belong to the trap's block.
Value *stopFlag(Function &F) {
  for (BasicBlock &B : F)
    if (endsWithTrap(B))
      return cast<CallInst>(B.getTerminator()->getPrevNode())
          ->getArgOperand(1)
          ->stripPointerCasts();
  return nullptr;
}

class Dispatcher {
public:
  Dispatcher(Function &F, const LoopInfo &Loops) : F(F), C(F.getContext()), Flag(stopFlag(F)) {
    SmallPtrSet<BasicBlock *, 8> Headers;
    for (Instruction *I : barriersOf(F))
      for (Loop *L = Loops.getLoopFor(I->getParent()); L; L = L->getParentLoop())
        Headers.insert(L->getHeader());
    for (BasicBlock *H : Headers) {
      IRBuilder<> B(&*H->getFirstInsertionPt());
      callWorkItemFunction(B, WorkItemFunction::Barrier);
    }
  }

  void run() {
    SmallVector<Instruction *, 8> Barriers = barriersOf(F);
    Entry = &F.getEntryBlock();
    // What the entry block computes is there for all turns.
    Instruction *Cut = Entry->getTerminator();
    for (Instruction *I : reverse(Barriers))
      if (I->getParent() == Entry)
        Cut = I;
    BasicBlock *Start = Entry->splitBasicBlock(Cut, "dispatch.start");
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
    AllocaInst *Turn = Flag ? B.CreateAlloca(B.getInt32Ty(), nullptr, "turn") : nullptr;
    if (Flag) {
      Variables.push_back(Turn);
      B.SetInsertPoint(Entry->getTerminator());
      B.CreateStore(B.getInt32(1), Turn);
    }

    goOnWith(Entry->getTerminator(), firstState(), Head);
    B.SetInsertPoint(Head);
    SwitchInst *Switch = B.CreateSwitch(B.CreateLoad(B.getInt32Ty(), State), Start, Resume.size());
    for (auto [I, Barrier] : enumerate(Barriers)) {
      Switch->addCase(B.getInt32(I + 1), Resume[I]);
      goOnWith(Barrier->getParent()->getTerminator(), B.getInt32(I + 1), Latch);
      Barrier->eraseFromParent();
    }
    for (Instruction *End : Ends) {
      if (isa<UnreachableInst>(End)) {
        B.SetInsertPoint(End);
        B.CreateStore(B.CreateLoad(B.getInt32Ty(), Turn), Flag);
      }
      goOnWith(End, B.getInt32(Barriers.size() + 1), Latch);
    }
    B.SetInsertPoint(Latch);
    callWorkItemFunction(B, WorkItemFunction::Barrier);
    Value *Over =
        B.CreateICmpEQ(B.CreateLoad(B.getInt32Ty(), State), B.getInt32(Barriers.size() + 1));
    if (Flag) {
      Value *Now = B.CreateLoad(B.getInt32Ty(), Turn);
      Over = B.CreateOr(Over, B.CreateICmpEQ(B.CreateLoad(B.getInt32Ty(), Flag), Now));
      B.CreateStore(B.CreateAdd(Now, B.getInt32(1)), Turn);
    }
    B.CreateCondBr(Over, Done, Head);

    DominatorTree Dominators(F);
    PromoteMemToReg(Variables, Dominators);
  }

private:
  /// 0, but a device compiler must not know. Otherwise it takes the first turn out of the loop,
  /// and where little is left of it PoCL 6 ends the process ("Could not find a dominating
  /// alternative variable").
  Value *firstState() {
    IRBuilder<> B(Entry->getTerminator());
    Value *Groups = callWorkItemFunction(B, WorkItemFunction::NumGroups, 0);
    return B.CreateZExt(B.CreateICmpEQ(Groups, B.getInt64(0)), B.getInt32Ty());
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
  Value *Flag; // null if no item traps
  BasicBlock *Entry = nullptr;
  BasicBlock *Latch = nullptr;
  AllocaInst *State = nullptr;
  SmallVector<AllocaInst *, 32> Variables;
};

} // namespace

bool ka::spirv::dispatchBarriers(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  if (!stopFlag(F) && isStraight(F, Loops))
    return false;
  Dispatcher(F, Loops).run();
  return true;
}
