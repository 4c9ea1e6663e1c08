// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Jumps.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace gpuprof {
namespace {

/// Calls `Visit` for `S` and each statement below it in this function; a lambda's body belongs to another
/// one. `Visit` returns false to skip the statements below.
void walk(Stmt *S, llvm::function_ref<bool(Stmt *)> Visit) {
  if (!S || !Visit(S) || isa<LambdaExpr>(S))
    return;
  for (Stmt *Child : S->children())
    walk(Child, Visit);
}

bool isComputed(Stmt *S) {
  auto *Asm = dyn_cast<GCCAsmStmt>(S);
  return isa<IndirectGotoStmt>(S) || (Asm && Asm->isAsmGoto());
}

/// A case label of `Inner` belonging to a switch around it.
const SwitchCase *looseCase(Stmt *Inner) {
  const SwitchCase *Found = nullptr;
  walk(Inner, [&](Stmt *S) {
    if (auto *Case = dyn_cast<SwitchCase>(S); Case && !Found)
      Found = Case;
    return !isa<SwitchStmt>(S);
  });
  return Found;
}

} // namespace

Jumps::Jumps(Stmt *Body) {
  walk(Body, [&](Stmt *S) {
    if (isComputed(S) || isa<GotoStmt>(S))
      InOrder.push_back(S);
    return true;
  });
}

const Jumps &JumpFinder::in(Stmt *Body) {
  std::unique_ptr<Jumps> &Known = Bodies[Body];
  if (!Known)
    Known = std::make_unique<Jumps>(Body);
  return *Known;
}

BadJump JumpFinder::findBad(Stmt *Body, Stmt *Inner) {
  if (const SwitchCase *Case = looseCase(Inner))
    return {BadJump::Case, Case->getKeywordLoc()};
  const Jumps &All = in(Body);
  if (All.InOrder.empty())
    return {};
  llvm::SmallPtrSet<const LabelDecl *, 4> Labels;
  llvm::SmallPtrSet<const Stmt *, 4> Own; // gotos within Inner are unrestricted
  walk(Inner, [&](Stmt *S) {
    if (auto *Label = dyn_cast<LabelStmt>(S))
      Labels.insert(Label->getDecl());
    if (isa<GotoStmt>(S))
      Own.insert(S);
    return true;
  });
  for (Stmt *Jump : All.InOrder) {
    auto *Goto = dyn_cast<GotoStmt>(Jump);
    if (!Goto)
      return {BadJump::Computed, Jump->getBeginLoc()}; // it could also leave Inner
    if (Labels.count(Goto->getLabel()) && !Own.count(Goto))
      return {BadJump::Goto, Goto->getGotoLoc()};
  }
  return {};
}

} // namespace gpuprof
