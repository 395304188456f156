//===- targets.cpp - The list of device targets ---------------------------===//

#include "compiler/targets/spirv/spirv_target.h"
#include "compiler/targets/target.h"

using namespace llvm;

ArrayRef<const ka::Target *> ka::targets() {
  static const spirv::SpirvTarget Spirv;
  static const Target *const All[] = {&Spirv};
  return All;
}

const ka::Target *ka::findTarget(StringRef Name) {
  for (const Target *T : targets())
    if (T->name() == Name)
      return T;
  return nullptr;
}
