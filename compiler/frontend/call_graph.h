//===- call_graph.h - What kernels reach ----------------------------------===//
//
// All functions and variables that run or are read on the device, each with the
// call by which it was reached first.
//
//===----------------------------------------------------------------------===//
#ifndef KA_COMPILER_FRONTEND_CALL_GRAPH_H
#define KA_COMPILER_FRONTEND_CALL_GRAPH_H

#include "compiler/frontend/diagnostics.h"
#include "compiler/frontend/kernel_table.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <optional>
#include <vector>

namespace ka {

/// Whether the function has a body that kernels take. The C library's headers may give one to
/// printf and its kin, with variable arguments or the host's buffers, which is for the host.
bool hasDeviceBody(const clang::FunctionDecl *F, const clang::ASTContext &C);

/// Walks the code that runs on the device: not the operands of sizeof and the
/// like, nor static assertions, nor the branches of _Generic that were not chosen,
/// nor those of if, ?:, && and || that a constant condition rules out, which clang does not emit.
template <typename Derived> class DeviceCodeVisitor : public clang::RecursiveASTVisitor<Derived> {
  using Base = clang::RecursiveASTVisitor<Derived>;

public:
  explicit DeviceCodeVisitor(const clang::ASTContext &C) : C(C) {}

  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *) { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr *) { return true; }
  /// Its message is a literal without a type.
  bool TraverseStaticAssertDecl(clang::StaticAssertDecl *) { return true; }
  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr *E) {
    return this->getDerived().TraverseStmt(E->getResultExpr());
  }
  bool TraverseChooseExpr(clang::ChooseExpr *E) {
    return this->getDerived().TraverseStmt(E->getChosenSubExpr());
  }
  bool TraverseIfStmt(clang::IfStmt *S) {
    if (S->isConsteval() || S->getInit() || S->getConditionVariable())
      return Base::TraverseIfStmt(S);
    std::optional<bool> Taken = constant(S->getCond());
    if (!Taken)
      return Base::TraverseIfStmt(S);
    clang::Stmt *Branch = *Taken ? S->getThen() : S->getElse();
    return !Branch || this->getDerived().TraverseStmt(Branch);
  }
  bool TraverseConditionalOperator(clang::ConditionalOperator *E) {
    std::optional<bool> Taken = constant(E->getCond());
    if (!Taken)
      return Base::TraverseConditionalOperator(E);
    return this->getDerived().TraverseStmt(*Taken ? E->getTrueExpr() : E->getFalseExpr());
  }
  bool TraverseBinaryOperator(clang::BinaryOperator *E) {
    if (E->isLogicalOp() && constant(E->getLHS()) == (E->getOpcode() == clang::BO_LOr))
      return true;
    return Base::TraverseBinaryOperator(E);
  }
  bool TraverseTypeLoc(clang::TypeLoc T) {
    return !T.getType()->isVariablyModifiedType() || Base::TraverseTypeLoc(T);
  }
  /// Functions and classes within a function are reached by calls alone.
  bool TraverseDecl(clang::Decl *D) {
    return !D || clang::isa<clang::FunctionDecl, clang::TagDecl>(D) || Base::TraverseDecl(D);
  }
  bool TraverseLambdaExpr(clang::LambdaExpr *E) {
    for (clang::Expr *Init : E->capture_inits())
      if (!this->getDerived().TraverseStmt(Init))
        return false;
    return true;
  }

protected:
  /// The value of a condition that is known and free of effects.
  std::optional<bool> constant(const clang::Expr *Condition) const {
    bool Value;
    if (Condition->isValueDependent() || !Condition->EvaluateAsBooleanCondition(Value, C) ||
        Condition->HasSideEffects(C))
      return std::nullopt;
    return Value;
  }

  const clang::ASTContext &C;
};

/// The declaration that gives the variable its value: by an initialiser, or, as
/// C's tentative definitions do, by having none. Null if another translation unit
/// does.
const clang::VarDecl *definitionOf(const clang::VarDecl *V);

class CallGraph {
public:
  struct Edge {
    const clang::FunctionDecl *Callee; // its definition, if there is one
    clang::SourceLocation Location;
  };
  struct Node {
    const clang::FunctionDecl *Function; // the definition
    const clang::FunctionDecl *Caller;   // null for a kernel
    clang::SourceLocation CallLocation;
    std::vector<Edge> Calls;
    std::vector<std::pair<const clang::VarDecl *, clang::SourceLocation>> Variables;
  };

  /// Starts at the kernels that are defined. Kernels must have their device bodies.
  CallGraph(KernelTable &Kernels, const clang::ASTContext &C);

  /// In the order in which they were reached.
  const std::vector<const clang::FunctionDecl *> &functions() const { return Order; }
  const Node &node(const clang::FunctionDecl *Definition) const {
    return Nodes.find(Definition)->second;
  }
  bool reaches(const clang::FunctionDecl *F) const;

  /// Variables with static storage that device code reads, outer ones of
  /// initialisers included.
  llvm::ArrayRef<const clang::VarDecl *> variables() const { return Variables.getArrayRef(); }

  /// Adds a note for each call on the way from a kernel to the function.
  void notePath(Reporter &Report, const clang::FunctionDecl *F) const;

  /// Reports each cycle of calls once; false if there is one.
  bool checkRecursion(Reporter &Report) const;

private:
  void reach(const clang::FunctionDecl *F, const clang::FunctionDecl *Caller,
             clang::SourceLocation Location);
  void reachVariable(const clang::VarDecl *V);

  const clang::ASTContext &C;

  std::vector<const clang::FunctionDecl *> Order;
  llvm::DenseMap<const clang::FunctionDecl *, Node> Nodes;
  llvm::SetVector<const clang::VarDecl *> Variables;
};

} // namespace ka

#endif
