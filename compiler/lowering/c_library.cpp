//===- c_library.cpp - C library functions that kernels may call ----------===//
//
// A function that OpenCL has with C's meaning becomes OpenCL's, one that a few
// plain instructions express becomes an intrinsic, which arithmetic.cpp turns
// into those instructions. Functions with results behind pointers (frexp, modf,
// sincos) are put together from others, so that no pointer leaves the kernel.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/c_library.h"
#include "compiler/lowering/character_functions.h"
#include "compiler/lowering/print_calls.h"
#include "compiler/lowering/string_functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include <cmath>

using namespace llvm;
using namespace ka;

namespace {

enum class Form {
  OpenCL,    // the OpenCL function `Target`, same arguments and result
  Intrinsic, // the LLVM intrinsic, overloaded on the first argument's type
  Integer,   // OpenCL `Target`, then converted to the C function's integer result
  Exponent,  // OpenCL `Target`; the last argument is converted to int
  Frexp,
  Ilogb,
  LgammaR,
  Modf,
  Nan,
  Remquo,
  Sincos,
  Abs,
  Divide, // the result is a structure, or both its members in one integer
  Copy,
  Move,
  Set,
};

struct Entry {
  StringLiteral Name; // of the double form; "f" is added for float
  Form Kind;
  StringLiteral Target = "";
  Intrinsic::ID ID = Intrinsic::not_intrinsic;
};

/// Functions with a double and a float form.
constexpr Entry MathTable[] = {
    {"acos", Form::OpenCL, "acos"},
    {"acosh", Form::OpenCL, "acosh"},
    {"asin", Form::OpenCL, "asin"},
    {"asinh", Form::OpenCL, "asinh"},
    {"atan", Form::OpenCL, "atan"},
    {"atan2", Form::OpenCL, "atan2"},
    {"atanh", Form::OpenCL, "atanh"},
    {"cbrt", Form::OpenCL, "cbrt"},
    {"ceil", Form::Intrinsic, "", Intrinsic::ceil},
    {"copysign", Form::Intrinsic, "", Intrinsic::copysign},
    {"cos", Form::OpenCL, "cos"},
    {"cosh", Form::OpenCL, "cosh"},
    {"erf", Form::OpenCL, "erf"},
    {"erfc", Form::OpenCL, "erfc"},
    {"exp", Form::OpenCL, "exp"},
    {"exp10", Form::OpenCL, "exp10"},
    {"exp2", Form::OpenCL, "exp2"},
    {"expm1", Form::OpenCL, "expm1"},
    {"fabs", Form::Intrinsic, "", Intrinsic::fabs},
    {"fdim", Form::OpenCL, "fdim"},
    {"floor", Form::Intrinsic, "", Intrinsic::floor},
    {"fma", Form::Intrinsic, "", Intrinsic::fma},
    {"fmax", Form::Intrinsic, "", Intrinsic::maxnum},
    {"fmin", Form::Intrinsic, "", Intrinsic::minnum},
    {"fmod", Form::OpenCL, "fmod"},
    {"frexp", Form::Frexp},
    {"hypot", Form::OpenCL, "hypot"},
    {"ilogb", Form::Ilogb},
    {"ldexp", Form::OpenCL, "ldexp"},
    {"lgamma", Form::OpenCL, "lgamma"},
    {"llrint", Form::Integer, "rint"},
    {"llround", Form::Integer, "round"},
    {"log", Form::OpenCL, "log"},
    {"log10", Form::OpenCL, "log10"},
    {"log1p", Form::OpenCL, "log1p"},
    {"log2", Form::OpenCL, "log2"},
    {"logb", Form::OpenCL, "logb"},
    {"lrint", Form::Integer, "rint"},
    {"lround", Form::Integer, "round"},
    {"modf", Form::Modf},
    {"nan", Form::Nan},
    {"nearbyint", Form::Intrinsic, "", Intrinsic::nearbyint},
    {"nextafter", Form::OpenCL, "nextafter"},
    {"pow", Form::OpenCL, "pow"},
    {"remainder", Form::OpenCL, "remainder"},
    {"remquo", Form::Remquo},
    {"rint", Form::Intrinsic, "", Intrinsic::rint},
    {"round", Form::Intrinsic, "", Intrinsic::round},
    {"scalbln", Form::Exponent, "ldexp"},
    {"scalbn", Form::OpenCL, "ldexp"},
    {"sin", Form::OpenCL, "sin"},
    {"sincos", Form::Sincos},
    {"sinh", Form::OpenCL, "sinh"},
    {"sqrt", Form::OpenCL, "sqrt"},
    {"tan", Form::OpenCL, "tan"},
    {"tanh", Form::OpenCL, "tanh"},
    {"tgamma", Form::OpenCL, "tgamma"},
    {"trunc", Form::Intrinsic, "", Intrinsic::trunc},
};

/// Functions of other types.
constexpr Entry OtherTable[] = {
    {"abs", Form::Abs},          {"labs", Form::Abs},          {"llabs", Form::Abs},
    {"div", Form::Divide},       {"ldiv", Form::Divide},       {"lldiv", Form::Divide},
    {"memcpy", Form::Copy},      {"memmove", Form::Move},      {"memset", Form::Set},
    {"lgamma_r", Form::LgammaR}, {"lgammaf_r", Form::LgammaR},
};

const StringMap<const Entry *> &table() {
  static const StringMap<const Entry *> Map = [] {
    StringMap<const Entry *> M;
    for (const Entry &E : MathTable) {
      M[E.Name] = &E;
      M[(E.Name + "f").str()] = &E;
    }
    for (const Entry &E : OtherTable)
      M[E.Name] = &E;
    return M;
  }();
  return Map;
}

/// The letters of the Itanium ABI for a scalar or vector of OpenCL C.
std::string mangledType(Type *T, std::string &LastVector) {
  if (auto *V = dyn_cast<FixedVectorType>(T)) {
    std::string Element = mangledType(V->getElementType(), LastVector);
    std::string Full = "Dv" + std::to_string(V->getNumElements()) + "_" + Element;
    // A second mention of the same type is a substitution.
    if (Full == LastVector)
      return "S_";
    LastVector = Full;
    return Full;
  }
  if (T->isHalfTy())
    return "Dh";
  if (T->isFloatTy())
    return "f";
  if (T->isDoubleTy())
    return "d";
  switch (T->getIntegerBitWidth()) {
  case 8:
    return "c";
  case 16:
    return "s";
  case 32:
    return "i";
  default:
    return "l";
  }
}

class Mapper {
public:
  explicit Mapper(Module &M) : TLIImpl(Triple(M.getTargetTriple())), TLI(TLIImpl) {}

  void map(CallInst &Call) {
    Function *F = Call.getCalledFunction();
    auto Found = table().find(F->getName());
    if (Found == table().end() || !hasSignature(*Found->second, *F))
      return;
    IRBuilder<> B(&Call);
    if (isa<FPMathOperator>(Call))
      B.setFastMathFlags(Call.getFastMathFlags());
    Value *Result = fold(Call, *F);
    if (!Result)
      Result = replacement(B, *Found->second, Call);
    if (!Call.getType()->isVoidTy())
      Call.replaceAllUsesWith(Result);
    Call.eraseFromParent();
  }

private:
  /// A program may have a function of its own with such a name, or a broken
  /// declaration.
  static bool hasSignature(const Entry &E, Function &F) {
    FunctionType *T = F.getFunctionType();
    if (F.hasFnAttribute(Attribute::NoBuiltin) || T->isVarArg() || T->getNumParams() == 0)
      return false;
    Type *First = T->getParamType(0), *Result = T->getReturnType();
    unsigned N = T->getNumParams();
    bool Floating = First->isFloatTy() || First->isDoubleTy();
    switch (E.Kind) {
    case Form::OpenCL:
    case Form::Exponent:
      return Floating && (Result == First || Result->isIntegerTy()) && N <= 3;
    case Form::Intrinsic:
      return Floating && Result == First &&
             all_of(T->params(), [&](Type *P) { return P == First; });
    case Form::Ilogb:
    case Form::Integer:
      return Floating && Result->isIntegerTy() && N == 1;
    case Form::Frexp:
    case Form::LgammaR:
    case Form::Modf:
      return Floating && Result == First && N == 2 && T->getParamType(1)->isPointerTy();
    case Form::Nan:
      return First->isPointerTy() && (Result->isFloatTy() || Result->isDoubleTy()) && N == 1;
    case Form::Remquo:
      return Floating && Result == First && N == 3 && T->getParamType(1) == First &&
             T->getParamType(2)->isPointerTy();
    case Form::Sincos:
      return Floating && Result->isVoidTy() && N == 3;
    case Form::Abs:
      return First->isIntegerTy() && Result == First && N == 1;
    case Form::Divide:
      return First->isIntegerTy() && N == 2 && T->getParamType(1) == First &&
             holdsTwo(Result, First);
    case Form::Copy:
    case Form::Move:
      return First->isPointerTy() && N == 3 && T->getParamType(1)->isPointerTy();
    case Form::Set:
      return First->isPointerTy() && N == 3 && T->getParamType(1)->isIntegerTy();
    }
    return false;
  }

  /// The host's ABI makes a structure or one integer of two integers.
  static bool holdsTwo(Type *Result, Type *Each) {
    if (auto *S = dyn_cast<StructType>(Result))
      return S->getNumElements() == 2 && all_of(S->elements(), [=](Type *E) { return E == Each; });
    if (auto *A = dyn_cast<ArrayType>(Result))
      return A->getNumElements() == 2 && A->getElementType() == Each;
    return Result->isIntegerTy(2 * Each->getIntegerBitWidth());
  }

  Value *fold(CallInst &Call, Function &F) {
    SmallVector<Constant *, 4> Args;
    for (Value *A : Call.args()) {
      auto *C = dyn_cast<Constant>(A);
      if (!C || A->getType()->isPointerTy())
        return nullptr;
      Args.push_back(C);
    }
    return ConstantFoldCall(&Call, &F, Args, &TLI);
  }

  static Value *replacement(IRBuilder<> &B, const Entry &E, CallInst &Call) {
    SmallVector<Value *, 4> Args(Call.args());
    Type *T = Args[0]->getType();
    switch (E.Kind) {
    case Form::OpenCL:
      return callDeviceFunction(B, E.Target, Call.getType(), Args);
    case Form::Intrinsic:
      return B.CreateIntrinsic(E.ID, {T}, Args);
    case Form::Integer:
      return B.CreateFPToSI(
          B.CreateUnaryIntrinsic(E.Target == "rint" ? Intrinsic::rint : Intrinsic::round, Args[0]),
          Call.getType());
    case Form::Exponent:
      Args[1] = exponent(B, Args[1]);
      return callDeviceFunction(B, E.Target, Call.getType(), Args);
    case Form::Frexp:
      return frexp(B, Args[0], Args[1]);
    case Form::Ilogb:
      return ilogb(B, Args[0]);
    case Form::LgammaR:
      B.CreateStore(signOfGamma(B, Args[0]), Args[1]);
      return callDeviceFunction(B, "lgamma", T, Args[0]);
    case Form::Modf:
      return modf(B, Args[0], Args[1]);
    case Form::Nan:
      // What the text says of the bits is the implementation's to define.
      return ConstantFP::getNaN(Call.getType());
    case Form::Remquo:
      B.CreateStore(quotient(B, Args[0], Args[1]), Args[2]);
      return callDeviceFunction(B, "remainder", T, {Args[0], Args[1]});
    case Form::Sincos:
      B.CreateStore(callDeviceFunction(B, "sin", T, Args[0]), Args[1]);
      return B.CreateStore(callDeviceFunction(B, "cos", T, Args[0]), Args[2]);
    case Form::Abs:
      return B.CreateBinaryIntrinsic(Intrinsic::abs, Args[0], B.getFalse());
    case Form::Divide:
      return bothOf(B, Call.getType(), B.CreateSDiv(Args[0], Args[1]),
                    B.CreateSRem(Args[0], Args[1]));
    case Form::Copy:
      B.CreateMemCpy(Args[0], MaybeAlign(1), Args[1], MaybeAlign(1), Args[2]);
      return Args[0];
    case Form::Move:
      B.CreateMemMove(Args[0], MaybeAlign(1), Args[1], MaybeAlign(1), Args[2]);
      return Args[0];
    case Form::Set:
      B.CreateMemSet(Args[0], B.CreateTrunc(Args[1], B.getInt8Ty()), Args[2], MaybeAlign(1));
      return Args[0];
    }
    return nullptr;
  }

  /// The first lies in the lower half: hosts are little-endian.
  static Value *bothOf(IRBuilder<> &B, Type *Both, Value *First, Value *Second) {
    if (Both->isAggregateType())
      return B.CreateInsertValue(B.CreateInsertValue(PoisonValue::get(Both), First, 0), Second, 1);
    Value *High = B.CreateShl(B.CreateZExt(Second, Both), First->getType()->getIntegerBitWidth());
    return B.CreateOr(B.CreateZExt(First, Both), High);
  }

  /// A long as ldexp's int: beyond these bounds every value gives the same.
  static Value *exponent(IRBuilder<> &B, Value *E) {
    Constant *Low = B.getInt64(-100000), *High = B.getInt64(100000);
    E = B.CreateSelect(B.CreateICmpSLT(E, Low), Low, E);
    E = B.CreateSelect(B.CreateICmpSGT(E, High), High, E);
    return B.CreateTrunc(E, B.getInt32Ty());
  }

  /// frexp from ilogb and ldexp: the significand lies in [0.5, 1). Zeros,
  /// infinities and NaN are their own significand, with exponent 0.
  static Value *frexp(IRBuilder<> &B, Value *X, Value *Exponent) {
    Type *T = X->getType(), *I32 = B.getInt32Ty();
    Value *E = B.CreateAdd(callDeviceFunction(B, "ilogb", I32, X), B.getInt32(1));
    Value *S = callDeviceFunction(B, "ldexp", T, {X, B.CreateNeg(E)});
    Value *Magnitude = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
    Value *Ordinary = B.CreateAnd(B.CreateFCmpOGT(Magnitude, ConstantFP::getZero(T)),
                                  B.CreateFCmpOLT(Magnitude, ConstantFP::getInfinity(T)));
    B.CreateStore(B.CreateSelect(Ordinary, E, B.getInt32(0)), Exponent);
    return B.CreateSelect(Ordinary, S, X);
  }

  /// With the host's FP_ILOGB0 and FP_ILOGBNAN, which need not be OpenCL's.
  static Value *ilogb(IRBuilder<> &B, Value *X) {
    Type *I32 = B.getInt32Ty();
    Value *R = callDeviceFunction(B, "ilogb", I32, X);
    R = B.CreateSelect(B.CreateFCmpOEQ(X, ConstantFP::getZero(X->getType())),
                       ConstantInt::get(I32, FP_ILOGB0, true), R);
    return B.CreateSelect(B.CreateFCmpUNO(X, X), ConstantInt::get(I32, FP_ILOGBNAN, true), R);
  }

  /// -1 where the gamma function is negative, which is in every other interval
  /// between negative integers, and at -0; else 1.
  static Value *signOfGamma(IRBuilder<> &B, Value *X) {
    Type *T = X->getType();
    auto Floor = [&](Value *V) { return B.CreateUnaryIntrinsic(Intrinsic::floor, V); };
    Value *Below = Floor(X), *Half = B.CreateFMul(Below, ConstantFP::get(T, 0.5));
    Value *Odd = B.CreateFCmpONE(Half, Floor(Half));
    Value *Between = B.CreateAnd(Odd, B.CreateFCmpONE(Below, X));
    Value *AtZero = B.CreateFCmpOEQ(X, ConstantFP::getZero(T));
    Value *Negative = B.CreateAnd(isNegative(B, X), B.CreateOr(Between, AtZero));
    return B.CreateSelect(Negative, B.getInt32(-1), B.getInt32(1));
  }

  static Value *isNegative(IRBuilder<> &B, Value *X) {
    Type *T = B.getIntNTy(X->getType()->getScalarSizeInBits());
    return B.CreateICmpSLT(B.CreateBitCast(X, T), Constant::getNullValue(T));
  }

  /// remquo's quotient, from 0 to 8, of which C wants the last three bits and
  /// the sign. What is left of x beyond a multiple of 8 y has the same bits, and
  /// its quotient can be computed; 0 where there is none.
  static Value *quotient(IRBuilder<> &B, Value *X, Value *Y) {
    Type *T = X->getType();
    IRBuilderBase::FastMathFlagGuard Guard(B);
    B.clearFastMathFlags();
    Value *AX = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
    Value *AY = B.CreateUnaryIntrinsic(Intrinsic::fabs, Y);
    Value *Eight = B.CreateFMul(AY, ConstantFP::get(T, 8.0));
    // Where 8 y is too large for the type, x cannot reach it.
    Value *Rest = B.CreateSelect(B.CreateFCmpOLT(Eight, ConstantFP::getInfinity(T)),
                                 callDeviceFunction(B, "fmod", T, {AX, Eight}), AX);
    Value *Multiple = B.CreateFSub(Rest, callDeviceFunction(B, "remainder", T, {Rest, AY}));
    Value *Q = B.CreateFAdd(B.CreateFDiv(Multiple, AY), ConstantFP::get(T, 0.5));
    Q = B.CreateSelect(B.CreateFCmpORD(Q, Q), Q, ConstantFP::getZero(T));
    Value *Magnitude = B.CreateFPToSI(Q, B.getInt32Ty());
    Value *Negative = B.CreateXor(isNegative(B, X), isNegative(B, Y));
    return B.CreateSelect(Negative, B.CreateNeg(Magnitude), Magnitude);
  }

  /// Both parts have the sign of the argument; an infinity's fraction is 0.
  static Value *modf(IRBuilder<> &B, Value *X, Value *Integral) {
    Type *T = X->getType();
    Value *I = B.CreateUnaryIntrinsic(Intrinsic::trunc, X);
    B.CreateStore(I, Integral);
    Value *Infinite =
        B.CreateFCmpOEQ(B.CreateUnaryIntrinsic(Intrinsic::fabs, X), ConstantFP::getInfinity(T));
    Value *Fraction = B.CreateSelect(Infinite, ConstantFP::getZero(T), B.CreateFSub(X, I));
    return B.CreateCopySign(Fraction, X);
  }

  TargetLibraryInfoImpl TLIImpl;
  TargetLibraryInfo TLI;
};

} // namespace

bool ka::isDeviceLibraryFunction(StringRef CName) {
  return table().contains(CName) || isStringFunction(CName) || isCharacterFunction(CName) ||
         isPrintFunction(CName);
}

std::string ka::deviceLibraryFunctions() {
  SmallVector<StringRef, 32> Names;
  for (const Entry &E : OtherTable)
    if (E.Kind != Form::LgammaR)
      Names.push_back(E.Name);
  append_range(Names, stringFunctions());
  append_range(Names, printFunctions());
  return join(Names, ", ");
}

CallInst *ka::callDeviceFunction(IRBuilderBase &B, StringRef Name, Type *Result,
                                 ArrayRef<Value *> Args) {
  std::string Mangled = "_Z" + std::to_string(Name.size()) + Name.str();
  std::string LastVector;
  SmallVector<Type *, 4> Types;
  for (Value *A : Args) {
    Types.push_back(A->getType());
    Mangled += mangledType(A->getType(), LastVector);
  }
  Module &M = *B.GetInsertBlock()->getModule();
  auto *F = cast<Function>(
      M.getOrInsertFunction(Mangled, FunctionType::get(Result, Types, false)).getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  return B.CreateCall(F, Args);
}

void ka::mapCLibrary(Module &M) {
  Mapper Map(M);
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || F.isIntrinsic() || !table().contains(F.getName()))
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledFunction() == &F)
        Map.map(*Call);
    if (F.use_empty())
      F.eraseFromParent();
  }
}
