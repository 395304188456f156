//===- integer_widths.cpp - Integers of widths that SPIR-V has ------------===//
//
// LLVM's optimiser makes integers of 3, 24 or 56 bits of bit-fields, small
// structures and switches. Each becomes the next wider legal integer whose upper
// bits are zero; an operation that may set them is followed by a mask, one that
// looks at the sign works on sign-extended operands.
//
//===----------------------------------------------------------------------===//

#include "compiler/targets/spirv/integer_widths.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace ka::spirv;

namespace {

/// 0 for what is no odd integer.
unsigned oddWidth(Type *T) {
  auto *I = dyn_cast<IntegerType>(T->getScalarType());
  return I && !isLegalWidth(I->getBitWidth()) && I->getBitWidth() < 64 ? I->getBitWidth() : 0;
}

class Legaliser {
public:
  explicit Legaliser(Function &F) : F(F), C(F.getContext()) {}

  void run() {
    SmallVector<Instruction *, 32> Order;
    ReversePostOrderTraversal<Function *> Blocks(&F);
    for (BasicBlock *B : Blocks)
      for (Instruction &I : *B)
        Order.push_back(&I);
    for (Instruction *I : Order) {
      if (oddWidth(I->getType()) ||
          any_of(I->operands(), [](Value *V) { return oddWidth(V->getType()) != 0; }))
        rewrite(*I);
      else
        storeBooleansAsBytes(*I);
    }
    for (auto [Old, New] : Phis)
      for (unsigned I = 0; I != Old->getNumIncomingValues(); ++I)
        New->addIncoming(get(Old->getIncomingValue(I)), Old->getIncomingBlock(I));
    if (!KnowsAll)
      return;
    for (Instruction *I : Dead)
      I->dropAllReferences();
    for (Instruction *I : Dead)
      I->eraseFromParent();
  }

private:
  Type *legal(Type *T) const {
    unsigned Width = std::max<uint64_t>(8, PowerOf2Ceil(T->getScalarSizeInBits()));
    return T->getWithNewBitWidth(Width);
  }

  /// The legal form of an operand.
  Value *get(Value *V) {
    unsigned Odd = oddWidth(V->getType());
    if (!Odd)
      return V;
    if (Value *Known = Legal.lookup(V))
      return Known;
    Type *T = legal(V->getType());
    if (auto *I = dyn_cast<ConstantInt>(V))
      return ConstantInt::get(T, I->getValue().zext(T->getScalarSizeInBits()));
    if (auto *D = dyn_cast<ConstantDataVector>(V)) {
      SmallVector<Constant *, 8> Elements;
      for (unsigned I = 0; I != D->getNumElements(); ++I)
        Elements.push_back(cast<Constant>(get(D->getElementAsConstant(I))));
      return ConstantVector::get(Elements);
    }
    if (auto *D = dyn_cast<ConstantVector>(V)) {
      SmallVector<Constant *, 8> Elements;
      for (Value *E : D->operands())
        Elements.push_back(cast<Constant>(get(E)));
      return ConstantVector::get(Elements);
    }
    // Undefined bits may be anything, but the upper ones are zero.
    return Constant::getNullValue(T);
  }

  Value *mask(IRBuilder<> &B, Value *V, unsigned Width) {
    unsigned Full = V->getType()->getScalarSizeInBits();
    if (Width >= Full)
      return V;
    return B.CreateAnd(V, ConstantInt::get(V->getType(), APInt::getLowBitsSet(Full, Width)));
  }

  Value *signExtended(IRBuilder<> &B, Value *V) {
    Value *L = get(V);
    unsigned Odd = oddWidth(V->getType());
    if (!Odd)
      return L;
    unsigned Shift = L->getType()->getScalarSizeInBits() - Odd;
    return B.CreateAShr(B.CreateShl(L, Shift), Shift);
  }

  void replace(Instruction &I, Value *New) {
    if (oddWidth(I.getType()))
      Legal[&I] = New;
    else if (!I.getType()->isVoidTy())
      I.replaceAllUsesWith(New);
    Dead.push_back(&I);
  }

  void rewrite(Instruction &I) {
    IRBuilder<> B(&I);
    unsigned Odd = oddWidth(I.getType());
    Type *T = Odd ? legal(I.getType()) : I.getType();
    unsigned Opcode = I.getOpcode();
    if (auto *P = dyn_cast<PHINode>(&I)) {
      PHINode *New = B.CreatePHI(T, P->getNumIncomingValues());
      Phis.push_back({P, New});
      return replace(I, New);
    }
    if (auto *Op = dyn_cast<BinaryOperator>(&I)) {
      bool Signed =
          Opcode == Instruction::AShr || Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
      Value *X = Signed ? signExtended(B, Op->getOperand(0)) : get(Op->getOperand(0));
      Value *Y = Signed && Opcode != Instruction::AShr ? signExtended(B, Op->getOperand(1))
                                                       : get(Op->getOperand(1));
      return replace(I, mask(B, B.CreateBinOp(Op->getOpcode(), X, Y), Odd));
    }
    if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
      auto Side = [&](unsigned N) {
        return Compare->isSigned() ? signExtended(B, I.getOperand(N)) : get(I.getOperand(N));
      };
      Value *X = Side(0), *Y = Side(1);
      return replace(I, B.CreateICmp(Compare->getPredicate(), X, Y));
    }
    if (auto *S = dyn_cast<SelectInst>(&I))
      return replace(
          I, B.CreateSelect(S->getCondition(), get(S->getTrueValue()), get(S->getFalseValue())));
    if (auto *L = dyn_cast<LoadInst>(&I))
      return replace(I, load(B, *L));
    if (auto *S = dyn_cast<StoreInst>(&I)) {
      store(B, *S);
      return replace(I, nullptr);
    }
    if (auto *S = dyn_cast<SwitchInst>(&I))
      return rewriteSwitch(*S);
    rewriteConversion(B, I, T, Odd);
  }

  void rewriteConversion(IRBuilder<> &B, Instruction &I, Type *T, unsigned Odd) {
    Value *V = I.getNumOperands() ? I.getOperand(0) : nullptr;
    switch (I.getOpcode()) {
    case Instruction::Trunc:
      return replace(I, mask(B, B.CreateTrunc(get(V), T), Odd ? Odd : T->getScalarSizeInBits()));
    case Instruction::ZExt:
      return replace(I, B.CreateZExtOrTrunc(get(V), T));
    case Instruction::SExt: {
      Value *R = B.CreateSExtOrTrunc(signExtended(B, V), T);
      return replace(I, Odd ? mask(B, R, Odd) : R);
    }
    case Instruction::FPToSI:
      return replace(I, mask(B, B.CreateFPToSI(V, T), Odd));
    case Instruction::FPToUI:
      return replace(I, mask(B, B.CreateFPToUI(V, T), Odd));
    case Instruction::SIToFP:
      return replace(I, B.CreateSIToFP(signExtended(B, V), T));
    case Instruction::UIToFP:
      return replace(I, B.CreateUIToFP(get(V), T));
    case Instruction::PtrToInt:
      return replace(I, mask(B, B.CreateTrunc(B.CreatePtrToInt(V, B.getInt64Ty()), T), Odd));
    case Instruction::IntToPtr:
      return replace(I, B.CreateIntToPtr(B.CreateZExt(get(V), B.getInt64Ty()), T));
    case Instruction::Freeze:
      return replace(I, get(V));
    case Instruction::BitCast:
      return replace(I, bitCast(B, *V, I.getType()));
    default:
      // The check before the translation reports it, and must find it whole.
      KnowsAll = false;
      return;
    }
  }

  /// Between an integer and a vector, element by element. Elements are bytes or
  /// bits; the first is the lowest.
  Value *bitCast(IRBuilder<> &B, Value &V, Type *To) {
    auto *FromVector = dyn_cast<FixedVectorType>(V.getType());
    auto *ToVector = dyn_cast<FixedVectorType>(To);
    unsigned Bits = To->getPrimitiveSizeInBits();
    Type *Wide = IntegerType::get(C, std::max<uint64_t>(8, PowerOf2Ceil(Bits)));
    Value *Whole = nullptr;
    if (FromVector) {
      unsigned Width = FromVector->getScalarSizeInBits();
      for (unsigned I = 0; I != FromVector->getNumElements(); ++I) {
        Value *E = get(&V);
        E = B.CreateExtractElement(E, I);
        if (E->getType()->isFloatingPointTy())
          E = B.CreateBitCast(E, IntegerType::get(C, Width));
        E = B.CreateShl(B.CreateZExt(E, Wide), I * Width);
        Whole = Whole ? B.CreateOr(Whole, E) : E;
      }
    } else {
      Whole = get(&V);
    }
    if (!ToVector)
      return Whole;
    unsigned Width = ToVector->getScalarSizeInBits();
    Type *Element = oddWidth(To) ? legal(ToVector->getElementType()) : ToVector->getElementType();
    Value *Result = PoisonValue::get(FixedVectorType::get(Element, ToVector->getNumElements()));
    for (unsigned I = 0; I != ToVector->getNumElements(); ++I) {
      Value *E = mask(B, B.CreateLShr(Whole, I * Width), Width);
      if (Element->isFloatingPointTy())
        E = B.CreateBitCast(B.CreateTrunc(E, IntegerType::get(C, Width)), Element);
      else
        E = B.CreateTrunc(E, Element);
      Result = B.CreateInsertElement(Result, E, I);
    }
    return Result;
  }

  /// Calls Piece(offset in bytes, type, alignment) for legal integers that cover
  /// an odd one.
  template <typename Fn> void pieces(unsigned Width, Align A, Fn Piece) {
    unsigned Bytes = divideCeil(Width, 8);
    for (unsigned At = 0; At != Bytes;) {
      unsigned Size = 1u << Log2_32(Bytes - At);
      Piece(At, IntegerType::get(C, Size * 8), commonAlignment(A, At));
      At += Size;
    }
  }

  Value *load(IRBuilder<> &B, LoadInst &L) {
    unsigned Odd = oddWidth(L.getType());
    Type *T = legal(L.getType());
    if (T->isVectorTy())
      return Constant::getNullValue(T);
    Value *Result = nullptr;
    pieces(Odd, L.getAlign(), [&](unsigned At, Type *Piece, Align A) {
      Value *Address = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), L.getPointerOperand(), At);
      Value *V = B.CreateAlignedLoad(Piece, Address, A, L.isVolatile());
      V = B.CreateShl(B.CreateZExt(V, T), At * 8);
      Result = Result ? B.CreateOr(Result, V) : V;
    });
    return mask(B, Result, Odd);
  }

  void store(IRBuilder<> &B, StoreInst &S) {
    Value *V = get(S.getValueOperand());
    if (V->getType()->isVectorTy())
      return;
    unsigned Odd = oddWidth(S.getValueOperand()->getType());
    pieces(Odd, S.getAlign(), [&](unsigned At, Type *Piece, Align A) {
      Value *Address = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), S.getPointerOperand(), At);
      B.CreateAlignedStore(B.CreateTrunc(B.CreateLShr(V, At * 8), Piece), Address, A,
                           S.isVolatile());
    });
  }

  void rewriteSwitch(SwitchInst &S) {
    IRBuilder<> B(&S);
    Value *Condition = get(S.getCondition());
    SwitchInst *New = B.CreateSwitch(Condition, S.getDefaultDest(), S.getNumCases());
    for (auto Case : S.cases())
      New->addCase(cast<ConstantInt>(get(Case.getCaseValue())), Case.getCaseSuccessor());
    Dead.push_back(&S);
  }

  void storeBooleansAsBytes(Instruction &I) {
    IRBuilder<> B(&I);
    auto ByteOf = [&](Type *T) -> Type * {
      return T->isIntOrIntVectorTy(1) ? T->getWithNewBitWidth(8) : nullptr;
    };
    if (auto *L = dyn_cast<LoadInst>(&I); L && ByteOf(L->getType())) {
      Type *T = ByteOf(L->getType());
      if (T->isVectorTy())
        return;
      Value *V = B.CreateAlignedLoad(T, L->getPointerOperand(), L->getAlign(), L->isVolatile());
      V = B.CreateTrunc(V, L->getType());
      L->replaceAllUsesWith(V);
      Dead.push_back(L);
    } else if (auto *S = dyn_cast<StoreInst>(&I); S && ByteOf(S->getValueOperand()->getType())) {
      Type *T = ByteOf(S->getValueOperand()->getType());
      if (T->isVectorTy())
        return;
      B.CreateAlignedStore(B.CreateZExt(S->getValueOperand(), T), S->getPointerOperand(),
                           S->getAlign(), S->isVolatile());
      Dead.push_back(S);
    } else if (auto *A = dyn_cast<AllocaInst>(&I); A && A->getAllocatedType()->isIntegerTy(1)) {
      A->setAllocatedType(B.getInt8Ty());
    } else if (auto *G = dyn_cast<GetElementPtrInst>(&I);
               G && G->getSourceElementType()->isIntegerTy(1)) {
      G->setSourceElementType(B.getInt8Ty());
      G->setResultElementType(B.getInt8Ty());
    }
  }

  Function &F;
  LLVMContext &C;
  DenseMap<Value *, Value *> Legal;
  SmallVector<std::pair<PHINode *, PHINode *>, 8> Phis;
  SmallVector<Instruction *, 32> Dead;
  bool KnowsAll = true;
};

} // namespace

void ka::spirv::legaliseIntegers(Function &F) { Legaliser(F).run(); }
