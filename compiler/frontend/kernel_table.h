//===- kernel_table.h - The kernels of a translation unit -----------------===//
//
// For each function marked as a kernel, what the frontend makes of it.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_KERNEL_TABLE_H
#define KA_COMPILER_FRONTEND_KERNEL_TABLE_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <memory>
#include <string>

namespace ka {

struct KernelEntity {
  const clang::FunctionDecl *First = nullptr;
  /// The linker's name of the function: also that of the device's entry point.
  std::string Symbol;
  /// Its declaration is one that a kernel can have.
  bool Valid = false;
  /// The declarations that have been judged.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 2> Checked;

  /// Set when a definition was seen. The host's body stands in for the author's,
  /// except while device code is made.
  clang::FunctionDecl *Definition = nullptr;
  clang::Stmt *DeviceBody = nullptr;
  clang::Stmt *HostBody = nullptr;

  /// Made on demand.
  clang::RecordDecl *Tuple = nullptr;
  clang::VarDecl *Descriptor = nullptr;
};

class KernelTable {
public:
  explicit KernelTable(clang::ASTContext &C) : C(C) {}

  /// Null for a function that is not in the table.
  KernelEntity *find(const clang::FunctionDecl *F);
  KernelEntity &add(const clang::FunctionDecl *F);

  /// `struct ka.tuple.<symbol>`: one field for each parameter, in C's layout.
  /// The kernel must be valid.
  clang::RecordDecl *tuple(KernelEntity &K);
  /// `struct ka__kernel ka.kernel.<symbol>`, as yet only declared.
  clang::VarDecl *descriptor(KernelEntity &K);

  /// In the order of their first declarations.
  auto begin() { return Kernels.begin(); }
  auto end() { return Kernels.end(); }
  bool empty() const { return Kernels.empty(); }

private:
  clang::ASTContext &C;
  llvm::MapVector<const clang::FunctionDecl *, std::unique_ptr<KernelEntity>> Kernels;
};

} // namespace ka

#endif
