//===- simplify.cpp - The optimisations that help device code -------------===//

#include "compiler/lowering/simplify.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/TargetParser/Triple.h"
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
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder Builder;
  // No C library on the device: a loop that fills memory stays a loop, printf
  // does not become puts.
  FAM.registerPass([&] {
    TargetLibraryInfoImpl None{Triple(M.getTargetTriple())};
    None.disableAllFunctions();
    return TargetLibraryAnalysis(None);
  });
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager MPM;
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(Passes)));
  MPM.addPass(GlobalDCEPass());
  MPM.run(M, MAM);
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
