//===- floating_point.cpp - Floating intrinsics as plain instructions -----===//

#include "compiler/lowering/c_library.h"
#include "compiler/targets/spirv/arithmetic.h"
#include "llvm/ADT/FloatingPointMode.h"
#include <cmath>

using namespace llvm;
using ka::callDeviceFunction;

namespace {

/// A floating value seen as an integer.
struct Bits {
  Bits(IRBuilder<> &B, Value *X) : X(X), F(X->getType()) {
    unsigned Width = F->getScalarSizeInBits();
    T = B.getIntNTy(Width);
    if (auto *Vector = dyn_cast<VectorType>(F))
      T = VectorType::get(T, Vector->getElementCount());
    Sign = APInt::getSignMask(Width);
    Infinity = APFloat::getInf(F->getScalarType()->getFltSemantics()).bitcastToAPInt();
    MinNormal =
        APFloat::getSmallestNormalized(F->getScalarType()->getFltSemantics()).bitcastToAPInt();
    Raw = B.CreateBitCast(X, T);
    Magnitude = B.CreateAnd(Raw, constant(~Sign));
  }
  Constant *constant(const APInt &V) const { return ConstantInt::get(T, V); }

  Value *X;
  Type *F, *T;
  APInt Sign, Infinity, MinNormal;
  Value *Raw, *Magnitude;
};

Value *absolute(IRBuilder<> &B, Value *X) {
  return B.CreateBitCast(Bits(B, X).Magnitude, X->getType());
}

Value *copySign(IRBuilder<> &B, Value *Magnitude, Value *Sign) {
  Bits M(B, Magnitude), S(B, Sign);
  Value *R = B.CreateOr(M.Magnitude, B.CreateAnd(S.Raw, S.constant(S.Sign)));
  return B.CreateBitCast(R, Magnitude->getType());
}

/// C's fmin and fmax: a NaN loses to a number.
Value *minMaxNumber(IRBuilder<> &B, CmpInst::Predicate P, IntrinsicInst &I) {
  Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1);
  Value *First = B.CreateFCmp(P, X, Y);
  if (!I.hasNoNaNs())
    First = B.CreateOr(First, B.CreateFCmpUNO(Y, Y));
  return B.CreateSelect(First, X, Y);
}

/// IEEE's minimum and maximum: a NaN wins, and -0 is less than +0.
Value *minMaxPropagating(IRBuilder<> &B, bool Max, Value *X, Value *Y) {
  Bits BX(B, X), BY(B, Y);
  Value *Equal =
      B.CreateBitCast(Max ? B.CreateAnd(BX.Raw, BY.Raw) : B.CreateOr(BX.Raw, BY.Raw), X->getType());
  Value *R = B.CreateSelect(Max ? B.CreateFCmpOGT(X, Y) : B.CreateFCmpOLT(X, Y), X, Y);
  R = B.CreateSelect(B.CreateFCmpOEQ(X, Y), Equal, R);
  return B.CreateSelect(B.CreateFCmpUNO(X, Y), B.CreateFAdd(X, Y), R);
}

/// Values of at least this magnitude have no fraction; added to a smaller one
/// and taken away again it rounds to an integer, ties to even.
Constant *noFraction(Type *T) {
  unsigned Precision = APFloat::semanticsPrecision(T->getScalarType()->getFltSemantics());
  return ConstantFP::get(T, std::ldexp(1.0, Precision - 1));
}

/// Rounds the magnitude with `Round` and gives back the sign; leaves large
/// values, infinities and NaN alone.
Value *roundMagnitude(IRBuilder<> &B, Value *X, function_ref<Value *(Value *, Value *)> Adjust) {
  Type *T = X->getType();
  // The additions below must not be simplified away.
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.clearFastMathFlags();
  Value *A = absolute(B, X);
  Value *Even = B.CreateFSub(B.CreateFAdd(A, noFraction(T)), noFraction(T));
  Value *R = copySign(B, Adjust(A, Even), X);
  return B.CreateSelect(B.CreateFCmpOLT(A, noFraction(T)), R, X);
}

Value *roundEven(IRBuilder<> &B, Value *X) {
  return roundMagnitude(B, X, [](Value *, Value *Even) { return Even; });
}

Value *truncate(IRBuilder<> &B, Value *X) {
  return roundMagnitude(B, X, [&](Value *A, Value *Even) {
    Value *Less = B.CreateFSub(Even, ConstantFP::get(X->getType(), 1.0));
    return B.CreateSelect(B.CreateFCmpOGT(Even, A), Less, Even);
  });
}

Value *roundAway(IRBuilder<> &B, Value *X) {
  Type *T = X->getType();
  return roundMagnitude(B, X, [&](Value *A, Value *Even) {
    // To even went down from a tie: up instead.
    Value *Tie = B.CreateFCmpOEQ(B.CreateFSub(A, Even), ConstantFP::get(T, 0.5));
    return B.CreateSelect(Tie, B.CreateFAdd(Even, ConstantFP::get(T, 1.0)), Even);
  });
}

Value *floorOrCeil(IRBuilder<> &B, Value *X, bool Floor) {
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.clearFastMathFlags();
  Value *Even = roundEven(B, X);
  Value *Beyond = Floor ? B.CreateFCmpOGT(Even, X) : B.CreateFCmpOLT(Even, X);
  Value *Step = ConstantFP::get(X->getType(), Floor ? -1.0 : 1.0);
  // ceil(-0.5) is -0.
  return copySign(B, B.CreateSelect(Beyond, B.CreateFAdd(Even, Step), Even), X);
}

Value *isClass(IRBuilder<> &B, Value *X, unsigned Mask) {
  Bits V(B, X);
  Value *Negative = B.CreateICmpSLT(V.Raw, Constant::getNullValue(V.T));
  Value *Result = Constant::getNullValue(Negative->getType());
  auto Add = [&](unsigned NegativeClass, unsigned PositiveClass, function_ref<Value *()> Test) {
    bool N = Mask & NegativeClass, P = Mask & PositiveClass;
    if (!N && !P)
      return;
    Value *T = Test();
    if (N != P)
      T = B.CreateAnd(T, N ? Negative : B.CreateNot(Negative));
    Result = B.CreateOr(Result, T);
  };
  auto Equals = [&](const APInt &C) { return B.CreateICmpEQ(V.Magnitude, V.constant(C)); };
  auto Within = [&](const APInt &Low, const APInt &High) {
    return B.CreateICmpULT(B.CreateSub(V.Magnitude, V.constant(Low)), V.constant(High - Low));
  };
  APInt One(V.Sign.getBitWidth(), 1), Zero = One - 1;
  // The quiet bit is the highest of the significand.
  APInt Quiet = V.Infinity | V.MinNormal.lshr(1);
  Add(fcNegZero, fcPosZero, [&] { return Equals(Zero); });
  Add(fcNegSubnormal, fcPosSubnormal, [&] { return Within(One, V.MinNormal); });
  Add(fcNegNormal, fcPosNormal, [&] { return Within(V.MinNormal, V.Infinity); });
  Add(fcNegInf, fcPosInf, [&] { return Equals(V.Infinity); });
  if ((Mask & fcNan) == fcNan)
    Result = B.CreateOr(Result, B.CreateICmpUGT(V.Magnitude, V.constant(V.Infinity)));
  else if (Mask & fcQNan)
    Result = B.CreateOr(Result, B.CreateICmpUGE(V.Magnitude, V.constant(Quiet)));
  else if (Mask & fcSNan)
    Result = B.CreateOr(Result, Within(V.Infinity + 1, Quiet));
  return Result;
}

/// Conversion that saturates; NaN becomes 0.
Value *toInteger(IRBuilder<> &B, Value *X, Type *T, bool Signed) {
  unsigned Width = T->getScalarSizeInBits();
  Type *F = X->getType();
  APInt Low = Signed ? APInt::getSignedMinValue(Width) : APInt(Width, 0);
  APInt High = Signed ? APInt::getSignedMaxValue(Width) : APInt::getMaxValue(Width);
  // The first value above the range is a power of 2, which is exact.
  double Above = std::ldexp(1.0, Signed ? Width - 1 : Width);
  double Below = Signed ? -Above : 0.0;
  Value *R = Signed ? B.CreateFPToSI(X, T) : B.CreateFPToUI(X, T);
  R = B.CreateSelect(B.CreateFCmpOLT(X, ConstantFP::get(F, Below)), ConstantInt::get(T, Low), R);
  R = B.CreateSelect(B.CreateFCmpOGE(X, ConstantFP::get(F, Above)), ConstantInt::get(T, High), R);
  return B.CreateSelect(B.CreateFCmpUNO(X, X), Constant::getNullValue(T), R);
}

/// Functions of one or two floating arguments that OpenCL has by this name.
StringRef openclName(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::fma:
    return "fma";
  case Intrinsic::ldexp:
    return "ldexp";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::powi:
    return "pown";
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::sqrt:
    return "sqrt";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::tanh:
    return "tanh";
  default:
    return "";
  }
}

} // namespace

Value *ka::spirv::expandFloatingPoint(IRBuilder<> &B, IntrinsicInst &I) {
  if (isa<FPMathOperator>(I))
    B.setFastMathFlags(I.getFastMathFlags());
  SmallVector<Value *, 3> Args(I.args());
  Value *X = Args.empty() ? nullptr : Args[0];
  switch (I.getIntrinsicID()) {
  case Intrinsic::fmuladd: {
    FastMathFlags Flags = I.getFastMathFlags();
    Flags.setAllowContract();
    B.setFastMathFlags(Flags);
    return B.CreateFAdd(B.CreateFMul(Args[0], Args[1]), Args[2]);
  }
  case Intrinsic::fabs:
    return absolute(B, X);
  case Intrinsic::copysign:
    return copySign(B, X, Args[1]);
  case Intrinsic::minnum:
    return minMaxNumber(B, CmpInst::FCMP_OLT, I);
  case Intrinsic::maxnum:
    return minMaxNumber(B, CmpInst::FCMP_OGT, I);
  case Intrinsic::minimum:
    return minMaxPropagating(B, false, X, Args[1]);
  case Intrinsic::maximum:
    return minMaxPropagating(B, true, X, Args[1]);
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return roundEven(B, X);
  case Intrinsic::trunc:
    return truncate(B, X);
  case Intrinsic::round:
    return roundAway(B, X);
  case Intrinsic::floor:
    return floorOrCeil(B, X, true);
  case Intrinsic::ceil:
    return floorOrCeil(B, X, false);
  case Intrinsic::lrint:
  case Intrinsic::llrint:
    return B.CreateFPToSI(roundEven(B, X), I.getType());
  case Intrinsic::lround:
  case Intrinsic::llround:
    return B.CreateFPToSI(roundAway(B, X), I.getType());
  case Intrinsic::canonicalize:
    return B.CreateFMul(X, ConstantFP::get(X->getType(), 1.0));
  case Intrinsic::is_fpclass:
    return isClass(B, X, cast<ConstantInt>(Args[1])->getZExtValue());
  case Intrinsic::fptosi_sat:
    return toInteger(B, X, I.getType(), true);
  case Intrinsic::fptoui_sat:
    return toInteger(B, X, I.getType(), false);
  default:
    break;
  }
  StringRef Name = openclName(I.getIntrinsicID());
  return Name.empty() ? nullptr : callDeviceFunction(B, Name, I.getType(), Args);
}
