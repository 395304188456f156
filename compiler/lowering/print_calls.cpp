//===- print_calls.cpp - Calls of printf, puts and putchar as one opaque call ----===//

#include "compiler/lowering/print_calls.h"
#include "compiler/lowering/calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace ka;

namespace {

constexpr StringLiteral PrintName = "ka.mailbox.print";

enum class Source { None, Printf, CheckedPrintf, SizedPrintf, Puts, Putchar };

/// With _FORTIFY_SOURCE, glibc's headers overload printf for clang. This form gets the size of the
/// format behind it.
bool isSizedPrintf(StringRef Symbol) {
  bool Overload = Symbol.starts_with("_ZL6printf") || Symbol.starts_with("_Z6printf");
  return Overload && Symbol.contains("object_size");
}

constexpr std::pair<StringLiteral, Source> Sources[] = {
    {"printf", Source::Printf},
    {"puts", Source::Puts},
    {"putchar", Source::Putchar},
    {"__printf_chk", Source::CheckedPrintf}, // with _FORTIFY_SOURCE
};

Source source(StringRef CName) {
  for (auto [Name, S] : Sources)
    if (Name == CName)
      return S;
  return isSizedPrintf(CName) ? Source::SizedPrintf : Source::None;
}

/// A program may have declared another function of that name.
bool hasSignature(const Function &F, Source S) {
  FunctionType *T = F.getFunctionType();
  if (!F.isDeclaration() || !T->getReturnType()->isIntegerTy(32))
    return false;
  auto Takes = [&](std::initializer_list<bool> Pointers, bool More) {
    return T->isVarArg() == More && T->getNumParams() == Pointers.size() &&
           all_of(zip(T->params(), Pointers), [](auto Pair) {
             auto [Param, IsPointer] = Pair;
             return IsPointer ? Param->isPointerTy() : Param->isIntegerTy(32);
           });
  };
  switch (S) {
  case Source::Printf:
    return Takes({true}, true);
  case Source::CheckedPrintf:
    return Takes({false, true}, true);
  case Source::SizedPrintf:
    return T->isVarArg() && T->getNumParams() == 2 && T->getParamType(0)->isPointerTy() &&
           T->getParamType(1)->isIntegerTy(64);
  case Source::Puts:
    return Takes({true}, false);
  case Source::Putchar:
    return Takes({false}, false);
  case Source::None:
    break;
  }
  return false;
}

FunctionCallee printFunction(Module &M) {
  LLVMContext &C = M.getContext();
  FunctionCallee Print = M.getOrInsertFunction(
      PrintName, FunctionType::get(Type::getInt32Ty(C), PointerType::get(C, 0), true));
  auto *F = cast<Function>(Print.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  // It reads strings and vectors, and writes what no kernel sees.
  F->setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Ref) |
                      MemoryEffects::inaccessibleMemOnly());
  F->addFnAttr(Attribute::NoMerge);
  return Print;
}

/// A float that C's rules for variable arguments have made a double.
Value *unpromoted(IRBuilderBase &B, Value *V) {
  auto *Promotion = dyn_cast<FPExtInst>(V);
  if (!Promotion || !V->getType()->isDoubleTy())
    return V;
  Value *Original = Promotion->getOperand(0);
  return Original->getType()->isHalfTy() ? B.CreateFPExt(Original, B.getFloatTy()) : Original;
}

void name(CallInst &Call, Source S) {
  IRBuilder<> B(&Call);
  AttributeList Old = Call.getAttributes();
  SmallVector<Value *, 8> Args;
  SmallVector<AttributeSet, 8> Attributes;
  if (S == Source::Puts || S == Source::Putchar) {
    Args.push_back(B.CreateGlobalString(S == Source::Puts ? "%s\n" : "%c"));
    Attributes.push_back({});
  }
  for (unsigned I = S == Source::CheckedPrintf; I != Call.arg_size(); ++I) {
    if (I == 1 && S == Source::SizedPrintf)
      continue;
    Args.push_back(unpromoted(B, Call.getArgOperand(I)));
    // Of a vector behind a pointer they say so.
    Attributes.push_back(Old.getParamAttrs(I));
  }
  CallInst *New = B.CreateCall(printFunction(*Call.getModule()), Args);
  New->setAttributes(AttributeList::get(B.getContext(), {}, {}, Attributes));
  Value *Result = New;
  if (S == Source::Putchar)
    Result = B.CreateSelect(B.CreateICmpSLT(New, B.getInt32(0)), New,
                            B.CreateAnd(Args.back(), B.getInt32(0xff)));
  Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
}

} // namespace

bool ka::isPrintFunction(StringRef CName) { return source(CName) != Source::None; }

SmallVector<StringRef, 4> ka::printFunctions() {
  SmallVector<StringRef, 4> Names;
  for (auto [Name, S] : Sources)
    if (S != Source::CheckedPrintf)
      Names.push_back(Name);
  return Names;
}

void ka::namePrints(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    Source S = source(F.getName());
    if (S == Source::None || !hasSignature(F, S))
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledFunction() == &F)
        name(*Call, S);
    if (F.use_empty())
      F.eraseFromParent();
  }
}

bool ka::isPrintCall(const Instruction &I) { return calledName(I) == PrintName; }

bool ka::hasPrints(const Function &F) { return any_of(instructions(F), isPrintCall); }
