//===- kernel_table.cpp - The kernels of a translation unit ---------------===//

#include "compiler/frontend/kernel_table.h"
#include "compiler/frontend/ast_builder.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace ka {

static std::string symbolOf(ASTContext &C, const FunctionDecl *F) {
  std::unique_ptr<MangleContext> Mangler(C.createMangleContext());
  if (!Mangler->shouldMangleDeclName(F))
    return F->getNameAsString();
  std::string Symbol;
  llvm::raw_string_ostream OS(Symbol);
  Mangler->mangleName(GlobalDecl(F), OS);
  // An asm label's mark that no prefix may be added.
  return llvm::StringRef(OS.str()).ltrim('\01').str();
}

KernelEntity *KernelTable::find(const FunctionDecl *F) {
  auto Found = Kernels.find(F->getCanonicalDecl());
  return Found == Kernels.end() ? nullptr : Found->second.get();
}

KernelEntity &KernelTable::add(const FunctionDecl *F) {
  std::unique_ptr<KernelEntity> &K = Kernels[F->getCanonicalDecl()];
  if (!K) {
    K = std::make_unique<KernelEntity>();
    K->First = F->getCanonicalDecl();
  }
  return *K;
}

RecordDecl *KernelTable::tuple(KernelEntity &K) {
  assert(K.Valid);
  if (K.Tuple)
    return K.Tuple;
  if (K.Symbol.empty())
    K.Symbol = symbolOf(C, K.First);
  std::vector<std::string> Names;
  for (const ParmVarDecl *P : K.First->parameters())
    Names.push_back(P->getName().empty() ? "p" + std::to_string(Names.size()) : P->getName().str());
  llvm::SmallVector<std::pair<llvm::StringRef, QualType>, 8> Fields;
  for (const ParmVarDecl *P : K.First->parameters()) {
    QualType T = P->getType().getUnqualifiedType();
    // A pointer to rows whose length is another parameter: to the device it is an address.
    if (T->isVariablyModifiedType())
      T = C.VoidPtrTy;
    Fields.push_back({Names[Fields.size()], T});
  }
  // Without a location clang does not remark on the padding.
  AstBuilder Build(C);
  return K.Tuple = Build.record("ka.tuple." + K.Symbol, Fields);
}

VarDecl *KernelTable::descriptor(KernelEntity &K) {
  if (K.Descriptor)
    return K.Descriptor;
  if (K.Symbol.empty())
    K.Symbol = symbolOf(C, K.First);
  AstBuilder Build(C, K.First->getLocation());
  RecordDecl *Type = Build.findStruct("ka__kernel");
  assert(Type && "checked with the kernel's declaration");
  K.Descriptor = Build.variable("ka.kernel." + K.Symbol, C.getRecordType(Type),
                                K.First->isExternallyVisible() ? SC_Extern : SC_Static);
  // The kernel's own visibility and weakness, whichever declaration says so.
  for (const FunctionDecl *F : K.First->redecls()) {
    if (const auto *A = F->getAttr<VisibilityAttr>(); A && !K.Descriptor->hasAttr<VisibilityAttr>())
      K.Descriptor->addAttr(VisibilityAttr::CreateImplicit(C, A->getVisibility()));
    if (F->hasAttr<WeakAttr>() && !K.Descriptor->hasAttr<WeakAttr>())
      K.Descriptor->addAttr(WeakAttr::CreateImplicit(C));
  }
  return K.Descriptor;
}

} // namespace ka
