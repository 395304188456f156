//===- print_records.cpp - What kernels print as records in a buffer ------===//
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

#include "compiler/lowering/print_records.h"
#include "compiler/lowering/mailbox.h"
#include "compiler/lowering/print_calls.h"
#include "compiler/lowering/print_format.h"
#include "ka/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Endian.h"
#include <cstddef>
#include <deque>
#include <optional>

using namespace llvm;
using namespace ka;

namespace {

/// One of the eight-byte slots of a record.
struct Slot {
  char Tag;
  Value *Stored; // null for a string whose length is to be found
  // Of such a string.
  Value *String = nullptr;
  Value *Limit = nullptr; // so many bytes at most, 64 bits
  // Of one that is known, its bytes.
  std::optional<std::string> Known = std::nullopt;
};

/// What is to be known of the strings of a call, while it runs: arrays with an element for
/// each, so that one loop can go through them. A driver's compiler takes long for a loop to
/// each string: 17 s for 40 strings, 1.5 s like this. All calls in a function use the same.
struct Strings {
  AllocaInst *Address, *Length, *Place;
  AllocaInst *Bytes; // in the record, of those before
};

/// Replaces one call.
class Writer {
public:
  Writer(CallInst &Call, Value *Buffer, ka::DiagnosticHandler Report)
      : Call(Call), B(&Call), Buffer(Buffer), Report(Report), Next(1) {}

  /// Looks at the format and its arguments. False if they cannot be printed.
  bool take() {
    StringRef Text;
    if (!getConstantStringInfo(Call.getArgOperand(0), Text))
      return fail("the format of printf in a kernel must be a string constant, or be chosen among "
                  "some, which this is not once all calls are inlined; print a variable string "
                  "with '%s'");
    PrintFormat Format = parsePrintFormat(Text);
    if (!Format.Error.empty())
      return fail("in the format of printf: " + Format.Error);
    for (const PrintConversion &C : Format.Conversions) {
      Conversion = Text.slice(C.Begin, C.End);
      if (!take(C))
        return false;
    }
    Header = Text.str();
    Header += '\0';
    for (const Slot &S : Slots)
      Header += S.Tag;
    return true;
  }

  /// The number of strings whose length is to be found.
  unsigned strings() const {
    return count_if(Slots, [](const Slot &S) { return !S.Stored; });
  }

  /// Replaces the call.
  void write(const Strings &Arrays) {
    Found = Arrays;
    BasicBlock *Head = Call.getParent();
    Rest = Head->splitBasicBlock(&Call, "print.rest");
    Head->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Head);
    uint64_t HeaderBytes = alignTo(Header.size(), 8);
    uint64_t Fixed = 8 + HeaderBytes + 8 * Slots.size(), Known = 0;
    for (const Slot &S : Slots)
      if (S.Known)
        Known += alignTo(S.Known->size(), 8);
    Value *Size = B.CreateAdd(B.getInt64(Fixed + Known), measure(Fixed));

    Type *I32 = B.getInt32Ty();
    Value *Used = field(offsetof(ka__print_buffer, used));
    Value *Capacity = capacity();
    LoadInst *Before = B.CreateAlignedLoad(I32, Used, Align(4));
    Before->setAtomic(AtomicOrdering::Monotonic);
    Value *HasRoom = B.CreateAnd(B.CreateICmpULE(B.CreateZExt(Before, B.getInt64Ty()), Capacity),
                                 B.CreateICmpULE(Size, Capacity));
    BasicBlock *Reserve = block("print.reserve"), *Write = block("print.write"),
               *Lost = block("print.lost");
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
    unsigned Count = 0;
    for (const Slot &S : Slots) {
      Value *Stored = S.Stored ? S.Stored : length(B.getInt64(Count++));
      B.CreateAlignedStore(Stored, at(Record, Offset), Align(8));
      Offset += 8;
    }
    storeStrings(Record, Fixed);
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
      S.Stored = B.getInt64(Text.size());
    } else {
      // No more bytes than the buffer could hold are looked at.
      S.Limit = B.CreateAdd(capacity(), B.getInt64(1));
      if (Precision) {
        Value *Least = B.CreateSelect(B.CreateICmpULT(Precision, S.Limit), Precision, S.Limit);
        S.Limit = B.CreateSelect(B.CreateICmpSLT(Precision, B.getInt64(0)), S.Limit, Least);
      }
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

  //===- Strings ----------------------------------------------------------===//

  Value *element(AllocaInst *Array, Value *Index) {
    return B.CreateInBoundsGEP(Array->getAllocatedType()->getArrayElementType(), Array, Index);
  }
  Value *length(Value *Index) { return B.CreateLoad(B.getInt64Ty(), element(Found.Length, Index)); }

  /// Finds the lengths of all and where each goes in a record of which `Fixed` bytes stand
  /// before any string. Returns the number of bytes that those take whose length is to be found.
  Value *measure(uint64_t Fixed) {
    unsigned Count = 0;
    for (const Slot &S : Slots) {
      if (S.Known)
        Fixed += alignTo(S.Known->size(), 8);
      if (!S.Limit)
        continue;
      Value *Index = B.getInt64(Count++);
      B.CreateStore(S.String, element(Found.Address, Index));
      B.CreateStore(S.Limit, element(Found.Length, Index));
      B.CreateStore(B.getInt64(Fixed), element(Found.Place, Index));
    }
    Type *I64 = B.getInt64Ty();
    B.CreateStore(B.getInt64(0), Found.Bytes);
    forEach(Count, [&](Value *Index) {
      Value *String = B.CreateLoad(B.getPtrTy(), element(Found.Address, Index));
      Value *IsNull = B.CreateIsNull(String);
      Value *Length = scan(String, B.CreateSelect(IsNull, B.getInt64(0), length(Index)));
      Value *Place = element(Found.Place, Index), *Before = B.CreateLoad(I64, Found.Bytes);
      B.CreateStore(B.CreateAdd(B.CreateLoad(I64, Place), Before), Place);
      B.CreateStore(B.CreateAdd(Before, roundUp(Length)), Found.Bytes);
      B.CreateStore(B.CreateSelect(IsNull, B.getInt64(KA__PRINT_NULL), Length),
                    element(Found.Length, Index));
    });
    return B.CreateLoad(I64, Found.Bytes);
  }

  /// The number of bytes before the string's end, or the limit.
  Value *scan(Value *String, Value *Limit) {
    BasicBlock *Before = B.GetInsertBlock(), *Loop = block("print.length"),
               *Look = block("print.look"), *Step = block("print.step"), *End = block("print.end");
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
    PHINode *I = B.CreatePHI(B.getInt64Ty(), 2);
    I->addIncoming(B.getInt64(0), Before);
    B.CreateCondBr(B.CreateICmpULT(I, Limit), Look, End);
    B.SetInsertPoint(Look);
    Value *Byte = B.CreateLoad(B.getInt8Ty(), B.CreateInBoundsGEP(B.getInt8Ty(), String, I));
    B.CreateCondBr(B.CreateICmpEQ(Byte, B.getInt8(0)), End, Step);
    B.SetInsertPoint(Step);
    I->addIncoming(B.CreateAdd(I, B.getInt64(1)), Step);
    B.CreateBr(Loop);
    B.SetInsertPoint(End);
    return I;
  }

  void storeStrings(Value *Record, uint64_t Fixed) {
    unsigned Count = 0;
    Value *Bytes = B.getInt64(0);
    for (const Slot &S : Slots) {
      // Those that are known lie between the others.
      if (S.Known) {
        storeBytes(B.CreateInBoundsGEP(B.getInt8Ty(), at(Record, Fixed), Bytes), 0, *S.Known);
        Fixed += alignTo(S.Known->size(), 8);
      } else if (S.Limit) {
        Value *Length = length(B.getInt64(Count++));
        Bytes = B.CreateAdd(Bytes, roundUp(copied(Length)));
      }
    }
    forEach(Count, [&](Value *Index) {
      Value *String = B.CreateLoad(B.getPtrTy(), element(Found.Address, Index));
      Value *Place = B.CreateLoad(B.getInt64Ty(), element(Found.Place, Index));
      copy(B.CreateInBoundsGEP(B.getInt8Ty(), Record, Place), String, copied(length(Index)));
    });
  }

  /// The bytes of a string of that length, which may be a null pointer's.
  Value *copied(Value *Length) {
    return B.CreateSelect(B.CreateICmpEQ(Length, B.getInt64(KA__PRINT_NULL)), B.getInt64(0),
                          Length);
  }

  void copy(Value *To, Value *From, Value *Length) {
    BasicBlock *Before = B.GetInsertBlock(), *Loop = block("print.copy"),
               *Copy = block("print.byte"), *After = block("print.copied");
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
    PHINode *I = B.CreatePHI(B.getInt64Ty(), 2);
    I->addIncoming(B.getInt64(0), Before);
    B.CreateCondBr(B.CreateICmpULT(I, Length), Copy, After);
    B.SetInsertPoint(Copy);
    Type *Byte = B.getInt8Ty();
    B.CreateStore(B.CreateLoad(Byte, B.CreateInBoundsGEP(Byte, From, I)),
                  B.CreateInBoundsGEP(Byte, To, I));
    I->addIncoming(B.CreateAdd(I, B.getInt64(1)), Copy);
    B.CreateBr(Loop);
    B.SetInsertPoint(After);
  }

  /// A loop, unless there is one only.
  void forEach(unsigned Count, function_ref<void(Value *)> Body) {
    if (Count < 2)
      return Count ? Body(B.getInt64(0)) : void();
    BasicBlock *Before = B.GetInsertBlock(), *Loop = block("print.string"),
               *After = block("print.strings");
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
    PHINode *I = B.CreatePHI(B.getInt64Ty(), 2);
    I->addIncoming(B.getInt64(0), Before);
    Body(I);
    Value *Next = B.CreateAdd(I, B.getInt64(1));
    I->addIncoming(Next, B.GetInsertBlock());
    B.CreateCondBr(B.CreateICmpULT(Next, B.getInt64(Count)), Loop, After);
    B.SetInsertPoint(After);
  }

  /// Bytes that are known, eight at a time, with zeros behind them.
  void storeBytes(Value *To, uint64_t Offset, StringRef Bytes) {
    for (; !Bytes.empty();
         Offset += 8, Bytes = Bytes.drop_front(std::min<size_t>(8, Bytes.size()))) {
      char Word[8] = {};
      llvm::copy(Bytes.take_front(8), Word);
      B.CreateAlignedStore(B.getInt64(support::endian::read64le(Word)), at(To, Offset), Align(8));
    }
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

  BasicBlock *block(const Twine &Name) {
    return BasicBlock::Create(Call.getContext(), Name, Rest->getParent(), Rest);
  }

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
  std::string Header; // the format, and the tags of the slots
  Strings Found = {};
  BasicBlock *Rest = nullptr; // what follows the call
};

} // namespace

bool ka::writePrints(Function &F, ka::DiagnosticHandler Report) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (isPrintCall(I))
      Calls.push_back(cast<CallInst>(&I));
  if (Calls.empty())
    return true;
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Place =
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), mailboxOf(F), offsetof(ka_mailbox, prints));
  Value *Buffer = B.CreateAlignedLoad(B.getPtrTy(), Place, Align(8), "ka.prints");
  // What is wrong is wrong in both entry points, and the plain one comes first.
  auto Silent = [](const Diagnostic &) {};
  bool Second = F.getName().ends_with(KA__PADDED_SUFFIX);
  bool Good = true;
  unsigned Longest = 0;
  std::deque<Writer> Writers;
  for (CallInst *Call : Calls) {
    Writer &W =
        Writers.emplace_back(*Call, Buffer, Second ? ka::DiagnosticHandler(Silent) : Report);
    Good &= W.take();
    Longest = std::max(Longest, W.strings());
  }
  if (!Good)
    return false;
  auto Array = [&](Type *T) { return B.CreateAlloca(ArrayType::get(T, Longest)); };
  B.SetInsertPoint(&*F.getEntryBlock().begin());
  Strings Arrays = {Array(B.getPtrTy()), Array(B.getInt64Ty()), Array(B.getInt64Ty()),
                    B.CreateAlloca(B.getInt64Ty())};
  for (Writer &W : Writers)
    W.write(Arrays);
  return true;
}
