//===- references.cpp - What kernels refer to must be on the device -------===//

#include "compiler/lowering/references.h"
#include "compiler/lowering/collectives.h"
#include "compiler/lowering/mailbox.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace ka;

namespace {

class Checker {
public:
  Checker(Function &Kernel, ka::DiagnosticHandler Report) : Kernel(Kernel), Report(Report) {}

  bool run() {
    for (Instruction &I : instructions(Kernel)) {
      At = &I;
      for (Use &U : I.operands())
        if (auto *C = dyn_cast<Constant>(U.get()))
          visit(*C, isa<CallBase>(I) && cast<CallBase>(I).isCallee(&U));
    }
    return Good;
  }

private:
  void visit(Constant &C, bool IsCallee) {
    if (auto *F = dyn_cast<Function>(&C))
      return checkFunction(*F, IsCallee);
    if (!Seen.insert(&C).second)
      return;
    if (auto *G = dyn_cast<GlobalVariable>(&C))
      checkVariable(*G);
    for (Use &U : C.operands())
      if (auto *Operand = dyn_cast<Constant>(U.get()))
        visit(*Operand, false);
  }

  void checkFunction(Function &F, bool IsCallee) {
    StringRef Name = F.getName();
    Name.consume_back(".body");
    if (!IsCallee) {
      if (Seen.insert(&F).second)
        fail("the address of function '" + Name + "' cannot be taken in a kernel");
      return;
    }
    if (F.isIntrinsic() || workItemFunction(Name) || isCollective(Name) ||
        isMailboxFunction(Name) || Name.starts_with("_Z"))
      return;
    if (Seen.insert(&F).second)
      fail("function '" + Name +
           "' is not there on the device: it has no body in this file, and "
           "no device has it built in");
  }

  void checkVariable(GlobalVariable &G) {
    if (G.getAddressSpace() != 0 || (G.isConstant() && G.hasInitializer() && !G.isThreadLocal()))
      return;
    fail("variable '" + G.getName() +
         "' is not there on the device; pass its value or a pointer to it as an argument, or "
         "make it const");
  }

  void fail(const Twine &Message) {
    Diagnostic D;
    D.Message = Message.str();
    D.Location = At->getDebugLoc();
    D.Kernel = Kernel.getName();
    Report(D);
    Good = false;
  }

  Function &Kernel;
  ka::DiagnosticHandler Report;
  Instruction *At = nullptr;
  DenseSet<const Constant *> Seen;
  bool Good = true;
};

} // namespace

bool ka::checkReferences(Module &M, ka::DiagnosticHandler Report) {
  bool Good = true;
  for (Function &F : M)
    if (F.hasFnAttribute(KernelAttribute))
      Good &= Checker(F, Report).run();
  return Good;
}
