//===- string_functions.cpp - Functions of <string.h> that read -----------===//
//
// All of them go through bytes until one of them decides. They get bodies as if
// the program had written them: loops of that form, which are inlined.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/string_functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace {

enum class Result { Difference, Position, Length };

struct Entry {
  StringLiteral Name;
  Result Gives;
  bool Bounded;    // the last argument is the number of bytes
  bool EndsAtZero; // a byte that is 0 is the last one
};

constexpr Entry Table[] = {
    {"memchr", Result::Position, true, false}, {"memcmp", Result::Difference, true, false},
    {"strchr", Result::Position, false, true}, {"strcmp", Result::Difference, false, true},
    {"strlen", Result::Length, false, true},   {"strncmp", Result::Difference, true, true},
    {"strnlen", Result::Length, true, true},
};

const Entry *find(StringRef Name) {
  const Entry *E = find_if(Table, [&](const Entry &Each) { return Each.Name == Name; });
  return E == std::end(Table) ? nullptr : E;
}

/// A program may have declared another function of that name.
bool hasSignature(const Entry &E, const Function &F) {
  FunctionType *T = F.getFunctionType();
  unsigned Count = (E.Gives == Result::Length ? 1 : 2) + E.Bounded;
  if (T->isVarArg() || T->getNumParams() != Count || !T->getParamType(0)->isPointerTy())
    return false;
  if (E.Bounded && !T->getParamType(Count - 1)->isIntegerTy(64))
    return false;
  switch (E.Gives) {
  case Result::Difference:
    return T->getParamType(1)->isPointerTy() && T->getReturnType()->isIntegerTy(32);
  case Result::Position:
    return T->getParamType(1)->isIntegerTy(32) && T->getReturnType()->isPointerTy();
  case Result::Length:
    return T->getReturnType()->isIntegerTy(64);
  }
  return false;
}

void define(const Entry &E, Function &F) {
  LLVMContext &C = F.getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", &F));
  Type *Byte = B.getInt8Ty(), *Whole = F.getReturnType();
  auto *Loop = BasicBlock::Create(C, "loop", &F), *Look = BasicBlock::Create(C, "look", &F),
       *Next = BasicBlock::Create(C, "next", &F), *Decided = BasicBlock::Create(C, "decided", &F);
  BasicBlock *Entry = B.GetInsertBlock();
  B.CreateBr(Loop);

  B.SetInsertPoint(Loop);
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2, "i");
  I->addIncoming(B.getInt64(0), Entry);
  if (E.Bounded) {
    auto *Exhausted = BasicBlock::Create(C, "exhausted", &F);
    Value *N = F.getArg(F.arg_size() - 1);
    B.CreateCondBr(B.CreateICmpEQ(I, N), Exhausted, Look);
    B.SetInsertPoint(Exhausted);
    B.CreateRet(E.Gives == Result::Length ? N : Constant::getNullValue(Whole));
  } else {
    B.CreateBr(Look);
  }

  B.SetInsertPoint(Look);
  Value *At = B.CreateInBoundsGEP(Byte, F.getArg(0), I);
  Value *Own = B.CreateLoad(Byte, At), *Other = nullptr, *Stop = B.getFalse();
  if (E.Gives == Result::Difference) {
    Other = B.CreateLoad(Byte, B.CreateInBoundsGEP(Byte, F.getArg(1), I));
    Stop = B.CreateICmpNE(Own, Other);
  } else if (E.Gives == Result::Position) {
    Other = B.CreateTrunc(F.getArg(1), Byte);
    Stop = B.CreateICmpEQ(Own, Other);
  }
  Value *Found = Stop;
  if (E.EndsAtZero)
    Stop = B.CreateOr(Stop, B.CreateICmpEQ(Own, B.getInt8(0)));
  B.CreateCondBr(Stop, Decided, Next);

  B.SetInsertPoint(Next);
  I->addIncoming(B.CreateAdd(I, B.getInt64(1), "", true, true), Next);
  B.CreateBr(Loop);

  B.SetInsertPoint(Decided);
  switch (E.Gives) {
  case Result::Difference:
    B.CreateRet(B.CreateSub(B.CreateZExt(Own, Whole), B.CreateZExt(Other, Whole)));
    break;
  case Result::Position:
    B.CreateRet(B.CreateSelect(Found, At, Constant::getNullValue(Whole)));
    break;
  case Result::Length:
    B.CreateRet(I);
    break;
  }
}

} // namespace

bool ka::isStringFunction(StringRef CName) { return find(CName); }

SmallVector<StringRef, 8> ka::stringFunctions() {
  return map_to_vector<8>(Table, [](const Entry &E) { return StringRef(E.Name); });
}

void ka::defineStringFunctions(Module &M) {
  for (Function &F : M)
    if (const Entry *E = find(F.getName()); E && F.isDeclaration() && hasSignature(*E, F))
      define(*E, F);
}
