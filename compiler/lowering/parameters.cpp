//===- parameters.cpp - Entry points with other parameters ----------------===//

#include "compiler/lowering/parameters.h"

using namespace llvm;
using namespace ka;

namespace {

/// A parameter of the function to come: one of the old one's, or a new one.
struct Place {
  Argument *Old = nullptr;
  const NewParameter *New = nullptr;
};

Function *rebuild(Function &F, ArrayRef<Place> Places) {
  LLVMContext &C = F.getContext();
  AttributeList Old = F.getAttributes();
  SmallVector<Type *, 8> Types;
  SmallVector<AttributeSet, 8> Attributes;
  for (const Place &P : Places) {
    Types.push_back(P.Old ? P.Old->getType() : P.New->Type);
    Attributes.push_back(P.Old ? Old.getParamAttrs(P.Old->getArgNo()) : P.New->Attributes);
  }
  auto *G = Function::Create(FunctionType::get(F.getReturnType(), Types, false), F.getLinkage(), "",
                             F.getParent());
  G->takeName(&F);
  G->copyAttributesFrom(&F);
  G->setAttributes(AttributeList::get(C, Old.getFnAttrs(), Old.getRetAttrs(), Attributes));
  G->copyMetadata(&F, 0);
  F.clearMetadata();
  G->splice(G->begin(), &F);
  for (size_t I = 0; I != Places.size(); ++I) {
    Argument *A = G->getArg(I);
    if (Argument *Was = Places[I].Old) {
      A->takeName(Was);
      Was->replaceAllUsesWith(A);
    } else {
      A->setName(Places[I].New->Name);
    }
  }
  F.eraseFromParent();
  return G;
}

} // namespace

Argument *ka::insertParameters(Function &F, unsigned At, ArrayRef<NewParameter> Parameters) {
  SmallVector<Place, 8> Places;
  for (Argument &A : F.args())
    Places.push_back({&A});
  SmallVector<Place, 4> Inserted;
  for (const NewParameter &P : Parameters)
    Inserted.push_back({nullptr, &P});
  Places.insert(Places.begin() + At, Inserted.begin(), Inserted.end());
  return rebuild(F, Places)->getArg(At);
}

Function *ka::dropParameters(Function &F, function_ref<bool(unsigned)> Drops) {
  SmallVector<Place, 8> Places;
  for (Argument &A : F.args())
    if (!Drops(A.getArgNo()))
      Places.push_back({&A});
  return rebuild(F, Places);
}
