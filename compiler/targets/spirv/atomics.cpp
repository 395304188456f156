//===- atomics.cpp - Atomics that SPIR-V 1.2 has --------------------------===//

#include "compiler/targets/spirv/atomics.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace {

bool isNative(const AtomicRMWInst &I) {
  switch (I.getOperation()) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return I.getType()->isIntegerTy() && I.getType()->getIntegerBitWidth() >= 32;
  default:
    return false;
  }
}

IntegerType *sameSize(IRBuilder<> &B, Type *T) {
  return B.getIntNTy(T->isPointerTy() ? 64 : unsigned(T->getPrimitiveSizeInBits()));
}

Value *asInteger(IRBuilder<> &B, Value *V) {
  IntegerType *T = sameSize(B, V->getType());
  return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, T) : B.CreateBitCast(V, T);
}

Value *fromInteger(IRBuilder<> &B, Value *V, Type *T) {
  return T->isPointerTy() ? B.CreateIntToPtr(V, T) : B.CreateBitCast(V, T);
}

AtomicOrdering failureOrdering(AtomicOrdering O) {
  return AtomicCmpXchgInst::getStrongestFailureOrdering(O);
}

/// The 32-bit word that holds an object of 8 or 16 bits. SPIR-V for OpenCL has
/// no atomics on less.
struct Word {
  Word(IRBuilder<> &B, Value *Pointer, Type *PartType) : Part(PartType) {
    Value *Address = B.CreatePtrToInt(Pointer, B.getInt64Ty());
    Value *Offset = B.CreateAnd(Address, 3);
    WordPointer = B.CreatePtrAdd(Pointer, B.CreateNeg(Offset));
    Shift = B.CreateShl(B.CreateTrunc(Offset, B.getInt32Ty()), 3);
    unsigned Bits = Part->getIntegerBitWidth();
    Mask = B.CreateShl(B.getInt32((1u << Bits) - 1), Shift);
  }
  Value *get(IRBuilder<> &B, Value *V) const { return B.CreateTrunc(B.CreateLShr(V, Shift), Part); }
  Value *rest(IRBuilder<> &B, Value *V) const { return B.CreateAnd(V, B.CreateNot(Mask)); }
  Value *put(IRBuilder<> &B, Value *V) const {
    return B.CreateShl(B.CreateZExt(V, B.getInt32Ty()), Shift);
  }
  LoadInst *load(IRBuilder<> &B, AtomicOrdering Ordering, SyncScope::ID Scope) const {
    LoadInst *L = B.CreateAlignedLoad(B.getInt32Ty(), WordPointer, Align(4));
    L->setAtomic(Ordering, Scope);
    return L;
  }

  Type *Part;
  Value *WordPointer, *Shift, *Mask;
};

bool isPart(Type *T) { return T->isIntegerTy(8) || T->isIntegerTy(16); }

/// Splits before I: Head, a block for a loop, and the block that begins with I.
struct LoopPlace {
  explicit LoopPlace(Instruction &I) {
    Head = I.getParent();
    Done = Head->splitBasicBlock(&I, "atomic.done");
    Loop = BasicBlock::Create(I.getContext(), "atomic.try", Head->getParent(), Done);
    Head->getTerminator()->eraseFromParent();
  }
  BasicBlock *Head, *Loop, *Done;
};

void expandPart(AtomicRMWInst &I) {
  LoopPlace At(I);
  IRBuilder<> B(At.Head);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  Word W(B, I.getPointerOperand(), I.getType());
  Value *First = W.load(B, AtomicOrdering::Monotonic, I.getSyncScopeID());
  B.CreateBr(At.Loop);

  B.SetInsertPoint(At.Loop);
  PHINode *Old = B.CreatePHI(B.getInt32Ty(), 2);
  Old->addIncoming(First, At.Head);
  Value *Before = W.get(B, Old);
  Value *After = buildAtomicRMWValue(I.getOperation(), B, Before, I.getValOperand());
  AtomicCmpXchgInst *Try = B.CreateAtomicCmpXchg(
      W.WordPointer, Old, B.CreateOr(W.rest(B, Old), W.put(B, After)), Align(4), I.getOrdering(),
      failureOrdering(I.getOrdering()), I.getSyncScopeID());
  Old->addIncoming(B.CreateExtractValue(Try, 0), At.Loop);
  B.CreateCondBr(B.CreateExtractValue(Try, 1), At.Done, At.Loop);

  I.replaceAllUsesWith(Before);
  I.eraseFromParent();
}

/// Tries again as long as only the rest of the word has changed.
void expandPart(AtomicCmpXchgInst &I) {
  LoopPlace At(I);
  IRBuilder<> B(At.Head);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  Word W(B, I.getPointerOperand(), I.getCompareOperand()->getType());
  Value *First = W.load(B, AtomicOrdering::Monotonic, I.getSyncScopeID());
  Value *Expected = W.put(B, I.getCompareOperand()), *New = W.put(B, I.getNewValOperand());
  B.CreateBr(At.Loop);

  B.SetInsertPoint(At.Loop);
  PHINode *Old = B.CreatePHI(B.getInt32Ty(), 2);
  Old->addIncoming(First, At.Head);
  Value *Rest = W.rest(B, Old);
  AtomicCmpXchgInst *Try = B.CreateAtomicCmpXchg(
      W.WordPointer, B.CreateOr(Rest, Expected), B.CreateOr(Rest, New), Align(4),
      I.getSuccessOrdering(), I.getFailureOrdering(), I.getSyncScopeID());
  Value *Seen = B.CreateExtractValue(Try, 0), *Good = B.CreateExtractValue(Try, 1);
  Old->addIncoming(Seen, At.Loop);
  Value *Again = B.CreateAnd(B.CreateNot(Good), B.CreateICmpNE(W.rest(B, Seen), Rest));
  B.CreateCondBr(Again, At.Loop, At.Done);

  B.SetInsertPoint(&I);
  Value *Pair = B.CreateInsertValue(PoisonValue::get(I.getType()), W.get(B, Seen), 0);
  I.replaceAllUsesWith(B.CreateInsertValue(Pair, Good, 1));
  I.eraseFromParent();
}

void expandPart(LoadInst &I) {
  IRBuilder<> B(&I);
  Word W(B, I.getPointerOperand(), I.getType());
  I.replaceAllUsesWith(W.get(B, W.load(B, I.getOrdering(), I.getSyncScopeID())));
  I.eraseFromParent();
}

void expandPart(StoreInst &I) {
  AtomicRMWInst *Exchange = IRBuilder<>(&I).CreateAtomicRMW(
      AtomicRMWInst::Xchg, I.getPointerOperand(), I.getValueOperand(), I.getAlign(),
      I.getOrdering(), I.getSyncScopeID());
  I.eraseFromParent();
  expandPart(*Exchange);
}

/// do { new = op(old); } while (!compare_exchange(p, old, new)); on the object's
/// bits, since equal floats can have different ones.
void expandLoop(AtomicRMWInst &I) {
  LoopPlace At(I);
  IRBuilder<> B(At.Head);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  Type *T = I.getType();
  IntegerType *Bits = sameSize(B, T);
  // Any first guess will do; a plain load would be a race.
  LoadInst *First = B.CreateAlignedLoad(Bits, I.getPointerOperand(), I.getAlign());
  First->setAtomic(AtomicOrdering::Monotonic, I.getSyncScopeID());
  B.CreateBr(At.Loop);

  B.SetInsertPoint(At.Loop);
  PHINode *Old = B.CreatePHI(Bits, 2);
  Old->addIncoming(First, At.Head);
  Value *Before = fromInteger(B, Old, T);
  Value *After = buildAtomicRMWValue(I.getOperation(), B, Before, I.getValOperand());
  AtomicCmpXchgInst *Try =
      B.CreateAtomicCmpXchg(I.getPointerOperand(), Old, asInteger(B, After), I.getAlign(),
                            I.getOrdering(), failureOrdering(I.getOrdering()), I.getSyncScopeID());
  Old->addIncoming(B.CreateExtractValue(Try, 0), At.Loop);
  B.CreateCondBr(B.CreateExtractValue(Try, 1), At.Done, At.Loop);

  I.replaceAllUsesWith(Before);
  I.eraseFromParent();
}

void exchangeBits(AtomicRMWInst &I) {
  IRBuilder<> B(&I);
  Value *Old =
      B.CreateAtomicRMW(AtomicRMWInst::Xchg, I.getPointerOperand(), asInteger(B, I.getValOperand()),
                        I.getAlign(), I.getOrdering(), I.getSyncScopeID());
  I.replaceAllUsesWith(fromInteger(B, Old, I.getType()));
  I.eraseFromParent();
}

void throughInteger(Instruction &I) {
  IRBuilder<> B(&I);
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    LoadInst *New = B.CreateAlignedLoad(sameSize(B, L->getType()), L->getPointerOperand(),
                                        L->getAlign(), L->isVolatile());
    New->setAtomic(L->getOrdering(), L->getSyncScopeID());
    L->replaceAllUsesWith(fromInteger(B, New, L->getType()));
  } else {
    auto *S = cast<StoreInst>(&I);
    StoreInst *New = B.CreateAlignedStore(asInteger(B, S->getValueOperand()),
                                          S->getPointerOperand(), S->getAlign(), S->isVolatile());
    New->setAtomic(S->getOrdering(), S->getSyncScopeID());
  }
  I.eraseFromParent();
}

bool expandIfPart(Instruction &I) {
  if (auto *R = dyn_cast<AtomicRMWInst>(&I); R && isPart(R->getType()))
    expandPart(*R);
  else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I);
           X && isPart(X->getCompareOperand()->getType()))
    expandPart(*X);
  else if (auto *L = dyn_cast<LoadInst>(&I); L && isPart(L->getType()))
    expandPart(*L);
  else if (auto *S = dyn_cast<StoreInst>(&I); S && isPart(S->getValueOperand()->getType()))
    expandPart(*S);
  else
    return false;
  return true;
}

} // namespace

void ka::spirv::expandAtomics(Function &F) {
  SmallVector<Instruction *, 8> Found;
  for (Instruction &I : instructions(F))
    if (I.isAtomic())
      Found.push_back(&I);
  for (Instruction *I : Found) {
    if (expandIfPart(*I))
      continue;
    if (auto *R = dyn_cast<AtomicRMWInst>(I)) {
      if (isNative(*R))
        continue;
      if (R->getOperation() == AtomicRMWInst::Xchg && !R->getType()->isIntegerTy())
        exchangeBits(*R);
      else
        expandLoop(*R);
    } else if (isa<LoadInst>(I)
                   ? !I->getType()->isIntegerTy()
                   : isa<StoreInst>(I) && !I->getOperand(0)->getType()->isIntegerTy()) {
      throughInteger(*I);
    }
  }
}
