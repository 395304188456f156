//===- spill.cpp - More arguments than a device takes ---------------------===//
//
// A device promises to take 1024 bytes of arguments, and SPIR-V knows 255
// parameters. Of a kernel that asks for more, the largest arguments are read from
// memory, where libka puts a copy of the tuple for each launch. Pointers go there
// last, since only a parameter can say that nothing else leads to its memory.
//
// It is the last of the passes, so that all others see one parameter for each
// argument, with what is known of it.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/spill.h"
#include "compiler/lowering/parameters.h"
#include "ka/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace ka;

namespace {

/// What OpenCL demands of every device but embedded ones.
constexpr uint64_t MaxBytes = 1024;
/// SPIR-V's universal limits.
constexpr uint64_t MaxParams = 255;
/// Each padded entry point also has the extents of the range.
constexpr uint64_t Extents = 3, ExtentBytes = 8;
/// A target may add a pointer to memory through which items exchange values.
constexpr uint64_t ExchangeBytes = 8;
/// A pointer and a number.
constexpr uint64_t MailboxParams = 2, MailboxBytes = 16;
/// A kernel with a mailbox may have a function for whole groups.
constexpr uint64_t GroupRangeBytes = sizeof(ka_group_range);
/// libka's memory is aligned at least so.
constexpr uint64_t MemoryAlign = 64;

bool isPointer(const KernelParam &P) { return P.Kind == KA_METADATA_POINTER; }
bool isScratch(const KernelParam &P) { return P.Kind == KA_METADATA_LOCAL; }
bool isSpilled(const KernelParam &P) { return P.Flags & KA_METADATA_SPILLED; }

/// Those that can be spilled, the first to go first.
std::vector<KernelParam *> candidates(Kernel &K) {
  std::vector<KernelParam *> Order;
  for (KernelParam &P : reverse(K.Params))
    if (!isScratch(P))
      Order.push_back(&P);
  stable_sort(Order, [](const KernelParam *A, const KernelParam *B) {
    return isPointer(*A) != isPointer(*B) ? isPointer(*B) : A->Size > B->Size;
  });
  return Order;
}

/// Whether anything has to be spilled.
bool choose(Kernel &K) {
  uint64_t Bytes = Extents * ExtentBytes, Count = Extents;
  if (K.Exchanges) {
    Bytes += ExchangeBytes;
    ++Count;
  }
  if (K.Flags & KA_METADATA_MAILBOX) {
    Bytes += MailboxBytes + GroupRangeBytes;
    Count += MailboxParams;
  }
  for (const KernelParam &P : K.Params) {
    // The padded entry point is told the size of group memory, too.
    Bytes += isScratch(P) ? 2 * P.Size : P.Size;
    Count += isScratch(P) ? 2 : 1;
  }
  auto Fits = [&] { return Bytes <= MaxBytes && Count <= MaxParams; };
  if (Fits())
    return false;
  Bytes += sizeof(uint64_t); // the pointer to the copy
  ++Count;
  for (KernelParam *P : candidates(K)) {
    if (Fits())
      break;
    P->Flags |= KA_METADATA_SPILLED;
    Bytes -= P->Size;
    --Count;
  }
  return any_of(K.Params, isSpilled);
}

AttributeSet copyAttributes(LLVMContext &C, const Kernel &K) {
  AttrBuilder B(C);
  B.addAttribute(Attribute::NoAlias);
  B.addAttribute(Attribute::ReadOnly);
  B.addAttribute(Attribute::NoCapture);
  B.addAlignmentAttr(std::min<uint64_t>(K.TupleAlign, MemoryAlign));
  B.addAttribute(SpilledAttribute);
  return AttributeSet::get(C, B);
}

/// Gives one entry point the pointer to the copy instead of what is read from there. It
/// comes behind the kernel's own parameters, before what an entry point takes besides.
void rewrite(Function &F, const Kernel &K) {
  size_t Own = K.Params.size();
  Argument *Copy =
      insertParameters(F, Own,
                       NewParameter{PointerType::get(F.getContext(), 0), "ka.arguments",
                                    copyAttributes(F.getContext(), K)});
  Function &G = *Copy->getParent();
  IRBuilder<> B(&*G.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (size_t I = 0; I != Own; ++I) {
    const KernelParam &P = K.Params[I];
    Argument *A = G.getArg(I);
    if (!isSpilled(P) || A->use_empty())
      continue;
    Value *At = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Copy, P.Offset, P.Name);
    if (!A->hasByValAttr())
      At = B.CreateAlignedLoad(A->getType(), At, commonAlignment(*Copy->getParamAlign(), P.Offset),
                               P.Name);
    A->replaceAllUsesWith(At);
  }
  dropParameters(G, [&](unsigned I) { return I < Own && isSpilled(K.Params[I]); });
}

} // namespace

void ka::spillArguments(DeviceModule &Device) {
  for (Kernel &K : Device.Kernels) {
    if (!choose(K))
      continue;
    K.Flags |= KA_METADATA_SPILLS;
    for (StringRef Suffix : {"", KA__PADDED_SUFFIX, KA__GROUP_SUFFIX})
      if (Function *F = Device.Module->getFunction(K.Symbol + Suffix.str()))
        rewrite(*F, K);
  }
}
