#include "frontend/Jumps.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace gpuprof {
namespace {

/// Calls `Visit` for each statement below `S`, `S` included, in this function: a lambda's body is another
/// one. `Visit` returns false where it wants to know nothing of what is below.
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

/// A case label of `Inner` that belongs to a switch around it.
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

BadJump findBadJump(Stmt *Body, Stmt *Inner) {
  if (const SwitchCase *Case = looseCase(Inner))
    return {BadJump::Case, Case->getKeywordLoc()};
  llvm::SmallPtrSet<const LabelDecl *, 4> Labels;
  walk(Inner, [&](Stmt *S) {
    if (auto *Label = dyn_cast<LabelStmt>(S))
      Labels.insert(Label->getDecl());
    return true;
  });
  BadJump Found;
  walk(Body, [&](Stmt *S) {
    if (Found.Why == BadJump::None && isComputed(S))
      Found = {BadJump::Computed, S->getBeginLoc()};
    if (auto *Goto = dyn_cast<GotoStmt>(S);
        Goto && Found.Why == BadJump::None && Labels.count(Goto->getLabel()))
      Found = {BadJump::Goto, Goto->getGotoLoc()};
    // What is inside may jump as it likes, but for computed jumps, which could leave.
    if (S != Inner)
      return true;
    walk(Inner, [&](Stmt *Below) {
      if (Found.Why == BadJump::None && isComputed(Below))
        Found = {BadJump::Computed, Below->getBeginLoc()};
      return true;
    });
    return false;
  });
  return Found;
}

} // namespace gpuprof
