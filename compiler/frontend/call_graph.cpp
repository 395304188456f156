//===- call_graph.cpp - What kernels reach --------------------------------===//

#include "compiler/frontend/call_graph.h"
#include "compiler/lowering/print_calls.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace ka {

const VarDecl *definitionOf(const VarDecl *V) {
  const VarDecl *Result = nullptr;
  for (const VarDecl *R : V->redecls())
    if (R->getInit())
      return R;
    else if (R->isThisDeclarationADefinition() != VarDecl::DeclarationOnly)
      Result = R;
  return Result;
}

namespace {

/// The definition if this translation unit has one, else the declaration.
const FunctionDecl *definitionOf(const FunctionDecl *F) {
  const FunctionDecl *Definition = nullptr;
  return F->isDefined(Definition) ? Definition : F->getCanonicalDecl();
}

/// Collects calls and variables of one function or initialiser.
class ReferenceCollector : public DeviceCodeVisitor<ReferenceCollector> {
public:
  using DeviceCodeVisitor::DeviceCodeVisitor;

  std::vector<CallGraph::Edge> Calls;
  std::vector<std::pair<const VarDecl *, SourceLocation>> Variables;

  bool VisitCallExpr(CallExpr *E) {
    if (const FunctionDecl *F = E->getDirectCallee())
      Calls.push_back({definitionOf(F), E->getExprLoc()});
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    if (!E->getConstructor()->isTrivial())
      Calls.push_back({definitionOf(E->getConstructor()), E->getExprLoc()});
    return true;
  }

  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *E) {
    if (const CXXDestructorDecl *D = E->getTemporary()->getDestructor())
      Calls.push_back({definitionOf(D), E->getExprLoc()});
    return true;
  }

  bool VisitVarDecl(VarDecl *V) {
    const auto *R = V->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (R && R->hasDefinition() && !R->hasTrivialDestructor() && R->getDestructor() &&
        V->hasLocalStorage())
      Calls.push_back({definitionOf(R->getDestructor()), V->getLocation()});
    if (const auto *Cleanup = V->getAttr<CleanupAttr>())
      Calls.push_back({definitionOf(Cleanup->getFunctionDecl()), V->getLocation()});
    if (V->hasGlobalStorage())
      Variables.push_back({V, V->getLocation()});
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    const auto *V = dyn_cast<VarDecl>(E->getDecl());
    if (V && V->hasGlobalStorage() && E->isNonOdrUse() != NOUR_Unevaluated)
      Variables.push_back({V, E->getLocation()});
    return true;
  }
};

} // namespace

bool hasDeviceBody(const FunctionDecl *F, const ASTContext &C) {
  if (!F->hasBody())
    return false;
  const IdentifierInfo *Name = F->getIdentifier();
  return !Name || !(isPrintFunction(Name->getName()) || F->isVariadic()) ||
         !C.getSourceManager().isInSystemHeader(F->getLocation());
}

CallGraph::CallGraph(KernelTable &Kernels, const ASTContext &C) : C(C) {
  for (auto &[First, K] : Kernels)
    if (K->Definition)
      reach(K->Definition, nullptr, {});
  for (size_t I = 0; I < Order.size(); ++I) {
    ReferenceCollector Found(C);
    Found.TraverseStmt(Order[I]->getBody());
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Order[I]))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        Found.TraverseStmt(Init->getInit());
    for (const Edge &E : Found.Calls)
      if (hasDeviceBody(E.Callee, C))
        reach(E.Callee, Order[I], E.Location);
    for (auto &[V, Location] : Found.Variables)
      reachVariable(V);
    Node &N = Nodes.find(Order[I])->second;
    N.Calls = std::move(Found.Calls);
    N.Variables = std::move(Found.Variables);
  }
}

void CallGraph::reach(const FunctionDecl *F, const FunctionDecl *Caller, SourceLocation Location) {
  if (Nodes.try_emplace(F, Node{F, Caller, Location, {}, {}}).second)
    Order.push_back(F);
}

void CallGraph::reachVariable(const VarDecl *V) {
  const VarDecl *Definition = definitionOf(V);
  if (!Variables.insert(Definition ? Definition : V) || !Definition || !Definition->getInit())
    return;
  ReferenceCollector Found(C);
  Found.TraverseStmt(const_cast<Expr *>(Definition->getInit()));
  for (auto &[Inner, Location] : Found.Variables)
    reachVariable(Inner);
}

bool CallGraph::reaches(const FunctionDecl *F) const {
  return F && Nodes.contains(definitionOf(F));
}

void CallGraph::notePath(Reporter &Report, const FunctionDecl *F) const {
  for (const Node *N = &node(F); N->Caller; N = &node(N->Caller)) {
    bool IsKernel = !node(N->Caller).Caller;
    Report.note(N->CallLocation, quoted(N->Function) + " is called by " +
                                     (IsKernel ? "kernel " : "") + quoted(N->Caller) + " here");
  }
}

bool CallGraph::checkRecursion(Reporter &Report) const {
  enum Colour { White, OnStack, Done };
  llvm::DenseMap<const FunctionDecl *, Colour> Colours;
  struct Frame {
    const Node *N;
    size_t Next;
  };
  bool Found = false;
  for (const FunctionDecl *Start : Order) {
    if (Colours.lookup(Start) != White)
      continue;
    std::vector<Frame> Stack = {{&node(Start), 0}};
    Colours[Start] = OnStack;
    while (!Stack.empty()) {
      const Node *N = Stack.back().N;
      if (Stack.back().Next == N->Calls.size()) {
        Colours[N->Function] = Done;
        Stack.pop_back();
        continue;
      }
      const Edge &E = N->Calls[Stack.back().Next++];
      auto Callee = Nodes.find(E.Callee);
      if (Callee == Nodes.end())
        continue;
      Colour &Mark = Colours[E.Callee];
      if (Mark == White) {
        Mark = OnStack;
        Stack.push_back({&Callee->second, 0});
      } else if (Mark == OnStack) {
        Found = true;
        size_t First = Stack.size() - 1;
        while (Stack[First].N->Function != E.Callee)
          --First;
        Report.error(E.Location, "recursion is not supported in kernels: " + quoted(N->Function) +
                                     " calls " + quoted(E.Callee) +
                                     (First + 1 == Stack.size() ? "" : ", which leads back to it"));
        for (size_t I = First; I + 1 < Stack.size(); ++I) {
          const Edge &On = Stack[I].N->Calls[Stack[I].Next - 1];
          Report.note(On.Location,
                      quoted(Stack[I].N->Function) + " calls " + quoted(On.Callee) + " here");
        }
        notePath(Report, E.Callee);
      }
    }
  }
  return !Found;
}

} // namespace ka
