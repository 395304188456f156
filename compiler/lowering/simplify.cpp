//===- simplify.cpp - The optimisations that help device code -------------===//

#include "compiler/lowering/simplify.h"
#include "compiler/lowering/analyses.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/MemCpyOptimizer.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace {

void run(Module &M, FunctionPassManager Passes) {
  ka::Analyses Known(M);
  ModulePassManager MPM;
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(Passes)));
  MPM.addPass(GlobalDCEPass());
  MPM.run(M, Known.modules());
}

} // namespace

void ka::simplify(Module &M) {
  FunctionPassManager P;
  P.addPass(SROAPass(SROAOptions::ModifyCFG));
  P.addPass(EarlyCSEPass(true));
  P.addPass(SimplifyCFGPass());
  P.addPass(InstCombinePass());
  P.addPass(MemCpyOptPass());
  P.addPass(SROAPass(SROAOptions::ModifyCFG));
  P.addPass(EarlyCSEPass(true));
  P.addPass(InstCombinePass());
  P.addPass(SimplifyCFGPass());
  P.addPass(ADCEPass());
  run(M, std::move(P));
}

void ka::tidy(Module &M) {
  FunctionPassManager P;
  P.addPass(SROAPass(SROAOptions::ModifyCFG));
  P.addPass(EarlyCSEPass(true));
  P.addPass(SimplifyCFGPass());
  P.addPass(ADCEPass());
  run(M, std::move(P));
}
