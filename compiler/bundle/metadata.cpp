//===- metadata.cpp - The metadata records of ka/abi.h --------------------===//

#include "compiler/bundle/bundle.h"
#include "ka/abi.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;
using namespace ka;

namespace {

/// NUL-terminated strings, each once; the first is the empty one.
class Strings {
public:
  Strings() { add(""); }

  uint32_t add(StringRef S) {
    auto [At, New] = Offsets.try_emplace(S, Data.size());
    if (New) {
      Data.append(S.begin(), S.end());
      Data.push_back('\0');
    }
    return At->second;
  }
  ArrayRef<char> data() const { return Data; }

private:
  StringMap<uint32_t> Offsets;
  SmallVector<char, 256> Data;
};

class Writer {
public:
  SmallVector<char, 0> write(ArrayRef<Kernel> List) {
    for (const Kernel &K : List)
      addKernel(K);
    ka_metadata_header H = {};
    H.magic = KA_METADATA_MAGIC;
    H.version = KA_METADATA_VERSION;
    uint32_t At = sizeof H;
    auto Place = [&](uint32_t &Count, uint32_t &Offset, size_t N, size_t Size) {
      Count = N;
      Offset = At;
      At += N * Size;
    };
    Place(H.kernel_count, H.kernel_offset, Kernels.size(), sizeof Kernels[0]);
    Place(H.param_count, H.param_offset, Params.size(), sizeof Params[0]);
    Place(H.pointer_count, H.pointer_offset, Pointers.size(), sizeof Pointers[0]);
    Place(H.site_count, H.site_offset, Sites.size(), sizeof Sites[0]);
    Place(H.string_bytes, H.string_offset, Text.data().size(), 1);
    H.bytes = alignTo(At, 8);

    SmallVector<char, 0> Out;
    Out.reserve(H.bytes);
    auto Append = [&](const void *Data, size_t Bytes) {
      Out.append(static_cast<const char *>(Data), static_cast<const char *>(Data) + Bytes);
    };
    Append(&H, sizeof H);
    Append(Kernels.data(), Kernels.size() * sizeof Kernels[0]);
    Append(Params.data(), Params.size() * sizeof Params[0]);
    Append(Pointers.data(), Pointers.size() * sizeof Pointers[0]);
    Append(Sites.data(), Sites.size() * sizeof Sites[0]);
    Append(Text.data().data(), Text.data().size());
    Out.resize(H.bytes);
    return Out;
  }

private:
  void addKernel(const Kernel &K) {
    ka_metadata_kernel R = {};
    R.name = Text.add(K.Name);
    R.symbol = Text.add(K.Symbol);
    R.file = Text.add(K.File);
    R.line = K.Line;
    R.column = K.Column;
    R.flags = K.Flags;
    R.first_param = Params.size();
    R.param_count = K.Params.size();
    std::copy(K.GroupSize.begin(), K.GroupSize.end(), R.group_size);
    R.tuple_align = K.TupleAlign;
    R.tuple_bytes = K.TupleBytes;
    R.local_bytes = K.LocalBytes;
    R.item_local_bytes = static_cast<uint32_t>(K.ItemLocalBytes);
    R.sub_group_size = K.SubGroupSize;
    R.first_site = Sites.size();
    R.site_count = K.Sites.size();
    Kernels.push_back(R);
    for (const KernelParam &P : K.Params)
      addParam(P);
    for (const MailboxSite &S : K.Sites)
      addSite(S);
  }

  void addSite(const MailboxSite &S) {
    ka_metadata_site R = {};
    R.kind = S.Kind;
    R.text = Text.add(S.Text);
    R.file = Text.add(S.File);
    R.line = S.Line;
    R.function = Text.add(S.Function);
    Sites.push_back(R);
  }

  void addParam(const KernelParam &P) {
    ka_metadata_param R = {};
    R.name = Text.add(P.Name);
    R.type = Text.add(P.Type);
    R.kind = P.Kind;
    R.flags = P.Flags;
    R.offset = P.Offset;
    R.size = P.Size;
    R.align = P.Align;
    R.first_pointer = Pointers.size();
    R.pointer_count = P.Pointers.size();
    R.element = P.Element;
    Params.push_back(R);
    for (const PointerField &F : P.Pointers) {
      ka_metadata_pointer Pointer = {};
      Pointer.offset = F.Offset;
      Pointer.path = Text.add(F.Path);
      Pointer.flags = F.InUnion ? KA_METADATA_IN_UNION : 0;
      Pointers.push_back(Pointer);
    }
  }

  Strings Text;
  SmallVector<ka_metadata_kernel, 8> Kernels;
  SmallVector<ka_metadata_param, 32> Params;
  SmallVector<ka_metadata_pointer, 8> Pointers;
  SmallVector<ka_metadata_site, 8> Sites;
};

struct FlagName {
  uint32_t Bit;
  StringLiteral Name;
};

constexpr FlagName KernelFlags[] = {
    {KA_METADATA_PADDED, "padded"},
    {KA_METADATA_BARRIER, "barrier"},
    {KA_METADATA_SUB_GROUP, "sub_group"},
    {KA_METADATA_FP64, "fp64"},
    {KA_METADATA_FP16, "fp16"},
    {KA_METADATA_INT64_ATOMICS, "int64_atomics"},
    {KA_METADATA_UNSAFE_INDICES, "unsafe_indices"},
    {KA_METADATA_GENERIC, "generic"},
    {KA_METADATA_SPILLS, "spills"},
    {KA_METADATA_MAILBOX, "mailbox"},
    {KA_METADATA_PRINTS, "prints"},
    {KA_METADATA_GROUP, "group"},
    {KA_METADATA_ANY_GROUP, "any_group"},
};
constexpr FlagName ParamFlags[] = {
    {KA_METADATA_CONST, "const"},       {KA_METADATA_RESTRICT, "restrict"},
    {KA_METADATA_VOLATILE, "volatile"}, {KA_METADATA_FLOATING, "floating"},
    {KA_METADATA_SIGNED, "signed"},     {KA_METADATA_SPILLED, "spilled"},
};

json::Array flagNames(uint32_t Flags, ArrayRef<FlagName> Names) {
  json::Array Result;
  for (const FlagName &F : Names)
    if (Flags & F.Bit)
      Result.push_back(F.Name);
  return Result;
}

StringRef kindName(uint32_t Kind) {
  switch (Kind) {
  case KA_METADATA_POINTER:
    return "pointer";
  case KA_METADATA_AGGREGATE:
    return "aggregate";
  case KA_METADATA_LOCAL:
    return "local";
  default:
    return "scalar";
  }
}

StringRef siteKindName(uint32_t Kind) {
  switch (Kind) {
  case KA_METADATA_ASSERT:
    return "assert";
  case KA_METADATA_TRAP:
    return "trap";
  default:
    return "abort";
  }
}

/// "float 4", "record 24"; "" where nothing is said.
std::string elementName(uint32_t Element) {
  static constexpr StringLiteral Names[KA_METADATA_CLASSES] = {
      "", "integer", "bool", "float", "complex", "vector", "record", "void", "address"};
  uint32_t Class = Element & 0xff, Bytes = Element >> 8;
  std::string Name = Class < KA_METADATA_CLASSES ? Names[Class].str() : "";
  return Bytes ? Name + " " + std::to_string(Bytes) : Name;
}

void printParam(json::OStream &J, const KernelParam &P) {
  J.object([&] {
    J.attribute("name", P.Name);
    J.attribute("type", P.Type);
    J.attribute("kind", kindName(P.Kind));
    J.attribute("flags", flagNames(P.Flags, ParamFlags));
    J.attribute("offset", P.Offset);
    J.attribute("size", P.Size);
    J.attribute("align", P.Align);
    if (P.Element)
      J.attribute("element", elementName(P.Element));
    if (P.Pointers.empty())
      return;
    J.attributeArray("pointers", [&] {
      for (const PointerField &F : P.Pointers)
        J.object([&] {
          J.attribute("offset", F.Offset);
          J.attribute("path", F.Path);
          if (F.InUnion)
            J.attribute("union", true);
        });
    });
  });
}

void printSite(json::OStream &J, const MailboxSite &S) {
  J.object([&] {
    J.attribute("kind", siteKindName(S.Kind));
    J.attribute("text", json::fixUTF8(S.Text));
    J.attribute("file", json::fixUTF8(S.File));
    J.attribute("line", S.Line);
    J.attribute("function", S.Function);
  });
}

void printKernel(json::OStream &J, const Kernel &K) {
  J.object([&] {
    J.attribute("name", K.Name);
    J.attribute("symbol", K.Symbol);
    J.attribute("file", json::fixUTF8(K.File));
    J.attribute("line", K.Line);
    J.attribute("column", K.Column);
    J.attribute("flags", flagNames(K.Flags, KernelFlags));
    J.attributeArray("group_size", [&] {
      for (uint32_t S : K.GroupSize)
        J.value(S);
    });
    J.attribute("tuple_bytes", K.TupleBytes);
    J.attribute("tuple_align", K.TupleAlign);
    J.attribute("local_bytes", K.LocalBytes);
    if (K.SubGroupSize) {
      J.attribute("sub_group_size", K.SubGroupSize);
      J.attribute("item_local_bytes", K.ItemLocalBytes);
    }
    J.attributeArray("params", [&] {
      for (const KernelParam &P : K.Params)
        printParam(J, P);
    });
    if (!K.Sites.empty())
      J.attributeArray("sites", [&] {
        for (const MailboxSite &S : K.Sites)
          printSite(J, S);
      });
  });
}

} // namespace

SmallVector<char, 0> ka::writeMetadata(ArrayRef<Kernel> Kernels) { return Writer().write(Kernels); }

void ka::printMetadata(ArrayRef<Kernel> Kernels, raw_ostream &OS) {
  json::OStream J(OS, 2);
  J.object([&] {
    J.attribute("version", KA_METADATA_VERSION);
    J.attributeArray("kernels", [&] {
      for (const Kernel &K : Kernels)
        printKernel(J, K);
    });
  });
  OS << '\n';
}
