//===- ast_builder.cpp - Makes declarations and expressions in the AST ----===//

#include "compiler/frontend/ast_builder.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace ka {

template <typename T> static T *find(ASTContext &C, StringRef Name) {
  for (NamedDecl *D : C.getTranslationUnitDecl()->lookup(&C.Idents.get(Name)))
    if (auto *Found = dyn_cast<T>(D))
      return Found;
  return nullptr;
}

RecordDecl *AstBuilder::findStruct(StringRef Name) const {
  auto *R = find<RecordDecl>(C, Name);
  return R ? R->getDefinition() : nullptr;
}

FunctionDecl *AstBuilder::findFunction(StringRef Name) const { return find<FunctionDecl>(C, Name); }

RecordDecl *AstBuilder::record(StringRef Name, ArrayRef<std::pair<StringRef, QualType>> Fields) {
  DeclContext *TU = C.getTranslationUnitDecl();
  IdentifierInfo *Id = &C.Idents.get(Name);
  RecordDecl *R = C.getLangOpts().CPlusPlus
                      ? CXXRecordDecl::Create(C, TagTypeKind::Struct, TU, Loc, Loc, Id)
                      : RecordDecl::Create(C, TagTypeKind::Struct, TU, Loc, Loc, Id);
  R->setImplicit();
  R->startDefinition();
  for (auto &[FieldName, T] : Fields) {
    auto *F = FieldDecl::Create(C, R, Loc, Loc, &C.Idents.get(FieldName), T,
                                C.getTrivialTypeSourceInfo(T, Loc), /*BW=*/nullptr,
                                /*Mutable=*/false, ICIS_NoInit);
    F->setAccess(AS_public);
    R->addDecl(F);
  }
  R->completeDefinition();
  return R;
}

VarDecl *AstBuilder::variable(StringRef Symbol, QualType T, StorageClass SC) {
  DeclContext *TU = C.getTranslationUnitDecl();
  auto *V = VarDecl::Create(C, TU, Loc, Loc, &C.Idents.get(Symbol), T,
                            C.getTrivialTypeSourceInfo(T, Loc), SC);
  V->addAttr(AsmLabelAttr::CreateImplicit(C, Symbol, /*IsLiteralLabel=*/true));
  // Bundles are read as a section by other tools: no redzones.
  V->addAttr(DisableSanitizerInstrumentationAttr::CreateImplicit(C));
  V->setImplicit();
  V->setReferenced();
  TU->addDecl(V);
  return V;
}

FunctionDecl *AstBuilder::function(StringRef Symbol, ArrayRef<QualType> Params, StorageClass SC) {
  DeclContext *TU = C.getTranslationUnitDecl();
  QualType T = C.getFunctionType(C.VoidTy, Params, FunctionProtoType::ExtProtoInfo());
  auto *F = FunctionDecl::Create(C, TU, Loc, Loc, &C.Idents.get(Symbol), T,
                                 C.getTrivialTypeSourceInfo(T, Loc), SC);
  llvm::SmallVector<ParmVarDecl *, 1> Decls;
  for (QualType P : Params)
    Decls.push_back(ParmVarDecl::Create(C, F, Loc, Loc, nullptr, P,
                                        C.getTrivialTypeSourceInfo(P, Loc), SC_None, nullptr));
  F->setParams(Decls);
  F->addAttr(AsmLabelAttr::CreateImplicit(C, Symbol, /*IsLiteralLabel=*/true));
  F->setImplicit();
  F->setReferenced();
  TU->addDecl(F);
  return F;
}

Expr *AstBuilder::reference(ValueDecl *D) const {
  return DeclRefExpr::Create(C, {}, {}, D, /*RefersToEnclosing=*/false, Loc,
                             D->getType().getNonReferenceType(), VK_LValue);
}

Expr *AstBuilder::load(Expr *LValue) const {
  return ImplicitCastExpr::Create(C, LValue->getType().getUnqualifiedType(), CK_LValueToRValue,
                                  LValue, nullptr, VK_PRValue, {});
}

Expr *AstBuilder::addressOf(Expr *LValue) const {
  return UnaryOperator::Create(C, LValue, UO_AddrOf, C.getPointerType(LValue->getType()),
                               VK_PRValue, OK_Ordinary, Loc, /*CanOverflow=*/false, {});
}

Expr *AstBuilder::decay(Expr *Array) const {
  return ImplicitCastExpr::Create(C, C.getArrayDecayedType(Array->getType()),
                                  CK_ArrayToPointerDecay, Array, nullptr, VK_PRValue, {});
}

Expr *AstBuilder::field(Expr *Pointer, FieldDecl *F) const {
  return MemberExpr::CreateImplicit(C, Pointer, /*IsArrow=*/true, F, F->getType(), VK_LValue,
                                    OK_Ordinary);
}

Expr *AstBuilder::pointerCast(Expr *E, QualType T) const {
  return ImplicitCastExpr::Create(C, T, CK_BitCast, E, nullptr, VK_PRValue, {});
}

Expr *AstBuilder::call(FunctionDecl *F, ArrayRef<Expr *> Arguments) const {
  auto *Callee =
      ImplicitCastExpr::Create(C, C.getPointerType(F->getType()), CK_FunctionToPointerDecay,
                               reference(F), nullptr, VK_PRValue, {});
  return CallExpr::Create(C, Callee, Arguments, F->getReturnType(), VK_PRValue, Loc, {});
}

Expr *AstBuilder::integer(uint64_t Value, QualType T) const {
  return IntegerLiteral::Create(C, llvm::APInt(C.getIntWidth(T), Value), T, Loc);
}

Expr *AstBuilder::string(StringRef Text) const {
  QualType Char = C.CharTy.withConst();
  QualType Array = C.getConstantArrayType(Char, llvm::APInt(64, Text.size() + 1), nullptr,
                                          ArraySizeModifier::Normal, 0);
  return decay(
      StringLiteral::Create(C, Text, StringLiteralKind::Ordinary, /*Pascal=*/false, Array, Loc));
}

Expr *AstBuilder::nullPointer(QualType T) const {
  return ImplicitCastExpr::Create(C, T, CK_NullToPointer, integer(0, C.IntTy), nullptr, VK_PRValue,
                                  {});
}

InitListExpr *AstBuilder::braces(QualType T, ArrayRef<Expr *> Inits) const {
  auto *List = new (C) InitListExpr(C, Loc, Inits, Loc);
  List->setType(T);
  return List;
}

Stmt *AstBuilder::block(ArrayRef<Stmt *> Statements) const {
  return CompoundStmt::Create(C, Statements, FPOptionsOverride(), Loc, Loc);
}

} // namespace ka
