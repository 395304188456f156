//===- hints.cpp - Drop what only informs the optimiser -------------------===//

#include "compiler/lowering/hints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// The value that stands for the intrinsic, or null where it is no hint. A hint
/// without a result stands for itself.
Value *withoutHint(IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ssa_copy:
  case Intrinsic::annotation:
  case Intrinsic::ptr_annotation:
    return I.getArgOperand(0);
  case Intrinsic::is_constant:
    return ConstantInt::getFalse(I.getType());
  case Intrinsic::objectsize: {
    bool Minimum = cast<ConstantInt>(I.getArgOperand(1))->isOne();
    return Minimum ? Constant::getNullValue(I.getType()) : Constant::getAllOnesValue(I.getType());
  }
  case Intrinsic::assume:
  case Intrinsic::donothing:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::invariant_end:
  case Intrinsic::invariant_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::lifetime_start:
  case Intrinsic::prefetch:
  case Intrinsic::pseudoprobe:
  case Intrinsic::sideeffect:
  case Intrinsic::stackrestore:
  case Intrinsic::var_annotation:
    return &I;
  case Intrinsic::stacksave:
    return Constant::getNullValue(I.getType());
  default:
    return isa<DbgInfoIntrinsic>(I) ? &I : nullptr;
  }
}

} // namespace

void ka::dropHints(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    I.dropDbgRecords();
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
      if (Value *V = withoutHint(*Intrinsic)) {
        if (V != &I)
          I.replaceAllUsesWith(V);
        else if (!I.use_empty())
          I.replaceAllUsesWith(PoisonValue::get(I.getType()));
        I.eraseFromParent();
        continue;
      }
    }
    // Promises about values and addresses; alias information stays.
    for (unsigned Kind : {LLVMContext::MD_range, LLVMContext::MD_nonnull, LLVMContext::MD_noundef,
                          LLVMContext::MD_dereferenceable, LLVMContext::MD_align,
                          LLVMContext::MD_prof, LLVMContext::MD_unpredictable,
                          LLVMContext::MD_invariant_load, LLVMContext::MD_annotation})
      I.setMetadata(Kind, nullptr);
    I.setMetadata("srcloc", nullptr);
    I.setMetadata("heapallocsite", nullptr);
  }
}
