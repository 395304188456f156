//===- lowering.cpp - Host IR of kernels to target-independent device IR --===//

#include "compiler/lowering/lowering.h"
#include "compiler/lowering/c_library.h"
#include "compiler/lowering/division.h"
#include "compiler/lowering/hints.h"
#include "compiler/lowering/inline_calls.h"
#include "compiler/lowering/kernel_entry.h"
#include "compiler/lowering/linear_ids.h"
#include "compiler/lowering/local_memory.h"
#include "compiler/lowering/prepare.h"
#include "compiler/lowering/range_guard.h"
#include "compiler/lowering/references.h"
#include "compiler/lowering/simplify.h"
#include "compiler/lowering/unreachable.h"

using namespace llvm;

bool ka::lower(DeviceModule &Device, DiagnosticHandler Report) {
  Module &M = *Device.Module;
  prepare(M);
  mapCLibrary(M);
  if (!makeKernelEntries(Device, Report) || !inlineCalls(M, Report))
    return false;
  for (Function &F : M)
    expandLinearIds(F);
  simplify(M);
  placeLocalMemory(Device);
  if (!checkReferences(M, Report))
    return false;
  for (Function &F : M) {
    dropHints(F);
    removeUnreachable(F);
    makeDivisionTotal(F);
  }
  if (!addRangeGuards(Device, Report))
    return false;
  for (Function &F : M)
    expandLinearIds(F);
  tidy(M);
  return true;
}
