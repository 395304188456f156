//===- traps.cpp - Kernels that find something wrong ----------------------===//

#include "compiler/lowering/traps.h"
#include "compiler/lowering/calls.h"
#include "compiler/lowering/divergence.h"
#include "compiler/lowering/mailbox.h"
#include "compiler/lowering/unreachable.h"
#include "compiler/lowering/work_items.h"
#include "ka/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace ka;

namespace {

constexpr StringLiteral TrapName = "ka.mailbox.fail";
/// (site, global ids, group ids)
constexpr StringLiteral ReportName = "ka.mailbox.report";

/// std::__glibcxx_assert_fail(file, line, function, text) of libstdc++ with _GLIBCXX_ASSERTIONS.
constexpr StringLiteral CxxAssertName = "_ZSt21__glibcxx_assert_failPKciS0_S0_";

enum class Form { Assert, CxxAssert, Trap, Abort, Builtin, Check };

std::optional<Form> formOf(StringRef Name, const FunctionType *T) {
  unsigned N = T->getNumParams();
  bool Text = N > 0 && T->getParamType(0)->isPointerTy();
  if (Name == "__assert_fail" && N == 4 && Text && T->getParamType(1)->isPointerTy() &&
      T->getParamType(2)->isIntegerTy())
    return Form::Assert;
  if (Name == CxxAssertName && N == 4 && Text && T->getParamType(1)->isIntegerTy() &&
      T->getParamType(2)->isPointerTy() && T->getParamType(3)->isPointerTy())
    return Form::CxxAssert;
  if (Name == "ka_trap" && N == 1 && Text)
    return Form::Trap;
  if (Name == "abort" && N == 0)
    return Form::Abort;
  return std::nullopt;
}

std::optional<Form> formOf(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  if (!Call || !Call->getCalledFunction())
    return std::nullopt;
  if (Call->getIntrinsicID() == Intrinsic::trap)
    return Form::Builtin;
  if (Call->getIntrinsicID() == Intrinsic::ubsantrap)
    return Form::Check;
  const Function *F = Call->getCalledFunction();
  return F->isDeclaration() ? formOf(F->getName(), F->getFunctionType()) : std::nullopt;
}

/// What clang's number of a check says, with -fsanitize-trap= or -ftrapv.
StringRef checkText(const CallInst &Call) {
  switch (cast<ConstantInt>(Call.getArgOperand(0))->getZExtValue()) {
  case 0:
    return "integer overflow in an addition";
  case 1:
    return "a place was reached that cannot be";
  case 3:
    return "division by zero, or of the least integer by -1";
  case 5:
    return "a number is out of the range of the type that it is converted to";
  case 7:
    return "a conversion between integers changed the value";
  case 8:
    return "a builtin function got a value that it is not defined for";
  case 10:
    return "a value that its type does not have was loaded";
  case 11:
    return "a function that has a result ended without one";
  case 12:
    return "integer overflow in a multiplication";
  case 13:
    return "integer overflow in a negation";
  case 14:
  case 15:
  case 16:
  case 17:
    return "a null pointer where there must be none";
  case 18:
    return "an index beyond its array";
  case 19:
    return "pointer arithmetic overflowed";
  case 20:
    return "a shift by a wrong number of bits, or of bits that are lost";
  case 21:
    return "integer overflow in a subtraction";
  case 22:
    return "access through a null pointer, or one that is misaligned or leads to too small an "
           "object";
  case 23:
    return "a pointer is not aligned as it was assumed to be";
  default:
    return "a check failed";
  }
}

bool isSame(const MailboxSite &A, const MailboxSite &B) {
  return A.Kind == B.Kind && A.Line == B.Line && A.Text == B.Text && A.File == B.File &&
         A.Function == B.Function;
}

class Placer {
public:
  Placer(Function &F, Kernel &K, ka::DiagnosticHandler Report) : F(F), K(K), Report(Report) {}

  bool run() {
    SmallVector<CallInst *, 8> Found;
    for (Instruction &I : instructions(F))
      if (formOf(I))
        Found.push_back(cast<CallInst>(&I));
    if (Found.empty())
      return true;
    // A call may stand behind another one, where nobody comes.
    SmallVector<WeakTrackingVH, 8> Calls(Found.begin(), Found.end());
    for (WeakTrackingVH &H : Calls)
      if (auto *Call = dyn_cast_or_null<CallInst>(H))
        replace(*Call);
    if (!Good)
      return false;
    if (isSynchronising(F))
      endTogether();
    else
      endAtOnce();
    return true;
  }

private:
  void replace(CallInst &Call) {
    Module &M = *F.getParent();
    IRBuilder<> B(&Call);
    auto *Type = FunctionType::get(B.getVoidTy(), {B.getInt32Ty(), B.getPtrTy()}, false);
    auto *Fail = cast<Function>(M.getOrInsertFunction(TrapName, Type).getCallee());
    // It may return or not, as far as optimisers know: they leave alone both what is before and
    // what comes after it.
    Fail->setDoesNotThrow();
    CallInst *New =
        B.CreateCall(Fail, {B.getInt32(site(Call)), ConstantPointerNull::get(B.getPtrTy())});
    New->addFnAttr(Attribute::NoMerge);
    changeToUnreachable(&Call);
    Traps.push_back(New);
  }

  uint32_t site(CallInst &Call) {
    MailboxSite S;
    if (const DILocation *At = Call.getDebugLoc()) {
      S.File = At->getFilename().str();
      S.Line = At->getLine();
      if (const DISubprogram *In = At->getScope()->getSubprogram())
        S.Function = In->getName().str();
    }
    switch (*formOf(Call)) {
    case Form::Assert:
      readAssert(Call, S, 0, 1, 2, 3);
      break;
    case Form::CxxAssert:
      readAssert(Call, S, 3, 0, 1, 2);
      break;
    case Form::Trap:
      S.Kind = KA_METADATA_TRAP;
      S.Text = text(Call, 0);
      break;
    case Form::Abort:
      S.Kind = KA_METADATA_ABORT;
      S.Text = "abort()";
      break;
    case Form::Builtin:
      S.Kind = KA_METADATA_ABORT;
      S.Text = "__builtin_trap()";
      break;
    case Form::Check:
      S.Kind = KA_METADATA_ABORT;
      S.Text = checkText(Call).str();
      break;
    }
    for (auto [I, Known] : enumerate(K.Sites))
      if (isSame(Known, S))
        return I;
    K.Sites.push_back(S);
    return K.Sites.size() - 1;
  }

  void readAssert(CallInst &Call, MailboxSite &S, unsigned Text, unsigned File, unsigned Line,
                  unsigned Function) {
    S.Kind = KA_METADATA_ASSERT;
    S.Text = text(Call, Text);
    S.File = text(Call, File);
    if (auto *Known = dyn_cast<ConstantInt>(Call.getArgOperand(Line)))
      S.Line = Known->getZExtValue();
    if (S.Function.empty())
      S.Function = text(Call, Function);
  }

  std::string text(CallInst &Call, unsigned Argument) {
    StringRef Text;
    if (getConstantStringInfo(Call.getArgOperand(Argument), Text))
      return Text.str();
    Diagnostic D;
    D.Message = "the text of '" + Call.getCalledFunction()->getName().str() +
                "' must be known when the kernel is compiled";
    D.Advice = "pass a string literal";
    D.Location = Call.getDebugLoc();
    D.Kernel = K.Symbol;
    Report(D);
    Good = false;
    return "";
  }

  static void endHere(CallInst &Trap) {
    Trap.getParent()->getTerminator()->eraseFromParent();
    ReturnInst::Create(Trap.getContext(), Trap.getParent());
  }

  /// Without barriers: the items return, all from one place.
  void endAtOnce() {
    BasicBlock *Common = BasicBlock::Create(F.getContext(), "trap", &F);
    IRBuilder<> B(Common);
    PHINode *Site = B.CreatePHI(B.getInt32Ty(), Traps.size());
    Function *Fail = Traps.front()->getCalledFunction();
    B.CreateCall(Fail, {Site, Traps.front()->getArgOperand(1)})->addFnAttr(Attribute::NoMerge);
    B.CreateRetVoid();
    for (CallInst *Trap : Traps) {
      BasicBlock *From = Trap->getParent();
      Site->addIncoming(Trap->getArgOperand(0), From);
      From->getTerminator()->eraseFromParent();
      BranchInst::Create(Common, From);
      Trap->eraseFromParent();
    }
  }

  /// With barriers: where all items of a group come by, and where no barrier comes any more, they
  /// return; others go to the next barrier.
  void endTogether() {
    removeUnreachable(F);
    Divergence Walk(F);
    DenseSet<const BasicBlock *> BeforeBarriers = findBlocksBeforeBarriers();
    // All of them first, while blocks are what the analysis knows.
    SmallVector<CallInst *, 8> Apart, Others;
    DenseMap<CallInst *, SmallPtrSet<const Loop *, 2>> Loops = findLoops(Walk);
    SmallPtrSet<const Loop *, 4> Skipped;
    for (CallInst *Trap : Traps)
      if (mustMeet(*Trap->getParent(), Walk, BeforeBarriers)) {
        Apart.push_back(Trap);
        Skipped.insert(Loops[Trap].begin(), Loops[Trap].end());
      }
    // Items that do not exist leave out such a loop, so nobody may return from it.
    for (CallInst *Trap : Traps)
      if (!is_contained(Apart, Trap))
        (any_of(Loops[Trap], [&](const Loop *L) { return Skipped.contains(L); }) ? Apart : Others)
            .push_back(Trap);
    for (CallInst *Trap : Others)
      endHere(*Trap);
    if (Apart.empty())
      return;
    Type *I32 = Type::getInt32Ty(F.getContext());
    auto *Flag = new GlobalVariable(*F.getParent(), I32, false, GlobalValue::InternalLinkage,
                                    Constant::getNullValue(I32), "ka.stopped");
    Flag->setSection(LocalInitSection);
    for (CallInst *Trap : Apart)
      Trap->setArgOperand(1, Flag);
  }

  /// The outermost loops without barriers in which items come to each trap.
  DenseMap<CallInst *, SmallPtrSet<const Loop *, 2>> findLoops(const Divergence &Walk) {
    DominatorTree Dominators(F);
    Nest.analyze(Dominators);
    DenseMap<CallInst *, SmallPtrSet<const Loop *, 2>> Found;
    auto Synchronises = [](const Loop &L) {
      return any_of(L.blocks(), [](const BasicBlock *B) {
        return any_of(*B, [](const Instruction &I) { return isSynchronising(I); });
      });
    };
    for (CallInst *Trap : Traps) {
      SmallSetVector<const BasicBlock *, 8> Ways;
      Ways.insert(Trap->getParent());
      for (size_t I = 0; I != Ways.size(); ++I) {
        const BasicBlock *Way = Ways[I];
        const Loop *Outermost = nullptr;
        for (const Loop *L = Nest.getLoopFor(Way); L && !Synchronises(*L); L = L->getParentLoop())
          Outermost = L;
        if (Outermost)
          Found[Trap].insert(Outermost);
        if (Walk.isDoomed(Way))
          Ways.insert(pred_begin(Way), pred_end(Way));
      }
    }
    return Found;
  }

  /// Blocks at whose end a barrier may still come.
  DenseSet<const BasicBlock *> findBlocksBeforeBarriers() {
    DenseSet<const BasicBlock *> Before;
    SmallVector<const BasicBlock *, 16> Work;
    for (const Instruction *Barrier : barriersOf(F))
      Work.push_back(Barrier->getParent());
    while (!Work.empty())
      for (const BasicBlock *P : predecessors(Work.pop_back_val()))
        if (Before.insert(P).second)
          Work.push_back(P);
    return Before;
  }

  /// Others of the group may go to barriers while this item traps.
  static bool mustMeet(BasicBlock &Trap, const Divergence &Walk,
                       const DenseSet<const BasicBlock *> &BeforeBarriers) {
    return any_of(Walk.lastTogether(Trap),
                  [&](const BasicBlock *B) { return BeforeBarriers.contains(B); });
  }

  Function &F;
  Kernel &K;
  ka::DiagnosticHandler Report;
  SmallVector<CallInst *, 8> Traps;
  LoopInfo Nest;
  bool Good = true;
};

void expand(CallInst &Trap, Argument *Mailbox, Argument *Launch) {
  IRBuilder<> B(&Trap);
  Value *Site = Trap.getArgOperand(0);
  if (auto *Known = dyn_cast<ConstantInt>(Site); !Known || Known->equalsInt(NoSite))
    B.SetInsertPoint(
        SplitBlockAndInsertIfThen(B.CreateICmpNE(Site, B.getInt32(NoSite)), &Trap, false));
  auto At = [&](size_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Mailbox, Offset);
  };
  Value *Before =
      B.CreateAtomicCmpXchg(At(offsetof(ka_mailbox, failed)), B.getInt32(0), B.getInt32(1),
                            MaybeAlign(), AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
  Value *First = B.CreateExtractValue(Before, 1);
  B.SetInsertPoint(SplitBlockAndInsertIfThen(First, B.GetInsertPoint(), false));
  B.CreateStore(Site, At(offsetof(ka_mailbox, site)));
  B.CreateStore(Launch, At(offsetof(ka_mailbox, launch)));
  bool Report = !isTrap(Trap);
  auto Id = [&](unsigned Argument, WorkItemFunction Own, unsigned D) -> Value * {
    return Report ? Trap.getArgOperand(Argument + D) : callWorkItemFunction(B, Own, D);
  };
  for (unsigned D = 0; D != 3; ++D) {
    B.CreateStore(Id(1, WorkItemFunction::GlobalId, D),
                  At(offsetof(ka_mailbox, global_id) + D * sizeof(uint64_t)));
    B.CreateStore(Id(4, WorkItemFunction::GroupId, D),
                  At(offsetof(ka_mailbox, group_id) + D * sizeof(uint64_t)));
  }
  Trap.eraseFromParent();
}

} // namespace

bool ka::isTrapFunction(StringRef CName) {
  return CName == "__assert_fail" || CName == "__glibcxx_assert_fail" || CName == "ka_trap" ||
         CName == "abort";
}

bool ka::isTrap(const Instruction &I) { return calledName(I) == TrapName; }

bool ka::endsWithTrap(const BasicBlock &B) {
  const Instruction *End = B.getTerminator();
  return isa<UnreachableInst>(End) && End->getPrevNode() && isTrap(*End->getPrevNode());
}

Value *ka::stopFlag(const BasicBlock &Trap) {
  const auto *Call = cast<CallInst>(Trap.getTerminator()->getPrevNode());
  return Call->getArgOperand(1)->stripPointerCasts();
}

bool ka::placeTraps(DeviceModule &Device, ka::DiagnosticHandler Report) {
  bool Good = true;
  for (Kernel &K : Device.Kernels)
    if (Function *F = Device.Module->getFunction(K.Symbol))
      Good &= Placer(*F, K, Report).run();
  return Good;
}

void ka::reportTrap(IRBuilderBase &B, Value *Site, ArrayRef<Value *> GlobalId,
                    ArrayRef<Value *> GroupId) {
  SmallVector<Value *, 7> Arguments = {Site};
  append_range(Arguments, GlobalId);
  append_range(Arguments, GroupId);
  SmallVector<Type *, 7> Types(7, B.getInt64Ty());
  Types.front() = B.getInt32Ty();
  auto *Type = FunctionType::get(B.getVoidTy(), Types, false);
  B.CreateCall(B.GetInsertBlock()->getModule()->getOrInsertFunction(ReportName, Type), Arguments);
}

void ka::expandTraps(Function &F) {
  SmallVector<CallInst *, 8> Traps;
  for (Instruction &I : instructions(F))
    if (isTrap(I) || calledName(I) == ReportName)
      Traps.push_back(cast<CallInst>(&I));
  for (CallInst *Trap : Traps)
    expand(*Trap, mailboxOf(F), launchOf(F));
}
