//===- unroll.cpp - Loops that become straight code -----------------------===//
//
// Two kinds of loops are unrolled here. Those whose source says so, since not
// every device's compiler heeds such hints, and SPIR-V can only pass them on. And
// those with barriers whose turns are few and known: devices for which a barrier
// is the end of one loop over the items and the start of the next one do best with
// barriers that stand outside of loops.
//
// Outer loops come first: how often the inner ones turn often depends on them. Each
// loop inside is then there many times, so all loops of a function share one budget.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/unroll.h"
#include "compiler/lowering/analyses.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace {

/// What unrolling may still add to a function.
struct Budget {
  uint64_t Instructions;
  uint64_t Barriers;

  bool covers(const Budget &Cost) const {
    return Cost.Instructions <= Instructions && Cost.Barriers <= Barriers;
  }
  void spend(const Budget &Cost) {
    Instructions -= Cost.Instructions;
    Barriers -= Cost.Barriers;
  }
};

/// For loops with barriers. The bitonic sort of 1024 values, 55 steps, stays below; what PoCL
/// makes of so many takes it about a second.
constexpr Budget Unasked = {2048, 128};
/// For loops whose author asked; as LLVM has it for each of them.
constexpr Budget Asked = {16384, 16384};
/// Instructions of the header that may stand twice to make a loop test at its end.
constexpr unsigned MostRotated = 64;

bool says(const Loop &L, StringRef What) {
  return findOptionMDForLoop(&L, ("llvm.loop.unroll." + What).str());
}
bool isHinted(const Loop &L) {
  return !says(L, "disable") && (says(L, "enable") || says(L, "full") || says(L, "count"));
}
bool hasBarrier(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *B) {
    return any_of(*B, [](const Instruction &I) { return ka::isSynchronising(I); });
  });
}
/// What so many more turns of it, written out, add.
Budget costOf(const Loop &L, uint64_t Turns) {
  Budget Cost = {0, 0};
  for (const BasicBlock *B : L.blocks()) {
    Cost.Instructions += Turns * B->sizeWithoutDebug();
    Cost.Barriers +=
        Turns * count_if(*B, [](const Instruction &I) { return ka::isSynchronising(I); });
  }
  return Cost;
}

class Unroller {
public:
  Unroller(Function &F, FunctionAnalysisManager &Known)
      : Loops(Known.getResult<LoopAnalysis>(F)),
        Evolution(Known.getResult<ScalarEvolutionAnalysis>(F)),
        Dominators(Known.getResult<DominatorTreeAnalysis>(F)),
        Assumptions(Known.getResult<AssumptionAnalysis>(F)),
        Target(Known.getResult<TargetIRAnalysis>(F)),
        Remarks(Known.getResult<OptimizationRemarkEmitterAnalysis>(F)), Layout(F.getDataLayout()) {}

  void run() {
    // Each that goes makes others of what was in it.
    while (any_of(Loops.getLoopsInPreorder(), [&](Loop *L) { return unrollFully(*L); }))
      ;
    for (Loop *L : Loops.getLoopsInPreorder())
      if (isHinted(*L) && !hasBarrier(*L))
        testAtEnd(*L);
  }

private:
  bool unrollFully(Loop &L) {
    bool Hinted = isHinted(L);
    if (says(L, "count") || says(L, "disable") || (!Hinted && !hasBarrier(L)))
      return false;
    // With another way out, barriers would stand in branches instead.
    unsigned Turns = Evolution.getSmallConstantTripCount(&L);
    if (!Turns || !L.getExitingBlock() || !L.isLoopSimplifyForm())
      return false;
    Budget &Left = Hinted ? AskedLeft : UnaskedLeft;
    // A loop that tests before its turns leaves in the last of those that LLVM counts.
    bool TestsFirst = L.getExitingBlock() != L.getLoopLatch();
    Budget Cost = costOf(L, Turns > 1 ? Turns - 1 - TestsFirst : 0);
    if (!Left.covers(Cost)) {
      // LLVM's own pass would go on with each of the copies.
      if (Hinted && Asked.covers(Cost))
        L.setLoopAlreadyUnrolled();
      return false;
    }
    UnrollLoopOptions Options{.Count = Turns,
                              .Force = true,
                              .Runtime = false,
                              .AllowExpensiveTripCount = false,
                              .UnrollRemainder = false,
                              .ForgetAllSCEV = true};
    if (UnrollLoop(&L, Options, &Loops, &Evolution, &Dominators, &Assumptions, &Target, &Remarks,
                   /*PreserveLCSSA=*/true) != LoopUnrollResult::FullyUnrolled)
      return false;
    Left.spend(Cost);
    return true;
  }

  /// Unrolling by a number that need not divide the turns needs it.
  void testAtEnd(Loop &L) {
    SimplifyQuery Query(Layout);
    LoopRotation(&L, &Loops, &Target, &Assumptions, &Dominators, &Evolution, nullptr, Query,
                 /*RotationOnly=*/false, MostRotated, /*IsUtilMode=*/true);
  }

  LoopInfo &Loops;
  ScalarEvolution &Evolution;
  DominatorTree &Dominators;
  AssumptionCache &Assumptions;
  TargetTransformInfo &Target;
  OptimizationRemarkEmitter &Remarks;
  const DataLayout &Layout;
  Budget UnaskedLeft = Unasked;
  Budget AskedLeft = Asked;
};

/// For LLVM's pass manager.
struct KnownLoops : PassInfoMixin<KnownLoops> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &Known) {
    Unroller(F, Known).run();
    return PreservedAnalyses::none();
  }
};

bool concerns(Function &F, FunctionAnalysisManager &Known) {
  return any_of(Known.getResult<LoopAnalysis>(F).getLoopsInPreorder(),
                [](const Loop *L) { return isHinted(*L) || hasBarrier(*L); });
}

} // namespace

void ka::unrollLoops(Module &M) {
  Analyses Known(M);
  FunctionPassManager P;
  P.addPass(LoopSimplifyPass());
  P.addPass(LCSSAPass());
  P.addPass(KnownLoops());
  P.addPass(LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/2, /*OnlyWhenForced=*/true)));
  P.addPass(SROAPass(SROAOptions::ModifyCFG));
  P.addPass(EarlyCSEPass(true));
  P.addPass(InstCombinePass());
  P.addPass(SimplifyCFGPass());
  P.addPass(ADCEPass());
  for (Function &F : M)
    if (!F.isDeclaration() && concerns(F, Known.functions()))
      P.run(F, Known.functions());
}
