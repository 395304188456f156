//===- analyses.h - Analysis managers for the passes of LLVM --------------===//
#ifndef KA_COMPILER_LOWERING_ANALYSES_H
#define KA_COMPILER_LOWERING_ANALYSES_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace ka {

/// What LLVM's passes ask of a module of device code. There is no C library on
/// the device: a loop that fills memory stays a loop, printf does not become
/// puts.
class Analyses {
public:
  explicit Analyses(const llvm::Module &M);

  llvm::FunctionAnalysisManager &functions() { return FAM; }
  llvm::ModuleAnalysisManager &modules() { return MAM; }

private:
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
};

} // namespace ka

#endif
