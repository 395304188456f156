//===- collectives.cpp - What the items of a group compute together -------===//

#include "compiler/lowering/collectives.h"
#include "compiler/lowering/calls.h"
#include "compiler/lowering/work_items.h"
#include "ka/sub_group.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace ka;

namespace {

constexpr StringLiteral Prefix = "ka.collective.";

enum class Source { None, Shuffle, Match, Combine, Any, All, Ballot, GroupAny, GroupAll };

Source source(StringRef CName) {
  return StringSwitch<Source>(CName)
      .Case("ka__sub_group_shuffle", Source::Shuffle)
      .Case("ka__sub_group_match", Source::Match)
      .Case("ka__combine", Source::Combine)
      .Case("ka_sub_group_any", Source::Any)
      .Case("ka_sub_group_all", Source::All)
      .Case("ka_sub_group_ballot", Source::Ballot)
      .Case("ka_group_any", Source::GroupAny)
      .Case("ka_group_all", Source::GroupAll)
      .Default(Source::None);
}

std::string typeName(Type *T) {
  if (auto *A = dyn_cast<ArrayType>(T))
    return "a" + std::to_string(A->getNumElements());
  if (T->isIntegerTy())
    return "i" + std::to_string(T->getIntegerBitWidth());
  return "f" + std::to_string(T->getScalarSizeInBits());
}

/// Gives one call types.
class Typer {
public:
  Typer(CallInst &Call) : Call(Call), B(&Call), C(Call.getContext()) {}

  bool run(Source S) {
    switch (S) {
    case Source::Shuffle:
      return shuffle();
    case Source::Match:
      return match();
    case Source::Combine:
      return combine();
    case Source::Any:
      return vote(KA__OR, 0);
    case Source::All:
      return vote(KA__AND, 0);
    case Source::GroupAny:
      return vote(KA__OR, KA__WHOLE_GROUP);
    case Source::GroupAll:
      return vote(KA__AND, KA__WHOLE_GROUP);
    case Source::Ballot:
      finish(ballot(Call.getArgOperand(0)));
      return true;
    case Source::None:
      break;
    }
    return false;
  }

private:
  bool shuffle() {
    auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(1));
    if (!Bytes || !isa<ConstantInt>(Call.getArgOperand(2)))
      return false;
    Value *Pointer = Call.getArgOperand(0);
    uint64_t Size = Bytes->getZExtValue();
    SmallVector<Value *, 4> Rest(drop_begin(Call.args(), 2));
    if (Size == 1 || Size == 2 || Size == 4 || Size == 8) {
      Type *T = B.getIntNTy(Size * 8);
      B.CreateAlignedStore(emit("shuffle", T, load(T, Pointer), Rest), Pointer, Align(1));
    } else if (Size) {
      // In whole words, so that there are few.
      Type *T = ArrayType::get(B.getInt64Ty(), (Size + 7) / 8);
      BasicBlock &Entry = Call.getFunction()->getEntryBlock();
      AllocaInst *Words = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(T);
      B.CreateMemCpy(Words, Words->getAlign(), Pointer, Align(1), Size);
      B.CreateStore(emit("shuffle", T, B.CreateLoad(T, Words), Rest), Words);
      B.CreateMemCpy(Pointer, Align(1), Words, Words->getAlign(), Size);
    }
    finish(nullptr);
    return true;
  }

  bool match() {
    auto *Code = dyn_cast<ConstantInt>(Call.getArgOperand(1));
    if (!Code)
      return false;
    Type *T = B.getIntNTy(Code->getZExtValue() / 256 * 8);
    Value *Same = emit("match", B.getInt64Ty(), load(T, Call.getArgOperand(0)), {});
    finish(B.CreateAnd(Same, ballot(B.getTrue())));
    return true;
  }

  bool combine() {
    auto *Code = dyn_cast<ConstantInt>(Call.getArgOperand(1));
    if (!Code ||
        !all_of(drop_begin(Call.args(), 2), [](const Use &U) { return isa<ConstantInt>(U.get()); }))
      return false;
    unsigned Bits = Code->getZExtValue() / 256 * 8, Class = Code->getZExtValue() % 256;
    Type *T = B.getIntNTy(Bits);
    if (Class == KA__FLOATING)
      T = Bits == 16 ? B.getHalfTy() : Bits == 32 ? B.getFloatTy() : B.getDoubleTy();
    Value *Pointer = Call.getArgOperand(0);
    Value *Result = emit("combine", T, load(T, Pointer),
                         {B.getInt32(Class), Call.getArgOperand(2), Call.getArgOperand(3)});
    B.CreateAlignedStore(Result, Pointer, Align(1));
    finish(nullptr);
    return true;
  }

  bool vote(unsigned Operation, unsigned Form) {
    Value *Mine = B.CreateZExt(condition(Call.getArgOperand(0)), B.getInt8Ty());
    Value *All = emit("combine", Mine->getType(), Mine,
                      {B.getInt32(KA__UNSIGNED), B.getInt32(Operation), B.getInt32(Form)});
    finish(B.CreateZExtOrTrunc(B.CreateICmpNE(All, B.getInt8(0)), Call.getType()));
    return true;
  }

  Value *ballot(Value *Condition) {
    Value *Lane = callWorkItemFunction(B, WorkItemFunction::SubGroupLane);
    Value *Mine =
        B.CreateSelect(condition(Condition), B.CreateShl(B.getInt64(1), Lane), B.getInt64(0));
    return emit("combine", B.getInt64Ty(), Mine,
                {B.getInt32(KA__UNSIGNED), B.getInt32(KA__OR), B.getInt32(0)});
  }

  Value *condition(Value *V) { return V->getType()->isIntegerTy(1) ? V : B.CreateIsNotNull(V); }

  Value *load(Type *T, Value *Pointer) { return B.CreateAlignedLoad(T, Pointer, Align(1)); }

  /// The call with types.
  Value *emit(StringRef Name, Type *Result, Value *Operand, ArrayRef<Value *> Constants) {
    SmallVector<Value *, 6> Args = {Operand};
    Args.append(Constants.begin(), Constants.end());
    Args.push_back(B.getTrue());
    SmallVector<Type *, 6> Types;
    for (Value *A : Args)
      Types.push_back(A->getType());
    std::string Full = (Prefix + Name + "." + typeName(Operand->getType())).str();
    auto *F =
        cast<Function>(Call.getModule()
                           ->getOrInsertFunction(Full, FunctionType::get(Result, Types, false))
                           .getCallee());
    F->setDoesNotThrow();
    F->setWillReturn();
    F->setConvergent();
    F->setOnlyAccessesInaccessibleMemory();
    F->addFnAttr(Attribute::NoMerge);
    CallInst *New = B.CreateCall(F, Args);
    New->setConvergent();
    New->addFnAttr(Attribute::NoMerge);
    return New;
  }

  void finish(Value *Result) {
    if (Result)
      Call.replaceAllUsesWith(Result);
    Call.eraseFromParent();
  }

  CallInst &Call;
  IRBuilder<> B;
  LLVMContext &C;
};

} // namespace

bool ka::isCollectiveFunction(StringRef CName) { return source(CName) != Source::None; }

bool ka::isCollective(StringRef Name) {
  return Name.starts_with(Prefix) || isCollectiveFunction(Name);
}

std::optional<Collective> ka::collective(const Instruction &I) {
  StringRef Name = calledName(I);
  if (!Name.consume_front(Prefix))
    return std::nullopt;
  if (Name.starts_with("shuffle"))
    return Collective::Shuffle;
  return Name.starts_with("match") ? Collective::Match : Collective::Combine;
}

bool ka::isGroupUniformCollective(const Instruction &I) {
  if (collective(I) != Collective::Combine)
    return false;
  uint64_t Form = cast<ConstantInt>(I.getOperand(3))->getZExtValue();
  return (Form & KA__WHOLE_GROUP) && !(Form & KA__SCAN);
}

bool ka::typeCollectives(Module &M, DiagnosticHandler Report) {
  bool Good = true;
  for (Function &F : make_early_inc_range(M)) {
    Source S = source(F.getName());
    if (S == Source::None || !F.isDeclaration())
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledFunction() != &F || Typer(*Call).run(S))
        continue;
      Diagnostic D;
      D.Message = "'" + F.getName().str() + "' needs constants for size, type and operation";
      D.Location = Call->getDebugLoc();
      Report(D);
      Good = false;
    }
  }
  return Good;
}

void ka::setExists(Function &F, Value *Exists) {
  for (Instruction &I : instructions(F))
    if (collective(I)) {
      auto &Call = cast<CallInst>(I);
      Call.setArgOperand(Call.arg_size() - 1, Exists);
    }
}
