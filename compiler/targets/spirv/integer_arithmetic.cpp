//===- integer_arithmetic.cpp - Integer intrinsics as plain instructions --===//
//
// Shapes that LLVM's own optimiser recognises (rotate, byte swap, population
// count) are used, so that a device compiler built on LLVM finds them again.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/c_library.h"
#include "compiler/targets/spirv/arithmetic.h"
#include "compiler/targets/spirv/integer_widths.h"

using namespace llvm;
using ka::spirv::isLegalWidth;
using ka::spirv::multiplyHigh;

static Constant *splat(Type *T, const APInt &Value) { return ConstantInt::get(T, Value); }

/// From half-width products.
Value *ka::spirv::multiplyHigh(IRBuilder<> &B, Value *X, Value *Y) {
  Type *T = X->getType();
  unsigned Half = T->getScalarSizeInBits() / 2;
  Constant *Mask = splat(T, APInt::getLowBitsSet(2 * Half, Half));
  Value *XL = B.CreateAnd(X, Mask), *XH = B.CreateLShr(X, Half);
  Value *YL = B.CreateAnd(Y, Mask), *YH = B.CreateLShr(Y, Half);
  Value *LL = B.CreateMul(XL, YL), *LH = B.CreateMul(XL, YH), *HL = B.CreateMul(XH, YL);
  Value *Middle = B.CreateAdd(B.CreateAdd(B.CreateLShr(LL, Half), B.CreateAnd(LH, Mask)),
                              B.CreateAnd(HL, Mask));
  return B.CreateAdd(B.CreateAdd(B.CreateMul(XH, YH), B.CreateLShr(LH, Half)),
                     B.CreateAdd(B.CreateLShr(HL, Half), B.CreateLShr(Middle, Half)));
}

namespace {

/// An integer whose bytes all are `Byte`.
Constant *bytes(Type *T, uint8_t Byte) {
  return splat(T, APInt::getSplat(T->getScalarSizeInBits(), APInt(8, Byte)));
}

Value *minMax(IRBuilder<> &B, CmpInst::Predicate P, Value *X, Value *Y) {
  return B.CreateSelect(B.CreateICmp(P, X, Y), X, Y);
}

/// The shift amount counts modulo the width, also where that is no power of 2.
Value *funnelShift(IRBuilder<> &B, Value *High, Value *Low, Value *Amount, bool Left) {
  Type *T = High->getType();
  unsigned Width = T->getScalarSizeInBits();
  if (!isPowerOf2_32(Width))
    Amount = B.CreateURem(Amount, ConstantInt::get(T, Width));
  else
    Amount = B.CreateAnd(Amount, ConstantInt::get(T, Width - 1));
  Value *Rest = B.CreateSub(ConstantInt::get(T, Width), Amount);
  // Where the amount is 0 the other operand is shifted out altogether, which a
  // single shift cannot do.
  Value *One = ConstantInt::get(T, 1), *RestLessOne = B.CreateSub(Rest, One);
  if (High == Low) {
    Value *Mask = ConstantInt::get(T, Width - 1);
    Rest = isPowerOf2_32(Width) ? B.CreateAnd(B.CreateNeg(Amount), Mask) : Rest;
    return Left ? B.CreateOr(B.CreateShl(High, Amount), B.CreateLShr(High, Rest))
                : B.CreateOr(B.CreateLShr(High, Amount), B.CreateShl(High, Rest));
  }
  if (Left)
    return B.CreateOr(B.CreateShl(High, Amount), B.CreateLShr(B.CreateLShr(Low, One), RestLessOne));
  return B.CreateOr(B.CreateLShr(Low, Amount), B.CreateShl(B.CreateShl(High, One), RestLessOne));
}

Value *byteSwap(IRBuilder<> &B, Value *X) {
  Type *T = X->getType();
  unsigned Width = T->getScalarSizeInBits();
  Value *Result = nullptr;
  for (unsigned From = 0; From != Width; From += 8) {
    unsigned To = Width - 8 - From;
    Value *Part = To > From ? B.CreateShl(X, To - From) : B.CreateLShr(X, From - To);
    Part = B.CreateAnd(Part, splat(T, APInt::getBitsSet(Width, To, To + 8)));
    Result = Result ? B.CreateOr(Result, Part) : Part;
  }
  return Result;
}

Value *bitReverse(IRBuilder<> &B, Value *X) {
  Type *T = X->getType();
  if (T->getScalarSizeInBits() > 8)
    X = byteSwap(B, X);
  auto Swap = [&](uint8_t Mask, unsigned Shift) {
    Constant *M = bytes(T, Mask);
    X = B.CreateOr(B.CreateAnd(B.CreateLShr(X, Shift), M), B.CreateShl(B.CreateAnd(X, M), Shift));
  };
  Swap(0x0f, 4);
  Swap(0x33, 2);
  Swap(0x55, 1);
  return X;
}

Value *populationCount(IRBuilder<> &B, Value *X) {
  Type *T = X->getType();
  unsigned Width = T->getScalarSizeInBits();
  X = B.CreateSub(X, B.CreateAnd(B.CreateLShr(X, 1), bytes(T, 0x55)));
  X = B.CreateAdd(B.CreateAnd(X, bytes(T, 0x33)), B.CreateAnd(B.CreateLShr(X, 2), bytes(T, 0x33)));
  X = B.CreateAnd(B.CreateAdd(X, B.CreateLShr(X, 4)), bytes(T, 0x0f));
  return Width == 8 ? X : B.CreateLShr(B.CreateMul(X, bytes(T, 1)), Width - 8);
}

/// Result and overflow of add, sub or mul.
std::pair<Value *, Value *> withOverflow(IRBuilder<> &B, const BinaryOpIntrinsic &I) {
  Value *X = I.getLHS(), *Y = I.getRHS();
  Type *T = X->getType();
  Constant *Zero = Constant::getNullValue(T);
  bool Signed = I.isSigned();
  if (unsigned Width = T->getScalarSizeInBits(); !isLegalWidth(Width)) {
    // In a type in which nothing overflows.
    Type *Wide = T->getWithNewBitWidth(2 * Width);
    auto Extended = [&](Value *V) {
      return Signed ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide);
    };
    Value *Exact = B.CreateBinOp(I.getBinaryOp(), Extended(X), Extended(Y));
    Value *R = B.CreateTrunc(Exact, T);
    return {R, B.CreateICmpNE(Exact, Extended(R))};
  }
  Value *R = B.CreateBinOp(I.getBinaryOp(), X, Y);
  switch (I.getBinaryOp()) {
  case Instruction::Add:
    if (!Signed)
      return {R, B.CreateICmpULT(R, X)};
    return {R, B.CreateICmpSLT(B.CreateAnd(B.CreateXor(R, X), B.CreateXor(R, Y)), Zero)};
  case Instruction::Sub:
    if (!Signed)
      return {R, B.CreateICmpULT(X, Y)};
    return {R, B.CreateICmpSLT(B.CreateAnd(B.CreateXor(X, Y), B.CreateXor(R, X)), Zero)};
  default:
    break;
  }
  Value *High = multiplyHigh(B, X, Y);
  if (!Signed)
    return {R, B.CreateICmpNE(High, Zero)};
  // The signed high half; it must be nothing but the low half's sign.
  unsigned Sign = T->getScalarSizeInBits() - 1;
  High = B.CreateSub(High, B.CreateAnd(B.CreateAShr(X, Sign), Y));
  High = B.CreateSub(High, B.CreateAnd(B.CreateAShr(Y, Sign), X));
  return {R, B.CreateICmpNE(High, B.CreateAShr(R, Sign))};
}

Value *saturating(IRBuilder<> &B, const SaturatingInst &I) {
  auto [R, Overflow] = withOverflow(B, I);
  Type *T = R->getType();
  unsigned Width = T->getScalarSizeInBits();
  if (!I.isSigned()) {
    bool Add = I.getBinaryOp() == Instruction::Add;
    return B.CreateSelect(Overflow, Add ? Constant::getAllOnesValue(T) : Constant::getNullValue(T),
                          R);
  }
  Value *Limit = B.CreateXor(B.CreateAShr(R, Width - 1), splat(T, APInt::getSignedMinValue(Width)));
  return B.CreateSelect(Overflow, Limit, R);
}

Value *threeWayCompare(IRBuilder<> &B, const IntrinsicInst &I, CmpInst::Predicate Less) {
  Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1);
  Type *T = I.getType();
  Value *Greater = B.CreateICmp(CmpInst::getSwappedPredicate(Less), X, Y);
  return B.CreateSub(B.CreateZExt(Greater, T), B.CreateZExt(B.CreateICmp(Less, X, Y), T));
}

Value *reduce(IRBuilder<> &B, Value *Vector, function_ref<Value *(Value *, Value *)> Combine) {
  Value *R = B.CreateExtractElement(Vector, uint64_t(0));
  unsigned N = cast<FixedVectorType>(Vector->getType())->getNumElements();
  for (unsigned I = 1; I != N; ++I)
    R = Combine(R, B.CreateExtractElement(Vector, I));
  return R;
}

/// What counts or moves bits in an integer of another width than SPIR-V's, in one
/// of them.
Value *countInWiderType(IRBuilder<> &B, IntrinsicInst &I) {
  unsigned Width = I.getType()->getScalarSizeInBits();
  if (!I.getType()->isIntOrIntVectorTy() || Width > 64 || (Width != 1 && isLegalWidth(Width)))
    return nullptr;
  unsigned Wide = std::max<unsigned>(8, PowerOf2Ceil(Width));
  Type *T = I.getType(), *WideT = T->getWithNewBitWidth(Wide);
  auto Count = [&](Value *X) { return B.CreateUnaryIntrinsic(I.getIntrinsicID(), X); };
  switch (I.getIntrinsicID()) {
  case Intrinsic::ctpop:
    return B.CreateTrunc(Count(B.CreateZExt(I.getArgOperand(0), WideT)), T);
  case Intrinsic::bitreverse:
  case Intrinsic::bswap:
    return B.CreateTrunc(B.CreateLShr(Count(B.CreateZExt(I.getArgOperand(0), WideT)), Wide - Width),
                         T);
  case Intrinsic::ctlz:
  case Intrinsic::cttz: {
    // A bit of the wider type ends the count at the latest.
    bool Leading = I.getIntrinsicID() == Intrinsic::ctlz;
    Value *X = B.CreateZExt(I.getArgOperand(0), WideT);
    if (Leading)
      X = B.CreateShl(X, Wide - Width);
    if (Wide != Width)
      X = B.CreateOr(X, ConstantInt::get(
                            WideT, APInt::getOneBitSet(Wide, Leading ? Wide - Width - 1 : Width)));
    return B.CreateTrunc(B.CreateBinaryIntrinsic(I.getIntrinsicID(), X, B.getFalse()), T);
  }
  default:
    return nullptr;
  }
}

} // namespace

Value *ka::spirv::expandInteger(IRBuilder<> &B, IntrinsicInst &I) {
  if (Value *Wider = countInWiderType(B, I))
    return Wider;
  Value *X = I.arg_size() > 0 ? I.getArgOperand(0) : nullptr;
  Value *Y = I.arg_size() > 1 ? I.getArgOperand(1) : nullptr;
  switch (I.getIntrinsicID()) {
  case Intrinsic::abs:
    return B.CreateSelect(B.CreateICmpSLT(X, Constant::getNullValue(X->getType())), B.CreateNeg(X),
                          X);
  case Intrinsic::smax:
    return minMax(B, CmpInst::ICMP_SGT, X, Y);
  case Intrinsic::smin:
    return minMax(B, CmpInst::ICMP_SLT, X, Y);
  case Intrinsic::umax:
    return minMax(B, CmpInst::ICMP_UGT, X, Y);
  case Intrinsic::umin:
    return minMax(B, CmpInst::ICMP_ULT, X, Y);
  case Intrinsic::scmp:
    return threeWayCompare(B, I, CmpInst::ICMP_SLT);
  case Intrinsic::ucmp:
    return threeWayCompare(B, I, CmpInst::ICMP_ULT);
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return funnelShift(B, X, Y, I.getArgOperand(2), I.getIntrinsicID() == Intrinsic::fshl);
  case Intrinsic::bswap:
    return byteSwap(B, X);
  case Intrinsic::bitreverse:
    return bitReverse(B, X);
  case Intrinsic::ctpop:
    return populationCount(B, X);
  case Intrinsic::ctlz:
    return callDeviceFunction(B, "clz", X->getType(), X);
  case Intrinsic::cttz: {
    // As many as there are bits below the lowest set one.
    Value *Below = B.CreateAnd(B.CreateNot(X), B.CreateSub(X, ConstantInt::get(X->getType(), 1)));
    return populationCount(B, Below);
  }
  case Intrinsic::sadd_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::usub_sat:
    return saturating(B, cast<SaturatingInst>(I));
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow: {
    auto [R, Overflow] = withOverflow(B, cast<BinaryOpIntrinsic>(I));
    Value *Pair = B.CreateInsertValue(PoisonValue::get(I.getType()), R, 0);
    return B.CreateInsertValue(Pair, Overflow, 1);
  }
  case Intrinsic::vector_reduce_add:
    return reduce(B, X, [&](Value *P, Value *Q) { return B.CreateAdd(P, Q); });
  case Intrinsic::vector_reduce_mul:
    return reduce(B, X, [&](Value *P, Value *Q) { return B.CreateMul(P, Q); });
  case Intrinsic::vector_reduce_and:
    return reduce(B, X, [&](Value *P, Value *Q) { return B.CreateAnd(P, Q); });
  case Intrinsic::vector_reduce_or:
    return reduce(B, X, [&](Value *P, Value *Q) { return B.CreateOr(P, Q); });
  case Intrinsic::vector_reduce_xor:
    return reduce(B, X, [&](Value *P, Value *Q) { return B.CreateXor(P, Q); });
  case Intrinsic::vector_reduce_smax:
    return reduce(B, X, [&](Value *P, Value *Q) { return minMax(B, CmpInst::ICMP_SGT, P, Q); });
  case Intrinsic::vector_reduce_smin:
    return reduce(B, X, [&](Value *P, Value *Q) { return minMax(B, CmpInst::ICMP_SLT, P, Q); });
  case Intrinsic::vector_reduce_umax:
    return reduce(B, X, [&](Value *P, Value *Q) { return minMax(B, CmpInst::ICMP_UGT, P, Q); });
  case Intrinsic::vector_reduce_umin:
    return reduce(B, X, [&](Value *P, Value *Q) { return minMax(B, CmpInst::ICMP_ULT, P, Q); });
  default:
    return nullptr;
  }
}
