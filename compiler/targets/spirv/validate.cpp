//===- validate.cpp - What the translator must not see --------------------===//

#include "compiler/targets/spirv/validate.h"
#include "compiler/targets/spirv/integer_widths.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ka;

namespace {

class Validator {
public:
  explicit Validator(ka::DiagnosticHandler Report) : Report(Report) {}

  bool check(Module &M) {
    std::string Text;
    raw_string_ostream OS(Text);
    if (verifyModule(M, &OS)) {
      fail("the device code is not well-formed (a fault of the compiler): " +
           StringRef(Text).split('\n').first);
      return false;
    }
    for (GlobalVariable &G : M.globals())
      checkType(G.getValueType(), "variable '" + G.getName().str() + "'", true);
    for (Function &F : M) {
      Kernel = &F;
      At = nullptr;
      for (const Argument &A : F.args())
        if (A.hasByValAttr())
          checkType(A.getParamByValType(), "parameter '" + A.getName() + "'", true);
      for (Instruction &I : instructions(F)) {
        At = &I;
        checkInstruction(I);
      }
    }
    return Good;
  }

private:
  void checkInstruction(const Instruction &I) {
    checkType(I.getType(), "this expression", false);
    for (const Value *V : I.operands())
      if (!V->getType()->isMetadataTy() && !V->getType()->isLabelTy())
        checkType(V->getType(), "this expression", false);
    if (auto *A = dyn_cast<AllocaInst>(&I)) {
      checkType(A->getAllocatedType(), "this variable", true);
      if (!isa<ConstantInt>(A->getArraySize()))
        fail("a variable of variable size is not possible in a kernel");
    } else if (auto *G = dyn_cast<GetElementPtrInst>(&I)) {
      checkType(G->getSourceElementType(), "this object", true);
    } else if (auto *Call = dyn_cast<CallBase>(&I)) {
      checkCall(*Call);
    } else if (I.isEHPad() || isa<IndirectBrInst, ResumeInst, VAArgInst, FreezeInst>(I)) {
      fail("SPIR-V has no form for '" + Twine(I.getOpcodeName()) + "'");
    }
  }

  void checkCall(const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || !isa<CallInst>(Call))
      return fail("a call through a pointer is not possible in a kernel");
    if (Callee->isIntrinsic() && Callee->getIntrinsicID() != Intrinsic::memcpy)
      return fail("SPIR-V has no form for '" + Callee->getName() + "'");
    if (!Callee->isIntrinsic() && !Callee->getName().starts_with("_Z"))
      fail("function '" + Callee->getName() + "' is not there on the device");
  }

  void checkType(Type *T, const Twine &What, bool InMemory) {
    if (!Checked.insert({T, unsigned(InMemory)}).second)
      return;
    std::string Name;
    if (isLegal(T, InMemory))
      return;
    raw_string_ostream OS(Name);
    T->print(OS);
    fail(What + " has a type that SPIR-V does not have: " + Name);
  }

  static bool isLegal(Type *T, bool InMemory) {
    switch (T->getTypeID()) {
    case Type::VoidTyID:
    case Type::HalfTyID:
    case Type::FloatTyID:
    case Type::DoubleTyID:
    case Type::FunctionTyID:
    case Type::LabelTyID:
      return true;
    case Type::PointerTyID:
      return T->getPointerAddressSpace() <= 4;
    case Type::IntegerTyID: {
      unsigned Width = T->getIntegerBitWidth();
      return spirv::isLegalWidth(Width) && !(InMemory && Width == 1);
    }
    case Type::FixedVectorTyID: {
      unsigned N = cast<FixedVectorType>(T)->getNumElements();
      return is_contained({2u, 3u, 4u, 8u, 16u}, N) && !T->getScalarType()->isPointerTy() &&
             isLegal(T->getScalarType(), InMemory);
    }
    case Type::ArrayTyID:
      return T->getArrayNumElements() > 0 && isLegal(T->getArrayElementType(), InMemory);
    case Type::StructTyID:
      return !cast<StructType>(T)->isOpaque() &&
             all_of(cast<StructType>(T)->elements(), [&](Type *E) { return isLegal(E, InMemory); });
    default:
      return false;
    }
  }

  /// Once for a place: both variants of a kernel have the same faults.
  void fail(const Twine &Message) {
    Good = false;
    if (At && At->getDebugLoc() &&
        !Reported.insert({At->getDebugLoc().getLine(), At->getDebugLoc().getCol()}).second)
      return;
    Diagnostic D;
    D.Message = Message.str();
    if (At)
      D.Location = At->getDebugLoc();
    if (Kernel)
      D.Kernel = Kernel->getName();
    Report(D);
  }

  ka::DiagnosticHandler Report;
  const Function *Kernel = nullptr;
  const Instruction *At = nullptr;
  DenseSet<std::pair<Type *, unsigned>> Checked;
  DenseSet<std::pair<unsigned, unsigned>> Reported;
  bool Good = true;
};

} // namespace

bool ka::spirv::validate(Module &M, ka::DiagnosticHandler Report) {
  return Validator(Report).check(M);
}
