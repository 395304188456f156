//===- print_checks.h - Calls of printf in kernels ------------------------===//
//
// Two things about formats. What cannot be printed is refused where the source has
// types and places; formats that are no literals are left to the lowering. And
// clang, which knows vectors in formats in OpenCL C only, is kept from checking
// calls of printf before it is known which of them are device code.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_PRINT_CHECKS_H
#define KA_COMPILER_FRONTEND_PRINT_CHECKS_H

#include "compiler/frontend/call_graph.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/Sema.h"

namespace ka {

/// Reports what is wrong with a call of a function that isPrintFunction knows.
void checkPrintCall(const clang::CallExpr *E, llvm::StringRef CName, const clang::ASTContext &C,
                    llvm::function_ref<void(clang::SourceLocation, const llvm::Twine &)> Fail);

/// Clang's checks of calls of printf (-Wformat), put off to the end of the file.
class FormatChecks {
public:
  /// Puts off the checks of what is parsed from now on. To be called after each
  /// declaration, since any may be that of printf.
  void putOff(clang::ASTContext &C);

  /// Makes them, except of calls in device code whose formats have vectors.
  void make(clang::Sema &S, const CallGraph &Graph);

private:
  clang::FormatAttr *Taken = nullptr;
  clang::FunctionDecl *Printf = nullptr;
};

} // namespace ka

#endif
