//===- divergence.cpp - What is the same for all items of a group ---------===//
//
// Divergence starts at item ids, at the results of atomics and at what loads
// find at divergent addresses, and spreads along data. A branch on a divergent
// condition makes control divergent in all blocks up to where its paths meet
// again; there, and at the headers of loops that items leave at different
// times, values that came along different paths are divergent too.
//
// Private memory counts as uniform while every store into it stores uniform
// data at uniform places under uniform control.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/divergence.h"
#include "compiler/lowering/collectives.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace ka;

Divergence::Divergence(Function &Fn) : F(Fn) {
  findDoomed();
  findMeetings();
  findEscapes();
  for (const Instruction &I : instructions(F))
    if (isSource(I))
      markValue(&I);
  // Arguments are the same for all items.
  while (!Work.empty())
    markValue(Work.pop_back_val());
}

bool Divergence::isParting(const BasicBlock *B) const {
  const Instruction *T = B->getTerminator();
  return !isDivergent(B) && T->getNumSuccessors() > 1 && isDivergent(T);
}

BasicBlock *Divergence::meeting(const BasicBlock *B) const { return Meetings.lookup(B); }

SmallVector<BasicBlock *, 4> Divergence::lastTogether(BasicBlock &B) const {
  SmallVector<BasicBlock *, 4> Result;
  SmallPtrSet<const BasicBlock *, 8> Seen = {&B};
  SmallVector<BasicBlock *, 8> Ways = {&B};
  while (!Ways.empty()) {
    BasicBlock *Next = Ways.pop_back_val();
    if (!isDivergent(Next)) {
      Result.push_back(Next);
      continue;
    }
    for (BasicBlock *P : predecessors(Next))
      if (Seen.insert(P).second)
        Ways.push_back(P);
  }
  return Result;
}

void Divergence::findDoomed() {
  // Those from which items can come to the end or to a barrier are not.
  DenseSet<const BasicBlock *> Safe;
  SmallVector<const BasicBlock *, 16> Blocks;
  auto Spread = [&](DenseSet<const BasicBlock *> &Set) {
    while (!Blocks.empty())
      for (const BasicBlock *P : predecessors(Blocks.pop_back_val()))
        if (!Safe.contains(P) && Set.insert(P).second)
          Blocks.push_back(P);
  };
  for (const BasicBlock &B : F)
    if ((succ_empty(&B) && !endsWithTrap(B)) ||
        any_of(B, [](const Instruction &I) { return isSynchronising(I); }))
      Blocks.push_back(&B);
  Safe.insert(Blocks.begin(), Blocks.end());
  Spread(Safe);
  for (const BasicBlock &B : F)
    if (endsWithTrap(B) && !Safe.contains(&B))
      Blocks.push_back(&B);
  Doomed.insert(Blocks.begin(), Blocks.end());
  Spread(Doomed);
}

/// Each block's immediate post-dominator. Items that go into a trap do not count: they
/// are out of the walk, and the others meet without them. So the tree is that of a
/// function of the same blocks without the doomed ones, and without instructions.
void Divergence::findMeetings() {
  auto Note = [&](Function &Of, function_ref<BasicBlock *(BasicBlock *)> Back) {
    PostDominatorTree Tree(Of);
    for (BasicBlock &B : Of)
      if (const DomTreeNode *N = Tree.getNode(&B); N && N->getIDom() && N->getIDom()->getBlock())
        Meetings[Back(&B)] = Back(N->getIDom()->getBlock());
  };
  if (Doomed.empty()) {
    Note(F, [](BasicBlock *B) { return B; });
    return;
  }
  LLVMContext &C = F.getContext();
  std::unique_ptr<Function> Copy(
      Function::Create(FunctionType::get(Type::getVoidTy(C), false), GlobalValue::PrivateLinkage));
  DenseMap<const BasicBlock *, BasicBlock *> There, Back;
  for (BasicBlock &B : F)
    if (!Doomed.contains(&B)) {
      BasicBlock *Same = BasicBlock::Create(C, "", Copy.get());
      There[&B] = Same;
      Back[Same] = &B;
    }
  if (There.empty())
    return;
  for (auto [B, Same] : There) {
    IRBuilder<> Builder(Same);
    SmallVector<BasicBlock *, 4> Next;
    for (const BasicBlock *S : successors(B))
      if (BasicBlock *To = There.lookup(S))
        Next.push_back(To);
    if (Next.empty()) {
      Builder.CreateRetVoid();
      continue;
    }
    SwitchInst *S = Builder.CreateSwitch(Builder.getInt32(0), Next.front());
    for (auto [I, To] : enumerate(drop_begin(Next)))
      S->addCase(Builder.getInt32(I), To);
  }
  Note(*Copy, [&](BasicBlock *B) { return Back.lookup(B); });
}

/// Sets of private variables whose address is only used to load and store.
void Divergence::findEscapes() {
  for (const Instruction &I : instructions(F)) {
    auto *A = dyn_cast<AllocaInst>(&I);
    if (!A)
      continue;
    SmallVector<const Value *, 8> Pointers = {A};
    DenseSet<const Value *> Seen = {A};
    bool Escapes = false;
    while (!Pointers.empty()) {
      const Value *P = Pointers.pop_back_val();
      for (const User *U : P->users()) {
        if (isa<GetElementPtrInst, CastInst>(U) && U->getType()->isPointerTy()) {
          if (Seen.insert(U).second)
            Pointers.push_back(U);
        } else if (auto *L = dyn_cast<LoadInst>(U)) {
          Reads[A].push_back(L);
        } else if (auto *S = dyn_cast<StoreInst>(U)) {
          Escapes |= S->getValueOperand() == P;
        } else if (auto *T = dyn_cast<MemTransferInst>(U)) {
          if (T->getRawSource() == P)
            Reads[A].push_back(T);
        } else if (!isa<MemSetInst, CmpInst>(U)) {
          Escapes = true;
        }
      }
    }
    if (Escapes) {
      Memory.insert(A);
      AnyEscapes = true;
    }
  }
}

const AllocaInst *Divergence::privateMemory(const Value *Pointer) const {
  return dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, 0));
}

/// What may be private memory with contents of the item's own. A pointer that
/// was itself loaded may lead to private memory whose address was stored.
bool Divergence::mayBePrivate(const Value *Pointer) const {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return any_of(Objects, [&](const Value *O) {
    if (auto *A = dyn_cast<AllocaInst>(O))
      return Memory.contains(A);
    return AnyEscapes && !isa<GlobalVariable, Argument>(O);
  });
}

bool Divergence::isSource(const Instruction &I) const {
  if (isa<AtomicRMWInst, AtomicCmpXchgInst, VAArgInst>(I))
    return true;
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isVolatile() || L->isAtomic() || mayBePrivate(L->getPointerOperand());
  if (isGroupUniformCollective(I))
    return false;
  if (std::optional<WorkItemFunction> W = workItemFunction(I))
    return !isGroupUniform(*W);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return !Call->doesNotAccessMemory() && !isa<IntrinsicInst>(Call);
  return false;
}

void Divergence::markValue(const Value *V) {
  // All items get the same, whatever each of them brings.
  if (auto *I = dyn_cast<Instruction>(V); I && isGroupUniformCollective(*I))
    return;
  if (!Values.insert(V).second)
    return;
  if (auto *I = dyn_cast<Instruction>(V)) {
    if (I->isTerminator())
      markBranch(I);
    noteStore(*I);
  }
  for (const User *U : V->users())
    if (auto *I = dyn_cast<Instruction>(U))
      Work.push_back(I);
}

/// Stores make their memory divergent.
void Divergence::noteStore(const Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    if (const AllocaInst *A = privateMemory(S->getPointerOperand()))
      markMemory(A);
  } else if (auto *M = dyn_cast<MemIntrinsic>(&I)) {
    if (const AllocaInst *A = privateMemory(M->getRawDest()))
      markMemory(A);
  }
}

void Divergence::markMemory(const AllocaInst *A) {
  if (!Memory.insert(A).second)
    return;
  for (const Instruction *R : Reads.lookup(A))
    Work.push_back(R);
}

void Divergence::markBranch(const Instruction *Terminator) {
  const BasicBlock *From = Terminator->getParent();
  if (Terminator->getNumSuccessors() < 2)
    return;
  const BasicBlock *Meet = meeting(From);
  // The region between the branch and the meeting point.
  DenseSet<const BasicBlock *> Region;
  SmallVector<const BasicBlock *, 16> Blocks;
  auto Enter = [&](const BasicBlock *B) {
    if (B != Meet && Region.insert(B).second)
      Blocks.push_back(B);
  };
  for (const BasicBlock *S : successors(From))
    Enter(S);
  while (!Blocks.empty())
    for (const BasicBlock *S : successors(Blocks.pop_back_val()))
      Enter(S);

  auto DivergentPhis = [&](const BasicBlock *B) {
    for (const PHINode &P : B->phis()) {
      // Paths that bring the same value make no difference.
      const Value *Common = nullptr;
      bool Same = true;
      for (unsigned I = 0; I != P.getNumIncomingValues(); ++I) {
        const BasicBlock *In = P.getIncomingBlock(I);
        if (In != From && !Region.contains(In))
          continue;
        const Value *V = P.getIncomingValue(I);
        Same &= !Common || Common == V;
        Common = V;
      }
      if (!Same || Region.contains(B))
        markValue(&P);
    }
  };
  if (Meet)
    DivergentPhis(Meet);
  for (const BasicBlock *B : Region) {
    DivergentPhis(B);
    if (!Cause.try_emplace(B, Terminator).second)
      continue;
    // Items come here at different times, and some do not: what is computed here
    // is not known to all, and memory may have changed in between.
    for (const Instruction &I : *B) {
      if (!isa<AllocaInst>(I) && !I.isTerminator())
        markValue(&I);
      noteStore(I);
    }
  }
}
