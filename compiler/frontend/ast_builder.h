//===- ast_builder.h - Makes declarations and expressions in the AST ------===//
//
// The few forms that descriptors, tuples and entries need. What is made here is
// complete as if Sema had made it: every conversion is explicit. Names may hold
// characters that C cannot write, which keeps them apart from the program's own.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_AST_BUILDER_H
#define KA_COMPILER_FRONTEND_AST_BUILDER_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace ka {

class AstBuilder {
public:
  /// Everything made gets the location, for debug information and messages.
  AstBuilder(clang::ASTContext &C, clang::SourceLocation Loc = {}) : C(C), Loc(Loc) {}

  /// The file-scope declaration of a name; null if there is none.
  clang::RecordDecl *findStruct(llvm::StringRef Name) const;
  clang::FunctionDecl *findFunction(llvm::StringRef Name) const;

  clang::RecordDecl *record(llvm::StringRef Name,
                            llvm::ArrayRef<std::pair<llvm::StringRef, clang::QualType>> Fields);
  /// A file-scope variable with this very name for the linker.
  clang::VarDecl *variable(llvm::StringRef Symbol, clang::QualType T, clang::StorageClass SC);
  /// A void function with this very name for the linker.
  clang::FunctionDecl *function(llvm::StringRef Symbol, llvm::ArrayRef<clang::QualType> Params,
                                clang::StorageClass SC);

  clang::Expr *reference(clang::ValueDecl *D) const;
  clang::Expr *load(clang::Expr *LValue) const;
  clang::Expr *addressOf(clang::Expr *LValue) const;
  clang::Expr *decay(clang::Expr *Array) const;
  clang::Expr *field(clang::Expr *Pointer, clang::FieldDecl *F) const;
  /// A conversion between pointers.
  clang::Expr *pointerCast(clang::Expr *E, clang::QualType T) const;
  clang::Expr *call(clang::FunctionDecl *F, llvm::ArrayRef<clang::Expr *> Arguments) const;
  clang::Expr *integer(uint64_t Value, clang::QualType T) const;
  /// A `const char *` to a string.
  clang::Expr *string(llvm::StringRef Text) const;
  clang::Expr *nullPointer(clang::QualType T) const;
  clang::InitListExpr *braces(clang::QualType T, llvm::ArrayRef<clang::Expr *> Inits) const;
  clang::Stmt *block(llvm::ArrayRef<clang::Stmt *> Statements) const;

  clang::ASTContext &context() const { return C; }

private:
  clang::ASTContext &C;
  clang::SourceLocation Loc;
};

} // namespace ka

#endif
