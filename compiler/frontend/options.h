//===- options.h - What the plugin can be asked for -----------------------===//
//
// The plugin's arguments (-fplugin-arg-ka-<name>=<value>), which kacc makes from
// its own --ka- options:
//
//   targets=spirv,...       device images to make
//   emit=<what>             write one product instead of putting a bundle into
//                           the object: a target's name, spirv-text, llvm,
//                           metadata, bundle; frontend-llvm is what the frontend
//                           hands to the lowering, for tests
//   output=<file>           where emit writes; "-" is standard output
//   warn=<name>=<level>     ignored, warning, error or no-error for -W<name>: a
//                           group of ka's, "ka" for all of them, "everything"
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_OPTIONS_H
#define KA_COMPILER_FRONTEND_OPTIONS_H

#include "compiler/frontend/warning_groups.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ka {

struct FrontendOptions {
  std::vector<std::string> Targets = {"spirv"};
  std::string Emit; // "": the bundle goes into the object
  std::string Output = "-";
  WarningGroups Warnings;
  std::vector<std::string> UnknownWarnings; // names of groups that there are not: "ka-..."

  static llvm::Expected<FrontendOptions> parse(llvm::ArrayRef<std::string> Arguments);
};

} // namespace ka

#endif
