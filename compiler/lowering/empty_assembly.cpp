//===- empty_assembly.cpp - Inline assembly without instructions ----------===//

#include "compiler/lowering/empty_assembly.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace {

/// As if both were in one register of the host.
Value *reread(IRBuilder<> &B, Value *V, Type *T) {
  const DataLayout &Layout = B.GetInsertBlock()->getDataLayout();
  TypeSize From = Layout.getTypeSizeInBits(V->getType()), To = Layout.getTypeSizeInBits(T);
  if (From == To)
    return B.CreateBitOrPointerCast(V, T);
  V = B.CreateBitOrPointerCast(V, B.getIntNTy(From));
  return B.CreateBitOrPointerCast(B.CreateZExtOrTrunc(V, B.getIntNTy(To)), T);
}

void drop(CallInst &Call) {
  IRBuilder<> B(&Call);
  InlineAsm::ConstraintInfoVector Constraints =
      cast<InlineAsm>(Call.getCalledOperand())->ParseConstraints();
  // The arguments, by the numbers of their constraints.
  SmallVector<Value *, 8> Arguments;
  unsigned Next = 0;
  for (const InlineAsm::ConstraintInfo &C : Constraints)
    Arguments.push_back(C.hasArg() ? Call.getArgOperand(Next++) : nullptr);
  auto *Several = dyn_cast<StructType>(Call.getType());
  Value *Result = Several ? PoisonValue::get(Several) : nullptr;
  unsigned Member = 0;
  for (const InlineAsm::ConstraintInfo &C : Constraints) {
    if (C.Type != InlineAsm::isOutput || C.isIndirect)
      continue;
    Type *T = Several ? Several->getElementType(Member) : Call.getType();
    Value *Given =
        C.hasMatchingInput() ? reread(B, Arguments[C.MatchingInput], T) : Constant::getNullValue(T);
    Result = Several ? B.CreateInsertValue(Result, Given, Member) : Given;
    Member++;
  }
  if (Result)
    Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
}

} // namespace

void ka::dropEmptyAssembly(Module &M) {
  SmallVector<CallInst *, 4> Found;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
        if (StringRef(cast<InlineAsm>(Call->getCalledOperand())->getAsmString()).trim().empty())
          Found.push_back(Call);
  for (CallInst *Call : Found)
    drop(*Call);
}
