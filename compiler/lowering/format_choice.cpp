//===- format_choice.cpp - Formats that are chosen at run time ------------===//
//
// However a program chooses, by ?:, if, switch, a table or a mixture of them, the format
// is the address of one of some literals. So these are looked for, and the address is
// compared with each of them.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/format_choice.h"
#include "compiler/lowering/print_calls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <numeric>

using namespace llvm;

namespace {

bool isString(const Value *V) {
  StringRef Text;
  return getConstantStringInfo(V, Text);
}

/// What a value may be, if it is the address of a literal.
class Choices {
public:
  explicit Choices(const DataLayout &Layout) : Layout(Layout) {}

  /// False if it may be something else.
  bool find(Value *Format) {
    SmallSetVector<Value *, 16> ToDo;
    ToDo.insert(Format);
    for (size_t I = 0; I != ToDo.size(); ++I) {
      Value *V = ToDo[I];
      if (auto *C = dyn_cast<Constant>(V)) {
        if (!take(C))
          return false;
      } else if (auto *S = dyn_cast<SelectInst>(V)) {
        ToDo.insert(S->getTrueValue());
        ToDo.insert(S->getFalseValue());
      } else if (auto *P = dyn_cast<PHINode>(V)) {
        ToDo.insert(P->op_begin(), P->op_end());
      } else if (auto *L = dyn_cast<LoadInst>(V)) {
        if (!findInTable(L->getPointerOperand()))
          return false;
      } else {
        return false;
      }
    }
    return true;
  }

  ArrayRef<Constant *> literals() const { return Literals.getArrayRef(); }

private:
  bool take(Constant *C) {
    // No program may print these.
    if (isa<UndefValue>(C) || C->isNullValue())
      return true;
    return isString(C) && (Literals.insert(C), true);
  }

  /// The address is one of an element of a constant array, which may be part of others and of
  /// structures.
  bool findInTable(Value *Address) {
    MapVector<Value *, APInt> Variable;
    unsigned Bits = Layout.getIndexTypeSizeInBits(Address->getType());
    APInt Fixed(Bits, 0);
    while (auto *G = dyn_cast<GEPOperator>(Address)) {
      if (!G->collectOffset(Layout, Bits, Variable, Fixed))
        return false;
      Address = G->getPointerOperand();
    }
    auto *Table = dyn_cast<GlobalVariable>(Address);
    if (!Table || !Table->isConstant() || !Table->hasDefinitiveInitializer())
      return false;
    // Elements lie a multiple of this apart.
    uint64_t Step = 0;
    for (auto &[Index, Scale] : Variable)
      Step = std::gcd(Step, Scale.abs().getZExtValue());
    uint64_t End = Layout.getTypeAllocSize(Table->getValueType());
    int64_t First = Fixed.getSExtValue();
    if (Step)
      First = (First % int64_t(Step) + int64_t(Step)) % int64_t(Step);
    for (uint64_t Offset = uint64_t(First); Offset < End; Offset += Step) {
      Constant *Element = ConstantFoldLoadFromConst(Table->getInitializer(), Table->getType(),
                                                    APInt(Bits, Offset), Layout);
      if (!Element || !take(Element))
        return false;
      if (!Step)
        break;
    }
    return true;
  }

  const DataLayout &Layout;
  SmallSetVector<Constant *, 8> Literals;
};

void split(CallInst *Call) {
  Value *Format = Call->getArgOperand(0);
  Choices Found(Call->getDataLayout());
  if (isString(Format) || !Found.find(Format) || Found.literals().empty())
    return;
  for (Constant *Literal : Found.literals().drop_back()) {
    // So that the comparison can be folded where the choice is seen.
    if (auto *G = dyn_cast<GlobalVariable>(Literal))
      G->setUnnamedAddr(GlobalValue::UnnamedAddr::None);
    IRBuilder<> B(Call);
    Instruction *Then, *Else;
    SplitBlockAndInsertIfThenElse(B.CreateICmpEQ(Format, Literal), Call->getIterator(), &Then,
                                  &Else);
    BasicBlock *Meeting = Call->getParent();
    auto *Chosen = cast<CallInst>(Call->clone());
    Chosen->insertBefore(Then);
    Chosen->setArgOperand(0, Literal);
    Call->moveBefore(Else);
    PHINode *Result = PHINode::Create(Call->getType(), 2, "", Meeting->begin());
    Call->replaceAllUsesWith(Result);
    Result->addIncoming(Chosen, Chosen->getParent());
    Result->addIncoming(Call, Call->getParent());
  }
  Call->setArgOperand(0, Found.literals().back());
}

} // namespace

void ka::splitFormatChoices(Module &M) {
  SmallVector<CallInst *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (isPrintCall(I))
        Calls.push_back(cast<CallInst>(&I));
  for (CallInst *Call : Calls)
    split(Call);
}
