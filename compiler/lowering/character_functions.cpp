//===- character_functions.cpp - Functions of <ctype.h> -------------------===//
//
// With glibc's header, isdigit(c) is
//
//   (*__ctype_b_loc())[(int)c] & (unsigned short)_ISdigit
//
// so the three functions that lead to such tables get a body, and tables of the C locale.
// The functions themselves, which C++ and other headers call, look there as well.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/character_functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace {

/// Arguments are those of an unsigned or a signed char, and EOF.
constexpr int First = -128, End = 256;

bool isGraph(int C) { return C > ' ' && C < 127; }
bool isSpace(int C) { return C == ' ' || (C >= '\t' && C <= '\r'); }
bool isCntrl(int C) { return (C >= 0 && C < ' ') || C == 127; }
bool isUpper(int C) { return C >= 'A' && C <= 'Z'; }
bool isLower(int C) { return C >= 'a' && C <= 'z'; }
bool isDecimal(int C) { return C >= '0' && C <= '9'; }
bool isLetter(int C) { return isUpper(C) || isLower(C); }
bool isHexadecimal(int C) {
  return isDecimal(C) || (C >= 'a' && C <= 'f') || (C >= 'A' && C <= 'F');
}

struct Class {
  StringLiteral Name;
  bool (*Has)(int C);
  uint16_t Bit; // glibc's, on hosts that are little-endian
};

constexpr Class Classes[] = {
    {"isupper", isUpper, 1 << 8},
    {"islower", isLower, 1 << 9},
    {"isalpha", isLetter, 1 << 10},
    {"isdigit", isDecimal, 1 << 11},
    {"isxdigit", isHexadecimal, 1 << 12},
    {"isspace", isSpace, 1 << 13},
    {"isprint", [](int C) { return C == ' ' || isGraph(C); }, 1 << 14},
    {"isgraph", isGraph, 1 << 15},
    {"isblank", [](int C) { return C == ' ' || C == '\t'; }, 1 << 0},
    {"iscntrl", isCntrl, 1 << 1},
    {"ispunct", [](int C) { return isGraph(C) && !isLetter(C) && !isDecimal(C); }, 1 << 2},
    {"isalnum", [](int C) { return isLetter(C) || isDecimal(C); }, 1 << 3},
};

const Class *classOf(StringRef Name) {
  const Class *Found = find_if(Classes, [&](const Class &Each) { return Each.Name == Name; });
  return Found == std::end(Classes) ? nullptr : Found;
}

enum class Table { None, Classes, Lower, Upper };

/// The function that leads to a table, and the one that looks in it by itself.
Table tableOf(StringRef Name) {
  if (Name == "__ctype_b_loc" || classOf(Name))
    return Table::Classes;
  if (Name == "__ctype_tolower_loc" || Name == "tolower")
    return Table::Lower;
  if (Name == "__ctype_toupper_loc" || Name == "toupper")
    return Table::Upper;
  return Table::None;
}

/// glibc's, whose tables have for a negative char the value of the unsigned one.
int converted(Table T, int C) {
  if (T == Table::Lower && isUpper(C))
    return C - 'A' + 'a';
  if (T == Table::Upper && isLower(C))
    return C - 'a' + 'A';
  return C < -1 ? C + 256 : C;
}

/// The address of what the table says of 0.
Constant *place(Module &M, Table T) {
  LLVMContext &C = M.getContext();
  StringRef Name = T == Table::Classes ? "ka.ctype.classes"
                   : T == Table::Lower ? "ka.ctype.lower"
                                       : "ka.ctype.upper";
  GlobalVariable *G = M.getNamedGlobal(Name);
  if (!G) {
    SmallVector<uint16_t, End - First> Bits;
    SmallVector<uint32_t, End - First> Values;
    for (int Each = First; Each != End; ++Each) {
      uint16_t Has = 0;
      for (const Class &Of : Classes)
        Has |= Of.Has(Each) ? Of.Bit : 0;
      Bits.push_back(Has);
      Values.push_back(uint32_t(converted(T, Each)));
    }
    Constant *Content =
        T == Table::Classes ? ConstantDataArray::get(C, Bits) : ConstantDataArray::get(C, Values);
    G = new GlobalVariable(M, Content->getType(), true, GlobalValue::InternalLinkage, Content,
                           Name);
  }
  Type *I64 = Type::getInt64Ty(C);
  return ConstantExpr::getInBoundsGetElementPtr(
      G->getValueType(), G,
      ArrayRef<Constant *>{ConstantInt::get(I64, 0), ConstantInt::get(I64, -First)});
}

/// A program may have declared another function of that name.
bool hasSignature(const Function &F) {
  FunctionType *T = F.getFunctionType();
  if (F.getName().starts_with("__"))
    return T->getReturnType()->isPointerTy() && T->getNumParams() == 0;
  return T->getReturnType()->isIntegerTy(32) && T->getNumParams() == 1 &&
         T->getParamType(0)->isIntegerTy(32) && !T->isVarArg();
}

void define(Function &F) {
  Module &M = *F.getParent();
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", &F));
  Table T = tableOf(F.getName());
  Constant *Zero = place(M, T);
  if (F.getReturnType()->isPointerTy()) {
    B.CreateRet(new GlobalVariable(M, Zero->getType(), true, GlobalValue::InternalLinkage, Zero,
                                   "ka.ctype.table"));
    return;
  }
  Value *C = F.getArg(0), *Index = B.CreateSExt(C, B.getInt64Ty());
  if (const Class *Of = classOf(F.getName())) {
    Type *I16 = B.getInt16Ty();
    Value *Has = B.CreateLoad(I16, B.CreateInBoundsGEP(I16, Zero, Index));
    B.CreateRet(B.CreateAnd(B.CreateZExt(Has, B.getInt32Ty()), Of->Bit));
    return;
  }
  // Other values stay.
  auto *Look = BasicBlock::Create(F.getContext(), "look", &F),
       *Other = BasicBlock::Create(F.getContext(), "other", &F);
  B.CreateCondBr(
      B.CreateAnd(B.CreateICmpSGE(C, B.getInt32(First)), B.CreateICmpSLT(C, B.getInt32(End))), Look,
      Other);
  B.SetInsertPoint(Other);
  B.CreateRet(C);
  B.SetInsertPoint(Look);
  B.CreateRet(B.CreateLoad(B.getInt32Ty(), B.CreateInBoundsGEP(B.getInt32Ty(), Zero, Index)));
}

} // namespace

bool ka::isCharacterFunction(StringRef CName) { return tableOf(CName) != Table::None; }

void ka::defineCharacterFunctions(Module &M) {
  for (Function &F : M)
    if (F.isDeclaration() && isCharacterFunction(F.getName()) && hasSignature(F))
      define(F);
}
