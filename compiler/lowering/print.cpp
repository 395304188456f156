//===- print.cpp - printf, puts and putchar in kernels --------------------===//
//
// A call becomes
//
//   lengths of strings, which are found by looking for their ends;
//   if (buffer->used <= buffer->capacity && size <= buffer->capacity &&
//       (at = atomic_add(&buffer->used, size)) + size <= buffer->capacity)
//     the record is written at buffer->bytes + at, its size last;
//   else
//     atomic_add(&buffer->lost, 1);
//
// The first question keeps `used` from growing with each item that finds the buffer
// full. Only those add to it in vain that asked before it was full, each once, the
// size of its record: it wraps around only if such items, all under way at the same
// moment, come to 4 GiB. The format is a constant, so it is stored by immediate
// values and no table has to outlive the kernel.
//
// Vectors come as clang passes them to functions with variable arguments on the
// host: as a value of any type with as many bytes, or behind a pointer.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/print.h"
#include "compiler/lowering/calls.h"
#include "compiler/lowering/mailbox.h"
#include "compiler/lowering/print_format.h"
#include "ka/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Endian.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cstddef>
#include <optional>

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

/// One of the eight-byte slots of a record.
struct Slot {
  char Tag;
  Value *Stored; // of a string its length, or all ones for a null pointer
  // Of strings.
  Value *String = nullptr;
  Value *Length = nullptr;                         // 64 bits
  std::optional<std::string> Known = std::nullopt; // its bytes
};

/// Replaces one call.
class Writer {
public:
  Writer(CallInst &Call, Value *Buffer, ka::DiagnosticHandler Report)
      : Call(Call), B(&Call), Buffer(Buffer), Report(Report), Next(1) {}

  bool run() {
    StringRef Text;
    if (!getConstantStringInfo(Call.getArgOperand(0), Text))
      return fail("the format of printf in a kernel must be a string constant, which this is not "
                  "once all calls are inlined; print a variable string with '%s'");
    PrintFormat Format = parsePrintFormat(Text);
    if (!Format.Error.empty())
      return fail("in the format of printf: " + Format.Error);
    for (const PrintConversion &C : Format.Conversions) {
      Conversion = Text.slice(C.Begin, C.End);
      if (!take(C))
        return false;
    }
    std::string Header = Text.str();
    Header += '\0';
    for (const Slot &S : Slots)
      Header += S.Tag;
    write(Header);
    return true;
  }

private:
  //===- Arguments --------------------------------------------------------===//

  bool take(const PrintConversion &C) {
    if (C.TakesWidth && !takeStar())
      return false;
    Value *Precision = nullptr;
    if (C.TakesPrecision) {
      if (!takeStar())
        return false;
      Precision = Slots.back().Stored;
    } else if (C.HasPrecision) {
      Precision = B.getInt64(C.Precision);
    }
    Value *V = argument();
    if (!V)
      return false;
    if (C.Elements)
      return takeVector(C, V);
    switch (C.kind()) {
    case PrintConversion::String:
      return takeString(V, Precision);
    case PrintConversion::Pointer:
    case PrintConversion::Integer:
      return takeInteger(V, C.isSigned());
    case PrintConversion::Floating:
      return takeFloating(V);
    }
    return false;
  }

  Value *argument() {
    if (Next < Call.arg_size())
      return Call.getArgOperand(Next++);
    fail("the format of printf asks for more arguments than there are: there is none for '" +
         Conversion + "'");
    return nullptr;
  }

  bool takeStar() {
    Value *V = argument();
    return V && takeInteger(V, true);
  }

  bool takeInteger(Value *V, bool Signed) {
    if (V->getType()->isPointerTy() && !isVector())
      V = B.CreatePtrToInt(V, B.getInt64Ty());
    if (!V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64)
      return mismatch("an integer");
    Slots.push_back({KA__PRINT_INTEGER, B.CreateIntCast(V, B.getInt64Ty(), Signed)});
    return true;
  }

  bool takeFloating(Value *V) {
    if (V->getType()->isHalfTy())
      V = B.CreateFPExt(V, B.getFloatTy());
    if (!V->getType()->isFloatTy() && !V->getType()->isDoubleTy())
      return mismatch("a number of type float or double");
    Slots.push_back({V->getType()->isFloatTy() ? KA__PRINT_FLOAT : KA__PRINT_DOUBLE, V});
    return true;
  }

  bool takeString(Value *V, Value *Precision) {
    if (!V->getType()->isPointerTy() || isVector())
      return mismatch("a pointer to a string");
    Slot S{KA__PRINT_STRING, nullptr, V};
    StringRef Text;
    if (getConstantStringInfo(V, Text) && (!Precision || isa<ConstantInt>(Precision))) {
      if (Precision)
        Text = Text.take_front(cast<ConstantInt>(Precision)->getSExtValue());
      S.Known = Text.str();
      S.Length = S.Stored = B.getInt64(Text.size());
    } else {
      Value *Null = B.CreateIsNull(V);
      S.Length = lengthOf(V, Null, Precision);
      S.Stored = B.CreateSelect(Null, B.getInt64(KA__PRINT_NULL), S.Length);
    }
    Slots.push_back(std::move(S));
    return true;
  }

  bool takeVector(const PrintConversion &C, Value *V) {
    Type *Memory = isVector() ? Call.getParamByValType(Next - 1) : nullptr;
    Type *Whole = Memory ? Memory : V->getType();
    uint64_t Bytes = layout().getTypeAllocSize(Whole);
    unsigned Size = C.elementBytes() ? C.elementBytes() : Bytes / C.room();
    Type *Element = elementType(C, Size);
    if (!Element || Bytes != uint64_t(Size) * C.room() || (!Memory && Whole->isPointerTy()))
      return mismatch("a vector of that size");
    if (!Memory) {
      // The bytes, as those of a vector.
      auto *Given = dyn_cast<FixedVectorType>(Whole);
      unsigned Count = Given && Given->getNumElements() == C.Elements ? C.Elements : C.room();
      auto *Wanted = FixedVectorType::get(Element, Count);
      if (layout().getTypeSizeInBits(Whole) != layout().getTypeSizeInBits(Wanted))
        return mismatch("a vector of that size");
      V = B.CreateBitCast(V, Wanted);
    }
    for (unsigned I = 0; I != C.Elements; ++I) {
      Value *Each = Memory ? B.CreateAlignedLoad(
                                 Element, B.CreateConstInBoundsGEP1_64(Element, V, I), Align(Size))
                           : B.CreateExtractElement(V, I);
      if (Element->isIntegerTy())
        Slots.push_back({KA__PRINT_INTEGER, B.CreateIntCast(Each, B.getInt64Ty(), C.isSigned())});
      else
        takeFloating(Each);
    }
    return true;
  }

  Type *elementType(const PrintConversion &C, unsigned Size) {
    if (C.kind() == PrintConversion::Integer)
      return Size == 1 || Size == 2 || Size == 4 || Size == 8 ? B.getIntNTy(Size * 8) : nullptr;
    return Size == 2   ? B.getHalfTy()
           : Size == 4 ? B.getFloatTy()
           : Size == 8 ? B.getDoubleTy()
                       : nullptr;
  }

  /// Whether the argument taken last is a vector behind a pointer.
  bool isVector() const { return Call.isByValArgument(Next - 1); }

  /// The number of bytes before the string's end, as far as they are printed; no more
  /// than the buffer could hold are looked at.
  Value *lengthOf(Value *String, Value *IsNull, Value *Precision) {
    Value *Limit = B.CreateAdd(capacity(), B.getInt64(1));
    if (Precision) {
      Value *Least = B.CreateSelect(B.CreateICmpULT(Precision, Limit), Precision, Limit);
      Limit = B.CreateSelect(B.CreateICmpSLT(Precision, B.getInt64(0)), Limit, Least);
    }
    Limit = B.CreateSelect(IsNull, B.getInt64(0), Limit);
    BasicBlock *Head = split();
    BasicBlock *Loop = block("print.length"), *Look = block("print.look"),
               *Step = block("print.step");
    branch(Head, Loop);
    B.SetInsertPoint(Loop);
    PHINode *I = B.CreatePHI(B.getInt64Ty(), 2);
    I->addIncoming(B.getInt64(0), Head);
    B.CreateCondBr(B.CreateICmpULT(I, Limit), Look, Rest);
    B.SetInsertPoint(Look);
    Value *Byte = B.CreateLoad(B.getInt8Ty(), B.CreateInBoundsGEP(B.getInt8Ty(), String, I));
    B.CreateCondBr(B.CreateICmpEQ(Byte, B.getInt8(0)), Rest, Step);
    B.SetInsertPoint(Step);
    I->addIncoming(B.CreateAdd(I, B.getInt64(1)), Step);
    B.CreateBr(Loop);
    B.SetInsertPoint(&Call);
    return I;
  }

  //===- The record -------------------------------------------------------===//

  void write(StringRef Header) {
    uint64_t HeaderBytes = alignTo(Header.size(), 8);
    uint64_t Fixed = 8 + HeaderBytes + 8 * Slots.size();
    Value *Size = B.getInt64(Fixed);
    for (const Slot &S : Slots)
      if (S.Length)
        Size = B.CreateAdd(Size, roundUp(S.Length));

    Type *I32 = B.getInt32Ty();
    Value *Used = field(offsetof(ka__print_buffer, used));
    Value *Capacity = capacity();
    LoadInst *Before = B.CreateAlignedLoad(I32, Used, Align(4));
    Before->setAtomic(AtomicOrdering::Monotonic);
    Value *HasRoom = B.CreateAnd(B.CreateICmpULE(B.CreateZExt(Before, B.getInt64Ty()), Capacity),
                                 B.CreateICmpULE(Size, Capacity));
    BasicBlock *Head = split();
    BasicBlock *Reserve = block("print.reserve"), *Write = block("print.write"),
               *Lost = block("print.lost");
    Head->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Head);
    B.CreateCondBr(HasRoom, Reserve, Lost);

    B.SetInsertPoint(Reserve);
    Value *At = B.CreateZExt(B.CreateAtomicRMW(AtomicRMWInst::Add, Used, B.CreateTrunc(Size, I32),
                                               Align(4), AtomicOrdering::Monotonic),
                             B.getInt64Ty());
    B.CreateCondBr(B.CreateICmpULE(B.CreateAdd(At, Size), Capacity), Write, Lost);

    B.SetInsertPoint(Lost);
    B.CreateAtomicRMW(AtomicRMWInst::Add, field(offsetof(ka__print_buffer, lost)), B.getInt32(1),
                      Align(4), AtomicOrdering::Monotonic);
    B.CreateBr(Rest);

    B.SetInsertPoint(Write);
    Value *Record =
        B.CreateInBoundsGEP(B.getInt8Ty(), field(sizeof(ka__print_buffer)), At, "ka.record");
    storeBytes(Record, 8, Header);
    uint64_t Offset = 8 + HeaderBytes;
    for (const Slot &S : Slots) {
      B.CreateAlignedStore(S.Stored, at(Record, Offset), Align(8));
      Offset += 8;
    }
    Value *End = at(Record, Offset);
    for (const Slot &S : Slots)
      if (S.Length)
        End = storeString(End, S);
    B.CreateAlignedStore(B.getInt32(Header.size()), at(Record, 4), Align(4));
    // Whoever sees its size sees the record.
    StoreInst *Last = B.CreateAlignedStore(B.CreateTrunc(Size, I32), Record, Align(8));
    Last->setAtomic(AtomicOrdering::Release);
    B.CreateBr(Rest);
    BasicBlock *Written = B.GetInsertBlock();

    B.SetInsertPoint(Rest, Rest->begin());
    PHINode *Result = B.CreatePHI(I32, 2);
    Result->addIncoming(B.getInt32(0), Written);
    Result->addIncoming(B.getInt32(-1), Lost);
    Call.replaceAllUsesWith(Result);
    Call.eraseFromParent();
  }

  /// Bytes that are known, eight at a time, with zeros behind them.
  void storeBytes(Value *To, uint64_t Offset, StringRef Bytes) {
    for (; !Bytes.empty();
         Offset += 8, Bytes = Bytes.drop_front(std::min<size_t>(8, Bytes.size()))) {
      char Word[8] = {};
      copy(Bytes.take_front(8), Word);
      B.CreateAlignedStore(B.getInt64(support::endian::read64le(Word)), at(To, Offset), Align(8));
    }
  }

  /// Returns where the next one goes.
  Value *storeString(Value *To, const Slot &S) {
    if (S.Known) {
      storeBytes(To, 0, *S.Known);
      return at(To, alignTo(S.Known->size(), 8));
    }
    BasicBlock *Before = B.GetInsertBlock(), *Loop = block("print.copy"),
               *Copy = block("print.byte"), *After = block("print.copied");
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
    PHINode *I = B.CreatePHI(B.getInt64Ty(), 2);
    I->addIncoming(B.getInt64(0), Before);
    B.CreateCondBr(B.CreateICmpULT(I, S.Length), Copy, After);
    B.SetInsertPoint(Copy);
    Type *Byte = B.getInt8Ty();
    B.CreateStore(B.CreateLoad(Byte, B.CreateInBoundsGEP(Byte, S.String, I)),
                  B.CreateInBoundsGEP(Byte, To, I));
    I->addIncoming(B.CreateAdd(I, B.getInt64(1)), Copy);
    B.CreateBr(Loop);
    B.SetInsertPoint(After);
    return B.CreateInBoundsGEP(Byte, To, roundUp(S.Length));
  }

  Value *roundUp(Value *Length) {
    return B.CreateAnd(B.CreateAdd(Length, B.getInt64(7)), B.getInt64(~uint64_t(7)));
  }
  Value *at(Value *Record, uint64_t Offset) {
    return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Record, Offset) : Record;
  }
  Value *field(uint64_t Offset) { return at(Buffer, Offset); }
  Value *capacity() {
    Value *Field = field(offsetof(ka__print_buffer, capacity));
    return B.CreateZExt(B.CreateAlignedLoad(B.getInt32Ty(), Field, Align(4)), B.getInt64Ty());
  }

  //===- Blocks -----------------------------------------------------------===//

  /// Everything from the call on goes into a block of its own, `Rest`; returns what was
  /// before, which ends with a branch there.
  BasicBlock *split() {
    BasicBlock *Head = Call.getParent();
    Rest = Head->splitBasicBlock(&Call, "print.rest");
    return Head;
  }
  BasicBlock *block(const Twine &Name) {
    return BasicBlock::Create(Call.getContext(), Name, Rest->getParent(), Rest);
  }
  void branch(BasicBlock *From, BasicBlock *To) { From->getTerminator()->setSuccessor(0, To); }

  //===- What cannot be printed -------------------------------------------===//

  bool mismatch(const Twine &Wanted) {
    return fail("in the format of printf: '" + Conversion + "' needs " + Wanted +
                ", and gets something else");
  }

  bool fail(const Twine &Message) {
    Diagnostic D;
    D.Message = Message.str();
    D.Location = Call.getDebugLoc();
    D.Kernel = Call.getFunction()->getName();
    Report(D);
    return false;
  }

  const DataLayout &layout() const { return Call.getDataLayout(); }

  CallInst &Call;
  IRBuilder<> B;
  Value *Buffer;
  ka::DiagnosticHandler Report;
  unsigned Next; // argument to be taken
  StringRef Conversion;
  SmallVector<Slot, 8> Slots;
  BasicBlock *Rest = nullptr;
};

bool isPrintCall(const Instruction &I) { return calledName(I) == PrintName; }

/// printf(n == 1 ? "one" : "many"): a call for each of the formats.
void splitFormats(SmallVectorImpl<CallInst *> &Calls) {
  for (size_t I = 0; I != Calls.size(); ++I) {
    CallInst *Call = Calls[I];
    while (auto *Choice = dyn_cast<SelectInst>(Call->getArgOperand(0))) {
      Instruction *Then, *Else;
      SplitBlockAndInsertIfThenElse(Choice->getCondition(), Call->getIterator(), &Then, &Else);
      auto *Other = cast<CallInst>(Call->clone());
      Other->insertBefore(Else);
      Other->setArgOperand(0, Choice->getFalseValue());
      BasicBlock *Meeting = Call->getParent();
      Call->moveBefore(Then);
      Call->setArgOperand(0, Choice->getTrueValue());
      PHINode *Result = PHINode::Create(Call->getType(), 2, "", Meeting->begin());
      Call->replaceAllUsesWith(Result);
      Result->addIncoming(Call, Call->getParent());
      Result->addIncoming(Other, Other->getParent());
      Calls.push_back(Other);
    }
  }
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

bool ka::hasPrints(const Function &F) { return any_of(instructions(F), isPrintCall); }

bool ka::writePrints(Function &F, ka::DiagnosticHandler Report) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (isPrintCall(I))
      Calls.push_back(cast<CallInst>(&I));
  if (Calls.empty())
    return true;
  splitFormats(Calls);
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Place =
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), mailboxOf(F), offsetof(ka_mailbox, prints));
  Value *Buffer = B.CreateAlignedLoad(B.getPtrTy(), Place, Align(8), "ka.prints");
  // What is wrong is wrong in both entry points, and the plain one comes first.
  auto Silent = [](const Diagnostic &) {};
  bool Second = F.getName().ends_with(KA__PADDED_SUFFIX);
  bool Good = true;
  for (CallInst *Call : Calls)
    Good &= Writer(*Call, Buffer, Second ? ka::DiagnosticHandler(Silent) : Report).run();
  return Good;
}
