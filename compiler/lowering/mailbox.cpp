//===- mailbox.cpp - How kernels tell the host something ------------------===//

#include "compiler/lowering/mailbox.h"
#include "compiler/lowering/calls.h"
#include "compiler/lowering/parameters.h"
#include "compiler/lowering/print_calls.h"
#include "ka/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace ka;

namespace {

constexpr StringLiteral MailboxAttribute = "ka-mailbox", LaunchAttribute = "ka-launch";

Argument *findParameter(Function &F, StringRef Attribute) {
  for (Argument &A : F.args())
    if (F.getAttributes().hasParamAttr(A.getArgNo(), Attribute))
      return &A;
  return nullptr;
}

AttributeSet attributes(LLVMContext &C, StringRef Name, bool IsMemory) {
  AttrBuilder B(C);
  if (IsMemory) {
    B.addAttribute(Attribute::NoAlias); // nothing else leads there
    B.addAlignmentAttr(Align(64));
  }
  B.addAttribute(Name);
  return AttributeSet::get(C, B);
}

} // namespace

bool ka::isMailboxFunction(StringRef Name) { return Name.starts_with("ka.mailbox."); }

bool ka::isMailboxCall(const Instruction &I) { return isMailboxFunction(calledName(I)); }

void ka::addMailbox(DeviceModule &Device) {
  for (Kernel &K : Device.Kernels) {
    Function *F = Device.Module->getFunction(K.Symbol);
    if (!F || none_of(instructions(*F), isMailboxCall))
      continue;
    K.Flags |= KA_METADATA_MAILBOX;
    if (hasPrints(*F))
      K.Flags |= KA_METADATA_PRINTS;
    LLVMContext &C = F->getContext();
    insertParameters(
        *F, F->arg_size(),
        {NewParameter{PointerType::get(C, 0), "ka.mailbox", attributes(C, MailboxAttribute, true)},
         NewParameter{Type::getInt64Ty(C), "ka.launch", attributes(C, LaunchAttribute, false)}});
  }
}

Argument *ka::mailboxOf(Function &F) { return findParameter(F, MailboxAttribute); }
Argument *ka::launchOf(Function &F) { return findParameter(F, LaunchAttribute); }
