//===- address_spaces.cpp - Host pointers as OpenCL's ---------------------===//
//
// On the host all pointers are of address space 0, which in OpenCL is private
// memory. So every pointer type of space 0 becomes generic; where memory is made
// or comes in (parameters, variables, tables), its own space is cast to generic;
// LLVM's InferAddressSpaces then takes the casts away where it can.
//
// Generic pointers cannot point to constant memory. A table all of whose uses
// are plain accesses is constant; one whose address goes further is global.
//
//===----------------------------------------------------------------------===//

#include "compiler/targets/spirv/address_spaces.h"
#include "compiler/lowering/analyses.h"
#include "compiler/lowering/kernel.h"
#include "compiler/lowering/mailbox.h"
#include "compiler/lowering/spill.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace ka::spirv;

namespace {

class GenericPointers final : public ValueMapTypeRemapper {
public:
  Type *remapType(Type *T) override {
    auto [Found, New] = Types.try_emplace(T, nullptr);
    if (!New)
      return Found->second;
    Type *Result = map(T);
    return Types[T] = Result;
  }

private:
  Type *map(Type *T) {
    if (auto *P = dyn_cast<PointerType>(T))
      return P->getAddressSpace() ? P : PointerType::get(T->getContext(), Generic);
    if (auto *A = dyn_cast<ArrayType>(T))
      return ArrayType::get(remapType(A->getElementType()), A->getNumElements());
    if (auto *V = dyn_cast<VectorType>(T))
      return VectorType::get(remapType(V->getElementType()), V->getElementCount());
    if (auto *F = dyn_cast<FunctionType>(T)) {
      SmallVector<Type *, 8> Params;
      for (Type *P : F->params())
        Params.push_back(remapType(P));
      return FunctionType::get(remapType(F->getReturnType()), Params, F->isVarArg());
    }
    auto *S = dyn_cast<StructType>(T);
    if (!S || S->isOpaque())
      return T;
    SmallVector<Type *, 8> Elements;
    for (Type *E : S->elements())
      Elements.push_back(remapType(E));
    if (ArrayRef<Type *>(Elements) == S->elements())
      return T;
    return StructType::get(T->getContext(), Elements, S->isPacked());
  }

  DenseMap<Type *, Type *> Types;
};

/// The address is only used to read from.
bool isOnlyRead(const Value &Address) {
  return all_of(Address.uses(), [](const Use &U) {
    const User *By = U.getUser();
    if (isa<GEPOperator>(By))
      return isOnlyRead(*By);
    if (auto *L = dyn_cast<LoadInst>(By))
      return !L->isVolatile() && !L->isAtomic();
    auto *Copy = dyn_cast<MemCpyInst>(By);
    return Copy && U.get() == Copy->getRawSource() && !Copy->isVolatile();
  });
}

class Assignment {
public:
  explicit Assignment(Module &M)
      : M(M), GenericPointer(PointerType::get(M.getContext(), Generic)) {}

  void run() {
    for (GlobalVariable &G : make_early_inc_range(M.globals()))
      replaceGlobal(G);
    for (auto [Old, New] : Globals)
      if (Old->hasInitializer())
        New->setInitializer(MapValue(Old->getInitializer(), Map, Flags, &Types));
    for (Function &F : M)
      if (F.isIntrinsic())
        replaceIntrinsic(F);
    SmallVector<Function *, 8> Kernels;
    for (Function &F : M)
      if (!F.isDeclaration())
        Kernels.push_back(&F);
    for (Function *F : Kernels)
      replaceKernel(*F);
    for (GlobalVariable *G : make_first_range(Globals)) {
      G->replaceAllUsesWith(PoisonValue::get(G->getType()));
      G->eraseFromParent();
    }
    for (Function *F : OldIntrinsics)
      F->eraseFromParent();
  }

private:
  void replaceGlobal(GlobalVariable &G) {
    unsigned Space = G.getAddressSpace();
    if (Space == 0)
      Space = isOnlyRead(G) ? ka::spirv::Constant : Global;
    Type *T = Types.remapType(G.getValueType());
    if (Space == G.getAddressSpace() && T == G.getValueType())
      return;
    auto *New = new GlobalVariable(M, T, G.isConstant(), G.getLinkage(), nullptr, "", nullptr,
                                   GlobalValue::NotThreadLocal, Space);
    New->takeName(&G);
    New->setAlignment(G.getAlign());
    Globals.push_back({&G, New});
    Map[&G] = Space == G.getAddressSpace() ? static_cast<Value *>(New)
                                           : ConstantExpr::getAddrSpaceCast(New, GenericPointer);
  }

  void replaceIntrinsic(Function &F) {
    auto *T = cast<FunctionType>(Types.remapType(F.getFunctionType()));
    if (T == F.getFunctionType() || is_contained(OldIntrinsics, &F))
      return;
    Function *New = Function::Create(T, F.getLinkage(), F.getName() + ".generic", &M);
    New->copyAttributesFrom(&F);
    if (std::optional<Function *> Mangled = Intrinsic::remangleIntrinsicFunction(New)) {
      New->eraseFromParent();
      New = *Mangled;
    }
    Map[&F] = New;
    OldIntrinsics.push_back(&F);
  }

  void replaceKernel(Function &F) {
    SmallVector<Type *, 8> Params;
    for (Argument &A : F.args()) {
      auto *P = dyn_cast<PointerType>(A.getType());
      bool Global_ = P && P->getAddressSpace() == 0 && !A.hasByValAttr();
      Params.push_back(Global_ ? PointerType::get(M.getContext(), Global) : A.getType());
    }
    auto *New = Function::Create(FunctionType::get(F.getReturnType(), Params, false),
                                 F.getLinkage(), "", &M);
    New->takeName(&F);
    New->setAttributes(F.getAttributes());
    New->copyMetadata(&F, 0);
    F.clearMetadata();
    New->splice(New->begin(), &F);

    IRBuilder<> B(&*New->getEntryBlock().getFirstInsertionPt());
    for (Argument &A : F.args()) {
      Argument *NewArg = New->getArg(A.getArgNo());
      NewArg->takeName(&A);
      bool Space0 = A.getType()->isPointerTy() && A.getType()->getPointerAddressSpace() == 0;
      Value *V = Space0 ? B.CreateAddrSpaceCast(NewArg, GenericPointer) : NewArg;
      Map[&A] = V;
    }
    SmallVector<AllocaInst *, 8> Variables;
    for (Instruction &I : instructions(*New))
      if (auto *A = dyn_cast<AllocaInst>(&I))
        Variables.push_back(A);
    for (AllocaInst *A : Variables) {
      auto *Cast =
          new AddrSpaceCastInst(A, GenericPointer, A->getName(), std::next(A->getIterator()));
      for (Use &U : make_early_inc_range(A->uses()))
        if (U.getUser() != Cast)
          U.set(Cast);
    }
    for (Instruction &I : instructions(*New))
      RemapInstruction(&I, Map, Flags, &Types);
    for (AllocaInst *A : Variables)
      A->mutateType(PointerType::get(M.getContext(), Private));
    castLoadedPointers(*New);
    F.eraseFromParent();
  }

  /// A pointer that the host put into a structure or the mailbox points to global
  /// memory.
  void castLoadedPointers(Function &F) {
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *L = dyn_cast<LoadInst>(&I);
      if (!L || L->getType() != GenericPointer)
        continue;
      auto *A = dyn_cast<Argument>(getUnderlyingObject(L->getPointerOperand(), 0));
      if (!A || !(A->hasByValAttr() || A == ka::mailboxOf(F) ||
                  F.getAttributes().hasParamAttr(A->getArgNo(), ka::SpilledAttribute)))
        continue;
      IRBuilder<> B(L->getNextNode());
      auto *Known = B.CreateAddrSpaceCast(L, PointerType::get(M.getContext(), Global));
      auto *Back = B.CreateAddrSpaceCast(Known, GenericPointer);
      L->replaceUsesWithIf(Back, [&](Use &U) { return U.getUser() != Known; });
    }
  }

  Module &M;
  const RemapFlags Flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  PointerType *GenericPointer;
  GenericPointers Types;
  ValueToValueMapTy Map;
  SmallVector<std::pair<GlobalVariable *, GlobalVariable *>, 8> Globals;
  SmallVector<Function *, 4> OldIntrinsics;
};

/// A null pointer is one in every space.
void castNulls(Function &F) {
  for (Instruction &I : instructions(F))
    for (Use &U : I.operands())
      if (auto *Cast = dyn_cast<ConstantExpr>(U.get());
          Cast && Cast->getOpcode() == Instruction::AddrSpaceCast &&
          isa<ConstantPointerNull>(Cast->getOperand(0)))
        U.set(ConstantPointerNull::get(cast<PointerType>(Cast->getType())));
}

void inferAddressSpaces(Module &M) {
  ka::Analyses Known(M);
  FunctionPassManager Passes;
  Passes.addPass(InferAddressSpacesPass(Generic));
  Passes.addPass(EarlyCSEPass(true));
  createModuleToFunctionPassAdaptor(std::move(Passes)).run(M, Known.modules());
}

} // namespace

void ka::spirv::assignAddressSpaces(Module &M) {
  Assignment(M).run();
  inferAddressSpaces(M);
  for (Function &F : M)
    castNulls(F);
}
