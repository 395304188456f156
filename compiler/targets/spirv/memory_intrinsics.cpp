//===- memory_intrinsics.cpp - Copies and fills of memory as loops --------===//

#include "compiler/targets/spirv/memory_intrinsics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace llvm;

namespace {

/// A fill of a few bytes is one or two stores, in the widest integers that its
/// alignment and length allow.
bool storeFill(MemSetInst &Fill) {
  auto *Length = dyn_cast<ConstantInt>(Fill.getLength());
  if (!Length || Fill.isVolatile())
    return false;
  uint64_t Bytes = Length->getZExtValue(), Unit = 8;
  while (Unit > 1 && (Bytes % Unit || Fill.getDestAlign().valueOrOne().value() % Unit))
    Unit /= 2;
  if (Bytes / Unit > 8)
    return false;
  IRBuilder<> B(&Fill);
  Type *T = B.getIntNTy(Unit * 8);
  Value *Data = B.CreateZExt(Fill.getValue(), T);
  if (Unit > 1)
    Data = B.CreateMul(Data, ConstantInt::get(T, APInt::getSplat(Unit * 8, APInt(8, 1))));
  for (uint64_t I = 0; I != Bytes / Unit; ++I)
    B.CreateAlignedStore(Data, B.CreateConstInBoundsGEP1_64(T, Fill.getRawDest(), I), Align(Unit));
  return true;
}

} // namespace

void ka::spirv::expandMemoryIntrinsics(Function &F) {
  SmallVector<MemIntrinsic *, 8> Found;
  for (Instruction &I : instructions(F))
    if (auto *M = dyn_cast<MemIntrinsic>(&I))
      Found.push_back(M);
  TargetTransformInfo TTI(F.getDataLayout());
  for (MemIntrinsic *M : Found) {
    auto *Length = dyn_cast<ConstantInt>(M->getLength());
    if (!Length || !Length->isZero()) {
      if (auto *Fill = dyn_cast<MemSetInst>(M)) {
        if (!storeFill(*Fill))
          expandMemSetAsLoop(Fill);
      } else if (auto *Move = dyn_cast<MemMoveInst>(M)) {
        expandMemMoveAsLoop(Move, TTI);
      } else if (!Length) {
        expandMemCpyAsLoop(cast<MemCpyInst>(M), TTI);
      } else {
        continue;
      }
    }
    M->eraseFromParent();
  }
}
