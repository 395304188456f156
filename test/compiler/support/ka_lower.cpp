// ka-lower - Runs the lowering and a target without the frontend.
//
//   ka-lower [--emit=lowered|llvm|image|metadata|bundle] [--kernel=FACTS]... [-o FILE] FILE.ll
//
// Kernels are described by --kernel or by !ka.kernels in the file; see
// test/compiler/support/kernel_facts.h. Used by tests; not installed.

#include "compiler/bundle/bundle.h"
#include "test/compiler/support/kernel_facts.h"
#include "compiler/lowering/lowering.h"
#include "compiler/targets/target.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static cl::opt<std::string> Input(cl::Positional, cl::Required);
static cl::opt<std::string> Emit("emit", cl::init("llvm"));
static cl::opt<std::string> Output("o", cl::init("-"));
static cl::list<std::string> Facts("kernel");

static void print(StringRef Kind, const DebugLoc &Location, StringRef Message) {
  if (Location)
    errs() << Location.getLine() << ':' << Location.getCol() << ": ";
  errs() << Kind << ": " << Message << '\n';
}

static void report(const ka::Diagnostic &D) {
  std::string Group = D.Group.empty() ? "" : " [" + D.Group + "]";
  print(D.Severity == ka::Diagnostic::Error ? "error" : "warning", D.Location, D.Message + Group);
  for (const ka::Diagnostic::Note &N : D.Notes)
    print("note", N.Location, N.Message);
}

int main(int Argc, char **Argv) {
  cl::ParseCommandLineOptions(Argc, Argv);
  LLVMContext Context;
  SMDiagnostic Problem;
  ka::DeviceModule Device;
  Device.Module = parseIRFile(Input, Problem, Context);
  if (!Device.Module) {
    Problem.print(Argv[0], errs());
    return 2;
  }
  Device.Kernels = ka::readKernelFacts(*Device.Module);
  for (const std::string &F : Facts) {
    ka::Kernel K;
    if (!ka::parseKernelFacts(F, K)) {
      errs() << "bad --kernel: " << F << '\n';
      return 2;
    }
    Device.Kernels.push_back(K);
  }
  if (!ka::lower(Device, report))
    return 1;
  const ka::Target *Target = ka::findTarget("spirv");
  if (Emit != "lowered" && !Target->legalise(Device, report))
    return 1;

  std::error_code Error;
  ToolOutputFile File(Output, Error, sys::fs::OF_None);
  if (Error) {
    errs() << Output << ": " << Error.message() << '\n';
    return 2;
  }
  if (Emit == "lowered" || Emit == "llvm") {
    Device.Module->print(File.os(), nullptr);
  } else if (Emit == "metadata") {
    ka::printMetadata(Device.Kernels, File.os());
  } else {
    ka::Image Image{Target->name().str(), Target->triple().str(), {}};
    if (!Target->emit(Device, Image.Bytes, report))
      return 1;
    if (Emit == "image") {
      File.os().write(Image.Bytes.data(), Image.Bytes.size());
    } else {
      SmallVector<char, 0> Bundle =
          ka::writeBundle(ka::writeMetadata(Device.Kernels), {std::move(Image)});
      File.os().write(Bundle.data(), Bundle.size());
    }
  }
  File.keep();
  return 0;
}
