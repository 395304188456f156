// Compares kacc's table of clang's options that take the next word with the one in libclang-cpp.
// A word that only one of them takes for an input would change what kacc links.
#include "clang/Driver/Options.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/raw_ostream.h"

extern "C" int clang_option_values(const char *option);

using namespace clang::driver;
using llvm::opt::Option;

// Words that belong to the option when nothing is joined to it.
static int valuesOf(const Option &O) {
  switch (O.getKind()) {
  case Option::SeparateClass:
  case Option::JoinedOrSeparateClass:
  case Option::JoinedAndSeparateClass:
    return 1;
  case Option::MultiArgClass:
    return O.getNumArgs();
  default:
    return 0;
  }
}

int main() {
  const llvm::opt::OptTable &Table = getDriverOptTable();
  int Wrong = 0, Compared = 0;
  for (unsigned I = 1; I <= Table.getNumOptions(); ++I) {
    Option O = Table.getOption(I);
    if (O.getKind() == Option::GroupClass || O.getKind() == Option::InputClass ||
        O.getKind() == Option::UnknownClass || !O.hasVisibilityFlag(options::ClangOption))
      continue;
    std::string Name = llvm::StringRef(O.getPrefixedName()).str();
    if (Name[0] != '-' || Name == "--")
      continue;
    ++Compared;
    if (clang_option_values(Name.c_str()) != valuesOf(O)) {
      llvm::errs() << Name << " takes " << valuesOf(O) << " words, kacc says "
                   << clang_option_values(Name.c_str()) << "\n";
      ++Wrong;
    }
  }
  llvm::outs() << Compared << " options compared, " << Wrong << " differ\n";
  return Wrong || Compared < 1000;
}
