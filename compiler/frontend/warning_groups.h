//===- warning_groups.h - The levels of ka's own warnings -----------------===//
//
// Clang maps only its own warnings to groups. What options and pragmas say of
// -Wka-..., and of all warnings, is therefore kept and applied here, in the way
// in which clang does it for its own.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_WARNING_GROUPS_H
#define KA_COMPILER_FRONTEND_WARNING_GROUPS_H

#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>
#include <vector>

namespace ka {

enum class WarningLevel { Ignored, Warning, Error };

class WarningGroups {
public:
  /// The groups, without the "ka-" of their options.
  static constexpr llvm::StringLiteral Names[] = {"divergent-barrier", "double", "host-stack",
                                                  "unused-pointer"};

  /// What an option or pragma names: "ka" for all groups, "ka-<group>" for one.
  /// False if that is none of ka's names.
  static bool isKnown(llvm::StringRef Name);
  /// The known name that a wrong one of ka's may have meant; "" if none is near.
  static std::string nearest(llvm::StringRef Name);

  /// What the command line says, in its order: 'level' is ignored, warning, error
  /// or no-error; false if it is none of these. The name is known, or "everything".
  bool option(llvm::StringRef Name, llvm::StringRef Level);

  /// What pragmas say, in their order. Names that are not known are left alone.
  void push();
  void pop(clang::SourceLocation Loc);
  void pragma(clang::SourceLocation Loc, llvm::StringRef Name, clang::diag::Severity Level);

  /// How a warning of the group, a full name, is reported at the place.
  WarningLevel levelAt(llvm::StringRef Group, clang::SourceLocation Loc,
                       const clang::DiagnosticsEngine &Diags) const;

  /// Whether a warning of the group may be wanted anywhere, for those that cost
  /// time to find.
  bool mayBeWanted(llvm::StringRef Group, const clang::DiagnosticsEngine &Diags) const;

private:
  struct Setting {
    std::optional<WarningLevel> Level; // none: nobody has said anything
    bool StaysWarning = false;         // whatever -Werror says
  };
  using Settings = std::array<Setting, std::size(Names)>;
  /// From the place on.
  struct Change {
    clang::SourceLocation Loc;
    Settings From;
  };

  const Settings &current() const { return Changes.empty() ? Initial : Changes.back().From; }
  const Settings &settingsAt(clang::SourceLocation Loc, const clang::SourceManager &SM) const;
  static WarningLevel level(unsigned Group, const Setting &S,
                            const clang::DiagnosticsEngine &Diags);

  Settings Initial;
  std::vector<Change> Changes;
  std::vector<Settings> Pushed;
};

} // namespace ka

#endif
