//===- local_memory.cpp - Group memory ------------------------------------===//
//
// A `ka_local` variable comes as a global of a section of its own. Here it
// becomes a global in address space 3 for each kernel function that uses it.
// Its initialiser, which no device has for group memory, becomes a constant
// from which the items copy.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/local_memory.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;
using namespace ka;

namespace {

constexpr unsigned LocalSpace = 3;
/// Metadata of a group memory global: its initialiser.
constexpr StringLiteral InitialiserKind = "ka.initialiser";

bool isLocal(const GlobalVariable &G) {
  return G.getSection() == LocalSection || G.getSection() == LocalInitSection;
}

GlobalVariable *makeInitialiser(GlobalVariable &G) {
  // Not internal yet: so far only metadata refers to it.
  auto *I = new GlobalVariable(*G.getParent(), G.getValueType(), true, GlobalValue::ExternalLinkage,
                               G.getInitializer(), G.getName() + ".initial");
  I->setAlignment(G.getAlign());
  return I;
}

GlobalVariable *makeLocal(Function &F, GlobalVariable &G, GlobalVariable *Initialiser) {
  // PoCL finds a kernel's group memory by this form of its name.
  auto *L =
      new GlobalVariable(*F.getParent(), G.getValueType(), false, GlobalValue::InternalLinkage,
                         UndefValue::get(G.getValueType()), F.getName() + "." + G.getName(),
                         nullptr, GlobalValue::NotThreadLocal, LocalSpace);
  const DataLayout &Layout = F.getDataLayout();
  L->setAlignment(std::max(G.getAlign().valueOrOne(), Layout.getABITypeAlign(G.getValueType())));
  if (Initialiser)
    L->setMetadata(InitialiserKind,
                   MDNode::get(F.getContext(), ConstantAsMetadata::get(Initialiser)));
  return L;
}

/// The widest integer that divides size and alignment.
IntegerType *unitOf(const GlobalVariable &G, const DataLayout &Layout) {
  uint64_t Size = Layout.getTypeStoreSize(G.getValueType()), Unit = 8;
  while (Unit > 1 && (Size % Unit || G.getAlign().valueOrOne().value() % Unit))
    Unit /= 2;
  return IntegerType::get(G.getContext(), Unit * 8);
}

/// Emits loops at a place in a function where control falls through.
class Filler {
public:
  Filler(Function &F, Instruction *Before, Value *Clear) : F(F), Before(Before), Clear(Clear) {
    IRBuilder<> B(Before);
    Item = callWorkItemFunction(B, WorkItemFunction::LocalLinearId);
    Items = callWorkItemFunction(B, WorkItemFunction::LocalSize, 0);
    for (unsigned D = 1; D != 3; ++D)
      Items = B.CreateMul(Items, callWorkItemFunction(B, WorkItemFunction::LocalSize, D));
  }

  void initialise(const LocalVariable &V) {
    const DataLayout &Layout = F.getDataLayout();
    IntegerType *Unit = unitOf(*V.Memory, Layout);
    uint64_t Bytes = Layout.getTypeStoreSize(V.Memory->getValueType());
    Value *Count = ConstantInt::get(Item->getType(), Bytes / (Unit->getBitWidth() / 8));
    if (V.Initialiser)
      V.Initialiser->setLinkage(GlobalValue::InternalLinkage);
    fill(V.Memory, Unit, V.Initialiser ? Count : countIfClear(Count), V.Initialiser);
  }

  void clear(const LocalParameter &P) {
    fill(P.Memory, IntegerType::getInt8Ty(F.getContext()), countIfClear(P.Bytes), nullptr);
  }

private:
  /// No branch around a barrier: a group that need not be cleared has a loop of
  /// no turns.
  Value *countIfClear(Value *Count) {
    return IRBuilder<>(Before).CreateSelect(Clear, Count, Constant::getNullValue(Count->getType()));
  }

  /// for (i = item; i < count; i += items) memory[i] = from ? from[i] : 0;
  void fill(Value *Memory, Type *Unit, Value *Count, Value *From) {
    BasicBlock *Head = Before->getParent();
    BasicBlock *Tail = Head->splitBasicBlock(Before, "local.done");
    BasicBlock *Loop = BasicBlock::Create(F.getContext(), "local.fill", &F, Tail);
    IRBuilder<> B(Head->getTerminator());
    B.CreateCondBr(B.CreateICmpULT(Item, Count), Loop, Tail);
    Head->getTerminator()->eraseFromParent();

    B.SetInsertPoint(Loop);
    PHINode *I = B.CreatePHI(Item->getType(), 2);
    Value *Data = Constant::getNullValue(Unit);
    if (From)
      Data = B.CreateLoad(Unit, B.CreateInBoundsGEP(Unit, From, I));
    B.CreateStore(Data, B.CreateInBoundsGEP(Unit, Memory, I));
    // A loop that nobody goes through twice makes PoCL 6 give all items of a group the path of the
    // first in later branches of kernels with barriers in branches.
    if (auto *Constant = dyn_cast<ConstantInt>(Count); Constant && Constant->isOne()) {
      I->addIncoming(Item, Head);
      B.CreateBr(Tail);
      return;
    }
    Value *Next = B.CreateAdd(I, Items);
    I->addIncoming(Item, Head);
    I->addIncoming(Next, Loop);
    B.CreateCondBr(B.CreateICmpULT(Next, Count), Loop, Tail);
  }

  Function &F;
  Instruction *Before;
  Value *Clear;
  Value *Item;
  Value *Items;
};

/// Each global of address space 3 belongs to one function.
bool isUsedIn(const Constant &C, const Function &F) {
  return any_of(C.users(), [&](const User *U) {
    if (auto *I = dyn_cast<Instruction>(U))
      return I->getFunction() == &F;
    auto *Outer = dyn_cast<Constant>(U);
    return Outer && isUsedIn(*Outer, F);
  });
}

} // namespace

void ka::placeLocalMemory(DeviceModule &Device) {
  Module &M = *Device.Module;
  SmallVector<GlobalVariable *, 8> Locals;
  for (GlobalVariable &G : M.globals())
    if (isLocal(G))
      Locals.push_back(&G);
  for (GlobalVariable *G : Locals) {
    convertUsersOfConstantsToInstructions({G});
    bool HasInitialiser = G->getSection() == LocalInitSection && G->hasInitializer();
    GlobalVariable *Initialiser = nullptr;
    MapVector<Function *, GlobalVariable *> Copies;
    for (Use &U : make_early_inc_range(G->uses())) {
      auto *I = dyn_cast<Instruction>(U.getUser());
      if (!I)
        continue;
      if (HasInitialiser && !Initialiser)
        Initialiser = makeInitialiser(*G);
      GlobalVariable *&L = Copies[I->getFunction()];
      if (!L)
        L = makeLocal(*I->getFunction(), *G, Initialiser);
      U.set(ConstantExpr::getAddrSpaceCast(L, G->getType()));
    }
    G->removeDeadConstantUsers();
    if (G->use_empty())
      G->eraseFromParent();
  }
  const DataLayout &Layout = M.getDataLayout();
  for (Kernel &K : Device.Kernels)
    if (Function *F = M.getFunction(K.Symbol))
      for (const LocalVariable &V : localVariables(*F)) {
        K.LocalBytes = alignTo(K.LocalBytes, V.Memory->getAlign().valueOrOne());
        K.LocalBytes += Layout.getTypeAllocSize(V.Memory->getValueType());
      }
}

SmallVector<LocalVariable, 4> ka::localVariables(Function &F) {
  SmallVector<LocalVariable, 4> Result;
  for (GlobalVariable &G : F.getParent()->globals()) {
    if (G.getAddressSpace() != LocalSpace || !isUsedIn(G, F))
      continue;
    GlobalVariable *Initialiser = nullptr;
    if (MDNode *N = G.getMetadata(InitialiserKind))
      Initialiser = mdconst::extract<GlobalVariable>(N->getOperand(0));
    Result.push_back({&G, Initialiser});
  }
  return Result;
}

void ka::separateLocalMemory(Function &From, Function &To) {
  StringRef Prefix = From.getName();
  for (const LocalVariable &V : localVariables(From)) {
    if (!isUsedIn(*V.Memory, To))
      continue;
    convertUsersOfConstantsToInstructions({V.Memory});
    StringRef Name = V.Memory->getName().substr(Prefix.size() + 1);
    auto *L =
        new GlobalVariable(*To.getParent(), V.Memory->getValueType(), false, V.Memory->getLinkage(),
                           V.Memory->getInitializer(), To.getName() + "." + Name, nullptr,
                           GlobalValue::NotThreadLocal, LocalSpace);
    L->copyAttributesFrom(V.Memory);
    L->copyMetadata(V.Memory, 0);
    V.Memory->replaceUsesWithIf(L, [&](Use &U) {
      auto *I = dyn_cast<Instruction>(U.getUser());
      return I && I->getFunction() == &To;
    });
  }
}

bool ka::initialiseLocalMemory(Function &F, function_ref<Value *(IRBuilderBase &)> Clear,
                               ArrayRef<LocalParameter> Parameters) {
  SmallVector<LocalVariable, 4> Fill;
  for (const LocalVariable &V : localVariables(F))
    if (V.Initialiser || Clear)
      Fill.push_back(V);
  if (Fill.empty() && Parameters.empty())
    return false;
  Instruction *Before = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> B(Before);
  Filler Fills(F, Before, Clear ? Clear(B) : nullptr);
  for (const LocalVariable &V : Fill)
    Fills.initialise(V);
  for (const LocalParameter &P : Parameters)
    Fills.clear(P);
  B.SetInsertPoint(Before);
  callWorkItemFunction(B, WorkItemFunction::Barrier);
  return true;
}
