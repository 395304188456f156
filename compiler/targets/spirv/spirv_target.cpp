//===- spirv_target.cpp - Kernels as a SPIR-V 1.2 module for OpenCL -------===//

#include "compiler/targets/spirv/spirv_target.h"
#include "LLVMSPIRVLib/LLVMSPIRVLib.h"
#include "compiler/lowering/hints.h"
#include "compiler/lowering/print_records.h"
#include "compiler/lowering/simplify.h"
#include "compiler/lowering/software_collectives.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/unreachable.h"
#include "compiler/targets/spirv/address_spaces.h"
#include "compiler/targets/spirv/arithmetic.h"
#include "compiler/targets/spirv/atomics.h"
#include "compiler/targets/spirv/barrier_dispatch.h"
#include "compiler/targets/spirv/barrier_stops.h"
#include "compiler/targets/spirv/builtins.h"
#include "compiler/targets/spirv/capabilities.h"
#include "compiler/targets/spirv/integer_widths.h"
#include "compiler/targets/spirv/legal_types.h"
#include "compiler/targets/spirv/loop_counters.h"
#include "compiler/targets/spirv/memory_intrinsics.h"
#include "compiler/targets/spirv/metadata.h"
#include "compiler/targets/spirv/phi_edges.h"
#include "compiler/targets/spirv/recompute.h"
#include "compiler/targets/spirv/validate.h"
#include "compiler/targets/spirv/wide_integers.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <sstream>

using namespace llvm;

bool ka::spirv::SpirvTarget::legalise(DeviceModule &Device, DiagnosticHandler Report) const {
  Module &M = *Device.Module;
  // Drivers' own functions are no match for dispatchBarriers (docs/design.md).
  expandCollectives(Device);
  legaliseVariables(M);
  bool Good = true;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    removeUnreachable(F);
    if (!dispatchBarriers(F)) {
      hideLoopCounters(F);
      recomputeAfterBarriers(F);
      stopAtBarriers(F);
    }
    expandTraps(F);
    Good &= writePrints(F, Report);
    replaceWorkItemFunctions(F);
    expandMemoryIntrinsics(F);
    expandAtomics(F);
    legaliseTypes(F);
  }
  if (!Good)
    return false;
  assignAddressSpaces(M);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    expandArithmetic(F);
    splitWideIntegers(F);
    legaliseIntegers(F);
  }
  tidy(M);
  // It knows what must hold where a branch went away, and what cannot be.
  for (Function &F : M) {
    dropHints(F);
    removeUnreachable(F);
    joinPhiEdges(F);
  }
  setCapabilityFlags(Device);
  normaliseMetadata(M);
  return validate(M, Report);
}

bool ka::spirv::SpirvTarget::emit(DeviceModule &Device, SmallVectorImpl<char> &Image,
                                  DiagnosticHandler Report) const {
  // The translator changes what it translates.
  std::unique_ptr<Module> M = CloneModule(*Device.Module);
  prepareForTranslation(*M);
  SPIRV::TranslatorOpts Options(SPIRV::VersionNumber::SPIRV_1_2);
  // The module says itself which kernels must not be contracted.
  Options.setFPContractMode(SPIRV::FPContractMode::Fast);
  std::ostringstream Stream;
  std::string Message;
  if (!writeSpirv(M.get(), Options, Stream, Message)) {
    Diagnostic D;
    D.Message = "the SPIR-V translator failed (a fault of the compiler): " + Message;
    Report(D);
    return false;
  }
  std::string Bytes = Stream.str();
  Image.assign(Bytes.begin(), Bytes.end());
  return true;
}
