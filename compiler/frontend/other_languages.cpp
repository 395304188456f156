//===- other_languages.cpp - Words of OpenCL C and CUDA -------------------===//
//
// Those that clang's own search for similar names does not find; get_global_id, for
// instance, it does.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/other_languages.h"
#include "clang/Basic/DiagnosticSema.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace clang;
using llvm::StringRef;
using llvm::Twine;

namespace ka {
namespace {

StringRef nameHere(StringRef Foreign) {
  return llvm::StringSwitch<StringRef>(Foreign)
      .Cases("__kernel", "__global__", "'[[ka::kernel]]'")
      .Cases("__local", "__shared__", "'ka_local'")
      .Cases("__global", "__constant", "__private", "__device__", "left out")
      .Case("threadIdx", "'ka_local_id(dimension)'")
      .Case("blockIdx", "'ka_group_id(dimension)'")
      .Case("blockDim", "'ka_local_size(dimension)'")
      .Case("gridDim", "'ka_num_groups(dimension)'")
      .Cases("barrier", "work_group_barrier", "__syncthreads", "'ka_barrier()'")
      .Default("");
}

bool isUnknownName(unsigned Id) {
  switch (Id) {
  case diag::err_unknown_typename:
  case diag::err_unknown_typename_suggest:
  case diag::err_undeclared_var_use:
  case diag::err_undeclared_var_use_suggest:
  case diag::ext_implicit_function_decl_c99:
  case diag::warn_implicit_function_decl:
    return true;
  default:
    return false;
  }
}

} // namespace

std::string explainForeignName(const Diagnostic &Info) {
  if (!isUnknownName(Info.getID()))
    return "";
  llvm::SmallString<100> Text;
  Info.FormatDiagnostic(Text);
  auto [Before, Rest] = StringRef(Text).split('\'');
  StringRef Name = Rest.split('\'').first, Here = nameHere(Name);
  if (Here.empty())
    return "";
  // A similar name that clang suggests is not what was meant.
  return (Twine(StringRef(Text).split(';').first) + "; in kernels of ka it is " + Here).str();
}

} // namespace ka
