//===- recompute.cpp - What items work out from their ids ----------------------===//
//
// Drivers for CPUs make one loop over the items of each stretch of code between
// barriers, and keep what an item takes from one stretch to the next in an array.
// An address such as &tile[ka_local_id(0)], worked out before the first barrier and
// used after each, then comes out of memory, and loads and stores that follow each
// other become gathers and scatters. Worked out again in each stretch, it is the
// loop's counter plus something that all items share.
//
// The driver's optimiser would find that it is the same value, and go back to the
// first one. So each stretch has ids of its own: the item's plus a zero that is known
// as such only when the kernel runs.
//
//===----------------------------------------------------------------------===//

#include "compiler/targets/spirv/recompute.h"
#include "compiler/lowering/work_items.h"
#include "compiler/targets/spirv/hidden_zero.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace ka;

namespace {

/// Instructions to work out one address. More cost more than a load.
constexpr unsigned MostInstructions = 8;
/// In long straight code LLVM's vectoriser of such code, as PoCL runs it before it makes its loops,
/// moves the new instructions of all stretches into one, and their results are kept in arrays after
/// all. Bitonic sorts of 4, 8, 16, 32, 64 and 256 values, of 7, 13, 21, 31, 43 and 73 barriers,
/// take 0.55, 0.8, 1.1, 1.1, 1.1 and 2.7 times as long with this pass.
constexpr size_t MostBarriers = 20;

/// An id that differs between the items, along a known dimension.
bool isId(const Value &V) {
  std::optional<WorkItemFunction> W = workItemFunction(V);
  return (W == WorkItemFunction::LocalId || W == WorkItemFunction::GlobalId) &&
         isa<ConstantInt>(cast<CallInst>(V).getArgOperand(0));
}

bool isSimple(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::GetElementPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::BitCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
    return !I.getType()->isVectorTy();
  default:
    return false;
  }
}

class Recomputer {
public:
  explicit Recomputer(Function &F) : F(F), Dominators(F) {
    for (Instruction &I : instructions(F))
      if (isSynchronising(I))
        Barriers.push_back(&I);
    llvm::sort(Barriers, [&](const Instruction *A, const Instruction *B) {
      return A != B && Dominators.dominates(A, B);
    });
    for (Instruction *B : Barriers)
      Starts.push_back(B->getNextNode());
    Again.resize(Barriers.size());
  }

  size_t barriers() const { return Barriers.size(); }

  void run() {
    SmallVector<Instruction *, 32> Addresses;
    for (Instruction &I : instructions(F))
      if (isa<GetElementPtrInst>(I) && sizeOf(I) && sizeOf(I) <= MostInstructions)
        Addresses.push_back(&I);
    // The last first, while they are made of what the source made them of.
    for (Instruction *I : reverse(Addresses))
      for (Use &U : make_early_inc_range(I->uses())) {
        auto *User = cast<Instruction>(U.getUser());
        if (auto *P = dyn_cast<PHINode>(User))
          User = P->getIncomingBlock(U)->getTerminator();
        if (unsigned Stretch = stretchOf(*User))
          U.set(inStretch(*I, Stretch));
      }
  }

private:
  /// How many barriers lie before it.
  unsigned stretchOf(const Instruction &I) const {
    return partition_point(Barriers,
                           [&](const Instruction *B) { return Dominators.dominates(B, &I); }) -
           Barriers.begin();
  }

  /// The same for all items, as the driver can tell.
  bool isShared(const Value &V) {
    auto *I = dyn_cast<Instruction>(&V);
    if (!I)
      return true;
    if (auto Found = Shared.find(I); Found != Shared.end())
      return Found->second;
    std::optional<WorkItemFunction> W = workItemFunction(*I);
    bool Result =
        W ? isGroupUniform(*W)
          : isSimple(*I) && all_of(I->operands(), [&](const Use &U) { return isShared(*U); });
    return Shared[I] = Result;
  }

  /// The instructions that make the value of an item's ids and of what the group shares; 0 if it
  /// is made of anything else, or of no id. All that is too much counts as one too many.
  unsigned sizeOf(const Instruction &I) {
    if (isId(I))
      return 1;
    if (auto Found = Sizes.find(&I); Found != Sizes.end())
      return Found->second;
    unsigned Size = 0;
    if (isSimple(I)) {
      Size = 1;
      bool OfId = false;
      for (const Value *V : I.operands()) {
        if (isShared(*V))
          continue;
        auto *O = dyn_cast<Instruction>(V);
        unsigned More = O ? sizeOf(*O) : 0;
        if (!More) {
          OfId = false;
          break;
        }
        OfId = true;
        // What is made of one value twice, again and again, doubles each time.
        Size = std::min(Size + More, MostInstructions + 1);
      }
      if (!OfId)
        Size = 0;
    }
    return Sizes[&I] = Size;
  }

  Value *zeroOf(unsigned Stretch) {
    IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    return spirv::hiddenZero(B, B.getInt64Ty(), Stretch);
  }

  Value *idInStretch(CallInst &Id, unsigned Stretch) {
    IRBuilder<> B(Starts[Stretch - 1]);
    unsigned D = cast<ConstantInt>(Id.getArgOperand(0))->getZExtValue();
    Value *Zero = zeroOf(Stretch);
    Value *Local = B.CreateAdd(callWorkItemFunction(B, WorkItemFunction::LocalId, D), Zero);
    if (workItemFunction(Id) == WorkItemFunction::LocalId)
      return Local;
    Value *First = B.CreateMul(callWorkItemFunction(B, WorkItemFunction::GroupId, D),
                               callWorkItemFunction(B, WorkItemFunction::LocalSize, D));
    First = B.CreateAdd(First, callWorkItemFunction(B, WorkItemFunction::GlobalOffset, D));
    return B.CreateAdd(Local, First);
  }

  /// The value, made of the stretch's ids.
  Value *inStretch(Instruction &I, unsigned Stretch) {
    DenseMap<const Instruction *, Value *> &Done = Again[Stretch - 1];
    if (auto Found = Done.find(&I); Found != Done.end())
      return Found->second;
    Value *New;
    if (isId(I)) {
      New = idInStretch(cast<CallInst>(I), Stretch);
    } else {
      Instruction *Copy = I.clone();
      for (Use &U : Copy->operands())
        if (!isShared(*U))
          U.set(inStretch(*cast<Instruction>(U), Stretch));
      // What is of this stretch may need what comes before it there.
      Copy->insertBefore(stretchOf(I) == Stretch ? &I : Starts[Stretch - 1]);
      New = Copy;
    }
    return Done[&I] = New;
  }

  Function &F;
  DominatorTree Dominators;
  SmallVector<Instruction *, 16> Barriers;
  /// The first instruction behind each of them.
  SmallVector<Instruction *, 16> Starts;
  DenseMap<const Instruction *, bool> Shared;
  DenseMap<const Instruction *, unsigned> Sizes;
  /// What was worked out for each stretch.
  SmallVector<DenseMap<const Instruction *, Value *>, 16> Again;
};

} // namespace

void ka::spirv::recomputeAfterBarriers(Function &F) {
  Recomputer R(F);
  if (R.barriers() <= MostBarriers)
    R.run();
}
