//===- metadata.cpp - Conventions of OpenCL modules -----------------------===//

#include "compiler/targets/spirv/metadata.h"
#include "compiler/lowering/kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

constexpr StringLiteral Layout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-"
                                 "v512:512-v1024:1024-n8:16:32:64";

void setVersion(Module &M, StringRef Name, ArrayRef<unsigned> Numbers) {
  LLVMContext &C = M.getContext();
  NamedMDNode *N = M.getOrInsertNamedMetadata(Name);
  N->clearOperands();
  SmallVector<Metadata *, 3> Parts;
  for (unsigned Number : Numbers)
    Parts.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), Number)));
  N->addOperand(MDNode::get(C, Parts));
}

void normaliseCall(CallInst &Call) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return;
  bool Convergent = Call.isConvergent();
  if (!Callee->isIntrinsic())
    Call.setAttributes(AttributeList());
  if (Convergent)
    Call.setConvergent();
  Call.setCallingConv(Callee->getCallingConv());
}

/// Whether a sum of the product, negated or not, must be rounded by itself.
bool hasSeparateSum(const Instruction &Product) {
  return any_of(Product.users(), [](const User *U) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I)
      return false;
    if (I->getOpcode() == Instruction::FNeg)
      return hasSeparateSum(*I);
    return I->getOpcode() == Instruction::FAdd || I->getOpcode() == Instruction::FSub;
  });
}

bool hasSeparateSum(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return I.getOpcode() == Instruction::FMul && !I.hasAllowContract() && hasSeparateSum(I);
  });
}

/// SPIR-V can say it of whole kernels only.
void forbidContraction(Function &F) {
  LLVMContext &C = F.getContext();
  constexpr unsigned ContractionOff = 31;
  Metadata *Mode[] = {ValueAsMetadata::get(&F), ConstantAsMetadata::get(ConstantInt::get(
                                                    Type::getInt32Ty(C), ContractionOff))};
  F.getParent()->getOrInsertNamedMetadata("spirv.ExecutionMode")->addOperand(MDNode::get(C, Mode));
}

} // namespace

void ka::spirv::normaliseMetadata(Module &M) {
  M.setTargetTriple("spir64-unknown-unknown");
  M.setDataLayout(Layout);
  setVersion(M, "opencl.ocl.version", {2, 0});
  setVersion(M, "opencl.spir.version", {1, 2});
  // OpenCL C 2.0.
  setVersion(M, "spirv.Source", {3, 200000});
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    F.setCallingConv(F.isDeclaration() ? CallingConv::SPIR_FUNC : CallingConv::SPIR_KERNEL);
    F.removeFnAttr(KernelAttribute);
    F.removeFnAttr(Attribute::NoMerge);
    F.setUnnamedAddr(GlobalValue::UnnamedAddr::None);
  }
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        normaliseCall(*Call);
  for (GlobalVariable &G : M.globals())
    G.clearMetadata();
}

void ka::spirv::prepareForTranslation(Module &M) {
  StripDebugInfo(M);
  if (NamedMDNode *N = M.getModuleFlagsMetadata())
    M.eraseNamedMetadata(N);
  for (NamedMDNode &N : make_early_inc_range(M.named_metadata()))
    if (!N.getName().starts_with("opencl.") && !N.getName().starts_with("spirv."))
      M.eraseNamedMetadata(&N);
  for (Function &F : M) {
    for (Instruction &I : instructions(F))
      I.dropUnknownNonDebugMetadata();
    if (F.getCallingConv() == CallingConv::SPIR_KERNEL && hasSeparateSum(F))
      forbidContraction(F);
  }
}
