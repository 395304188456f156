//===- exponential.cpp - The exponential function inline ------------------===//
//
// exp(x) = 2^n exp(r), n the integer next to x / ln 2. ln 2 is taken in two
// parts, so that r is exact enough, and exp(r) is a polynomial; both are those of
// Cephes's expf (Moshier, "Methods and Programs for Mathematical Functions").
//
//===----------------------------------------------------------------------===//

#include "compiler/targets/spirv/exponential.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace {

class Exponential {
public:
  explicit Exponential(IRBuilder<> &B) : B(B), Float(B.getFloatTy()) {
    // Rounding by addition, below, must stay as it is written; a product and a
    // sum may be one operation.
    FastMathFlags Flags;
    Flags.setAllowContract();
    B.setFastMathFlags(Flags);
  }

  Value *of(Value *X) {
    // Beyond these the result is 0 or infinite; the exponent stays representable.
    X = B.CreateSelect(B.CreateFCmpOLT(X, number(-104.0)), number(-104.0), X);
    X = B.CreateSelect(B.CreateFCmpOGT(X, number(89.0)), number(89.0), X);
    // Added to 1.5 * 2^23 a small number is rounded to an integer, which then
    // stands in the lowest bits.
    Constant *Shift = number(12582912.0);
    Value *T = multiplyAdd(X, number(1.44269504088896341), Shift);
    Value *N = B.CreateSub(B.CreateBitCast(T, B.getInt32Ty()), B.getInt32(0x4b400000));
    Value *K = B.CreateFSub(T, Shift);
    Value *R = multiplyAdd(K, number(-0.693359375), X);
    R = multiplyAdd(K, number(2.12194440e-4), R);
    return scale(polynomial(R), N);
  }

private:
  Constant *number(double V) const { return ConstantFP::get(Float, V); }

  Value *multiplyAdd(Value *X, Value *Y, Value *Z) { return B.CreateFAdd(B.CreateFMul(X, Y), Z); }

  Value *polynomial(Value *R) {
    Value *P = number(1.9875691500e-4);
    for (double C :
         {1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1})
      P = multiplyAdd(P, R, number(C));
    return B.CreateFAdd(multiplyAdd(P, B.CreateFMul(R, R), R), number(1.0));
  }

  /// V 2^N in two steps, since 2^N itself may be too large or too small.
  Value *scale(Value *V, Value *N) {
    Value *Half = B.CreateAShr(N, 1);
    for (Value *Part : {Half, B.CreateSub(N, Half)}) {
      Value *Power = B.CreateShl(B.CreateAdd(Part, B.getInt32(127)), 23);
      V = B.CreateFMul(V, B.CreateBitCast(Power, Float));
    }
    return V;
  }

  IRBuilder<> &B;
  Type *Float;
};

} // namespace

void ka::spirv::expandExponential(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->getCalledFunction() || Call->getCalledFunction()->getName() != "_Z3expf")
      continue;
    IRBuilder<> B(Call);
    Call->replaceAllUsesWith(Exponential(B).of(Call->getArgOperand(0)));
    Call->eraseFromParent();
  }
}
