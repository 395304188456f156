//===- descriptor.cpp - What an object holds for libka --------------------===//

#include "compiler/frontend/descriptor.h"
#include "compiler/frontend/ast_builder.h"
#include "ka/abi.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace ka {
namespace {

/// LLVM's tools look for device images in this section.
constexpr llvm::StringLiteral BundleSection = ".llvm.offloading";
/// OffloadBinary's alignment.
constexpr unsigned BundleAlign = 8;
/// Before plain constructors and after plain destructors of the program, which
/// may launch kernels. Below 101 belongs to the implementation.
constexpr int RegisterPriority = 101;

/// An initialiser that gives fields by name; all others are zero.
Expr *initialiser(AstBuilder &Build, RecordDecl *R, const llvm::StringMap<Expr *> &Values) {
  ASTContext &C = Build.context();
  llvm::SmallVector<Expr *, 8> Inits;
  for (FieldDecl *F : R->fields()) {
    Expr *E = Values.lookup(F->getName());
    if (!E)
      E = new (C) ImplicitValueInitExpr(F->getType());
    else if (E->getType()->isPointerType())
      E = Build.pointerCast(E, F->getType());
    Inits.push_back(E);
  }
  return Build.braces(C.getRecordType(R), Inits);
}

Expr *number(AstBuilder &Build, RecordDecl *R, StringRef Field, uint64_t Value) {
  for (FieldDecl *F : R->fields())
    if (F->getName() == Field)
      return Build.integer(Value, F->getType().getCanonicalType());
  llvm_unreachable("a field of ka/abi.h");
}

VarDecl *makeBundle(AstBuilder &Build, ArrayRef<char> Bytes) {
  ASTContext &C = Build.context();
  QualType T = C.getConstantArrayType(C.CharTy.withConst(), llvm::APInt(64, Bytes.size()), nullptr,
                                      ArraySizeModifier::Normal, 0);
  VarDecl *V = Build.variable("ka.bundle", T, SC_Static);
  V->setInit(StringLiteral::Create(C, StringRef(Bytes.data(), Bytes.size()),
                                   StringLiteralKind::Ordinary, /*Pascal=*/false, T,
                                   SourceLocation()));
  V->addAttr(SectionAttr::CreateImplicit(C, BundleSection));
  V->addAttr(AlignedAttr::CreateImplicit(C, /*IsAlignmentExpr=*/true,
                                         Build.integer(BundleAlign, C.IntTy)));
  V->addAttr(UsedAttr::CreateImplicit(C));
  return V;
}

FunctionDecl *makeRegistration(AstBuilder &Build, StringRef Symbol, StringRef Runtime,
                               VarDecl *Module) {
  FunctionDecl *Callee = Build.findFunction(Runtime);
  FunctionDecl *F = Build.function(Symbol, {}, SC_Static);
  Expr *Argument = Build.pointerCast(Build.addressOf(Build.reference(Module)),
                                     Callee->getParamDecl(0)->getType());
  F->setBody(Build.block({Build.call(Callee, {Argument})}));
  F->addAttr(UsedAttr::CreateImplicit(Build.context()));
  return F;
}

} // namespace

std::vector<Decl *> makeDescriptors(ASTContext &C, KernelTable &Kernels,
                                    ArrayRef<KernelEntity *> Order, ArrayRef<char> Bundle,
                                    StringRef Source) {
  AstBuilder Build(C);
  RecordDecl *ModuleType = Build.findStruct("ka__module");
  RecordDecl *KernelType = Build.findStruct("ka__kernel");
  std::vector<Decl *> Decls;

  VarDecl *Bytes = makeBundle(Build, Bundle);
  Decls.push_back(Bytes);

  VarDecl *Module = Build.variable("ka.module", C.getRecordType(ModuleType), SC_Static);
  llvm::StringMap<Expr *> Values;
  Values["abi_version"] = number(Build, ModuleType, "abi_version", KA__ABI_VERSION);
  Values["kernel_count"] = number(Build, ModuleType, "kernel_count", Order.size());
  Values["bundle"] = Build.decay(Build.reference(Bytes));
  Values["bundle_bytes"] = number(Build, ModuleType, "bundle_bytes", Bundle.size());
  Values["source"] = Build.string(Source);
  Module->setInit(initialiser(Build, ModuleType, Values));
  Decls.push_back(Module);

  for (auto [Index, K] : llvm::enumerate(Order)) {
    VarDecl *Descriptor = Kernels.descriptor(*K);
    Values.clear();
    Values["module"] = Build.addressOf(Build.reference(Module));
    Values["name"] = Build.string(K->Definition->getQualifiedNameAsString());
    Values["index"] = number(Build, KernelType, "index", Index);
    Descriptor->setInit(initialiser(Build, KernelType, Values));
    if (K->Definition->isExternallyVisible()) {
      Descriptor->setStorageClass(SC_None);
      // Inline functions of C++ may be defined in many translation units.
      GVALinkage Linkage = C.GetGVALinkageForFunction(K->Definition);
      if ((Linkage == GVA_DiscardableODR || Linkage == GVA_StrongODR) &&
          !Descriptor->hasAttr<WeakAttr>())
        Descriptor->addAttr(WeakAttr::CreateImplicit(C));
    }
    Decls.push_back(Descriptor);
  }

  FunctionDecl *Init = makeRegistration(Build, "ka.module.register", "ka__module_register", Module);
  Init->addAttr(ConstructorAttr::CreateImplicit(C, RegisterPriority));
  FunctionDecl *Fini =
      makeRegistration(Build, "ka.module.unregister", "ka__module_unregister", Module);
  Fini->addAttr(DestructorAttr::CreateImplicit(C, RegisterPriority));
  Decls.push_back(Init);
  Decls.push_back(Fini);
  return Decls;
}

} // namespace ka
