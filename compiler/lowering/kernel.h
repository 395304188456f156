//===- kernel.h - What the compiler knows of a kernel ---------------------===//
//
// Filled in by the frontend from the AST, completed by the lowering, read by
// the targets and by the metadata writer. Mirrors the records of ka/abi.h.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_LOWERING_KERNEL_H
#define KA_COMPILER_LOWERING_KERNEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Module.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ka {

/// A pointer member inside an aggregate parameter.
struct PointerField {
  uint64_t Offset;  // bytes from the start of the parameter
  std::string Path; // "a.b[2].p"
  bool InUnion;     // so that something else may be stored there
};

struct KernelParam {
  std::string Name;
  std::string Type;     // the C type as written
  uint32_t Kind = 0;    // ka_metadata_param_kind
  uint32_t Flags = 0;   // ka_metadata_param_flags
  uint32_t Element = 0; // KA__ELEMENT
  uint64_t Offset = 0, Size = 0;
  uint32_t Align = 0;
  std::vector<PointerField> Pointers;
};

/// A place that writes to the mailbox.
struct MailboxSite {
  uint32_t Kind = 0; // ka_metadata_site_kind
  std::string Text, File, Function;
  uint32_t Line = 0;
};

struct Kernel {
  std::string Name;   // as in the source
  std::string Symbol; // the linker's name, and the device entry point's
  std::string File;
  uint32_t Line = 0, Column = 0;
  std::array<uint32_t, 3> GroupSize = {0, 0, 0};
  bool UnsafeIndices = false;
  uint64_t TupleBytes = 0;
  uint32_t TupleAlign = 1;
  std::vector<KernelParam> Params;

  uint32_t Flags = 0;             // ka_metadata_kernel_flags; set by the lowering
  uint64_t LocalBytes = 0;        // static group memory; set by the lowering
  bool Exchanges = false;         // calls sub-group or group functions; set by the lowering
  std::vector<MailboxSite> Sites; // set by the lowering
  // Set by targets that have no sub-groups of their own, if the kernel uses them.
  uint32_t SubGroupSize = 0;
  uint64_t ItemLocalBytes = 0; // of the last parameter, for each item of a group
};

/// The device side of a translation unit.
///
/// From the frontend: host IR of all that kernels reach, as clang emits it for
/// the host target (host ABI, address space 0). Kernel K comes as
///   void @"ka.entry.<symbol>"(ptr %tuple)
/// which loads its arguments from the tuple and calls K's body. Group memory
/// are internal globals in section ".ka.local" (no initialiser was written) or
/// ".ka.local.init". Work-item functions are calls to the undefined functions
/// of ka/kernel.h; libc and math are calls to the C names or LLVM intrinsics.
///
/// From the lowering: target-independent device IR, one self-contained function
/// per entry point of ka/abi.h's convention ("<symbol>", "<symbol>__ka_padded",
/// "<symbol>__ka_group"), marked with the attribute "ka-kernel", pointers in address
/// space 0, group memory globals in address space 3, work-item functions still by
/// their ka_ names.
struct DeviceModule {
  std::unique_ptr<llvm::Module> Module;
  std::vector<Kernel> Kernels;
};

inline constexpr llvm::StringLiteral EntryPrefix = "ka.entry.";
inline constexpr llvm::StringLiteral LocalSection = ".ka.local";
inline constexpr llvm::StringLiteral LocalInitSection = ".ka.local.init";
inline constexpr llvm::StringLiteral KernelAttribute = "ka-kernel";

/// A finding of the lowering or of a target. The location has its inlining
/// chain, from which the frontend makes "called by" notes.
struct Diagnostic {
  struct Note {
    llvm::DebugLoc Location;
    std::string Message;
  };
  enum SeverityKind { Error, Warning } Severity = Error;
  std::string Message;     // clang's style: lower case, no full stop
  std::string Advice;      // goes on the message behind a semicolon; may be empty
  std::string Group;       // of a warning: "ka-divergent-barrier"
  llvm::DebugLoc Location; // may be empty
  llvm::DebugLoc Parting;  // of a barrier that not all items reach: the branch at fault
  std::string Kernel;      // symbol of the kernel concerned, maybe with KA__PADDED_SUFFIX, or ""
  std::vector<Note> Notes;
};

using DiagnosticHandler = llvm::function_ref<void(const Diagnostic &)>;

} // namespace ka

#endif
