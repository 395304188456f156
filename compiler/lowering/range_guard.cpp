//===- range_guard.cpp - Ranges that the group size does not divide -------===//
//
// The last group of a range is padded to full size. The contract: padding items
// do not exist, except that barriers count them, and group memory that they
// would have written is zero or what its initialiser says.
//
// The plain entry point is for ranges without padding and pays nothing. The
// padded one knows the extents. Without barriers its padding items return at
// once; with barriers it is predicated (predication.h). A plain copy of the body
// for full groups, chosen by a branch, was tried and won nothing on PoCL.
//
// The group variant (group_variant.h) is made here, too, since it wants what is so
// between two steps: barriers are known to be right, group memory is not yet cleared.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/range_guard.h"
#include "compiler/lowering/collectives.h"
#include "compiler/lowering/divergence.h"
#include "compiler/lowering/group_variant.h"
#include "compiler/lowering/local_memory.h"
#include "compiler/lowering/parameters.h"
#include "compiler/lowering/predication.h"
#include "compiler/lowering/work_items.h"
#include "ka/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace ka;

namespace {

/// Barriers are compared with one place where all items end.
void mergeReturns(Function &F) {
  SmallVector<Instruction *, 4> Ends;
  for (BasicBlock &B : F)
    if (isa<ReturnInst>(B.getTerminator()))
      Ends.push_back(B.getTerminator());
  if (Ends.size() < 2)
    return;
  BasicBlock *Exit = BasicBlock::Create(F.getContext(), "exit", &F);
  ReturnInst::Create(F.getContext(), Exit);
  for (Instruction *End : Ends) {
    BranchInst::Create(Exit, End->getParent());
    End->eraseFromParent();
  }
}

/// A barrier that only some items of a group may reach. False if that is an
/// error.
bool checkBarriers(Function &F, const Kernel &K, ka::DiagnosticHandler Report) {
  Divergence Walk(F);
  bool Good = true;
  for (Instruction &I : instructions(F)) {
    if (!isSynchronising(I) || !Walk.isDivergent(I.getParent()))
      continue;
    Diagnostic D;
    D.Severity = K.UnsafeIndices ? Diagnostic::Warning : Diagnostic::Error;
    D.Group = "ka-divergent-barrier";
    D.Kernel = K.Symbol;
    D.Location = I.getDebugLoc();
    D.Parting = Walk.cause(I.getParent())->getDebugLoc();
    bool Collective = collective(I).has_value();
    D.Message = std::string("not every item of a work-group may reach this ") +
                (Collective ? "call of a sub-group or group function" : "barrier") +
                " in kernel '" + K.Name + "'";
    D.Advice = Collective ? "move the call out of the condition or loop, and put only the use of "
                            "its result under it"
                          : "move the barrier out of the condition or loop, and put only the other "
                            "statements under it";
    D.Notes.push_back(
        {D.Parting, "items of a work-group part here: the condition can differ between them"});
    Report(D);
    Good &= K.UnsafeIndices;
  }
  return Good;
}

class PaddedVariant {
public:
  PaddedVariant(Function &Plain, const Kernel &K) : Plain(Plain), K(K) {}

  void make(bool Barriers) {
    F = cloneWithExtents();
    separateLocalMemory(Plain, *F);
    replaceGlobalSize();
    if (K.UnsafeIndices) {
      initialiseLocalMemory(*F, nullptr);
      return;
    }
    if (!Barriers) {
      returnEarly();
      initialiseLocalMemory(*F, nullptr);
      return;
    }
    IRBuilder<> B(&*F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Value *Active = isActive(B);
    setExists(*F, Active);
    predicate(*F, Active);
    initialiseLocalMemory(*F, [&](IRBuilderBase &At) { return At.CreateNot(isFull(At)); }, Scratch);
  }

private:
  /// Three more parameters for the extents, then one for the size of each group
  /// memory that comes as a parameter.
  Function *cloneWithExtents() {
    Type *I64 = Type::getInt64Ty(Plain.getContext());
    SmallVector<NewParameter, 4> Sizes;
    for (unsigned D = 0; D != 3; ++D)
      Sizes.push_back({I64, ("ka.extent." + Twine(D)).str()});
    for (const KernelParam &P : K.Params)
      if (isScratch(P))
        Sizes.push_back({I64, P.Name + ".bytes"});
    ValueToValueMapTy Map;
    Function *Clone = CloneFunction(&Plain, Map);
    Clone->setName(Plain.getName() + KA__PADDED_SUFFIX);
    Argument *Size = insertParameters(*Clone, Plain.arg_size(), Sizes);
    Function *New = Size->getParent();
    for (Argument *&E : Extent)
      E = Size++;
    for (size_t P = 0; P != K.Params.size(); ++P)
      if (isScratch(K.Params[P]))
        Scratch.push_back({New->getArg(P), Size++});
    return New;
  }

  /// The global size is the range as it was asked for.
  void replaceGlobalSize() {
    for (Instruction &I : make_early_inc_range(instructions(*F))) {
      if (workItemFunction(I) != WorkItemFunction::GlobalSize)
        continue;
      IRBuilder<> B(&I);
      I.replaceAllUsesWith(selectDimension(
          B, cast<CallInst>(I).getArgOperand(0), [&](unsigned D) { return Extent[D]; }, 1));
      I.eraseFromParent();
    }
  }

  Value *isActive(IRBuilderBase &B) {
    Value *Active = nullptr;
    for (unsigned D = 0; D != 3; ++D) {
      Value *Id = B.CreateAdd(B.CreateMul(callWorkItemFunction(B, WorkItemFunction::GroupId, D),
                                          callWorkItemFunction(B, WorkItemFunction::LocalSize, D)),
                              callWorkItemFunction(B, WorkItemFunction::LocalId, D));
      Value *Within = B.CreateICmpULT(Id, Extent[D]);
      Active = Active ? B.CreateAnd(Active, Within) : Within;
    }
    Active->setName("ka.active");
    return Active;
  }

  Value *isFull(IRBuilderBase &B) {
    Value *Full = nullptr;
    for (unsigned D = 0; D != 3; ++D) {
      Value *End = B.CreateMul(
          B.CreateAdd(callWorkItemFunction(B, WorkItemFunction::GroupId, D), B.getInt64(1)),
          callWorkItemFunction(B, WorkItemFunction::LocalSize, D));
      Value *Within = B.CreateICmpULE(End, Extent[D]);
      Full = Full ? B.CreateAnd(Full, Within) : Within;
    }
    Full->setName("ka.full");
    return Full;
  }

  void returnEarly() {
    Instruction *First = &*F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    BasicBlock *Entry = First->getParent();
    BasicBlock *Body = Entry->splitBasicBlock(First, "body");
    BasicBlock *Padding = BasicBlock::Create(F->getContext(), "padding", F);
    ReturnInst::Create(F->getContext(), Padding);
    IRBuilder<> B(Entry->getTerminator());
    B.CreateCondBr(isActive(B), Body, Padding);
    Entry->getTerminator()->eraseFromParent();
  }

  static bool isScratch(const KernelParam &P) { return P.Kind == KA_METADATA_LOCAL; }

  Function &Plain;
  const Kernel &K;
  Function *F = nullptr;
  Argument *Extent[3] = {};
  SmallVector<LocalParameter, 2> Scratch;
};

bool guardKernel(Function &F, Kernel &K, ka::DiagnosticHandler Report) {
  K.Exchanges =
      any_of(instructions(F), [](const Instruction &I) { return collective(I).has_value(); });
  bool Barriers = isSynchronising(F);
  if (Barriers) {
    mergeReturns(F);
    if (!checkBarriers(F, K, Report))
      return false;
  }
  addGroupVariant(F, K);
  bool AsksForSize = any_of(instructions(F), [](const Instruction &I) {
    return workItemFunction(I) == WorkItemFunction::GlobalSize;
  });
  if (!K.UnsafeIndices || AsksForSize) {
    PaddedVariant(F, K).make(Barriers);
    K.Flags |= KA_METADATA_PADDED;
  }
  Barriers |= initialiseLocalMemory(F, nullptr);
  if (Barriers)
    K.Flags |= KA_METADATA_BARRIER;
  if (K.UnsafeIndices)
    K.Flags |= KA_METADATA_UNSAFE_INDICES;
  return true;
}

} // namespace

bool ka::addRangeGuards(DeviceModule &Device, ka::DiagnosticHandler Report) {
  bool Good = true;
  for (Kernel &K : Device.Kernels)
    if (Function *F = Device.Module->getFunction(K.Symbol))
      Good &= guardKernel(*F, K, Report);
  return Good;
}
