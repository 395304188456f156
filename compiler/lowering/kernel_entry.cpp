//===- kernel_entry.cpp - Device entry points with one parameter a field --===//

#include "compiler/lowering/kernel_entry.h"
#include "ka/abi.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace ka;

namespace {

/// How a parameter reaches the device: by value as an integer, float or vector,
/// or, where there is no such type of its size, as a constant copy in memory.
Type *valueType(LLVMContext &C, const KernelParam &P) {
  Type *I32 = Type::getInt32Ty(C);
  switch (P.Size) {
  case 1:
    return Type::getInt8Ty(C);
  case 2:
    return P.Flags & KA_METADATA_FLOATING ? Type::getHalfTy(C) : Type::getInt16Ty(C);
  case 4:
    return P.Flags & KA_METADATA_FLOATING ? Type::getFloatTy(C) : I32;
  case 8:
    return P.Flags & KA_METADATA_FLOATING ? Type::getDoubleTy(C) : Type::getInt64Ty(C);
  case 16:
  case 32:
  case 64:
    return FixedVectorType::get(I32, P.Size / 4);
  case 128:
    return FixedVectorType::get(Type::getInt64Ty(C), 16);
  default:
    return nullptr;
  }
}

/// A type of the parameter's size, without holes that a copy could drop. It is
/// aligned as widely as its size allows, so that the optimiser reads it where it
/// lies.
Type *memoryType(LLVMContext &C, const KernelParam &P) {
  uint64_t Unit = 8;
  while (Unit > 1 && P.Size % Unit)
    Unit /= 2;
  Type *Array = ArrayType::get(IntegerType::get(C, Unit * 8), P.Size / Unit);
  return StructType::get(C, ArrayRef<Type *>(Array));
}

Align memoryAlign(const KernelParam &P, Type *InMemory) {
  Type *Unit = InMemory->getStructElementType(0)->getArrayElementType();
  return std::max(Align(P.Align), Align(Unit->getIntegerBitWidth() / 8));
}

struct DeviceParam {
  Type *Ty;
  Type *InMemory = nullptr;
};

DeviceParam deviceParam(LLVMContext &C, const KernelParam &P) {
  switch (P.Kind) {
  case KA_METADATA_POINTER:
    return {PointerType::get(C, 0)};
  case KA_METADATA_LOCAL:
    return {PointerType::get(C, 3)};
  case KA_METADATA_SCALAR:
    if (Type *T = valueType(C, P))
      return {T};
    [[fallthrough]];
  default:
    return {PointerType::get(C, 0), memoryType(C, P)};
  }
}

void setAttributes(Argument &A, const KernelParam &P, const DeviceParam &D) {
  LLVMContext &C = A.getContext();
  A.setName(P.Name);
  if (D.InMemory) {
    A.addAttr(Attribute::getWithByValType(C, D.InMemory));
    A.addAttr(Attribute::getWithAlignment(C, memoryAlign(P, D.InMemory)));
    A.addAttr(Attribute::NoAlias);
    A.addAttr(Attribute::ReadOnly);
    A.addAttr(Attribute::NoCapture);
    return;
  }
  if (P.Kind != KA_METADATA_POINTER || (P.Flags & KA_METADATA_VOLATILE))
    return;
  if (P.Flags & KA_METADATA_RESTRICT) {
    A.addAttr(Attribute::NoAlias);
    // Only together with restrict does C promise that nobody writes it.
    if (P.Flags & KA_METADATA_CONST)
      A.addAttr(Attribute::ReadOnly);
  }
}

bool error(const Kernel &K, const Twine &Message, ka::DiagnosticHandler Report) {
  Diagnostic D;
  D.Message = Message.str();
  D.Kernel = K.Symbol;
  Report(D);
  return false;
}

void setGroupSize(Function &F, const Kernel &K) {
  if (!K.GroupSize[0])
    return;
  Type *I32 = Type::getInt32Ty(F.getContext());
  SmallVector<Metadata *, 3> Sizes;
  for (uint32_t S : K.GroupSize)
    Sizes.push_back(ConstantAsMetadata::get(ConstantInt::get(I32, S)));
  F.setMetadata("reqd_work_group_size", MDNode::get(F.getContext(), Sizes));
}

bool makeEntry(Module &M, const Kernel &K, ka::DiagnosticHandler Report) {
  LLVMContext &C = M.getContext();
  Function *Body = M.getFunction((EntryPrefix + K.Symbol).str());
  if (!Body || Body->isDeclaration() || Body->arg_size() != 1)
    return error(K, "kernel '" + K.Name + "' has no device code", Report);
  if (M.getNamedValue(K.Symbol))
    return error(K, "'" + K.Symbol + "' is a kernel and something else", Report);

  for (const KernelParam &P : K.Params)
    if (P.Size == 0)
      return error(K, "parameter '" + P.Name + "' of kernel '" + K.Name + "' has no size", Report);
  SmallVector<DeviceParam, 8> Params;
  SmallVector<Type *, 8> Types;
  for (const KernelParam &P : K.Params) {
    Params.push_back(deviceParam(C, P));
    Types.push_back(Params.back().Ty);
  }
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), Types, false),
                             GlobalValue::ExternalLinkage, K.Symbol, &M);
  F->addFnAttr(KernelAttribute);
  F->setDoesNotThrow();
  F->setConvergent();
  F->setSubprogram(Body->getSubprogram());
  setGroupSize(*F, K);

  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  if (DISubprogram *S = Body->getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(C, S->getLine(), 0, S));
  AllocaInst *Tuple =
      B.CreateAlloca(ArrayType::get(B.getInt8Ty(), std::max<uint64_t>(K.TupleBytes, 1)));
  Tuple->setAlignment(Align(std::max<uint32_t>(K.TupleAlign, 1)));
  for (size_t I = 0; I != Params.size(); ++I) {
    const KernelParam &P = K.Params[I];
    Argument *A = F->getArg(I);
    setAttributes(*A, P, Params[I]);
    Value *Field = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Tuple, P.Offset);
    Align FieldAlign = commonAlignment(Tuple->getAlign(), P.Offset);
    if (Params[I].InMemory) {
      B.CreateMemCpy(Field, FieldAlign, A, memoryAlign(P, Params[I].InMemory), P.Size);
      continue;
    }
    Value *V = A;
    if (P.Kind == KA_METADATA_LOCAL)
      V = B.CreateAddrSpaceCast(V, B.getPtrTy());
    B.CreateAlignedStore(V, Field, FieldAlign);
  }
  B.CreateCall(Body, Tuple);
  B.CreateRetVoid();
  return true;
}

} // namespace

bool ka::makeKernelEntries(DeviceModule &Device, ka::DiagnosticHandler Report) {
  bool Good = true;
  for (const Kernel &K : Device.Kernels)
    Good &= makeEntry(*Device.Module, K, Report);
  return Good;
}
