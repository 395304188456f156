//===- predication.cpp - Items that come along but do nothing -------------===//
//
// Where all items of a group walk together (uniform control), an inactive item
// walks with them, so that it meets every barrier; only its effects are switched
// off: a run of instructions with effects becomes a block that it jumps over, and
// what it would have loaded is zero. A load from an address that all items share
// is left alone: the active items of the group do it as well, so it cannot
// fault, and a value that steers loops around barriers stays the same for all.
//
// Where items part, there is no barrier until they meet again. An inactive item
// goes to the meeting point at once. So it is never alone in a loop that waits
// for something it cannot do. Where all items of the group trap there is no such
// point: it goes where they go, and tells nobody.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/predication.h"
#include "compiler/lowering/divergence.h"
#include "compiler/lowering/skipped_values.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace ka;

namespace {

class Predicator {
public:
  Predicator(Function &F, Value *Active) : F(F), Active(Active), Walk(F) {}

  void run() {
    // The analysis speaks of the function as it is: decide first, then change.
    DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    for (Loop *L : Loops)
      planLoop(*L);
    for (BasicBlock &B : F)
      if (!Walk.isDivergent(&B) && !WithinSkipped.contains(&B))
        planBlock(B);
    for (const Run &R : Runs)
      guardRun(R);
    for (const Skip &S : Skips)
      addSkip(S);
    for (CallInst *Trap : CommonTraps)
      Trap->setArgOperand(0, IRBuilder<>(Trap).CreateSelect(
                                 Active, Trap->getArgOperand(0),
                                 ConstantInt::get(Trap->getArgOperand(0)->getType(), NoSite)));
    zeroSkippedValues(F);
  }

private:
  /// Instructions of one block, from the first to the last with an effect.
  struct Run {
    SmallVector<Instruction *, 8> Guarded;
    SmallVector<Instruction *, 8> Others; // between them, free of effects
  };

  /// An edge, or all edges, from a block under uniform control into blocks under
  /// divergent control.
  struct Skip {
    Instruction *Terminator;
    BasicBlock *To;     // null: all successors
    BasicBlock *Target; // ends with a trap: to be passed with NoSite
  };

  /// A loop without barriers is skipped as a whole where nothing uniform comes
  /// out of it: one branch instead of one for each turn, and PoCL, which makes
  /// loops over the items inside such loops, keeps its hands off (it lost values
  /// of loops without a turn whose bodies had branches).
  void planLoop(Loop &L) {
    if (!canSkip(L)) {
      for (Loop *Inner : L)
        planLoop(*Inner);
      return;
    }
    WithinSkipped.insert(L.block_begin(), L.block_end());
    Skips.push_back({L.getLoopPreheader()->getTerminator(), L.getHeader(), exitOf(L)});
  }

  /// Where all go on behind the loop but items that trap in it; null if that is not one block. If
  /// all of them trap, an inactive item that walked along would be alone in the loop.
  BasicBlock *exitOf(const Loop &L) {
    SmallVector<BasicBlock *, 4> Exits;
    L.getUniqueExitBlocks(Exits);
    erase_if(Exits, [&](BasicBlock *B) { return Walk.isDoomed(B); });
    return Exits.size() == 1 ? Exits.front() : nullptr;
  }

  bool canSkip(const Loop &L) {
    BasicBlock *Exit = exitOf(L);
    if (!Exit || !L.getLoopPreheader() || Walk.isDivergent(Exit) || Walk.isDivergent(L.getHeader()))
      return false;
    bool Acts = false;
    for (const BasicBlock *B : L.blocks())
      for (const Instruction &I : *B) {
        if (isSynchronising(I))
          return false;
        Acts |= needsGuard(I);
        if (!Walk.isDivergent(&I) && any_of(I.users(), [&](const User *U) {
              return !L.contains(cast<Instruction>(U)->getParent());
            }))
          return false;
      }
    for (const PHINode &P : Exit->phis()) {
      const Value *Common = nullptr;
      for (unsigned I = 0; I != P.getNumIncomingValues(); ++I) {
        if (!L.contains(P.getIncomingBlock(I)))
          continue;
        if (!Walk.isDivergent(&P) && Common && Common != P.getIncomingValue(I))
          return false;
        Common = P.getIncomingValue(I);
      }
    }
    return Acts;
  }

  void planBlock(BasicBlock &B) {
    // All of the group come to it; an inactive item stops with them, and tells nobody.
    if (endsWithTrap(B))
      CommonTraps.push_back(cast<CallInst>(B.getTerminator()->getPrevNode()));
    Run Current;
    SmallVector<Instruction *, 8> Pending;
    auto Finish = [&] {
      if (!Current.Guarded.empty())
        Runs.push_back(std::move(Current));
      Current = Run();
      Pending.clear();
    };
    for (Instruction &I : B) {
      if (needsGuard(I)) {
        Current.Guarded.push_back(&I);
        Current.Others.append(Pending);
        Pending.clear();
      } else if (isa<PHINode, AllocaInst>(I)) {
        continue;
      } else if (I.mayReadOrWriteMemory() || I.isTerminator()) {
        Finish();
      } else if (!Current.Guarded.empty()) {
        Pending.push_back(&I);
      }
    }
    Finish();

    if (Walk.isParting(&B)) {
      Skips.push_back(
          {B.getTerminator(), nullptr, Walk.isDoomed(&B) ? trapBehind(&B) : meeting(&B)});
      return;
    }
    SmallSetVector<BasicBlock *, 4> Divergent;
    for (BasicBlock *S : successors(&B))
      if (Walk.isDivergent(S) && !WithinSkipped.contains(S))
        Divergent.insert(S);
    for (BasicBlock *S : Divergent)
      // Several branches may lead to one trap. Then its cause is one of them, and where that one's
      // items meet can lie before B, as in a loop that was unrolled.
      Skips.push_back({B.getTerminator(), S,
                       Walk.isDoomed(S) ? trapBehind(S) : meeting(Walk.cause(S)->getParent())});
  }

  static BasicBlock *trapBehind(BasicBlock *Doomed) {
    SmallSetVector<BasicBlock *, 8> Ways;
    Ways.insert(Doomed);
    size_t I = 0;
    for (; !succ_empty(Ways[I]); ++I)
      Ways.insert(succ_begin(Ways[I]), succ_end(Ways[I]));
    return Ways[I];
  }

  /// The end of a block with a trap, for items that stop with those that trap.
  BasicBlock *endOf(BasicBlock *Trap) {
    BasicBlock *&End = TrapEnds[Trap];
    if (!End) {
      auto *Call = cast<CallInst>(Trap->getTerminator()->getPrevNode());
      End = Trap->splitBasicBlock(Call, "stop");
      IRBuilder<> B(Call);
      PHINode *Site = B.CreatePHI(Call->getArgOperand(0)->getType(), 2);
      Site->addIncoming(Call->getArgOperand(0), Trap);
      Call->setArgOperand(0, Site);
      // Its casts belong to the block before.
      Call->setArgOperand(1,
                          B.CreateAddrSpaceCast(stopFlag(*End), Call->getArgOperand(1)->getType()));
    }
    return End;
  }

  /// Where an item that left at B's end may go on: the next block after B under
  /// uniform control. Each step goes to a block that every path must pass.
  BasicBlock *meeting(const BasicBlock *B) {
    BasicBlock *M = Walk.meeting(B);
    while (M && Walk.isDivergent(M))
      M = Walk.meeting(Walk.cause(M)->getParent());
    return M ? M : exitBlock();
  }

  BasicBlock *exitBlock() {
    for (BasicBlock &B : F)
      if (isa<ReturnInst>(B.getTerminator()))
        return &B;
    BasicBlock *Exit = BasicBlock::Create(F.getContext(), "guard.exit", &F);
    ReturnInst::Create(F.getContext(), Exit);
    return Exit;
  }

  bool isUniformPrivate(Value *Pointer) const {
    return isa<AllocaInst>(getUnderlyingObject(Pointer, 0)) && !Walk.isDivergent(Pointer);
  }

  bool needsGuard(const Instruction &I) const {
    if (auto *L = dyn_cast<LoadInst>(&I))
      return L->isVolatile() || L->isAtomic() || Walk.isDivergent(L->getPointerOperand());
    if (auto *S = dyn_cast<StoreInst>(&I))
      return S->isVolatile() || S->isAtomic() || !isUniformPrivate(S->getOperand(1));
    if (auto *T = dyn_cast<MemTransferInst>(&I))
      return Walk.isDivergent(T->getRawSource()) || !isUniformPrivate(T->getRawDest()) ||
             Walk.isDivergent(T->getLength());
    if (auto *M = dyn_cast<MemSetInst>(&I))
      return !isUniformPrivate(M->getRawDest()) || Walk.isDivergent(M->getLength());
    if (isa<FenceInst>(I) || isSynchronising(I) || isTrap(I))
      return false;
    return I.mayReadOrWriteMemory();
  }

  void guardRun(const Run &R) {
    Instruction *First = R.Guarded.front();
    // What depends on a guarded result goes along; everything else between comes
    // first. Order is that of the block, so one pass over it is enough.
    SmallPtrSet<const Instruction *, 16> Inside(R.Guarded.begin(), R.Guarded.end());
    SmallPtrSet<const Instruction *, 16> Between(R.Others.begin(), R.Others.end());
    for (Instruction &I : make_early_inc_range(
             make_range(First->getIterator(), std::next(R.Guarded.back()->getIterator())))) {
      if (!Between.contains(&I))
        continue;
      if (any_of(I.operands(), [&](const Use &U) {
            auto *O = dyn_cast<Instruction>(U.get());
            return O && Inside.contains(O);
          }))
        Inside.insert(&I);
      else
        I.moveBefore(First);
    }

    BasicBlock *Head = First->getParent();
    BasicBlock *Body = Head->splitBasicBlock(First, "guarded");
    BasicBlock *Tail =
        Body->splitBasicBlock(std::next(R.Guarded.back()->getIterator()), "guarded.end");
    Head->getTerminator()->eraseFromParent();
    IRBuilder<>(Head).CreateCondBr(Active, Body, Tail);

    IRBuilder<> B(&Tail->front());
    for (Instruction &I : *Body) {
      if (I.use_empty() || I.isTerminator())
        continue;
      PHINode *P = nullptr;
      for (Use &U : make_early_inc_range(I.uses())) {
        auto *User = cast<Instruction>(U.getUser());
        if (User->getParent() == Body || User == P)
          continue;
        if (!P) {
          P = B.CreatePHI(I.getType(), 2);
          P->addIncoming(Constant::getNullValue(I.getType()), Head);
        }
        U.set(P);
      }
      if (P)
        P->addIncoming(&I, Body);
    }
  }

  void addSkip(const Skip &S) {
    bool Traps = TrapEnds.contains(S.Target) || endsWithTrap(*S.Target);
    BasicBlock *Target = Traps ? endOf(S.Target) : S.Target;
    BasicBlock *Decide = S.Terminator->getParent();
    if (S.To)
      Decide = SplitEdge(Decide, S.To);
    SmallPtrSet<const BasicBlock *, 16> Skipped = pathsTo(Target, Decide);
    BasicBlock *Rest = Decide->splitBasicBlock(Decide->getTerminator(), "parting");
    Skipped.insert(Rest); // it may lead to the target itself
    Decide->getTerminator()->eraseFromParent();
    IRBuilder<>(Decide).CreateCondBr(Active, Rest, Target);
    for (PHINode &P : Target->phis())
      P.addIncoming(Traps ? ConstantInt::get(P.getType(), NoSite) : skippedValue(P, Skipped),
                    Decide);
  }

  static SmallPtrSet<const BasicBlock *, 16> pathsTo(BasicBlock *Target, BasicBlock *From) {
    SmallPtrSet<const BasicBlock *, 16> Seen;
    SmallVector<const BasicBlock *, 16> Work(successors(From));
    while (!Work.empty()) {
      const BasicBlock *B = Work.pop_back_val();
      if (B != Target && Seen.insert(B).second)
        Work.append(succ_begin(B), succ_end(B));
    }
    return Seen;
  }

  /// What an item that skipped the paths to P brings along. A phi that is the
  /// same for all items has one value on those paths, from before they part.
  Value *skippedValue(PHINode &P, const SmallPtrSetImpl<const BasicBlock *> &Skipped) {
    if (!Walk.isDivergent(&P))
      for (unsigned I = 0; I != P.getNumIncomingValues(); ++I)
        if (Skipped.contains(P.getIncomingBlock(I)))
          return P.getIncomingValue(I);
    return Constant::getNullValue(P.getType());
  }

  Function &F;
  Value *Active;
  Divergence Walk;
  SmallPtrSet<const BasicBlock *, 16> WithinSkipped;
  SmallVector<Run, 16> Runs;
  SmallVector<Skip, 16> Skips;
  SmallVector<CallInst *, 4> CommonTraps;
  DenseMap<BasicBlock *, BasicBlock *> TrapEnds;
};

/// A block in front of each loop: items that skipped what was before it must still
/// come by the decision to skip the loop.
void insertPreheaders(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  for (Loop *L : Loops.getLoopsInPreorder())
    if (!L->getLoopPreheader())
      InsertPreheaderForLoop(L, &Dominators, &Loops, nullptr, false);
}

} // namespace

void ka::predicate(Function &F, Value *Active) {
  insertPreheaders(F);
  Predicator(F, Active).run();
}
