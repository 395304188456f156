//===- division.cpp - Integer division with a result for all operands -----===//
//
// A divisor that would trap is replaced by 1, which gives the results promised. What has been made
// so already is left alone, so the pass may run again when optimisers have been at it.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/division.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Whether the condition holds if N is the least integer and By is -1.
bool includesOverflow(Value *Condition, Value *N, Value *By) {
  Value *A, *B;
  if (match(Condition, m_LogicalOr(m_Value(A), m_Value(B))))
    return includesOverflow(A, N, By) || includesOverflow(B, N, By);
  return match(Condition,
               m_c_LogicalAnd(m_SpecificICmp(ICmpInst::ICMP_EQ, m_Specific(N), m_SignMask()),
                              m_SpecificICmp(ICmpInst::ICMP_EQ, m_Specific(By), m_AllOnes())));
}

} // namespace

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
    Value *Replaced = nullptr, *Real = nullptr, *Traps = nullptr;
    bool IsReplaced = match(By, m_Select(m_Value(Replaced), m_One(), m_Value(Real)));
    if (!isKnownNonZero(By, SimplifyQuery(Layout, D)) &&
        !(IsReplaced && isImpliedCondition(Replaced, ICmpInst::ICMP_NE, Real,
                                           Constant::getNullValue(T), Layout, false)))
      Traps = B.CreateICmpEQ(By, Constant::getNullValue(T));
    bool Signed = D->getOpcode() == Instruction::SDiv || D->getOpcode() == Instruction::SRem;
    if (Signed && !match(By, m_CheckedInt([](const APInt &V) { return !V.isAllOnes(); })) &&
        !(IsReplaced && includesOverflow(Replaced, N, Real))) {
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
