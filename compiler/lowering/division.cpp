//===- division.cpp - Integer division with a result for all operands -----===//
//
// A divisor that would trap is replaced by 1, which gives the results promised.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/division.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

void ka::makeDivisionTotal(Function &F) {
  const DataLayout &Layout = F.getDataLayout();
  SmallVector<BinaryOperator *, 8> Divisions;
  for (Instruction &I : instructions(F))
    if (I.isIntDivRem())
      Divisions.push_back(cast<BinaryOperator>(&I));
  for (BinaryOperator *D : Divisions) {
    Value *N = D->getOperand(0), *By = D->getOperand(1);
    Type *T = By->getType();
    IRBuilder<> B(D);
    Value *Traps = nullptr;
    if (!isKnownNonZero(By, SimplifyQuery(Layout, D)))
      Traps = B.CreateICmpEQ(By, Constant::getNullValue(T));
    bool Signed = D->getOpcode() == Instruction::SDiv || D->getOpcode() == Instruction::SRem;
    if (Signed && !match(By, m_CheckedInt([](const APInt &V) { return !V.isAllOnes(); }))) {
      KnownBits Known = computeKnownBits(N, Layout);
      if (!Known.isNonNegative() && !computeKnownBits(By, Layout).isNonNegative()) {
        APInt Min = APInt::getSignedMinValue(T->getScalarSizeInBits());
        Value *Overflow = B.CreateAnd(B.CreateICmpEQ(N, ConstantInt::get(T, Min)),
                                      B.CreateICmpEQ(By, Constant::getAllOnesValue(T)));
        Traps = Traps ? B.CreateOr(Traps, Overflow) : Overflow;
      }
    }
    if (Traps)
      D->setOperand(1, B.CreateSelect(Traps, ConstantInt::get(T, 1), By));
    D->dropPoisonGeneratingFlags();
  }
}
