//===- capabilities.cpp - What a kernel asks of its device ----------------===//

#include "compiler/targets/spirv/capabilities.h"
#include "compiler/targets/spirv/address_spaces.h"
#include "ka/abi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace ka;

namespace {

uint32_t flagsOfType(Type *T) {
  T = T->getScalarType();
  if (T->isDoubleTy())
    return KA_METADATA_FP64;
  if (T->isHalfTy())
    return KA_METADATA_FP16;
  if (T->isPointerTy() && T->getPointerAddressSpace() == spirv::Generic)
    return KA_METADATA_GENERIC;
  return 0;
}

uint32_t flagsOf(const Function &F) {
  uint32_t Flags = 0;
  for (const Argument &A : F.args())
    Flags |= flagsOfType(A.getType());
  for (const Instruction &I : instructions(F)) {
    Flags |= flagsOfType(I.getType());
    for (const Value *V : I.operands())
      Flags |= flagsOfType(V->getType());
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Flags |= flagsOfType(A->getAllocatedType());
    Type *Atomic = nullptr;
    if (auto *R = dyn_cast<AtomicRMWInst>(&I))
      Atomic = R->getType();
    else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
      Atomic = X->getCompareOperand()->getType();
    else if (I.isAtomic() && isa<LoadInst>(I))
      Atomic = I.getType();
    else if (I.isAtomic() && isa<StoreInst>(I))
      Atomic = I.getOperand(0)->getType();
    if (Atomic && Atomic->getPrimitiveSizeInBits() == 64)
      Flags |= KA_METADATA_INT64_ATOMICS;
  }
  return Flags;
}

} // namespace

void ka::spirv::setCapabilityFlags(DeviceModule &Device) {
  for (Kernel &K : Device.Kernels)
    for (StringRef Suffix : {"", KA__PADDED_SUFFIX, KA__GROUP_SUFFIX})
      if (const Function *F = Device.Module->getFunction(K.Symbol + Suffix.str()))
        K.Flags |= flagsOf(*F);
}
