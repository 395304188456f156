//===- legal_types.cpp - Addresses and vectors that SPIR-V has ------------===//

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

} // namespace

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
