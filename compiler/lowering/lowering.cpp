//===- lowering.cpp - Host IR of kernels to target-independent device IR --===//

#include "compiler/lowering/lowering.h"
#include "compiler/lowering/c_library.h"
#include "compiler/lowering/character_functions.h"
#include "compiler/lowering/collectives.h"
#include "compiler/lowering/division.h"
#include "compiler/lowering/empty_assembly.h"
#include "compiler/lowering/format_choice.h"
#include "compiler/lowering/hints.h"
#include "compiler/lowering/inline_calls.h"
#include "compiler/lowering/kernel_entry.h"
#include "compiler/lowering/linear_ids.h"
#include "compiler/lowering/local_memory.h"
#include "compiler/lowering/mailbox.h"
#include "compiler/lowering/prepare.h"
#include "compiler/lowering/print_calls.h"
#include "compiler/lowering/range_guard.h"
#include "compiler/lowering/references.h"
#include "compiler/lowering/simplify.h"
#include "compiler/lowering/spill.h"
#include "compiler/lowering/string_functions.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/unreachable.h"
#include "compiler/lowering/unroll.h"

using namespace llvm;

bool ka::lower(DeviceModule &Device, DiagnosticHandler Report) {
  Module &M = *Device.Module;
  // While functions still have C's names.
  defineStringFunctions(M);
  defineCharacterFunctions(M);
  namePrints(M);
  dropEmptyAssembly(M);
  // Bodies get the suffix ".body" first, so that entry points can have the
  // kernels' names.
  prepare(M);
  // While calls of the C library are still calls, with C's types.
  mapCLibrary(M);
  // While each call still has its constants beside it.
  if (!typeCollectives(M, Report))
    return false;
  // Whatever simplifies takes it that no divisor is zero, and inlining does simplify.
  for (Function &F : M)
    makeDivisionTotal(F);
  // From here on each kernel is one function that needs no other.
  if (!makeKernelEntries(Device, Report) || !inlineCalls(M, Report))
    return false;
  // Early, so that the arithmetic is simplified with the rest.
  for (Function &F : M)
    expandLinearIds(F);
  simplify(M);
  unrollLoops(M);
  // What is left to choose at run time, while stores and effects are still those of the source.
  splitFormatChoices(M);
  // What an assertion rules out has served the optimiser. They may need group memory.
  if (!placeTraps(Device, Report))
    return false;
  // Group memory becomes one global for each kernel function that uses it.
  placeLocalMemory(Device);
  // What no device has can still be named as the source names it.
  if (!checkReferences(M, Report))
    return false;
  // While each kernel is one function.
  addMailbox(Device);
  // The guard reasons about control flow: no assumptions, no ends but returns, and
  // no instruction that may trap, are easier to follow. A divisor that was made harmless need not
  // be any more for items beyond the range, of which an assumption does not speak.
  for (Function &F : M) {
    dropHints(F);
    removeUnreachable(F);
    makeDivisionTotal(F);
  }
  if (!addRangeGuards(Device, Report))
    return false;
  // Again: clearing group memory asks for linear ids.
  for (Function &F : M)
    expandLinearIds(F);
  // Last, when nobody asks any more which parameter is which argument.
  spillArguments(Device);
  tidy(M);
  return true;
}
