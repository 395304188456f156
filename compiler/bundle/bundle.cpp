//===- bundle.cpp - Metadata and device images in one bundle --------------===//

#include "compiler/bundle/bundle.h"
#include "ka/abi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace llvm::object;

namespace {

/// 64-bit FNV-1a.
uint64_t checksum(ArrayRef<char> Bytes) {
  uint64_t Hash = 0xcbf29ce484222325;
  for (unsigned char Byte : Bytes)
    Hash = (Hash ^ Byte) * 0x100000001b3;
  return Hash;
}

void append(SmallVectorImpl<char> &Bundle, ImageKind Kind, StringRef Content, StringRef Triple,
            ArrayRef<char> Bytes) {
  OffloadBinary::OffloadingImage Image{};
  Image.TheImageKind = Kind;
  Image.TheOffloadKind = OFK_None;
  Image.Flags = 0;
  Image.StringData[KA__CONTENT_KEY] = Content;
  if (!Triple.empty())
    Image.StringData["triple"] = Triple;
  std::string Sum = utohexstr(checksum(Bytes), /*LowerCase=*/true, /*Width=*/16);
  Image.StringData[KA__CHECKSUM_KEY] = Sum;
  Image.Image = MemoryBuffer::getMemBuffer(StringRef(Bytes.data(), Bytes.size()), "", false);
  SmallString<0> Binary = OffloadBinary::write(Image);
  // Each binary starts at a multiple of its alignment.
  Bundle.resize(alignTo(Bundle.size(), OffloadBinary::getAlignment()));
  Bundle.append(Binary.begin(), Binary.end());
}

} // namespace

SmallVector<char, 0> ka::writeBundle(ArrayRef<char> Metadata, ArrayRef<Image> Images) {
  SmallVector<char, 0> Bundle;
  append(Bundle, IMG_None, KA__CONTENT_METADATA, "", Metadata);
  for (const Image &I : Images)
    append(Bundle, I.Target == "ptx" ? IMG_PTX : IMG_None, I.Target, I.Triple, I.Bytes);
  return Bundle;
}
