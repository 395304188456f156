//===- kernel_facts.cpp - Kernel records written in IR --------------------===//

#include "test/compiler/support/kernel_facts.h"
#include "ka/abi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;
using namespace ka;

namespace {

bool parseParam(StringRef Word, KernelParam &P) {
  SmallVector<StringRef, 8> Parts;
  Word.split(Parts, ':');
  int Kind = StringSwitch<int>(Parts[0])
                 .Case("scalar", KA_METADATA_SCALAR)
                 .Case("pointer", KA_METADATA_POINTER)
                 .Case("aggregate", KA_METADATA_AGGREGATE)
                 .Case("local", KA_METADATA_LOCAL)
                 .Default(-1);
  if (Kind < 0 || Parts.size() < 4 || Parts[1].getAsInteger(0, P.Offset) ||
      Parts[2].getAsInteger(0, P.Size) || Parts[3].getAsInteger(0, P.Align))
    return false;
  P.Kind = Kind;
  for (StringRef Flag : ArrayRef(Parts).drop_front(4)) {
    if (Flag.consume_front("ptr@")) {
      PointerField Field{0, "field", false};
      if (Flag.getAsInteger(0, Field.Offset))
        return false;
      P.Pointers.push_back(Field);
      continue;
    }
    uint32_t Bit = StringSwitch<uint32_t>(Flag)
                       .Case("const", KA_METADATA_CONST)
                       .Case("restrict", KA_METADATA_RESTRICT)
                       .Case("volatile", KA_METADATA_VOLATILE)
                       .Case("float", KA_METADATA_FLOATING)
                       .Case("signed", KA_METADATA_SIGNED)
                       .Default(0);
    if (!Bit)
      return false;
    P.Flags |= Bit;
  }
  return true;
}

} // namespace

bool ka::parseKernelFacts(StringRef Facts, Kernel &K) {
  SmallVector<StringRef, 8> Words;
  Facts.split(Words, ' ', -1, false);
  if (Words.empty())
    return false;
  K.Name = K.Symbol = Words[0].str();
  for (StringRef Word : ArrayRef(Words).drop_front()) {
    if (Word == "unsafe") {
      K.UnsafeIndices = true;
    } else if (Word.consume_front("group:")) {
      SmallVector<StringRef, 3> Sizes;
      Word.split(Sizes, ',');
      if (Sizes.size() != 3)
        return false;
      for (unsigned D = 0; D != 3; ++D)
        if (Sizes[D].getAsInteger(0, K.GroupSize[D]))
          return false;
    } else {
      KernelParam P;
      if (!parseParam(Word, P))
        return false;
      P.Name = "p" + std::to_string(K.Params.size());
      K.TupleBytes = std::max(K.TupleBytes, P.Offset + P.Size);
      K.TupleAlign = std::max(K.TupleAlign, P.Align);
      K.Params.push_back(std::move(P));
    }
  }
  K.TupleBytes = alignTo(K.TupleBytes, K.TupleAlign);
  return true;
}

std::vector<Kernel> ka::readKernelFacts(const Module &M) {
  std::vector<Kernel> Kernels;
  if (const NamedMDNode *N = M.getNamedMetadata("ka.kernels"))
    for (const MDNode *Entry : N->operands()) {
      Kernel K;
      auto *Facts = Entry->getNumOperands() ? dyn_cast<MDString>(Entry->getOperand(0)) : nullptr;
      if (Facts && parseKernelFacts(Facts->getString(), K))
        Kernels.push_back(std::move(K));
    }
  return Kernels;
}
