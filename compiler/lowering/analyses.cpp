//===- analyses.cpp - Analysis managers for the passes of LLVM ------------===//

#include "compiler/lowering/analyses.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

ka::Analyses::Analyses(const Module &M) {
  FAM.registerPass([&] {
    TargetLibraryInfoImpl None{Triple(M.getTargetTriple())};
    None.disableAllFunctions();
    return TargetLibraryAnalysis(None);
  });
  PassBuilder Builder;
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
}
