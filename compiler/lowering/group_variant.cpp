//===- group_variant.cpp - One item of the device does a group's work -----===//
//
// The function's last parameter says what range it is part of: 16 numbers of 64 bits, the struct
// ka_group_range of ka/abi.h. One whose groups have no shape that matters runs along x only.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/group_variant.h"
#include "compiler/lowering/collectives.h"
#include "compiler/lowering/group_regions.h"
#include "compiler/lowering/group_values.h"
#include "compiler/lowering/local_memory.h"
#include "compiler/lowering/parameters.h"
#include "compiler/lowering/print_calls.h"
#include "compiler/lowering/traps.h"
#include "compiler/lowering/work_items.h"
#include "ka/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace ka;

namespace {

using W = WorkItemFunction;

/// What the items' loops cannot give.
bool needsOthers(const Instruction &I) {
  std::optional<W> Function = workItemFunction(I);
  if (!Function)
    return collective(I).has_value();
  switch (*Function) {
  case W::SubGroupSize:
  case W::SubGroupMaxSize:
  case W::SubGroupCount:
  case W::SubGroupId:
  case W::SubGroupLane:
  case W::SubGroupBarrier:
    return true;
  default:
    return false;
  }
}

/// Depends on how a range is divided into groups.
bool asksForGroup(const Instruction &I) {
  std::optional<W> Function = workItemFunction(I);
  if (!Function)
    return false;
  switch (*Function) {
  case W::LocalId:
  case W::LocalSize:
  case W::GroupId:
  case W::NumGroups:
  case W::Barrier:
    return true;
  default:
    return false;
  }
}

class GroupVariant {
public:
  GroupVariant(Function &Plain, Kernel &K)
      : Plain(Plain), K(K), Sites(std::max<uint32_t>(1, K.Sites.size())) {
    AnyGroup = none_of(instructions(Plain), asksForGroup) && localVariables(Plain).empty() &&
               none_of(K.Params, [](const KernelParam &P) { return P.Kind == KA_METADATA_LOCAL; });
  }

  bool anyGroup() const { return AnyGroup; }

  bool make() {
    ValueToValueMapTy Map;
    Function *Clone = CloneFunction(&Plain, Map);
    Clone->setName(Plain.getName() + KA__GROUP_SUFFIX);
    Type *Numbers = FixedVectorType::get(Type::getInt64Ty(Plain.getContext()), 16);
    Range = insertParameters(*Clone, Plain.arg_size(), {NewParameter{Numbers, "ka.range"}});
    F = Range->getParent();
    if (build())
      return true;
    F->eraseFromParent();
    return false;
  }

private:
  bool build() {
    endWithTraps();
    EliminateUnreachableBlocks(*F);
    separateLocalMemory(Plain, *F);
    readRange();
    placeIds();
    Regions = GroupRegions::find(*F);
    if (!Regions)
      return false;
    uint64_t Items = 1;
    for (uint32_t S : K.GroupSize)
      Items *= S;
    GroupValues All(*F, *Regions, *Entry, ArrayRef<Value *>(Size), Items);
    Values = &All;
    if (!All.connect())
      return false;
    for (unsigned R = 0; R != Regions->all().size(); ++R)
      makeLoops(R);
    Entry->getTerminator()->setSuccessor(0, All.frame(0).Enter);
    // The device's groups have one item.
    Type *I32 = Type::getInt32Ty(F->getContext());
    Metadata *One = ConstantAsMetadata::get(ConstantInt::get(I32, 1));
    F->setMetadata("reqd_work_group_size", MDNode::get(F->getContext(), {One, One, One}));
    keepOnStack();
    initialiseLocalMemory(*F, nullptr);
    for (Instruction *Barrier : barriersOf(*F))
      Barrier->eraseFromParent();
    return true;
  }

  /// Group memory becomes variables, as far as it fits and only loads and stores lead there: of
  /// those LLVM knows that pointers without `restrict` do not lead there. Without that, a kernel
  /// that does little else took up to 7 times as long as without its trap.
  void keepOnStack() {
    constexpr uint64_t MostBytes = 64 << 10;
    const DataLayout &Layout = F->getDataLayout();
    uint64_t Bytes = 0;
    for (const LocalVariable &V : localVariables(*F)) {
      GlobalVariable &G = *V.Memory;
      uint64_t Size = Layout.getTypeAllocSize(G.getValueType());
      if (Bytes + Size > MostBytes || !isOnlyLoadedAndStored(G))
        continue;
      Bytes += Size;
      Align Alignment = G.getAlign().valueOrOne();
      auto *A =
          new AllocaInst(G.getValueType(), 0, nullptr, Alignment, G.getName(), Entry->begin());
      for (User *U : make_early_inc_range(G.users())) {
        U->replaceAllUsesWith(A);
        cast<Instruction>(U)->eraseFromParent();
      }
      if (V.Initialiser) {
        V.Initialiser->setLinkage(GlobalValue::InternalLinkage);
        IRBuilder<>(Entry->getTerminator())
            .CreateMemCpy(A, Alignment, V.Initialiser, V.Initialiser->getAlign(), Size);
      }
      G.eraseFromParent();
    }
  }

  /// By pointers to any memory, which are made of its address.
  static bool isOnlyLoadedAndStored(const GlobalVariable &G) {
    SmallVector<const Value *, 8> Pointers;
    for (const User *U : G.users()) {
      auto *Cast = dyn_cast<AddrSpaceCastInst>(U);
      if (!Cast || Cast->getDestAddressSpace() != 0)
        return false;
      Pointers.push_back(Cast);
    }
    DenseSet<const Value *> Seen(Pointers.begin(), Pointers.end());
    while (!Pointers.empty()) {
      const Value *P = Pointers.pop_back_val();
      for (const User *U : P->users()) {
        if (isa<GetElementPtrInst, PHINode, SelectInst>(U)) {
          if (Seen.insert(U).second)
            Pointers.push_back(U);
          continue;
        }
        auto *S = dyn_cast<StoreInst>(U);
        bool Moves = (isa<LoadInst>(U) || (S && S->getValueOperand() != P)) &&
                     !cast<Instruction>(U)->isAtomic();
        if (!Moves && !isa<MemIntrinsic, ICmpInst>(U))
          return false;
      }
    }
    return true;
  }

  /// Wherever an item goes behind a trap of the plain function, here its turn ends.
  void endWithTraps() {
    SmallVector<Instruction *, 8> Traps;
    for (Instruction &I : instructions(*F))
      if (isTrap(I))
        Traps.push_back(&I);
    for (Instruction *Trap : Traps) {
      changeToUnreachable(Trap->getNextNode());
      // Nobody waits at a barrier to be told.
      auto *Flag = cast<CallInst>(Trap)->getArgOperand(1);
      cast<CallInst>(Trap)->setArgOperand(1, Constant::getNullValue(Flag->getType()));
    }
  }

  Value *number(IRBuilderBase &B, size_t Offset, unsigned D) {
    return B.CreateExtractElement(Range, Offset / sizeof(uint64_t) + D);
  }

  /// What the range is, and which part of it this is: groups of the device have one item, so the
  /// group's id is the part's number.
  void readRange() {
    BasicBlock &Old = F->getEntryBlock();
    Entry = BasicBlock::Create(F->getContext(), "group", F, &Old);
    IRBuilder<> B(BranchInst::Create(&Old, Entry));
    for (unsigned D = 0; D != 3; ++D) {
      Extent[D] = number(B, offsetof(ka_group_range, extent), D);
      Offset[D] = number(B, offsetof(ka_group_range, offset), D);
      Asked[D] = number(B, offsetof(ka_group_range, group), D);
      Size[D] = K.GroupSize[0] && !AnyGroup ? B.getInt64(K.GroupSize[D])
                                            : number(B, offsetof(ka_group_range, part), D);
      Base[D] = B.CreateMul(callWorkItemFunction(B, W::GroupId, D), Size[D]);
      First[D] = B.CreateAdd(Base[D], Offset[D]);
      Count[D] = Size[D];
    }
    // The last part along x may have fewer items.
    if (AnyGroup) {
      Value *Rest = B.CreateSub(Extent[0], Base[0]);
      Count[0] = B.CreateSelect(B.CreateICmpULT(Rest, Size[0]), Rest, Size[0]);
    }
  }

  bool loopsAlong(unsigned D) const {
    return AnyGroup ? D == 0 : !K.GroupSize[0] || K.GroupSize[D] > 1;
  }

  /// Of ids only the local ones stay, until there are loops, and the group's.
  void placeIds() {
    for (Instruction &I : make_early_inc_range(instructions(*F))) {
      std::optional<W> Function = workItemFunction(I);
      if (!Function || I.getParent() == Entry)
        continue;
      IRBuilder<> B(&I);
      auto Replace = [&](function_ref<Value *(unsigned)> Values, uint64_t Beyond) {
        Value *New = selectDimension(B, cast<CallInst>(I).getArgOperand(0), Values, Beyond);
        I.replaceAllUsesWith(New);
        I.eraseFromParent();
      };
      auto LocalId = [&](unsigned D) -> Value * {
        if (!loopsAlong(D))
          return B.getInt64(0);
        return callWorkItemFunction(B, W::LocalId, D);
      };
      switch (*Function) {
      case W::GlobalId:
        Replace(
            [&](unsigned D) {
              if (AnyGroup && loopsAlong(D))
                return cast<Value>(callWorkItemFunction(B, W::GlobalId, D));
              return B.CreateAdd(LocalId(D), First[D]);
            },
            0);
        break;
      case W::LocalId:
        Replace(LocalId, 0);
        break;
      case W::LocalSize:
        Replace([&](unsigned D) { return Asked[D]; }, 1);
        break;
      case W::GlobalSize:
        Replace([&](unsigned D) { return Extent[D]; }, 1);
        break;
      case W::GlobalOffset:
        Replace([&](unsigned D) { return Offset[D]; }, 0);
        break;
      default:
        break;
      }
    }
  }

  struct ItemLoop {
    BasicBlock *Head;
    PHINode *Index, *Id, *Failed;
    unsigned Dimension;
  };

  void makeLoops(unsigned Region) {
    GroupRegion &R = Regions->all()[Region];
    GroupValues::Frame &Frame = Values->frame(Region);
    BasicBlock *Last = BasicBlock::Create(F->getContext(), "group.next", F, Frame.Leave);
    IRBuilder<> B(Last);
    PHINode *Code = R.Traps ? B.CreatePHI(B.getInt32Ty(), 4, "failed") : nullptr;
    leadTo(*Last, Code, Region);
    SmallVector<ItemLoop, 3> Loops = openLoops(Frame, R.Traps);
    Value *Failed = nullptr;
    if (Code) {
      Value *Before = B.getInt32(NoFailure);
      if (!Loops.empty())
        Before = Loops.back().Failed;
      Failed = B.CreateSelect(B.CreateICmpULT(Code, Before), Code, Before);
    }
    closeLoops(B, Loops, Failed, Frame);
    replaceIds(R, Frame, Loops);
    leave(R, Frame, Failed);
  }

  /// From the region's start to the item, one loop inside the other, the one along x inside.
  SmallVector<ItemLoop, 3> openLoops(GroupValues::Frame &Frame, bool Traps) {
    SmallVector<ItemLoop, 3> Loops;
    BasicBlock *Before = Frame.Enter;
    Value *Failed = ConstantInt::get(Type::getInt32Ty(F->getContext()), NoFailure);
    for (int D = 2; D >= 0; --D) {
      if (!loopsAlong(D))
        continue;
      ItemLoop L = {BasicBlock::Create(F->getContext(), "group.loop", F, Frame.Item), nullptr,
                    nullptr, nullptr, unsigned(D)};
      IRBuilder<>(Before).CreateBr(L.Head);
      IRBuilder<> In(L.Head);
      L.Index = In.CreatePHI(In.getInt64Ty(), 2);
      L.Index->addIncoming(In.getInt64(0), Before);
      // It has the id itself along, too: to conditions on it, adding to the index is one step more
      // in each vector.
      if (AnyGroup) {
        L.Id = In.CreatePHI(In.getInt64Ty(), 2);
        L.Id->addIncoming(First[D], Before);
      }
      if (Traps) {
        L.Failed = In.CreatePHI(In.getInt32Ty(), 2);
        L.Failed->addIncoming(Failed, Before);
        Failed = L.Failed;
      }
      Before = L.Head;
      Loops.push_back(L);
    }
    IRBuilder<>(Before).CreateBr(Frame.Item);
    return Loops;
  }

  /// From the end of an item's turn, where B is, to the next one, or to where the region is left.
  void closeLoops(IRBuilderBase &B, MutableArrayRef<ItemLoop> Loops, Value *Failed,
                  GroupValues::Frame &Frame) {
    for (ItemLoop &L : reverse(Loops)) {
      Value *Next = B.CreateAdd(L.Index, B.getInt64(1), "", true, true);
      BasicBlock *After = &L == &Loops.front()
                              ? Frame.Leave
                              : BasicBlock::Create(F->getContext(), "group.next", F, Frame.Leave);
      if (L.Id)
        L.Id->addIncoming(B.CreateAdd(L.Id, B.getInt64(1)), B.GetInsertBlock());
      B.CreateCondBr(B.CreateICmpULT(Next, Count[L.Dimension]), L.Head, After);
      L.Index->addIncoming(Next, B.GetInsertBlock());
      if (L.Failed)
        L.Failed->addIncoming(Failed, B.GetInsertBlock());
      B.SetInsertPoint(After);
    }
    if (Loops.empty())
      B.CreateBr(Frame.Leave);
  }

  /// What leaves the region goes to the end of the item's turn.
  void leadTo(BasicBlock &Last, PHINode *Code, unsigned Region) {
    GroupRegion &R = Regions->all()[Region];
    for (BasicBlock *Block : R.Blocks) {
      Instruction *End = Block->getTerminator();
      if (endsWithTrap(*Block)) {
        Instruction *Trap = End->getPrevNode();
        IRBuilder<> B(Trap);
        Value *Item = B.CreateTrunc(Values->linearId(Region), B.getInt32Ty());
        Value *Site = cast<CallInst>(Trap)->getArgOperand(0);
        Code->addIncoming(B.CreateAdd(B.CreateMul(Item, B.getInt32(Sites)), Site), Block);
        End->eraseFromParent();
        Trap->eraseFromParent();
        BranchInst::Create(&Last, Block);
        continue;
      }
      unsigned Ways = 0;
      if (R.Choice == End || isa<ReturnInst>(End)) {
        if (R.Choice == End)
          End->removeFromParent();
        else
          End->eraseFromParent();
        BranchInst::Create(&Last, Block);
        Ways = 1;
      } else {
        for (unsigned I = 0; I != End->getNumSuccessors(); ++I)
          if (Regions->isStart(End->getSuccessor(I))) {
            End->setSuccessor(I, &Last);
            ++Ways;
          }
      }
      for (; Code && Ways; --Ways)
        Code->addIncoming(ConstantInt::get(Code->getType(), NoFailure), Block);
    }
  }

  void replaceIds(GroupRegion &R, GroupValues::Frame &Frame, ArrayRef<ItemLoop> Loops) {
    auto In = [&](BasicBlock &Block) {
      for (Instruction &I : make_early_inc_range(Block)) {
        std::optional<W> Function = workItemFunction(I);
        if (Function != W::LocalId && Function != W::GlobalId)
          continue;
        unsigned D = cast<ConstantInt>(cast<CallInst>(I).getArgOperand(0))->getZExtValue();
        const ItemLoop *L = find_if(Loops, [&](const ItemLoop &L) { return L.Dimension == D; });
        Value *Id = ConstantInt::get(I.getType(), 0);
        if (L != Loops.end())
          Id = Function == W::GlobalId ? L->Id : L->Index;
        I.replaceAllUsesWith(Id);
        I.eraseFromParent();
      }
    };
    In(*Frame.Item);
    for (BasicBlock *Block : R.Blocks)
      In(*Block);
  }

  /// The group goes on together, or tells of the failure, and ends.
  void leave(GroupRegion &R, GroupValues::Frame &Frame, Value *Failed) {
    BasicBlock *Go = Frame.Leave;
    if (Failed) {
      Go = BasicBlock::Create(F->getContext(), "group.go", F);
      Go->moveAfter(Frame.Leave);
      BasicBlock *Tell = BasicBlock::Create(F->getContext(), "group.failed", F);
      IRBuilder<> B(Frame.Leave);
      B.CreateCondBr(B.CreateICmpEQ(Failed, B.getInt32(NoFailure)), Go, Tell);
      B.SetInsertPoint(Tell);
      tell(B, Failed);
      B.CreateRetVoid();
      // Phis of the group get their values from the block that leads to them.
      for (GroupRegion &Next : Regions->all())
        Values->frame(Regions->of(Next.Start)).Enter->replacePhiUsesWith(Frame.Leave, Go);
    }
    IRBuilder<> B(Go);
    if (R.Choice) {
      R.Choice->insertInto(Go, Go->end());
      for (unsigned I = 0; I != R.Choice->getNumSuccessors(); ++I)
        R.Choice->setSuccessor(I, Values->frame(Regions->of(R.Choice->getSuccessor(I))).Enter);
    } else if (R.Next) {
      B.CreateBr(Values->frame(Regions->of(R.Next)).Enter);
    } else {
      B.CreateRetVoid();
    }
  }

  /// Takes the number of a failure apart again, and tells of its item and site.
  void tell(IRBuilderBase &B, Value *Failed) {
    Value *Item = B.CreateZExt(B.CreateUDiv(Failed, B.getInt32(Sites)), B.getInt64Ty());
    Value *Site = B.CreateURem(Failed, B.getInt32(Sites));
    Value *Local[3], *Global[3], *Group[3];
    Value *Rest = Item;
    for (unsigned D = 0; D != 3; ++D) {
      Local[D] = B.getInt64(0);
      if (loopsAlong(D)) {
        Local[D] = AnyGroup ? Item : B.CreateURem(Rest, Size[D]);
        Rest = AnyGroup ? Rest : B.CreateUDiv(Rest, Size[D]);
      }
      Global[D] = B.CreateAdd(First[D], Local[D]);
      Group[D] = B.CreateUDiv(B.CreateAdd(Base[D], Local[D]), Asked[D]);
    }
    reportTrap(B, Site, Global, Group);
  }

  /// A failure is one number: the item's place in its part of the range times the number of sites,
  /// plus the site; so the least is the first item's. Parts have some thousand items at most, so 32
  /// bits hold it.
  static constexpr uint32_t NoFailure = ~0U;

  Function &Plain, *F = nullptr;
  Kernel &K;
  bool AnyGroup;
  Argument *Range = nullptr;
  BasicBlock *Entry = nullptr;
  /// Along each dimension: the group size that the program knows; items of a part; the first item's
  /// id without and with the offset; how many items there are.
  Value *Extent[3], *Offset[3], *Asked[3], *Size[3], *Base[3], *First[3], *Count[3];
  uint32_t Sites;
  std::unique_ptr<GroupRegions> Regions;
  GroupValues *Values = nullptr;
};

} // namespace

void ka::addGroupVariant(Function &Plain, Kernel &K) {
  // With 30 traps, what a driver takes to build the kernel is 1.4 times what it takes without them,
  // with 100 three times, with 1000 18 times.
  constexpr size_t MostTraps = 64;
  size_t Traps = 0;
  for (const Instruction &I : instructions(Plain))
    if (isTrap(I))
      Traps += pred_size(I.getParent()); // several share the block where they end
  if (K.UnsafeIndices || Traps == 0 || Traps > MostTraps || hasPrints(Plain) ||
      any_of(instructions(Plain), needsOthers))
    return;
  GroupVariant New(Plain, K);
  if (New.make())
    K.Flags |= KA_METADATA_GROUP | (New.anyGroup() ? KA_METADATA_ANY_GROUP : 0);
}
