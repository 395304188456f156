//===- warning_groups.cpp - The levels of ka's own warnings ---------------===//

#include "compiler/frontend/warning_groups.h"
#include "compiler/frontend/nearest.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::StringRef;

namespace ka {
namespace {

/// Whether an option or pragma means the group.
bool names(StringRef Name, StringRef Group) {
  return Name == "ka" || Name == "everything" || (Name.consume_front("ka-") && Name == Group);
}

unsigned indexOf(StringRef FullName) {
  StringRef Group = FullName.drop_front(strlen("ka-"));
  return llvm::find(WarningGroups::Names, Group) - std::begin(WarningGroups::Names);
}

/// Costs nothing that a program could do without, so that only those hear of it
/// who ask.
bool isOffByDefault(StringRef Group) { return Group == "double"; }

} // namespace

bool WarningGroups::isKnown(StringRef Name) {
  return Name == "ka" || (Name.consume_front("ka-") && llvm::is_contained(Names, Name));
}

std::string WarningGroups::nearest(StringRef Name) {
  StringRef Group = Name.drop_front(strlen("ka-"));
  StringRef Best = ka::nearest(Group, Names, Group.size() / 3 + 1);
  return Best.empty() ? "" : ("ka-" + Best).str();
}

bool WarningGroups::option(StringRef Name, StringRef Level) {
  for (auto [Group, S] : llvm::zip(Names, Initial)) {
    if (!names(Name, Group))
      continue;
    if (Level == "ignored")
      S.Level = WarningLevel::Ignored;
    else if (Level == "error")
      S = {WarningLevel::Error, false};
    else if (Level == "warning")
      S.Level = S.Level == WarningLevel::Error ? S.Level : WarningLevel::Warning;
    else if (Level == "no-error")
      S = {S.Level == WarningLevel::Error ? WarningLevel::Warning : S.Level, true};
    else
      return false;
  }
  return true;
}

void WarningGroups::push() { Pushed.push_back(current()); }

void WarningGroups::pop(SourceLocation Loc) {
  if (Pushed.empty())
    return; // from before the first that was heard of
  Changes.push_back({Loc, Pushed.back()});
  Pushed.pop_back();
}

void WarningGroups::pragma(SourceLocation Loc, StringRef Name, diag::Severity Level) {
  Settings New = current();
  bool Changed = false;
  for (auto [Group, S] : llvm::zip(Names, New))
    if (names(Name, Group)) {
      Changed = true;
      S = {Level == diag::Severity::Ignored   ? WarningLevel::Ignored
           : Level == diag::Severity::Warning ? WarningLevel::Warning
                                              : WarningLevel::Error,
           true};
    }
  if (Changed)
    Changes.push_back({Loc, New});
}

const WarningGroups::Settings &WarningGroups::settingsAt(SourceLocation Loc,
                                                         const SourceManager &SM) const {
  if (Loc.isInvalid())
    return Initial;
  auto After = llvm::partition_point(
      Changes, [&](const Change &C) { return !SM.isBeforeInTranslationUnit(Loc, C.Loc); });
  return After == Changes.begin() ? Initial : std::prev(After)->From;
}

WarningLevel WarningGroups::level(unsigned Group, const Setting &S,
                                  const DiagnosticsEngine &Diags) {
  if (Diags.getIgnoreAllWarnings())
    return WarningLevel::Ignored;
  bool OffByDefault = isOffByDefault(Names[Group]) && !Diags.getEnableAllWarnings();
  WarningLevel Level =
      S.Level.value_or(OffByDefault ? WarningLevel::Ignored : WarningLevel::Warning);
  if (Level == WarningLevel::Warning && Diags.getWarningsAsErrors() && !S.StaysWarning)
    return WarningLevel::Error;
  return Level;
}

WarningLevel WarningGroups::levelAt(StringRef Group, SourceLocation Loc,
                                    const DiagnosticsEngine &Diags) const {
  const SourceManager &SM = Diags.getSourceManager();
  if (Diags.getSuppressSystemWarnings() && Loc.isValid() &&
      SM.isInSystemHeader(SM.getExpansionLoc(Loc)))
    return WarningLevel::Ignored;
  unsigned Index = indexOf(Group);
  return level(Index, settingsAt(Loc, SM)[Index], Diags);
}

bool WarningGroups::mayBeWanted(StringRef Group, const DiagnosticsEngine &Diags) const {
  unsigned Index = indexOf(Group);
  auto Wanted = [&](const Settings &All) {
    return level(Index, All[Index], Diags) != WarningLevel::Ignored;
  };
  return Wanted(Initial) || llvm::any_of(Changes, [&](const Change &C) { return Wanted(C.From); });
}

} // namespace ka
