//===- legal_types.cpp - Addresses, vectors, variables that SPIR-V has ----===//

#include "compiler/targets/spirv/legal_types.h"
#include "compiler/lowering/analyses.h"
#include "compiler/targets/spirv/integer_widths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

using namespace llvm;
using namespace ka::spirv;

namespace {

bool isOddVector(Type *T) {
  auto *V = dyn_cast<FixedVectorType>(T);
  return V && (!is_contained({2u, 3u, 4u, 8u, 16u}, V->getNumElements()) ||
               V->getElementType()->isPointerTy());
}

/// A flexible array member, a bit-field's odd integer, long double, a vector of
/// 5.
bool hasOddPart(Type *T) {
  if (auto *A = dyn_cast<ArrayType>(T))
    return A->getNumElements() == 0 || hasOddPart(A->getElementType());
  if (auto *S = dyn_cast<StructType>(T))
    return any_of(S->elements(), hasOddPart);
  if (auto *I = dyn_cast<IntegerType>(T))
    return !isLegalWidth(I->getBitWidth());
  if (isOddVector(T))
    return true;
  return T->isFloatingPointTy() && !T->isHalfTy() && !T->isFloatTy() && !T->isDoubleTy();
}

void scalarise(Function &F) {
  ka::Analyses Known(*F.getParent());
  ScalarizerPassOptions Options;
  Options.ScalarizeLoadStore = true;
  ScalarizerPass(Options).run(F, Known.functions());
}

/// What takes the place of an odd constant: parts and the bytes between them, of
/// the same size altogether.
class LegalConstant {
public:
  explicit LegalConstant(const DataLayout &DL) : DL(DL) {}

  Constant *of(Constant *C) {
    Type *T = C->getType();
    if (!hasOddPart(T))
      return C;
    if (auto *A = dyn_cast<ArrayType>(T))
      return elements(C, A->getNumElements(), 0);
    if (auto *V = dyn_cast<FixedVectorType>(T))
      return elements(C, V->getNumElements(), DL.getTypeAllocSize(T));
    if (auto *S = dyn_cast<StructType>(T))
      return members(C, S);
    if (T->isIntegerTy())
      return bytes(C);
    return C; // validate() names it
  }

private:
  Constant *elements(Constant *C, unsigned Count, uint64_t Bytes) {
    SmallVector<Constant *> Parts;
    for (unsigned K = 0; K < Count; K++)
      Parts.push_back(of(C->getAggregateElement(K)));
    if (Parts.empty())
      return padding(C->getContext(), 0);
    Constant *All = ConstantArray::get(ArrayType::get(Parts[0]->getType(), Count), Parts);
    uint64_t Size = DL.getTypeAllocSize(All->getType());
    if (Size >= Bytes)
      return All;
    return packed(C->getContext(), {All, padding(C->getContext(), Bytes - Size)});
  }

  Constant *members(Constant *C, StructType *S) {
    const StructLayout *Layout = DL.getStructLayout(S);
    SmallVector<Constant *> Parts;
    uint64_t End = 0;
    auto Reach = [&](uint64_t Offset) {
      if (Offset > End)
        Parts.push_back(padding(C->getContext(), Offset - End));
      End = Offset;
    };
    for (unsigned K = 0; K < S->getNumElements(); K++) {
      uint64_t Size = DL.getTypeAllocSize(S->getElementType(K));
      if (Size == 0)
        continue;
      Reach(Layout->getElementOffset(K));
      Parts.push_back(of(C->getAggregateElement(K)));
      End += Size;
    }
    Reach(Layout->getSizeInBytes());
    return packed(C->getContext(), Parts);
  }

  Constant *bytes(Constant *C) {
    uint64_t Size = DL.getTypeAllocSize(C->getType());
    auto *Number = dyn_cast<ConstantInt>(C); // undefined bits are 0
    APInt Value = Number ? Number->getValue().zext(8 * Size) : APInt(8 * Size, 0);
    SmallVector<uint8_t> Bytes;
    for (uint64_t K = 0; K < Size; K++)
      Bytes.push_back(Value.extractBitsAsZExtValue(8, 8 * K));
    return ConstantDataArray::get(C->getContext(), Bytes);
  }

  static Constant *padding(LLVMContext &Context, uint64_t Bytes) {
    return ConstantAggregateZero::get(ArrayType::get(Type::getInt8Ty(Context), Bytes));
  }
  static Constant *packed(LLVMContext &Context, ArrayRef<Constant *> Parts) {
    return ConstantStruct::getAnon(Context, Parts, /*Packed=*/true);
  }

  const DataLayout &DL;
};

} // namespace

void ka::spirv::legaliseVariables(Module &M) {
  const DataLayout &DL = M.getDataLayout();
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    Type *T = G.getValueType();
    if (!hasOddPart(T))
      continue;
    // A declaration's value does not matter; group memory has none.
    Constant *Old = G.hasInitializer() ? G.getInitializer() : UndefValue::get(T);
    Constant *New = DL.getTypeAllocSize(T)
                        ? LegalConstant(DL).of(Old)
                        : Constant::getNullValue(Type::getInt8Ty(M.getContext()));
    if (isa<UndefValue>(Old))
      New = UndefValue::get(New->getType());
    auto *Legal = new GlobalVariable(M, New->getType(), G.isConstant(), G.getLinkage(),
                                     G.hasInitializer() ? New : nullptr, "", &G,
                                     G.getThreadLocalMode(), G.getAddressSpace());
    Legal->copyAttributesFrom(&G);
    Legal->setAlignment(DL.getValueOrABITypeAlignment(G.getAlign(), T));
    Legal->takeName(&G);
    G.replaceAllUsesWith(Legal);
    G.eraseFromParent();
  }
}

void ka::spirv::legaliseTypes(Function &F) {
  bool OddVectors = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    OddVectors |= isOddVector(I.getType()) ||
                  any_of(I.operands(), [](Value *V) { return isOddVector(V->getType()); });
    if (isa<FreezeInst>(I)) {
      I.replaceAllUsesWith(I.getOperand(0));
      I.eraseFromParent();
    } else if (auto *A = dyn_cast<AllocaInst>(&I);
               A && !A->isArrayAllocation() && hasOddPart(A->getAllocatedType())) {
      Type *T = A->getAllocatedType();
      uint64_t Bytes = std::max<uint64_t>(F.getDataLayout().getTypeAllocSize(T), 1);
      A->setAllocatedType(ArrayType::get(Type::getInt8Ty(F.getContext()), Bytes));
    } else if (auto *G = dyn_cast<GetElementPtrInst>(&I);
               G && !G->getType()->isVectorTy() && hasOddPart(G->getSourceElementType())) {
      IRBuilder<> B(G);
      Value *Offset = emitGEPOffset(&B, F.getDataLayout(), G);
      G->replaceAllUsesWith(
          B.CreatePtrAdd(G->getPointerOperand(), Offset, "", G->getNoWrapFlags()));
      G->eraseFromParent();
    }
  }
  if (OddVectors)
    scalarise(F);
}
