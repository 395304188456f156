//===- software_collectives.cpp - Sub-groups without help of the device ---===//
//
// Each item has a slot in group memory, as large as the value:
//
//   slot[mine] = exists ? value : what changes nothing;
//   barrier();
//   a combination: the first item of the sub-group or group goes through all
//   slots in order and leaves the result, or the partial results, there; barrier();
//   result = slot[the one that is wanted];
//   barrier();                         // before the slots are used again
//
// Padding items take part, so that it does not matter whether the first item
// exists. The barriers are the whole group's.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/software_collectives.h"
#include "compiler/lowering/collectives.h"
#include "compiler/lowering/linear_ids.h"
#include "compiler/lowering/parameters.h"
#include "compiler/lowering/work_items.h"
#include "ka/sub_group.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace ka;

namespace {

/// As many lanes as the most widespread devices with sub-groups have.
constexpr uint64_t Lanes = 32;

Value *groupItems(IRBuilderBase &B) {
  Value *N = callWorkItemFunction(B, WorkItemFunction::LocalSize, 0);
  for (unsigned D = 1; D != 3; ++D)
    N = B.CreateMul(N, callWorkItemFunction(B, WorkItemFunction::LocalSize, D));
  return N;
}

Value *itemNumber(IRBuilderBase &B) {
  return callWorkItemFunction(B, WorkItemFunction::LocalLinearId);
}

/// The first item of this item's sub-group.
Value *firstOfSubGroup(IRBuilderBase &B, Value *Item) {
  return B.CreateAnd(Item, B.getInt64(~(Lanes - 1)));
}

Value *minimum(IRBuilderBase &B, Value *L, Value *R) {
  return B.CreateSelect(B.CreateICmpULT(L, R), L, R);
}

/// The least power of two that holds the group, or all lanes.
Value *subGroupSize(IRBuilderBase &B) {
  Value *N = groupItems(B);
  Value *Size = B.getInt64(Lanes);
  for (uint64_t Half = Lanes / 2; Half; Half /= 2)
    Size = B.CreateSelect(B.CreateICmpULE(N, B.getInt64(Half)), B.getInt64(Half), Size);
  return Size;
}

/// Not for collectives; null for functions that have nothing to do with sub-groups.
Value *subGroupFunction(IRBuilderBase &B, WorkItemFunction F) {
  switch (F) {
  case WorkItemFunction::SubGroupSize:
    return subGroupSize(B);
  case WorkItemFunction::SubGroupMaxSize:
    return B.getInt64(Lanes);
  case WorkItemFunction::SubGroupCount:
    return B.CreateUDiv(B.CreateAdd(groupItems(B), B.getInt64(Lanes - 1)), B.getInt64(Lanes));
  case WorkItemFunction::SubGroupId:
    return B.CreateUDiv(itemNumber(B), B.getInt64(Lanes));
  case WorkItemFunction::SubGroupLane:
    return B.CreateAnd(itemNumber(B), B.getInt64(Lanes - 1));
  case WorkItemFunction::SubGroupBarrier:
    return callWorkItemFunction(B, WorkItemFunction::Barrier);
  default:
    return nullptr;
  }
}

/// What an operation starts from. `Exact` changes no value at all, not even the
/// sign of a zero; the other one is what a program would start from.
Constant *neutral(Type *T, unsigned Class, unsigned Operation, bool Exact) {
  if (Class == KA__FLOATING) {
    if (Operation == KA__ADD)
      return ConstantFP::get(T, Exact ? -0.0 : 0.0);
    return Exact ? ConstantFP::getNaN(T) : ConstantFP::getInfinity(T, Operation == KA__MAX);
  }
  unsigned Bits = T->getIntegerBitWidth();
  bool Signed = Class == KA__SIGNED;
  switch (Operation) {
  case KA__MIN:
    return ConstantInt::get(T, Signed ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits));
  case KA__MAX:
    return ConstantInt::get(T, Signed ? APInt::getSignedMinValue(Bits) : APInt::getMinValue(Bits));
  case KA__AND:
    return Constant::getAllOnesValue(T);
  default:
    return Constant::getNullValue(T);
  }
}

Value *operate(IRBuilderBase &B, unsigned Class, unsigned Operation, Value *L, Value *R) {
  bool Floating = Class == KA__FLOATING, Signed = Class == KA__SIGNED;
  switch (Operation) {
  case KA__ADD:
    return Floating ? B.CreateFAdd(L, R) : B.CreateAdd(L, R);
  case KA__MIN:
    if (Floating)
      return B.CreateMinNum(L, R);
    return B.CreateSelect(B.CreateICmp(Signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT, R, L), R, L);
  case KA__MAX:
    if (Floating)
      return B.CreateMaxNum(L, R);
    return B.CreateSelect(B.CreateICmp(Signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, R, L), R, L);
  case KA__AND:
    return B.CreateAnd(L, R);
  case KA__OR:
    return B.CreateOr(L, R);
  default:
    return B.CreateXor(L, R);
  }
}

/// Replaces one call.
class Expander {
public:
  Expander(CallInst &Call, Argument *Slots)
      : Call(Call), B(&Call), Slots(Slots), T(Call.getArgOperand(0)->getType()),
        Bytes(Call.getDataLayout().getTypeAllocSize(T)) {
    Item = itemNumber(B);
    Items = groupItems(B);
    First = firstOfSubGroup(B, Item);
  }

  void run(Collective Which) {
    Value *Result = nullptr;
    if (Which == Collective::Shuffle)
      Result = shuffle();
    else if (Which == Collective::Match)
      Result = match();
    else
      Result = combine();
    meet();
    Call.replaceAllUsesWith(Result);
    Call.eraseFromParent();
  }

private:
  void meet() { callWorkItemFunction(B, WorkItemFunction::Barrier); }

  Value *slot(Value *Of) {
    return B.CreateInBoundsGEP(B.getInt8Ty(), Slots, B.CreateMul(Of, B.getInt64(Bytes)));
  }

  /// What an item that does not exist passes is zero.
  Value *orZero(Value *Exists, Value *V) {
    return B.CreateSelect(Exists, V, Constant::getNullValue(V->getType()));
  }

  Value *shuffle() {
    Value *Exists = Call.getArgOperand(4);
    Value *Operand = Call.getArgOperand(0);
    auto *Words = dyn_cast<ArrayType>(T);
    Value *Mine = slot(Item);
    unsigned Count = Words ? Words->getNumElements() : 1;
    Type *Unit = Words ? Words->getElementType() : T;
    for (unsigned I = 0; I != Count; ++I) {
      Value *V = Operand;
      if (Words) {
        V = FindInsertedValue(Operand, I);
        if (!V)
          V = B.CreateExtractValue(Operand, I);
      }
      B.CreateStore(orZero(Exists, V), B.CreateConstInBoundsGEP1_64(Unit, Mine, I));
    }
    Value *From = B.CreateAdd(First, sourceLane());
    Value *There = B.CreateICmpULT(From, Items);
    From = slot(B.CreateSelect(There, From, Item));
    meet();
    Value *Result = PoisonValue::get(T);
    for (unsigned I = 0; I != Count; ++I) {
      Value *V = orZero(There, B.CreateLoad(Unit, B.CreateConstInBoundsGEP1_64(Unit, From, I)));
      Result = Words ? B.CreateInsertValue(Result, V, I) : V;
    }
    return Result;
  }

  /// Always below the number of lanes, whatever the arguments.
  Value *sourceLane() {
    Type *I32 = B.getInt32Ty();
    Value *Lane = B.CreateTrunc(B.CreateSub(Item, First), I32);
    Value *N = Call.getArgOperand(2), *Width = Call.getArgOperand(3);
    Value *Start = B.CreateAnd(Lane, B.CreateNeg(Width));
    Value *InPart = B.CreateSub(Lane, Start);
    Value *Outside = nullptr, *From = nullptr;
    switch (cast<ConstantInt>(Call.getArgOperand(1))->getZExtValue()) {
    case KA__SHUFFLE_UP:
      From = B.CreateSub(Lane, N);
      Outside = B.CreateICmpUGT(N, InPart);
      break;
    case KA__SHUFFLE_DOWN:
      From = B.CreateAdd(Lane, N);
      Outside = B.CreateICmpUGE(N, B.CreateSub(Width, InPart));
      break;
    case KA__SHUFFLE_XOR:
      From = B.CreateXor(Lane, N);
      Outside = B.CreateICmpUGE(B.CreateSub(From, Start), Width);
      break;
    default:
      From = B.CreateAdd(Start, B.CreateAnd(N, B.CreateSub(Width, B.getInt32(1))));
      Outside = B.getFalse();
    }
    From = B.CreateAnd(B.CreateSelect(Outside, Lane, From), B.getInt32(Lanes - 1));
    return B.CreateZExt(From, B.getInt64Ty());
  }

  /// for (i = from; i < to; i++) state = body(i, state); where there is a turn. Goes
  /// in front of `Before`, and leaves B there.
  Value *loop(Instruction *Before, Value *From, Value *To, Value *Initial,
              function_ref<Value *(Value *Index, Value *State)> Body) {
    BasicBlock *Head = Before->getParent();
    BasicBlock *Tail = Head->splitBasicBlock(Before, "collective.done");
    BasicBlock *Turn =
        BasicBlock::Create(Call.getContext(), "collective.turn", Call.getFunction(), Tail);
    cast<BranchInst>(Head->getTerminator())->setSuccessor(0, Turn);
    B.SetInsertPoint(Turn);
    PHINode *Index = B.CreatePHI(B.getInt64Ty(), 2);
    PHINode *State = B.CreatePHI(Initial->getType(), 2);
    Value *New = Body(Index, State);
    Value *Next = B.CreateAdd(Index, B.getInt64(1));
    B.CreateCondBr(B.CreateICmpULT(Next, To), Turn, Tail);
    Index->addIncoming(From, Head);
    Index->addIncoming(Next, Turn);
    State->addIncoming(Initial, Head);
    State->addIncoming(New, Turn);
    B.SetInsertPoint(Before);
    return New;
  }

  Value *endOfSubGroup() { return minimum(B, B.CreateAdd(First, B.getInt64(Lanes)), Items); }

  Value *match() {
    Value *Mine = Call.getArgOperand(0);
    B.CreateStore(Mine, slot(Item));
    meet();
    return loop(&Call, First, endOfSubGroup(), B.getInt64(0), [&](Value *Index, Value *State) {
      Value *Same = B.CreateICmpEQ(B.CreateLoad(T, slot(Index)), Mine);
      Value *Bit = B.CreateShl(B.CreateZExt(Same, B.getInt64Ty()), B.CreateSub(Index, First));
      return B.CreateOr(State, Bit);
    });
  }

  unsigned constant(unsigned Argument) {
    return cast<ConstantInt>(Call.getArgOperand(Argument))->getZExtValue();
  }

  Value *combine() {
    unsigned Class = constant(1), Operation = constant(2), Form = constant(3);
    bool Whole = Form & KA__WHOLE_GROUP, Scan = Form & KA__SCAN, Before = Form & KA__EXCLUSIVE;
    Constant *Neutral = neutral(T, Class, Operation, true);
    B.CreateStore(B.CreateSelect(Call.getArgOperand(4), Call.getArgOperand(0), Neutral),
                  slot(Item));
    Value *Leader = Whole ? B.getInt64(0) : First;
    Value *End = Whole ? Items : endOfSubGroup();
    meet();
    Instruction *Lead = SplitBlockAndInsertIfThen(B.CreateICmpEQ(Item, Leader), &Call, false);
    B.SetInsertPoint(Lead);
    auto Turn = [&](Value *Index, Value *State) {
      Value *At = slot(Index);
      Value *New = operate(B, Class, Operation, State, B.CreateLoad(T, At));
      if (Scan)
        B.CreateStore(Before ? State : New, At);
      return New;
    };
    Value *All = loop(Lead, Leader, End, neutral(T, Class, Operation, !Before), Turn);
    if (!Scan)
      B.CreateStore(All, slot(Leader));
    B.SetInsertPoint(&Call);
    meet();
    return B.CreateLoad(T, slot(Scan ? Item : Leader));
  }

  CallInst &Call;
  IRBuilder<> B;
  Argument *Slots;
  Type *T;
  uint64_t Bytes;
  Value *Item, *Items, *First;
};

bool expand(Function &F, Kernel &K) {
  bool Uses = false;
  SmallVector<std::pair<CallInst *, Collective>, 8> Calls;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto Which = collective(I)) {
      Calls.push_back({cast<CallInst>(&I), *Which});
      continue;
    }
    std::optional<WorkItemFunction> W = workItemFunction(I);
    if (!W)
      continue;
    IRBuilder<> B(&I);
    Value *V = subGroupFunction(B, *W);
    if (!V)
      continue;
    Uses = true;
    if (!I.getType()->isVoidTy())
      I.replaceAllUsesWith(V);
    I.eraseFromParent();
  }
  if (!Calls.empty()) {
    uint64_t Bytes = 0;
    for (auto [Call, Which] : Calls)
      Bytes = std::max<uint64_t>(
          Bytes, F.getDataLayout().getTypeAllocSize(Call->getArgOperand(0)->getType()));
    K.ItemLocalBytes = std::max(K.ItemLocalBytes, Bytes);
    Argument *Slots = insertParameters(
        F, F.arg_size(), NewParameter{PointerType::get(F.getContext(), 3), "ka.slots"});
    for (auto [Call, Which] : Calls)
      Expander(*Call, Slots).run(Which);
    expandLinearIds(*Slots->getParent());
    return true;
  }
  if (Uses)
    expandLinearIds(F);
  return Uses;
}

} // namespace

void ka::expandCollectives(DeviceModule &Device) {
  for (Kernel &K : Device.Kernels)
    for (StringRef Suffix : {"", KA__PADDED_SUFFIX})
      if (Function *F = Device.Module->getFunction(K.Symbol + Suffix.str()); F && expand(*F, K))
        K.SubGroupSize = Lanes;
}
