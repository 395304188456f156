//===- atomics.cpp - Atomics that SPIR-V 1.2 has --------------------------===//

#include "compiler/targets/spirv/atomics.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

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

/// do { new = op(old); } while (!compare_exchange(p, old, new)); on the object's
/// bits, since equal floats can have different ones.
void expandLoop(AtomicRMWInst &I) {
  BasicBlock *Head = I.getParent();
  BasicBlock *Done = Head->splitBasicBlock(&I, "atomic.done");
  BasicBlock *Loop = BasicBlock::Create(I.getContext(), "atomic.try", Head->getParent(), Done);
  Head->getTerminator()->eraseFromParent();

  IRBuilder<> B(Head);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  Type *T = I.getType();
  IntegerType *Bits = sameSize(B, T);
  // Any first guess will do; a plain load would be a race.
  LoadInst *First = B.CreateAlignedLoad(Bits, I.getPointerOperand(), I.getAlign());
  First->setAtomic(AtomicOrdering::Monotonic, I.getSyncScopeID());
  B.CreateBr(Loop);

  B.SetInsertPoint(Loop);
  PHINode *Old = B.CreatePHI(Bits, 2);
  Old->addIncoming(First, Head);
  Value *Before = fromInteger(B, Old, T);
  Value *After = buildAtomicRMWValue(I.getOperation(), B, Before, I.getValOperand());
  AtomicCmpXchgInst *Try = B.CreateAtomicCmpXchg(
      I.getPointerOperand(), Old, asInteger(B, After), I.getAlign(), I.getOrdering(),
      failureOrdering(I.getOrdering()), I.getSyncScopeID());
  Old->addIncoming(B.CreateExtractValue(Try, 0), Loop);
  B.CreateCondBr(B.CreateExtractValue(Try, 1), Done, Loop);

  I.replaceAllUsesWith(Before);
  I.eraseFromParent();
}

void exchangeBits(AtomicRMWInst &I) {
  IRBuilder<> B(&I);
  Value *Old = B.CreateAtomicRMW(AtomicRMWInst::Xchg, I.getPointerOperand(),
                                 asInteger(B, I.getValOperand()), I.getAlign(), I.getOrdering(),
                                 I.getSyncScopeID());
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

} // namespace

void ka::spirv::expandAtomics(Function &F) {
  SmallVector<Instruction *, 8> Found;
  for (Instruction &I : instructions(F))
    if (I.isAtomic())
      Found.push_back(&I);
  for (Instruction *I : Found) {
    if (auto *R = dyn_cast<AtomicRMWInst>(I)) {
      if (isNative(*R))
        continue;
      if (R->getOperation() == AtomicRMWInst::Xchg && !R->getType()->isIntegerTy())
        exchangeBits(*R);
      else
        expandLoop(*R);
    } else if (isa<LoadInst>(I) ? !I->getType()->isIntegerTy()
                                : isa<StoreInst>(I) && !I->getOperand(0)->getType()->isIntegerTy()) {
      throughInteger(*I);
    }
  }
}
