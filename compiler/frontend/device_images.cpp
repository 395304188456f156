//===- device_images.cpp - From device IR to images -----------------------===//

#include "compiler/frontend/device_images.h"
#include "compiler/lowering/lowering.h"
#include "compiler/targets/target.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <algorithm>

using namespace llvm;

namespace ka {

static std::string printed(const Module &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  M.print(OS, nullptr);
  return OS.str();
}

bool buildImages(DeviceModule Device, const FrontendOptions &Options, DiagnosticHandler Report,
                 DeviceImages &Result) {
  if (Options.Emit == "frontend-llvm") {
    Result.Assembly = printed(*Device.Module);
    return true;
  }
  if (!lower(Device, Report))
    return false;
  Result.Kernels = Device.Kernels;
  for (StringRef Name : Options.Targets) {
    const Target *T = findTarget(Name);
    DeviceModule Copy{CloneModule(*Device.Module), Device.Kernels};
    if (!T->legalise(Copy, Report))
      return false;
    if (Options.Emit == "llvm" && Result.Assembly.empty())
      Result.Assembly = printed(*Copy.Module);
    Image I{Name.str(), T->triple().str(), {}};
    if (!T->emit(Copy, I.Bytes, Report))
      return false;
    Result.Images.push_back(std::move(I));
    for (auto [All, One] : zip(Result.Kernels, Copy.Kernels)) {
      All.Flags |= One.Flags;
      All.LocalBytes = std::max(All.LocalBytes, One.LocalBytes);
      All.SubGroupSize = std::max(All.SubGroupSize, One.SubGroupSize);
      All.ItemLocalBytes = std::max(All.ItemLocalBytes, One.ItemLocalBytes);
    }
  }
  return true;
}

} // namespace ka
