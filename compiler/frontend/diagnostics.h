//===- diagnostics.h - How the frontend reports -------------------------===//
//
// Errors, warnings of the -Wka- groups, notes; and the findings of lowering and
// targets, whose IR locations are brought back to carets in the source.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_DIAGNOSTICS_H
#define KA_COMPILER_FRONTEND_DIAGNOSTICS_H

#include "compiler/frontend/kernel_table.h"
#include "compiler/frontend/warning_groups.h"
#include "compiler/lowering/kernel.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/Twine.h"

namespace ka {

/// 'name', as in messages.
std::string quoted(const clang::NamedDecl *D);

class Reporter {
public:
  Reporter(clang::DiagnosticsEngine &Diags, const WarningGroups &Groups)
      : Diags(Diags), Groups(Groups) {}

  void error(clang::SourceLocation Loc, const llvm::Twine &Message);
  void note(clang::SourceLocation Loc, const llvm::Twine &Message);

  /// Warns, or does what the user chose for the group at this place instead; false
  /// if nothing was reported, so that no notes should follow.
  bool warning(llvm::StringRef Group, clang::SourceLocation Loc, const llvm::Twine &Message);

  /// Whether somebody else than this reporter has found an error.
  bool otherErrors() const { return Diags.getNumErrors() > OwnErrors; }
  bool anyErrors() const { return Diags.hasErrorOccurred(); }

  /// Whether the user asked for the group, maybe not everywhere, for those that
  /// are off by themselves.
  bool wants(llvm::StringRef Group) const { return Groups.mayBeWanted(Group, Diags); }

private:
  void report(clang::DiagnosticsEngine::Level Level, clang::SourceLocation Loc,
              const llvm::Twine &Message);

  clang::DiagnosticsEngine &Diags;
  const WarningGroups &Groups;
  unsigned OwnErrors = 0;
};

/// Reports a finding about device IR, which was made of `Functions`; a finding
/// without a place of its own is reported where its kernel, one of `Kernels`, is.
void reportFinding(Reporter &Report, const clang::ASTContext &C, const Diagnostic &Finding,
                   llvm::ArrayRef<const clang::FunctionDecl *> Functions,
                   llvm::ArrayRef<KernelEntity *> Kernels);

} // namespace ka

#endif
