//===- inline_calls.cpp - One function per kernel -------------------------===//
//
// Device compilers handle one flat function best, and the range guard must see
// every effect of a kernel. The frontend has refused recursion and calls
// through pointers with better messages; what comes here all the same is
// refused here.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/inline_calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

/// "helper.body" is "helper" in the source.
StringRef sourceName(const Function &F) {
  StringRef Name = F.getName();
  Name.consume_back(".body");
  return Name;
}

class Inliner {
public:
  Inliner(Function &Kernel, ka::DiagnosticHandler Report) : Kernel(Kernel), Report(Report) {}

  bool run() {
    SmallVector<std::pair<CallBase *, int>, 16> Work;
    for (Instruction &I : instructions(Kernel))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Work.push_back({Call, -1});
    while (!Work.empty()) {
      auto [Call, From] = Work.pop_back_val();
      Function *Callee = Call->getCalledFunction();
      if (!Callee) {
        if (!Call->isInlineAsm())
          return fail(*Call, "a call through a function pointer is not possible in a kernel");
        return fail(*Call, "inline assembly is not possible in a kernel");
      }
      if (Callee->isDeclaration())
        continue;
      for (int H = From; H >= 0; H = History[H].second)
        if (History[H].first == Callee)
          return fail(*Call, "'" + sourceName(*Callee) +
                                 "' calls itself, which is not possible "
                                 "in a kernel");
      InlineFunctionInfo Info;
      InlineResult Result = InlineFunction(*Call, Info, /*MergeAttributes=*/false);
      if (!Result.isSuccess())
        return fail(*Call, "'" + sourceName(*Callee) +
                               "' cannot be part of a kernel: " + Result.getFailureReason());
      History.push_back({Callee, From});
      for (CallBase *New : Info.InlinedCallSites)
        Work.push_back({New, static_cast<int>(History.size()) - 1});
    }
    return true;
  }

private:
  bool fail(const CallBase &Call, const Twine &Message) {
    ka::Diagnostic D;
    D.Message = Message.str();
    D.Location = Call.getDebugLoc();
    D.Kernel = Kernel.getName();
    Report(D);
    return false;
  }

  Function &Kernel;
  ka::DiagnosticHandler Report;
  /// What was inlined, and the index of the inlining it came from.
  SmallVector<std::pair<Function *, int>, 16> History;
};

} // namespace

bool ka::inlineCalls(Module &M, DiagnosticHandler Report) {
  bool Good = true;
  for (Function &F : M)
    if (F.hasFnAttribute(KernelAttribute))
      Good &= Inliner(F, Report).run();
  if (!Good)
    return false;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function &F : make_early_inc_range(M)) {
      F.removeDeadConstantUsers();
      if (F.hasFnAttribute(KernelAttribute) || !F.use_empty())
        continue;
      F.eraseFromParent();
      Changed = true;
    }
  }
  // Mutually recursive functions that no kernel reaches, and functions whose
  // address is taken.
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(KernelAttribute))
      F.deleteBody();
  return true;
}
