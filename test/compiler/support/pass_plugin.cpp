//===- pass_plugin.cpp - The passes for opt's -load-pass-plugin -----------===//
//
// Tests run single passes through opt; the kernels' records come from metadata
// (kernel_facts.h). clang never asks for these.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/c_library.h"
#include "compiler/lowering/divergence.h"
#include "compiler/lowering/division.h"
#include "compiler/lowering/hints.h"
#include "compiler/lowering/inline_calls.h"
#include "compiler/lowering/kernel_entry.h"
#include "test/compiler/support/kernel_facts.h"
#include "compiler/lowering/linear_ids.h"
#include "compiler/lowering/local_memory.h"
#include "compiler/lowering/lowering.h"
#include "compiler/lowering/mailbox.h"
#include "compiler/lowering/prepare.h"
#include "compiler/lowering/range_guard.h"
#include "compiler/lowering/references.h"
#include "compiler/lowering/simplify.h"
#include "compiler/lowering/spill.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/unreachable.h"
#include "compiler/lowering/unroll.h"
#include "compiler/targets/spirv/address_spaces.h"
#include "compiler/targets/spirv/arithmetic.h"
#include "compiler/targets/spirv/atomics.h"
#include "compiler/targets/spirv/barrier_dispatch.h"
#include "compiler/targets/spirv/barrier_stops.h"
#include "compiler/targets/spirv/builtins.h"
#include "compiler/targets/spirv/integer_widths.h"
#include "compiler/targets/spirv/legal_types.h"
#include "compiler/targets/spirv/memory_intrinsics.h"
#include "compiler/targets/spirv/metadata.h"
#include "compiler/targets/spirv/recompute.h"
#include "compiler/targets/spirv/wide_integers.h"
#include "compiler/targets/target.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

void print(StringRef Kind, const DebugLoc &Location, StringRef Message) {
  if (Location)
    errs() << Location.getLine() << ':' << Location.getCol() << ": ";
  errs() << Kind << ": " << Message << '\n';
}

void report(const ka::Diagnostic &D) {
  std::string Group = D.Group.empty() ? "" : " [" + D.Group + "]";
  std::string Advice = D.Advice.empty() ? "" : "; " + D.Advice;
  print(D.Severity == ka::Diagnostic::Error ? "error" : "warning", D.Location,
        D.Message + Advice + Group);
  for (const ka::Diagnostic::Note &N : D.Notes)
    print("note", N.Location, N.Message);
}

/// Passes on the module with the kernels' records.
using DevicePass = void (*)(ka::DeviceModule &);

void withKernels(Module &M, DevicePass Pass) {
  ka::DeviceModule Device;
  Device.Kernels = ka::readKernelFacts(M);
  Device.Module.reset(&M);
  Pass(Device);
  (void)Device.Module.release();
}

void forFunctions(ka::DeviceModule &Device, void (*Pass)(Function &)) {
  for (Function &F : *Device.Module)
    if (!F.isDeclaration())
      Pass(F);
}

void printDivergence(Function &F) {
  ka::Divergence Walk(F);
  outs() << "divergence of '" << F.getName() << "'\n";
  for (BasicBlock &B : F) {
    outs() << (Walk.isDivergent(&B) ? "divergent " : "uniform   ") << "block " << B.getName()
           << '\n';
    for (Instruction &I : B)
      outs() << (Walk.isDivergent(&I) ? "divergent " : "uniform   ") << I << '\n';
  }
}

struct NamedPass {
  StringLiteral Name;
  DevicePass Run;
};

const NamedPass Passes[] = {
    {"ka-prepare", [](ka::DeviceModule &D) { ka::prepare(*D.Module); }},
    {"ka-c-library", [](ka::DeviceModule &D) { ka::mapCLibrary(*D.Module); }},
    {"ka-kernel-entry", [](ka::DeviceModule &D) { ka::makeKernelEntries(D, report); }},
    {"ka-inline-calls", [](ka::DeviceModule &D) { ka::inlineCalls(*D.Module, report); }},
    {"ka-linear-ids", [](ka::DeviceModule &D) { forFunctions(D, ka::expandLinearIds); }},
    {"ka-simplify", [](ka::DeviceModule &D) { ka::simplify(*D.Module); }},
    {"ka-references", [](ka::DeviceModule &D) { ka::checkReferences(*D.Module, report); }},
    {"ka-hints", [](ka::DeviceModule &D) { forFunctions(D, ka::dropHints); }},
    {"ka-division", [](ka::DeviceModule &D) { forFunctions(D, ka::makeDivisionTotal); }},
    {"ka-local-memory", [](ka::DeviceModule &D) { ka::placeLocalMemory(D); }},
    {"ka-print-divergence", [](ka::DeviceModule &D) { forFunctions(D, printDivergence); }},
    {"ka-range-guard", [](ka::DeviceModule &D) { ka::addRangeGuards(D, report); }},
    {"ka-traps", [](ka::DeviceModule &D) { ka::placeTraps(D, report); }},
    {"ka-expand-traps", [](ka::DeviceModule &D) { forFunctions(D, ka::expandTraps); }},
    {"ka-mailbox", [](ka::DeviceModule &D) { ka::addMailbox(D); }},
    {"ka-spill",
     [](ka::DeviceModule &D) { ka::spillArguments(D); }},
    {"ka-lower", [](ka::DeviceModule &D) { ka::lower(D, report); }},
    {"ka-spirv-builtins",
     [](ka::DeviceModule &D) { forFunctions(D, ka::spirv::replaceWorkItemFunctions); }},
    {"ka-spirv-memory",
     [](ka::DeviceModule &D) { forFunctions(D, ka::spirv::expandMemoryIntrinsics); }},
    {"ka-spirv-atomics", [](ka::DeviceModule &D) { forFunctions(D, ka::spirv::expandAtomics); }},
    {"ka-spirv-arithmetic",
     [](ka::DeviceModule &D) { forFunctions(D, ka::spirv::expandArithmetic); }},
    {"ka-spirv-types", [](ka::DeviceModule &D) { forFunctions(D, ka::spirv::legaliseTypes); }},
    {"ka-spirv-variables", [](ka::DeviceModule &D) { ka::spirv::legaliseVariables(*D.Module); }},
    {"ka-spirv-wide-integers",
     [](ka::DeviceModule &D) { forFunctions(D, ka::spirv::splitWideIntegers); }},
    {"ka-spirv-integers",
     [](ka::DeviceModule &D) { forFunctions(D, ka::spirv::legaliseIntegers); }},
    {"ka-spirv-address-spaces",
     [](ka::DeviceModule &D) { ka::spirv::assignAddressSpaces(*D.Module); }},
    {"ka-spirv-metadata", [](ka::DeviceModule &D) { ka::spirv::normaliseMetadata(*D.Module); }},
    {"ka-spirv-barriers",
     [](ka::DeviceModule &D) { forFunctions(D, [](Function &F) { ka::spirv::dispatchBarriers(F); }); }},
    {"ka-spirv-recompute",
     [](ka::DeviceModule &D) { forFunctions(D, ka::spirv::recomputeAfterBarriers); }},
    {"ka-spirv-stops", [](ka::DeviceModule &D) { forFunctions(D, ka::spirv::stopAtBarriers); }},
    {"ka-unreachable",
     [](ka::DeviceModule &D) { forFunctions(D, ka::removeUnreachable); }},
    {"ka-unroll", [](ka::DeviceModule &D) { ka::unrollLoops(*D.Module); }},
    {"ka-spirv", [](ka::DeviceModule &D) { ka::findTarget("spirv")->legalise(D, report); }},
};

struct OptPass : PassInfoMixin<OptPass> {
  DevicePass Run;
  explicit OptPass(DevicePass Run) : Run(Run) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    withKernels(M, Run);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "ka", "1", [](PassBuilder &Builder) {
            Builder.registerPipelineParsingCallback(
                [](StringRef Name, ModulePassManager &MPM,
                   ArrayRef<PassBuilder::PipelineElement>) {
                  for (const NamedPass &P : Passes)
                    if (P.Name == Name) {
                      MPM.addPass(OptPass(P.Run));
                      return true;
                    }
                  return false;
                });
          }};
}
