//===- product.cpp - Writes what emit=... asks for ------------------------===//

#include "compiler/frontend/product.h"
#include "llvm/Support/raw_ostream.h"
#include <spirv-tools/libspirv.h>

using namespace clang;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;

namespace ka {

static const Image *findImage(ArrayRef<Image> Images, StringRef Target) {
  for (const Image &I : Images)
    if (I.Target == Target)
      return &I;
  return nullptr;
}

/// As spirv-dis prints it.
static std::string disassemble(ArrayRef<char> Image) {
  std::vector<uint32_t> Words(Image.size() / sizeof(uint32_t));
  memcpy(Words.data(), Image.data(), Words.size() * sizeof(uint32_t));
  spv_context Context = spvContextCreate(SPV_ENV_OPENCL_2_1);
  spv_text Text = nullptr;
  std::string Result;
  if (spvBinaryToText(Context, Words.data(), Words.size(),
                      SPV_BINARY_TO_TEXT_OPTION_INDENT | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES,
                      &Text, nullptr) == SPV_SUCCESS)
    Result.assign(Text->str, Text->length);
  spvTextDestroy(Text);
  spvContextDestroy(Context);
  return Result;
}

void writeProduct(CompilerInstance &CI, const DeviceImages &Images,
                  const FrontendOptions &Options) {
  bool IsText = Options.Emit == "spirv-text";
  const Image *Chosen = findImage(Images.Images, IsText ? "spirv" : StringRef(Options.Emit));
  std::string Error;
  if (!Chosen && Images.Assembly.empty() && Options.Emit != "metadata" && Options.Emit != "bundle")
    Error = "cannot emit '" + Options.Emit + "': this target is not among those chosen";
  std::string Text = IsText && Chosen ? disassemble(Chosen->Bytes) : Images.Assembly;
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  if (!Error.empty()) {
    Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << Error;
    return;
  }
  // Reports by itself when it cannot; removes the file after errors.
  std::unique_ptr<raw_ostream> OS =
      CI.createOutputFile(Options.Output, /*Binary=*/true, /*RemoveFileOnSignal=*/true,
                          /*UseTemporary=*/true);
  if (!OS)
    return;
  if (Options.Emit == "metadata") {
    printMetadata(Images.Kernels, *OS);
  } else if (Options.Emit == "bundle") {
    llvm::SmallVector<char, 0> Bundle = writeBundle(writeMetadata(Images.Kernels), Images.Images);
    OS->write(Bundle.data(), Bundle.size());
  } else if (!Text.empty()) {
    *OS << Text;
  } else {
    OS->write(Chosen->Bytes.data(), Chosen->Bytes.size());
  }
}

} // namespace ka
