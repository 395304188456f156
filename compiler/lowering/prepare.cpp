//===- prepare.cpp - Free the device module of everything of the host -----===//
//
// clang emits device code for the host target: with its CPU's features, its
// hardening and its linkage. None of that may reach a device.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/prepare.h"
#include "compiler/lowering/kernel.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

void dropAliases(Module &M) {
  for (GlobalAlias &A : make_early_inc_range(M.aliases())) {
    A.replaceAllUsesWith(A.getAliasee());
    A.eraseFromParent();
  }
  for (GlobalIFunc &I : make_early_inc_range(M.ifuncs()))
    if (I.use_empty())
      I.eraseFromParent();
}

void dropModuleData(Module &M) {
  for (StringRef Name :
       {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable *G = M.getNamedGlobal(Name))
      G->eraseFromParent();
  M.setModuleInlineAsm("");
  for (NamedMDNode &N : make_early_inc_range(M.named_metadata()))
    if (N.getName() == "llvm.ident" || N.getName() == "llvm.module.flags" ||
        N.getName().starts_with("llvm.linker") || N.getName().starts_with("llvm.dependent"))
      M.eraseNamedMetadata(&N);
  // Without its version, debug information would be dropped, and messages would
  // have no places.
  M.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

/// Only what later passes may rely on stays.
AttributeSet keptFunctionAttributes(LLVMContext &C, AttributeSet Old) {
  AttrBuilder B(C);
  for (Attribute::AttrKind Kind : {Attribute::Convergent, Attribute::Memory, Attribute::NoUnwind,
                                   Attribute::WillReturn, Attribute::NoReturn})
    if (Old.hasAttribute(Kind))
      B.addAttribute(Old.getAttribute(Kind));
  return AttributeSet::get(C, B);
}

AttributeList keptAttributes(LLVMContext &C, const AttributeList &Old, unsigned Params) {
  SmallVector<AttributeSet, 8> ParamSets;
  for (unsigned I = 0; I != Params; ++I)
    ParamSets.push_back(Old.getParamAttrs(I));
  return AttributeList::get(C, keptFunctionAttributes(C, Old.getFnAttrs()), Old.getRetAttrs(),
                            ParamSets);
}

/// Nothing is thrown on a device.
void dropUnwinding(Function &F) {
  for (BasicBlock &B : F)
    if (isa<InvokeInst>(B.getTerminator()))
      removeUnwindEdge(&B);
  removeUnreachableBlocks(F);
  F.setPersonalityFn(nullptr);
}

void prepareFunction(Function &F) {
  LLVMContext &C = F.getContext();
  if (F.isIntrinsic())
    return;
  F.setAttributes(keptAttributes(C, F.getAttributes(), F.arg_size()));
  F.setComdat(nullptr);
  F.setSection("");
  F.setDSOLocal(false);
  F.setVisibility(GlobalValue::DefaultVisibility);
  F.setUnnamedAddr(GlobalValue::UnnamedAddr::None);
  F.clearGC();
  F.setPrefixData(nullptr);
  F.setPrologueData(nullptr);
  F.setDoesNotThrow();
  if (F.isDeclaration()) {
    F.setLinkage(GlobalValue::ExternalLinkage);
    return;
  }
  dropUnwinding(F);
  F.setLinkage(GlobalValue::InternalLinkage);
  F.addFnAttr(Attribute::AlwaysInline);
  // Until all is inlined, any function may be the one that synchronises.
  F.setConvergent();
  if (!F.getName().starts_with(ka::EntryPrefix))
    F.setName(F.getName() + ".body");
}

/// The number of zeros before or after the set bits of 0 is the width.
void countZeroBits(CallBase &Call) {
  Intrinsic::ID ID = Call.getIntrinsicID();
  if (ID == Intrinsic::ctlz || ID == Intrinsic::cttz)
    Call.setArgOperand(1, ConstantInt::getFalse(Call.getContext()));
}

void prepareCalls(Function &F) {
  for (BasicBlock &B : F)
    for (Instruction &I : B) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      countZeroBits(*Call);
      Call->setAttributes(keptAttributes(F.getContext(), Call->getAttributes(), Call->arg_size()));
      if (auto *CI = dyn_cast<CallInst>(Call))
        CI->setTailCallKind(CallInst::TCK_None);
      Function *Callee = Call->getCalledFunction();
      if (Callee && ka::isSynchronising(Callee->getName())) {
        Call->setConvergent();
        Call->addFnAttr(Attribute::NoMerge);
      }
    }
}

void prepareGlobal(GlobalVariable &G) {
  G.setComdat(nullptr);
  G.setDSOLocal(false);
  G.setVisibility(GlobalValue::DefaultVisibility);
  if (G.hasInitializer())
    G.setLinkage(GlobalValue::InternalLinkage);
  if (G.getSection() != ka::LocalSection && G.getSection() != ka::LocalInitSection)
    G.setSection("");
}

} // namespace

void ka::prepare(Module &M) {
  dropAliases(M);
  dropModuleData(M);
  for (Function &F : M) {
    prepareFunction(F);
    prepareCalls(F);
  }
  for (GlobalVariable &G : M.globals())
    prepareGlobal(G);
  for (Function &F : M)
    declareWorkItemFunction(F);
}
