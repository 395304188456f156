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
//   warn=<group>=<level>    ignored, warning or error for -Wka-<group>
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_OPTIONS_H
#define KA_COMPILER_FRONTEND_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace ka {

enum class WarningLevel { Default, Ignored, Warning, Error };

struct FrontendOptions {
  std::vector<std::string> Targets = {"spirv"};
  std::string Emit; // "": the bundle goes into the object
  std::string Output = "-";
  llvm::StringMap<WarningLevel> Warnings;   // by full name: "ka-divergent-barrier"
  std::vector<std::string> UnknownWarnings; // as options: "-Wka-..."

  static llvm::Expected<FrontendOptions> parse(llvm::ArrayRef<std::string> Arguments);
};

} // namespace ka

#endif
