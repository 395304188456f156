//===- group_values.cpp - What crosses from one region of a group to others ===//

#include "compiler/lowering/group_values.h"
#include "compiler/lowering/work_items.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace ka;

namespace {

/// What more instructions than these make is loaded instead, as in recompute.cpp.
constexpr unsigned MostInstructions = 8;
/// Drivers put the arrays on a thread's stack, of 8 MiB as a rule; this leaves room for what they
/// have there themselves.
constexpr uint64_t MostBytes = 256 << 10;

bool isLocalId(const Value &V) { return workItemFunction(V) == WorkItemFunction::LocalId; }

bool isCheap(const Instruction &I) {
  return (isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(I)) &&
         !I.getType()->isVectorTy() && !I.getType()->isFPOrFPVectorTy() && !I.isIntDivRem() &&
         isSafeToSpeculativelyExecute(&I);
}

/// Its result depends on its operands alone.
bool isPure(const Instruction &I) {
  return !isa<PHINode, AllocaInst>(I) && !I.isTerminator() && !I.mayReadOrWriteMemory() &&
         isSafeToSpeculativelyExecute(&I);
}

/// How a value is kept in an array; null: not at all.
Type *elementType(Type *T) {
  if (auto *V = dyn_cast<FixedVectorType>(T)) {
    Type *Kept = elementType(V->getElementType());
    return Kept ? FixedVectorType::get(Kept, V->getNumElements()) : nullptr;
  }
  if (T->isFloatingPointTy())
    return T;
  if (!T->isIntegerTy() || T->getIntegerBitWidth() > 64)
    return nullptr;
  uint64_t Bits = std::max<uint64_t>(8, PowerOf2Ceil(T->getIntegerBitWidth()));
  return IntegerType::get(T->getContext(), Bits);
}

} // namespace

GroupValues::GroupValues(Function &F, GroupRegions &Regions, BasicBlock &Entry,
                         ArrayRef<Value *> GroupSize, uint64_t GroupItems)
    : F(F), Regions(Regions), Entry(Entry), GroupSize(GroupSize), GroupItems(GroupItems),
      LinearIds(Regions.all().size()), AtHand(Regions.all().size()) {
  for (const GroupRegion &R : Regions.all()) {
    auto Make = [&](StringRef Name) {
      return BasicBlock::Create(F.getContext(), Name, &F, R.Start);
    };
    Frame New = {Make("group.enter"), Make("group.item"), Make("group.leave")};
    New.Leave->moveAfter(R.Blocks.back());
    BranchInst::Create(R.Start, New.Item);
    Frames.push_back(New);
  }
}

bool GroupValues::connect() {
  if (!placeVariables())
    return false;
  placeStartPhis();
  findUses();
  bringStartPhis();
  if (!Fits)
    return false;
  for (auto [U, New] : NewUses)
    U->set(New);
  // All that used them has another value now.
  for (const GroupRegion &R : Regions.all())
    for (PHINode &P : make_early_inc_range(R.Start->phis())) {
      P.replaceAllUsesWith(PoisonValue::get(P.getType()));
      P.eraseFromParent();
    }
  return true;
}

Value *GroupValues::linearId(unsigned Region) {
  Value *&Id = LinearIds[Region];
  if (!Id) {
    IRBuilder<> B(Frames[Region].Item->getTerminator());
    for (int D = 2; D >= 0; --D) {
      Value *L = callWorkItemFunction(B, WorkItemFunction::LocalId, D);
      Id = Id ? B.CreateAdd(B.CreateMul(Id, GroupSize[D]), L) : L;
    }
  }
  return Id;
}

/// All items have the same.
bool GroupValues::isUniform(const Value *V) const {
  return Regions.isUniform(*V) && !Own.contains(V);
}

/// Made before all regions, or by none.
bool GroupValues::isFixed(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return !I || (I->getParent() == &Entry && !Arrays.contains(I));
}

Value *GroupValues::groupValue(Value *V) {
  if (isFixed(V))
    return V;
  auto *I = cast<Instruction>(V);
  if (Value *Known = OfGroup.lookup(I))
    return Known;
  Value *Result;
  if (isPure(*I) &&
      all_of(I->operands(), [&](const Use &U) { return isFixed(U) || isUniform(U); })) {
    Instruction *Copy = I->clone();
    for (Use &U : Copy->operands())
      U.set(groupValue(U));
    BasicBlock *Leave = Frames[Regions.of(I->getParent())].Leave;
    Copy->insertInto(Leave, Leave->end());
    Result = Copy;
  } else {
    Result = variableOf(*I);
  }
  return OfGroup[I] = Result;
}

/// A value that items work out: the last one's.
Value *GroupValues::variableOf(Instruction &I) {
  auto *Variable = new AllocaInst(I.getType(), 0, I.getName() + ".group", Entry.begin());
  new StoreInst(&I, Variable, *I.getInsertionPointAfterDef());
  IRBuilder<> B(Frames[Regions.of(I.getParent())].Leave);
  return B.CreateLoad(I.getType(), Variable);
}

AllocaInst *GroupValues::array(Type *Element, Align Alignment) {
  // Each is aligned as the first.
  LLVMContext &C = F.getContext();
  uint64_t Size = F.getDataLayout().getTypeAllocSize(Element), Stride = alignTo(Size, Alignment);
  if (Stride != Size)
    Element = StructType::get(C, {Element, ArrayType::get(Type::getInt8Ty(C), Stride - Size)});
  Bytes += F.getDataLayout().getTypeAllocSize(Element) * GroupItems;
  Fits &= GroupItems && Bytes <= MostBytes;
  auto *A = new AllocaInst(ArrayType::get(Element, std::max<uint64_t>(GroupItems, 1)), 0,
                           "group.items", Entry.begin());
  A->setAlignment(std::max(Alignment, Align(64)));
  return A;
}

/// The item's own, in the region's loop.
Value *GroupValues::element(AllocaInst *Array, unsigned Region) {
  Value *Id = linearId(Region);
  IRBuilder<> B(Frames[Region].Item->getTerminator());
  return B.CreateInBoundsGEP(Array->getAllocatedType(), Array, {B.getInt64(0), Id});
}

/// Puts the item's value there, before `At`.
void GroupValues::storeTo(AllocaInst *Array, Value *V, unsigned Region, BasicBlock::iterator At) {
  Value *To = element(Array, Region);
  IRBuilder<> B(At->getParent(), At);
  Type *Kept = Array->getAllocatedType()->getArrayElementType();
  B.CreateStore(V->getType()->isIntOrIntVectorTy() ? B.CreateZExt(V, Kept) : V, To);
}

Value *GroupValues::loadFrom(AllocaInst *Array, Type *T, unsigned Region) {
  Value *From = element(Array, Region);
  IRBuilder<> B(Frames[Region].Item->getTerminator());
  Value *V = B.CreateLoad(Array->getAllocatedType()->getArrayElementType(), From);
  return T->isIntOrIntVectorTy() ? B.CreateTrunc(V, T) : V;
}

/// Through which a value goes; the items put it there where they make it.
AllocaInst *GroupValues::arrayOf(Instruction &I) {
  AllocaInst *&A = Arrays[&I];
  if (A)
    return A;
  Type *Kept = elementType(I.getType());
  if (!Kept) {
    Fits = false;
    Kept = Type::getInt8Ty(F.getContext());
    return A = array(Kept, Align(1));
  }
  A = array(Kept, F.getDataLayout().getABITypeAlign(Kept));
  AllocaInst *Array = A; // A is not ours any more when the maps grow
  unsigned Home = Regions.of(I.getParent());
  if (Value *Brought = AtHand[Home].lookup(&I)) // a phi at the start
    storeTo(Array, Brought, Home, Frames[Home].Item->getTerminator()->getIterator());
  else
    storeTo(Array, &I, Home, *I.getInsertionPointAfterDef());
  return Array;
}

/// What it takes to make it again in another region.
unsigned GroupValues::costOf(const Instruction &I) {
  if (isLocalId(I))
    return 1;
  if (isUniform(&I) || isFixed(&I))
    return 0;
  // An address, and the id in it.
  if (isa<AllocaInst>(I))
    return 2;
  if (auto Known = Costs.find(&I); Known != Costs.end())
    return Known->second;
  unsigned Cost = MostInstructions + 1;
  if (isCheap(I)) {
    Cost = 1;
    for (const Value *V : I.operands())
      if (auto *O = dyn_cast<Instruction>(V))
        Cost = std::min(Cost + costOf(*O), MostInstructions + 1);
  }
  return Costs[&I] = Cost;
}

/// Makes it once more, for the item whose turn it is.
Value *GroupValues::again(Instruction &I, unsigned Region) {
  Instruction *End = Frames[Region].Item->getTerminator();
  Instruction *Copy = I.clone();
  for (Use &U : Copy->operands())
    U.set(itemValue(U, Region));
  Copy->insertBefore(End->getIterator());
  return Copy;
}

/// What stands for V in the region's loop, for the item whose turn it is.
Value *GroupValues::itemValue(Value *V, unsigned Region) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isFixed(I))
    return V;
  if (Value *Known = AtHand[Region].lookup(I))
    return Known;
  Value *Result;
  if (AllocaInst *Array = isa<AllocaInst>(I) ? Arrays.lookup(I) : nullptr)
    Result = element(Array, Region);
  else if (isa<PHINode>(I) && Regions.isStart(I->getParent()) && OfGroup.contains(I))
    Result = OfGroup.lookup(I);
  else if (Regions.of(I->getParent()) == Region)
    return V;
  else if (isUniform(I))
    Result = groupValue(I);
  else if (costOf(*I) <= MostInstructions)
    Result = again(*I, Region);
  else
    Result = loadFrom(arrayOf(*I), I->getType(), Region);
  return AtHand[Region][I] = Result;
}

/// Whether an item's variable has to outlast a region.
bool GroupValues::crosses(const AllocaInst &A) const {
  DenseSet<unsigned> In;
  DenseSet<const Value *> Seen = {&A};
  SmallVector<const Value *, 8> Pointers = {&A};
  while (!Pointers.empty())
    for (const User *U : Pointers.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      In.insert(Regions.of(I->getParent()));
      if (auto *S = dyn_cast<StoreInst>(I); S && Seen.contains(S->getValueOperand()))
        return true;
      if ((isa<CallBase>(I) && !isa<MemIntrinsic>(I)) || isa<PtrToIntInst>(I))
        return true;
      if (I->getType()->isPtrOrPtrVectorTy() && !isa<LoadInst>(I) && Seen.insert(I).second)
        Pointers.push_back(I);
    }
  return In.size() > 1 || any_of(In, [&](unsigned R) { return Regions.all()[R].Repeated; });
}

/// Notes what is an item's own since the variable is, though made of nothing that differs. False if
/// it is stored: who loads it again is not followed.
bool GroupValues::findOwn(const AllocaInst &A) {
  SmallVector<const Value *, 8> Found = {&A};
  Own.insert(&A);
  while (!Found.empty()) {
    const Value *V = Found.pop_back_val();
    for (const User *U : V->users()) {
      if (auto *S = dyn_cast<StoreInst>(U); S && S->getValueOperand() == V)
        return false;
      if (!isa<LoadInst>(U) && !U->getType()->isVoidTy() && Own.insert(U).second)
        Found.push_back(U);
    }
  }
  return true;
}

bool GroupValues::placeVariables() {
  SmallVector<AllocaInst *, 8> Variables;
  SmallVector<Instruction *, 8> Lifetimes;
  for (const GroupRegion &R : Regions.all())
    for (BasicBlock *B : R.Blocks)
      for (Instruction &I : *B) {
        if (auto *A = dyn_cast<AllocaInst>(&I))
          Variables.push_back(A);
        if (I.isLifetimeStartOrEnd())
          Lifetimes.push_back(&I);
      }
  for (Instruction *I : Lifetimes)
    I->eraseFromParent();
  for (AllocaInst *A : Variables) {
    if (!A->isStaticAlloca() && A->getParent() != Regions.all().front().Start)
      return false;
    if (!isa<ConstantInt>(A->getArraySize()))
      return false;
    bool Crosses = crosses(*A);
    A->moveBefore(Entry, Entry.begin());
    if (!Crosses)
      continue;
    if (!cast<ConstantInt>(A->getArraySize())->isOne())
      return false;
    Arrays[A] = array(A->getAllocatedType(), A->getAlign());
    if (!findOwn(*A))
      return false;
  }
  return Fits;
}

/// Those that are the same for all items become phis between the loops; others come out of arrays.
void GroupValues::placeStartPhis() {
  for (auto [Number, R] : enumerate(Regions.all()))
    for (PHINode &P : R.Start->phis()) {
      if (isUniform(&P)) {
        IRBuilder<> B(Frames[Number].Enter, Frames[Number].Enter->begin());
        OfGroup[&P] = B.CreatePHI(P.getType(), P.getNumIncomingValues(), P.getName());
        continue;
      }
      Type *Kept = elementType(P.getType());
      Fits &= Kept != nullptr;
      if (!Kept)
        continue;
      AllocaInst *From = array(Kept, F.getDataLayout().getABITypeAlign(Kept));
      AtHand[Number][&P] = loadFrom(From, P.getType(), Number);
      ArrayOfPhi[&P] = From;
    }
}

/// Only noted: until all is found out, each instruction has the operands it came with.
void GroupValues::findUses() {
  SmallVector<Instruction *, 64> Users;
  for (const GroupRegion &R : Regions.all())
    for (BasicBlock *B : R.Blocks)
      for (Instruction &I : *B)
        if (!(isa<PHINode>(I) && B == R.Start))
          Users.push_back(&I);
  for (Instruction *I : Users) {
    unsigned Region = Regions.of(I->getParent());
    // The group chooses between the loops.
    bool Choice = Regions.all()[Region].Choice == I;
    for (Use &U : I->operands())
      if (!isa<BasicBlock>(U))
        if (Value *New = Choice ? groupValue(U) : itemValue(U, Region); New != U)
          NewUses.emplace_back(&U, New);
  }
}

/// The value that all items bring from a region to a phi of the group.
void GroupValues::bringUniform(PHINode &P, unsigned From) {
  auto *OfAll = cast<PHINode>(OfGroup.lookup(&P));
  const GroupRegion &R = Regions.all()[From];
  Value *Only = nullptr;
  bool Same = true;
  unsigned Edges = 0;
  for (unsigned I = 0; I != P.getNumIncomingValues(); ++I) {
    if (Regions.of(P.getIncomingBlock(I)) != From)
      continue;
    ++Edges;
    Same &= !Only || Only == P.getIncomingValue(I);
    Only = P.getIncomingValue(I);
  }
  Value *V;
  if (Same && (isFixed(Only) || isUniform(Only))) {
    V = groupValue(Only);
  } else {
    auto *Variable = new AllocaInst(P.getType(), 0, P.getName() + ".group", Entry.begin());
    for (unsigned I = 0; I != P.getNumIncomingValues(); ++I)
      if (BasicBlock *B = P.getIncomingBlock(I); Regions.of(B) == From)
        new StoreInst(itemValue(P.getIncomingValue(I), From), Variable,
                      B->getTerminator()->getIterator());
    IRBuilder<> B(Frames[From].Leave);
    V = B.CreateLoad(P.getType(), Variable);
  }
  for (unsigned I = 0; I != (R.Choice ? Edges : 1); ++I)
    OfAll->addIncoming(V, Frames[From].Leave);
}

void GroupValues::bringStartPhis() {
  for (const GroupRegion &R : Regions.all())
    for (PHINode &P : R.Start->phis()) {
      DenseSet<unsigned> Done;
      DenseSet<const BasicBlock *> Stored;
      for (unsigned I = 0; I != P.getNumIncomingValues(); ++I) {
        BasicBlock *B = P.getIncomingBlock(I);
        unsigned From = Regions.of(B);
        if (OfGroup.contains(&P)) {
          if (Done.insert(From).second)
            bringUniform(P, From);
          continue;
        }
        AllocaInst *To = ArrayOfPhi.lookup(&P);
        Value *V = itemValue(P.getIncomingValue(I), From);
        if (To && !isa<UndefValue>(V) && Stored.insert(B).second)
          storeTo(To, V, From, B->getTerminator()->getIterator());
      }
    }
}
