//===- wide_integers.cpp - Integers of more than 64 bits ------------------===//
//
// A run of bit-fields in which no field begins at a byte is one integer to clang,
// however long; overflow checks compute in a type that holds both operands and
// the result. Such an integer becomes a list of 64-bit limbs, the lowest first.
// The bits of the last limb above the integer's width are zero.
//
//===----------------------------------------------------------------------===//

#include "compiler/targets/spirv/wide_integers.h"
#include "compiler/targets/spirv/arithmetic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

using Limbs = SmallVector<Value *, 4>;

/// 0 for what is no wide integer.
unsigned wideWidth(Type *T) {
  auto *I = dyn_cast<IntegerType>(T);
  return I && I->getBitWidth() > 64 ? I->getBitWidth() : 0;
}

class Splitter {
public:
  explicit Splitter(Function &F) : F(F), I64(Type::getInt64Ty(F.getContext())) {}

  void run() {
    SmallVector<Instruction *, 32> Wide;
    for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F))
      for (Instruction &I : *B)
        if (wideWidth(I.getType()) ||
            any_of(I.operands(), [](Value *V) { return wideWidth(V->getType()) != 0; }))
          Wide.push_back(&I);
    for (Instruction *I : Wide) {
      IRBuilder<> B(I);
      if (wideWidth(I->getType()))
        define(B, *I);
      else
        use(B, *I);
    }
    for (auto &[Old, New] : Phis)
      for (unsigned I = 0; I != Old->getNumIncomingValues(); ++I)
        for (auto [P, In] : zip(New, get(Old->getIncomingValue(I))))
          cast<PHINode>(P)->addIncoming(In, Old->getIncomingBlock(I));
    if (!KnowsAll)
      return;
    for (Instruction *I : Dead)
      I->dropAllReferences();
    for (Instruction *I : Dead)
      I->eraseFromParent();
  }

private:
  static size_t count(Type *T) { return divideCeil(T->getIntegerBitWidth(), 64); }
  Constant *number(uint64_t N) const { return ConstantInt::get(I64, N); }

  /// Of a wide or narrow integer, zero-extended.
  Limbs get(Value *V) {
    if (auto Known = Split.find(V); Known != Split.end())
      return Known->second;
    Limbs R;
    auto *C = dyn_cast<ConstantInt>(V);
    for (size_t I = 0; I != count(V->getType()); ++I) {
      APInt Part(64, 0); // of what is undefined, any
      if (C)
        Part = C->getValue().lshr(I * 64).zextOrTrunc(64);
      R.push_back(ConstantInt::get(I64, Part));
    }
    return R;
  }

  /// The same number with that many limbs.
  Limbs extended(IRBuilder<> &B, Value *V, size_t N, bool Signed) {
    unsigned Width = V->getType()->getIntegerBitWidth();
    Limbs R;
    if (Width > 64)
      R = get(V);
    else
      R.push_back(Signed ? B.CreateSExt(V, I64) : B.CreateZExt(V, I64));
    if (Signed && Width > 64 && Width % 64) {
      unsigned Shift = 64 - Width % 64;
      R.back() = B.CreateAShr(B.CreateShl(R.back(), Shift), Shift);
    }
    Value *Rest = Signed ? B.CreateAShr(R.back(), 63) : number(0);
    R.resize(std::min(N, R.size()));
    while (R.size() < N)
      R.push_back(Rest);
    return R;
  }

  void set(IRBuilder<> &B, Instruction &I, Limbs R) {
    if (unsigned Rest = I.getType()->getIntegerBitWidth() % 64)
      R.back() = B.CreateAnd(R.back(), number(maskTrailingOnes<uint64_t>(Rest)));
    Split[&I] = std::move(R);
    Dead.push_back(&I);
  }

  void replace(Instruction &I, Value *New) {
    if (New)
      I.replaceAllUsesWith(New);
    Dead.push_back(&I);
  }

  //===- Instructions -------------------------------------------------------===//

  void define(IRBuilder<> &B, Instruction &I) {
    size_t N = count(I.getType());
    Value *V = I.getNumOperands() ? I.getOperand(0) : nullptr;
    Limbs R;
    switch (I.getOpcode()) {
    case Instruction::PHI:
      for (size_t K = 0; K != N; ++K)
        R.push_back(B.CreatePHI(I64, cast<PHINode>(I).getNumIncomingValues()));
      Phis.push_back({cast<PHINode>(&I), R});
      Split[&I] = std::move(R);
      Dead.push_back(&I);
      return;
    case Instruction::Select:
      for (auto [X, Y] : zip(get(I.getOperand(1)), get(I.getOperand(2))))
        R.push_back(B.CreateSelect(V, X, Y));
      return set(B, I, R);
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      for (auto [X, Y] : zip(get(V), get(I.getOperand(1))))
        R.push_back(B.CreateBinOp(cast<BinaryOperator>(I).getOpcode(), X, Y));
      return set(B, I, R);
    case Instruction::Add:
      return set(B, I, add(B, get(V), get(I.getOperand(1)), number(0)));
    case Instruction::Sub: {
      Limbs Y = get(I.getOperand(1));
      for (Value *&L : Y)
        L = B.CreateNot(L);
      return set(B, I, add(B, get(V), Y, number(1)));
    }
    case Instruction::Mul:
      return set(B, I, multiply(B, get(V), get(I.getOperand(1))));
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return set(B, I, shift(B, I));
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
      return set(B, I, extended(B, V, N, I.getOpcode() == Instruction::SExt));
    case Instruction::Freeze:
      return set(B, I, get(V));
    case Instruction::Load:
      return set(B, I, load(B, cast<LoadInst>(I)));
    case Instruction::BitCast:
      return set(B, I, fromVector(B, V));
    default:
      // The check before the translation reports it, and must find it whole.
      KnowsAll = false;
      return;
    }
  }

  void use(IRBuilder<> &B, Instruction &I) {
    Value *V = I.getOperand(0);
    switch (I.getOpcode()) {
    case Instruction::Trunc:
      return replace(I, B.CreateTrunc(get(V)[0], I.getType()));
    case Instruction::ICmp:
      return replace(I, compare(B, cast<ICmpInst>(I)));
    case Instruction::Store:
      store(B, cast<StoreInst>(I));
      return replace(I, nullptr);
    case Instruction::BitCast:
      return replace(I, toVector(B, V, cast<FixedVectorType>(I.getType())));
    default:
      KnowsAll = false;
      return;
    }
  }

  //===- Arithmetic ---------------------------------------------------------===//

  Limbs add(IRBuilder<> &B, const Limbs &X, const Limbs &Y, Value *Carry) {
    Limbs R;
    for (auto [A, C] : zip(X, Y)) {
      Value *Sum = B.CreateAdd(A, C), *All = B.CreateAdd(Sum, Carry);
      // At most one of the two overflows.
      Carry = B.CreateZExt(B.CreateOr(B.CreateICmpULT(Sum, A), B.CreateICmpULT(All, Sum)), I64);
      R.push_back(All);
    }
    return R;
  }

  Limbs multiply(IRBuilder<> &B, const Limbs &X, const Limbs &Y) {
    size_t N = X.size();
    Limbs R(N, number(0));
    for (size_t I = 0; I != N; ++I)
      for (size_t J = 0; I + J != N; ++J) {
        Limbs Product(N, number(0));
        Product[I + J] = B.CreateMul(X[I], Y[J]);
        if (I + J + 1 != N)
          Product[I + J + 1] = ka::spirv::multiplyHigh(B, X[I], Y[J]);
        R = add(B, R, Product, number(0));
      }
    return R;
  }

  /// By a constant, or by choosing among all distances in limbs.
  Limbs shift(IRBuilder<> &B, Instruction &I) {
    bool Left = I.getOpcode() == Instruction::Shl, Signed = I.getOpcode() == Instruction::AShr;
    Limbs X = extended(B, I.getOperand(0), count(I.getType()), Signed);
    Value *Fill = Signed ? B.CreateAShr(X.back(), 63) : number(0);
    // Beyond the width the result is undefined, so the lowest limb is enough.
    Value *Amount = get(I.getOperand(1))[0];
    Value *Bits = B.CreateAnd(Amount, number(63)), *Whole = B.CreateLShr(Amount, 6);
    if (Left)
      std::reverse(X.begin(), X.end());
    // Now towards the front.
    Limbs R;
    for (size_t To = 0; To != X.size(); ++To) {
      auto At = [&](size_t K) { return K < X.size() ? X[K] : Fill; };
      Value *Result = Fill;
      for (size_t D = X.size() - To; D-- > 0;) {
        if (auto *C = dyn_cast<ConstantInt>(Whole); C && C->getZExtValue() != D)
          continue;
        Value *V = funnel(B, At(To + D), At(To + D + 1), Bits, Left);
        Result = isa<ConstantInt>(Whole)
                     ? V
                     : B.CreateSelect(B.CreateICmpEQ(Whole, number(D)), V, Result);
      }
      R.push_back(Result);
    }
    if (Left)
      std::reverse(R.begin(), R.end());
    return R;
  }

  /// One limb of a shift by less than 64, filled up from the next limb.
  Value *funnel(IRBuilder<> &B, Value *X, Value *Next, Value *Bits, bool Left) {
    Value *Rest = B.CreateSub(number(63), Bits);
    if (Left)
      return B.CreateOr(B.CreateShl(X, Bits), B.CreateLShr(B.CreateLShr(Next, 1), Rest));
    return B.CreateOr(B.CreateLShr(X, Bits), B.CreateShl(B.CreateShl(Next, 1), Rest));
  }

  Value *compare(IRBuilder<> &B, const ICmpInst &I) {
    size_t N = count(I.getOperand(0)->getType());
    Limbs X = extended(B, I.getOperand(0), N, I.isSigned());
    Limbs Y = extended(B, I.getOperand(1), N, I.isSigned());
    Value *Equal = B.getTrue(), *Less = B.getFalse();
    for (size_t K = 0; K != N; ++K) {
      Value *Same = B.CreateICmpEQ(X[K], Y[K]);
      Value *Below =
          I.isSigned() && K + 1 == N ? B.CreateICmpSLT(X[K], Y[K]) : B.CreateICmpULT(X[K], Y[K]);
      Less = B.CreateOr(Below, B.CreateAnd(Same, Less));
      Equal = B.CreateAnd(Equal, Same);
    }
    switch (I.getPredicate()) {
    case CmpInst::ICMP_EQ:
      return Equal;
    case CmpInst::ICMP_NE:
      return B.CreateNot(Equal);
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT:
      return Less;
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGE:
      return B.CreateNot(Less);
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE:
      return B.CreateOr(Less, Equal);
    default:
      return B.CreateNot(B.CreateOr(Less, Equal));
    }
  }

  //===- Vectors ------------------------------------------------------------===//

  /// A vector has whole bytes, and its elements do not cross limbs unless their
  /// size divides no limb; then they go by way of shifts.
  Limbs fromVector(IRBuilder<> &B, Value *V) {
    auto *T = cast<FixedVectorType>(V->getType());
    unsigned Width = T->getScalarSizeInBits();
    Limbs R(divideCeil(T->getPrimitiveSizeInBits(), 64), number(0));
    for (unsigned K = 0; K != T->getNumElements(); ++K) {
      Value *E = B.CreateExtractElement(V, K);
      E = B.CreateZExt(B.CreateBitCast(E, B.getIntNTy(Width)), I64);
      unsigned Limb = K * Width / 64, Within = K * Width % 64;
      R[Limb] = B.CreateOr(R[Limb], B.CreateShl(E, Within));
      if (Within + Width > 64)
        R[Limb + 1] = B.CreateOr(R[Limb + 1], B.CreateLShr(E, 64 - Within));
    }
    return R;
  }

  Value *toVector(IRBuilder<> &B, Value *V, FixedVectorType *T) {
    Limbs X = get(V);
    unsigned Width = T->getScalarSizeInBits();
    Value *R = PoisonValue::get(T);
    for (unsigned K = 0; K != T->getNumElements(); ++K) {
      unsigned Limb = K * Width / 64, Within = K * Width % 64;
      Value *E = B.CreateLShr(X[Limb], Within);
      if (Within + Width > 64)
        E = B.CreateOr(E, B.CreateShl(X[Limb + 1], 64 - Within));
      E = B.CreateBitCast(B.CreateTrunc(E, B.getIntNTy(Width)), T->getElementType());
      R = B.CreateInsertElement(R, E, K);
    }
    return R;
  }

  //===- Memory -------------------------------------------------------------===//

  /// Calls Piece(limb, offset within it, offset, type, alignment) for integers
  /// that cover the bytes of a wide one.
  template <typename Fn> void pieces(Type *T, Align A, Fn Piece) {
    unsigned Bytes = divideCeil(T->getIntegerBitWidth(), 8);
    for (unsigned At = 0; At != Bytes;) {
      unsigned Size = std::min(8u, 1u << Log2_32(Bytes - At));
      Piece(At / 8, At % 8, At, IntegerType::get(F.getContext(), Size * 8), commonAlignment(A, At));
      At += Size;
    }
  }

  Limbs load(IRBuilder<> &B, LoadInst &L) {
    Limbs R(count(L.getType()), nullptr);
    pieces(L.getType(), L.getAlign(),
           [&](size_t Limb, unsigned Within, unsigned At, Type *T, Align A) {
             Value *Address =
                 B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), L.getPointerOperand(), At);
             Value *V = B.CreateAlignedLoad(T, Address, A, L.isVolatile());
             V = B.CreateShl(B.CreateZExt(V, I64), Within * 8);
             R[Limb] = R[Limb] ? B.CreateOr(R[Limb], V) : V;
           });
    return R;
  }

  void store(IRBuilder<> &B, StoreInst &S) {
    Limbs V = get(S.getValueOperand());
    pieces(S.getValueOperand()->getType(), S.getAlign(),
           [&](size_t Limb, unsigned Within, unsigned At, Type *T, Align A) {
             Value *Address =
                 B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), S.getPointerOperand(), At);
             Value *Part = B.CreateTrunc(B.CreateLShr(V[Limb], Within * 8), T);
             B.CreateAlignedStore(Part, Address, A, S.isVolatile());
           });
  }

  Function &F;
  Type *I64;
  DenseMap<Value *, Limbs> Split;
  SmallVector<std::pair<PHINode *, Limbs>, 4> Phis;
  SmallVector<Instruction *, 32> Dead;
  bool KnowsAll = true;
};

} // namespace

void ka::spirv::splitWideIntegers(Function &F) { Splitter(F).run(); }
