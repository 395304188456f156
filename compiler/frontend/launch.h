//===- launch.h - Finds kernels and rewrites ka_launch --------------------===//
//
// Walks what clang has parsed before the host's code generator sees it. In each
// ka_launch the call of the kernel becomes the kernel's descriptor and a tuple of
// the arguments, which C has checked and converted.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_LAUNCH_H
#define KA_COMPILER_FRONTEND_LAUNCH_H

#include "compiler/frontend/diagnostics.h"
#include "compiler/frontend/kernel_table.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace ka {

/// What can be judged only when the whole translation unit is known.
struct HostUses {
  struct KernelReference {
    const clang::DeclRefExpr *Reference;
    const clang::FunctionDecl *Kernel;
    const clang::FunctionDecl *Function; // that contains it; null at file scope
    bool IsCall;
  };
  /// Uses of kernels outside of ka_launch and ka_kernel_of.
  std::vector<KernelReference> KernelReferences;

  struct LocalVariable {
    const clang::VarDecl *Variable;
    const clang::FunctionDecl *Function;
  };
  std::vector<LocalVariable> LocalVariables;

  struct FailedLaunch {
    clang::SourceLocation Location;
    const clang::FunctionDecl *Callee;
    llvm::StringRef By; // ka_launch or ka_kernel_of
  };
  /// Launches and handles of functions that were not marked as kernels by then.
  std::vector<FailedLaunch> FailedLaunches;
};

/// Handles one declaration with everything in it: enters kernels into the table
/// and gives their definitions the host's body, rewrites launches, notes uses.
void visitHostDeclaration(clang::Decl *D, clang::ASTContext &C, KernelTable &Kernels,
                          Reporter &Report, HostUses &Uses);

} // namespace ka

#endif
