//===- options.cpp - Parses the plugin's arguments ------------------------===//

#include "compiler/frontend/options.h"
#include "compiler/targets/target.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ka {

static Error invalid(const Twine &What) {
  return createStringError(inconvertibleErrorCode(), What.str());
}

static std::string knownTargets() {
  std::string List;
  for (const Target *T : targets())
    List += (List.empty() ? "" : ", ") + T->name().str();
  return List;
}

static Error parseTargets(StringRef Value, FrontendOptions &Options) {
  SmallVector<StringRef, 4> Names;
  Value.split(Names, ',', -1, /*KeepEmpty=*/false);
  Options.Targets.clear();
  for (StringRef Name : Names) {
    if (!findTarget(Name))
      return invalid("unknown target '" + Name + "'; known: " + knownTargets());
    if (!is_contained(Options.Targets, Name))
      Options.Targets.push_back(Name.str());
  }
  if (Options.Targets.empty())
    return invalid("the list of targets is empty; known: " + knownTargets());
  return Error::success();
}

static Error parseWarning(StringRef Value, FrontendOptions &Options) {
  auto [Name, Level] = Value.split('=');
  if (!Options.Warnings.option(Name, Level))
    return invalid("'warn=" + Value +
                   "' is not of the form warn=<name>=ignored|warning|error|no-error");
  if (!WarningGroups::isKnown(Name) && Name != "everything")
    Options.UnknownWarnings.push_back(Name.str());
  return Error::success();
}

Expected<FrontendOptions> FrontendOptions::parse(ArrayRef<std::string> Arguments) {
  FrontendOptions Options;
  for (StringRef Argument : Arguments) {
    auto [Name, Value] = Argument.split('=');
    if (Name == "targets") {
      if (Error E = parseTargets(Value, Options))
        return std::move(E);
    } else if (Name == "emit") {
      bool Known = StringSwitch<bool>(Value)
                       .Cases("spirv-text", "llvm", "metadata", "bundle", "frontend-llvm", true)
                       .Default(findTarget(Value) != nullptr);
      if (!Known)
        return invalid("cannot emit '" + Value + "'; known: " + knownTargets() +
                       ", spirv-text, llvm, metadata, bundle");
      Options.Emit = Value.str();
    } else if (Name == "output") {
      Options.Output = Value.str();
    } else if (Name == "warn") {
      if (Error E = parseWarning(Value, Options))
        return std::move(E);
    } else {
      return invalid("unknown argument '" + Argument + "'");
    }
  }
  return Options;
}

} // namespace ka
