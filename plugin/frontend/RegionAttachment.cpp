// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/RegionAttachment.h"
#include "frontend/Diagnostics.h"
#include "frontend/Jumps.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Frontend/CompilerInstance.h"

#include <algorithm>

using namespace clang;
using llvm::StringRef;

namespace gpuprof {
namespace {

/// Functions are called by their name, members with their class, lambdas like the function around them.
std::string nameOf(const FunctionDecl *F) {
  auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (!Method)
    return F->getNameAsString();
  if (!Method->getParent()->isLambda())
    return Method->getParent()->getNameAsString() + "::" + F->getNameAsString();
  auto *Around = dyn_cast<FunctionDecl>(Method->getParent()->getDeclContext());
  return Around ? nameOf(Around) : "lambda";
}

/// Applies `Edit` to each statement position of `S`: the place of a statement, not of an expression's
/// operand.
template <class EditFn> void forEachPosition(Stmt *S, EditFn Edit) {
  if (auto *Compound = dyn_cast<CompoundStmt>(S)) {
    for (Stmt *&Child : Compound->body())
      Child = Edit(Child);
  } else if (auto *If = dyn_cast<IfStmt>(S)) {
    If->setThen(Edit(If->getThen()));
    if (If->getElse())
      If->setElse(Edit(If->getElse()));
  } else if (auto *For = dyn_cast<ForStmt>(S)) {
    For->setBody(Edit(For->getBody()));
  } else if (auto *While = dyn_cast<WhileStmt>(S)) {
    While->setBody(Edit(While->getBody()));
  } else if (auto *Do = dyn_cast<DoStmt>(S)) {
    Do->setBody(Edit(Do->getBody()));
  } else if (auto *Range = dyn_cast<CXXForRangeStmt>(S)) {
    Range->setBody(Edit(Range->getBody()));
  } else if (auto *Switch = dyn_cast<SwitchStmt>(S)) {
    Switch->setBody(Edit(Switch->getBody()));
  } else if (auto *Case = dyn_cast<CaseStmt>(S)) {
    Case->setSubStmt(Edit(Case->getSubStmt()));
  } else if (auto *Default = dyn_cast<DefaultStmt>(S)) {
    Default->setSubStmt(Edit(Default->getSubStmt()));
  } else if (auto *Label = dyn_cast<LabelStmt>(S)) {
    Label->setSubStmt(Edit(Label->getSubStmt()));
  }
}

/// Statement positions of `S` visited by forEachPosition() are not visited as operands again.
bool isPosition(Stmt *Parent, Stmt *Child) {
  bool Found = false;
  forEachPosition(Parent, [&](Stmt *S) {
    Found |= S == Child;
    return S;
  });
  return Found;
}

} // namespace

RegionAttachment::RegionAttachment(CompilerInstance &CI, std::shared_ptr<RegionTable> Table, bool Remarks)
    : CI(CI), Table(std::move(Table)), Remarks(Remarks), Markers(new MarkerBuilder(CI.getASTContext())) {}

void RegionAttachment::visit(Decl *D) {
  Markers->noticeDeclaration(D);
  if (Table->empty() || !Seen.insert(D).second)
    return;
  if (auto *Template = dyn_cast<FunctionTemplateDecl>(D))
    return visit(Template->getTemplatedDecl());
  if (auto *Template = dyn_cast<ClassTemplateDecl>(D)) {
    unsigned Before = Found;
    visit(Template->getTemplatedDecl());
    if (Found != Before)
      Templates.push_back(Template);
    return;
  }
  if (auto *Template = dyn_cast<VarTemplateDecl>(D))
    return visit(Template->getTemplatedDecl());
  if (auto *F = dyn_cast<FunctionDecl>(D)) {
    visitDefaultArguments(F);
    return visitFunction(F);
  }
  if (auto *V = dyn_cast<VarDecl>(D))
    return visitVariable(V);
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, CXXRecordDecl>(D))
    for (Decl *Inner : cast<DeclContext>(D)->decls())
      visit(Inner);
}

bool RegionAttachment::generatesCode(const FunctionDecl *F) const {
  const LangOptions &Language = CI.getLangOpts();
  if (F->isDependentContext())
    return false;
  if (!Language.CUDA)
    return true;
  bool Device = F->hasAttr<CUDADeviceAttr>(), Kernel = F->hasAttr<CUDAGlobalAttr>();
  return Language.CUDAIsDevice ? Device || Kernel : !Kernel && (!Device || F->hasAttr<CUDAHostAttr>());
}

llvm::SmallVector<Region *, 2> RegionAttachment::regionsOf(FunctionDecl *F) const {
  llvm::SmallVector<Region *, 2> Found;
  auto Add = [&](SourceLocation Where) {
    for (Region *R : Table->at(Where))
      if (!llvm::is_contained(Found, R))
        Found.push_back(R);
  };
  // An instantiation begins at its pattern's start; a template at `template`; `extern "C" void f() {}` at
  // `extern`.
  FunctionDecl *Pattern = F->getTemplateInstantiationPattern(/*ForDefinition=*/true);
  if (!Pattern)
    Pattern = F;
  if (auto *Linkage = dyn_cast<LinkageSpecDecl>(Pattern->getLexicalDeclContext());
      Linkage && !Linkage->hasBraces())
    Add(Linkage->getBeginLoc());
  Add(Pattern->getBeginLoc());
  Add(Pattern->getInnerLocStart());
  if (FunctionTemplateDecl *Template = Pattern->getDescribedFunctionTemplate())
    Add(Template->getBeginLoc());
  return Found;
}

llvm::SmallVector<Region *, 2> RegionAttachment::regionsOf(Stmt *S) const {
  llvm::SmallVector<Region *, 2> Found;
  for (Stmt *At = S; At; At = isa<AttributedStmt>(At) ? cast<AttributedStmt>(At)->getSubStmt() : nullptr)
    for (Region *R : Table->at(At->getBeginLoc()))
      if (!llvm::is_contained(Found, R))
        Found.push_back(R);
  return Found;
}

/// Functions without support for regions: reports the reason, once.
bool RegionAttachment::skips(FunctionDecl *F, llvm::ArrayRef<Region *> Regions) {
  bool Lambda = isa<CXXMethodDecl>(F) && cast<CXXMethodDecl>(F)->getParent()->isLambda();
  if (!F->isConstexpr() || Lambda) // a lambda is implicitly constexpr if possible
    return false;
  for (Region *R : Regions)
    reportFunction(*R, Diag::InConstexpr, F);
  return true;
}

/// Reports a problem of the function around a region, or being one; once a region.
void RegionAttachment::reportFunction(Region &R, Diag Id, const FunctionDecl *F) {
  if (std::exchange(R.Reported, true) || (Id == Diag::InConstexpr && !Table->warns(Warning::ConstexprRegion)))
    return;
  report(CI.getDiagnostics(), R.Pragma, Id) << R.directive();
  report(CI.getDiagnostics(), F->getLocation(), Diag::DeclaredHere) << F;
}

/// A pragma before an unsuitable declaration outside of functions.
void RegionAttachment::reportOther(Region &R, const Decl *D) {
  auto Report = [&](Diag Id) {
    R.Reported = true;
    DiagnosticBuilder Error = report(CI.getDiagnostics(), R.Pragma, Id);
    Error << R.directive();
    return Error;
  };
  if (auto *F = dyn_cast<FunctionDecl>(D)) {
    Report(Diag::BeforePrototype) << F;
    if (const FunctionDecl *Definition = F->getDefinition())
      report(CI.getDiagnostics(), Definition->getLocation(), Diag::DefinedHere) << Definition;
  } else if (isa<VarDecl, FieldDecl>(D)) {
    Report(Diag::BeforeVariable) << cast<NamedDecl>(D);
  } else if (auto *T = dyn_cast<TagDecl>(D); T && T->getIdentifier()) {
    Report(Diag::BeforeType) << T;
  } else if (isa<NamespaceDecl>(D)) {
    Report(Diag::BeforeNamespace);
  }
}

void RegionAttachment::visitFunction(FunctionDecl *F) {
  if (!F->doesThisDeclarationHaveABody() || F->isDefaulted())
    return;
  Stmt *Body = F->getBody();
  if (!Body)
    return;
  llvm::SmallVector<Region *, 2> Regions = regionsOf(F);
  for (Region *R : Regions) {
    R->Matched = true;
    ++Found;
    R->Extent = Body->getSourceRange();
  }
  Scope S;
  S.Function = F;
  S.Context = F;
  S.Skip = skips(F, Regions);
  S.Rewrite = !S.Skip && Markers->ready() && generatesCode(F);
  if (auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
    for (CXXCtorInitializer *Initializer : Constructor->inits())
      visitExpression(Initializer->getInit(), S);
  visitBody(Body, S);
  if (Regions.empty() || S.Skip)
    return;
  if (isa<CoroutineBodyStmt>(Body)) {
    for (Region *R : Regions)
      reportFunction(*R, Diag::InCoroutine, F);
    return;
  }
  if (S.Rewrite)
    F->setBody(wrapBody(Body, Regions, S));
}

void RegionAttachment::visitVariable(VarDecl *V) {
  visitExpression(V->getInit(), Scope());
}

/// Their lambdas belong to no function's body.
void RegionAttachment::visitDefaultArguments(FunctionDecl *F) {
  for (ParmVarDecl *P : F->parameters())
    if (P->hasUninstantiatedDefaultArg())
      visitExpression(P->getUninstantiatedDefaultArg(), Scope());
    else if (P->hasDefaultArg() && !P->hasUnparsedDefaultArg() && !P->hasInheritedDefaultArg())
      visitExpression(P->getDefaultArg(), Scope());
}

/// A template's default argument is instantiated at its first use, possibly after its function was shown. A
/// function without a body is never shown.
void RegionAttachment::visitUsedDefault(Expr *E) {
  if (UsedDefaults.insert(E).second)
    visitExpression(E, Scope());
}

/// An expression that is no statement's operand.
void RegionAttachment::visitExpression(Expr *E, const Scope &S) {
  if (auto *L = dyn_cast_or_null<LambdaExpr>(E))
    visitLambda(L);
  else if (E)
    visitBody(E, S);
}

/// The body of a function as a region. For a constructor it runs after the initialisers. For a
/// function-try-block it is the tried part: its handlers run after the region has ended.
Stmt *RegionAttachment::wrapBody(Stmt *Body, llvm::ArrayRef<Region *> Regions, const Scope &S) {
  auto *Try = dyn_cast<CXXTryStmt>(Body);
  if (!Try)
    return wrap(Body, Regions, S, /*IsFunction=*/true);
  llvm::SmallVector<Stmt *, 2> Handlers;
  for (unsigned I = 0; I < Try->getNumHandlers(); ++I)
    Handlers.push_back(Try->getHandler(I));
  auto *Tried = cast<CompoundStmt>(wrap(Try->getTryBlock(), Regions, S, /*IsFunction=*/true));
  return CXXTryStmt::Create(CI.getASTContext(), Try->getTryLoc(), Tried, Handlers);
}

void RegionAttachment::visitBody(Stmt *Body, const Scope &S) {
  forEachPosition(Body, [&](Stmt *Child) { return Child ? place(Child, S) : Child; });
  visitChildren(Body, S);
}

void RegionAttachment::visitChildren(Stmt *Parent, const Scope &S) {
  for (Stmt *Child : Parent->children()) {
    if (!Child || isPosition(Parent, Child))
      continue;
    if (auto *L = dyn_cast<LambdaExpr>(Child))
      visitLambda(L);
    else if (auto *Default = dyn_cast<CXXDefaultArgExpr>(Child))
      visitUsedDefault(Default->getExpr());
    else
      visitBody(Child, S);
  }
  if (auto *Declared = dyn_cast<DeclStmt>(Parent))
    for (Decl *D : Declared->decls())
      if (isa<CXXRecordDecl>(D))
        visit(D);
  if (auto *Captured = dyn_cast<CapturedStmt>(Parent)) {
    Scope Inner = S;
    Inner.Context = Captured->getCapturedDecl();
    visitBody(Captured->getCapturedStmt(), Inner);
  }
}

void RegionAttachment::visitLambda(LambdaExpr *L) {
  FunctionDecl *Call = L->getCallOperator();
  if (Seen.insert(Call).second)
    visitFunction(Call);
}

/// Instantiations of a fold have no parentheses: they begin at its first operand.
void RegionAttachment::noticeFold(Stmt *Pattern, llvm::ArrayRef<Region *> Regions) {
  while (auto *Attributed = dyn_cast<AttributedStmt>(Pattern))
    Pattern = Attributed->getSubStmt();
  auto *Fold = dyn_cast<CXXFoldExpr>(Pattern);
  if (!Fold)
    return;
  const Expr *First = Fold->getLHS() ? Fold->getLHS() : Fold->getRHS();
  for (Region *R : Regions)
    Table->alsoBefore(First->getBeginLoc(), *R);
}

Stmt *RegionAttachment::place(Stmt *Child, const Scope &S) {
  llvm::SmallVector<Region *, 2> Regions = regionsOf(Child), Good;
  noticeFold(Child, Regions);
  for (Region *R : Regions) {
    R->Matched = true;
    ++Found;
    R->Extent = Child->getSourceRange();
    if (canHold(Child, *R, S))
      Good.push_back(R);
  }
  // Before the rewriting: generated code is not examined again.
  if (auto *L = dyn_cast<LambdaExpr>(Child))
    visitLambda(L);
  else
    visitBody(Child, S);
  return Good.empty() || !S.Rewrite ? Child : wrap(Child, Good, S, /*IsFunction=*/false);
}

bool RegionAttachment::canHold(Stmt *Child, Region &R, const Scope &S) {
  if (R.Reported)
    return false;
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  if (S.Skip) {
    reportFunction(R, Diag::InConstexpr, S.Function);
  } else if (S.Function && isa<CoroutineBodyStmt>(S.Function->getBody())) {
    reportFunction(R, Diag::InCoroutine, S.Function);
  } else if (isa<DeclStmt>(Child)) {
    report(Diags, R.Pragma, Diag::BeforeDeclaration) << R.directive();
  } else if (isa<SwitchCase>(Child)) {
    report(Diags, R.Pragma, Diag::BeforeCase) << R.directive();
  } else {
    if (isa<NullStmt>(Child) && !std::exchange(R.Warned, true) && Table->warns(Warning::EmptyRegion))
      report(Diags, R.Pragma, Diag::EmptyRegion)
          << R.directive() << FixItHint::CreateRemoval(Child->getEndLoc());
    return checkJumps(Child, R, S);
  }
  R.Reported = true;
  return false;
}

bool RegionAttachment::checkJumps(Stmt *Child, Region &R, const Scope &S) {
  BadJump Jump = JumpsOf.findBad(S.Function ? S.Function->getBody() : Child, Child);
  if (Jump.Why == BadJump::None)
    return true;
  R.Reported = true;
  Diag Id = Jump.Why == BadJump::Goto   ? Diag::JumpIn
            : Jump.Why == BadJump::Case ? Diag::CaseIn
                                        : Diag::ComputedJump;
  report(CI.getDiagnostics(), Jump.Where, Id) << R.directive();
  report(CI.getDiagnostics(), R.Pragma, Diag::PragmaHere);
  return false;
}

Stmt *RegionAttachment::wrap(Stmt *Inner, llvm::ArrayRef<Region *> Regions, const Scope &S, bool IsFunction) {
  for (Region *R : llvm::reverse(Regions)) {
    SourceLocation Where = IsFunction ? S.Function->getLocation() : R->Anchors.front();
    std::string Description = describe(*R, S, IsFunction, Where);
    remark(*R, S, Where, Description);
    Inner = Markers->wrap(Inner, Description, S.Context);
  }
  return Inner;
}

std::string RegionAttachment::describe(const Region &R, const Scope &S, bool IsFunction,
                                SourceLocation Where) const {
  const SourceManager &Sources = CI.getSourceManager();
  PresumedLoc Place = Sources.getPresumedLoc(Sources.getExpansionLoc(Where));
  std::string Line = Place.isValid() ? std::to_string(Place.getLine()) : "";
  std::string File = Place.isValid() ? Place.getFilename() : "";
  std::replace_if(
      File.begin(), File.end(), [](unsigned char C) { return C < 0x20; }, ' ');
  std::string Name = R.Name.empty() && !R.Ignore
                         ? IsFunction ? nameOf(S.Function) : nameOf(S.Function) + ":" + Line
                         : R.Name;
  std::string Kind = "host";
  if (R.Ignore)
    Kind = "ignore";
  else if (CI.getLangOpts().CUDAIsDevice)
    Kind = IsFunction && S.Function->hasAttr<CUDAGlobalAttr>() ? "kernel" : "device";

  std::string Text;
  auto Field = [&](StringRef Key, StringRef Value) {
    if (!Value.empty())
      Text += (Text.empty() ? "" : "\t") + (Key + "=" + Value).str();
  };
  Field("name", Name);
  Field("kind", Kind);
  Field("file", File);
  Field("line", Line);
  Field("phase", R.Phase);
  Field("category", R.Category);
  Field("color", R.Color);
  Field("synapse", R.Synapse);
  return Text;
}

void RegionAttachment::remark(const Region &R, const Scope &S, SourceLocation Where, StringRef Description) {
  if (!Remarks)
    return;
  std::string Readable = Description.str();
  std::replace(Readable.begin(), Readable.end(), '\t', ' ');
  report(CI.getDiagnostics(), Where, Diag::Inserted)
      << (R.directive() + " in '" + nameOf(S.Function) + "': " + Readable).str();
}

/// Only at the end are all regions without a suitable construct known.
void RegionAttachment::findMisplaced(const Decl *D) {
  auto *Template = dyn_cast<TemplateDecl>(D);
  for (Region *R : Table->at(D->getBeginLoc()))
    if (!D->isImplicit() && !R->Matched && !R->Reported)
      reportOther(*R, Template && Template->getTemplatedDecl() ? Template->getTemplatedDecl() : D);
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, CXXRecordDecl>(D))
    for (const Decl *Inner : cast<DeclContext>(D)->decls())
      findMisplaced(Inner);
}

void RegionAttachment::reportUnattached(const Region &R) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  if (R.Anchors.empty()) {
    report(Diags, R.Pragma, Diag::NothingFollows) << R.directive();
  } else if (R.Follows == tok::kw_else || R.Follows == tok::kw_catch) {
    report(Diags, R.Pragma, Diag::BeforeKeyword) << R.directive() << tok::getKeywordSpelling(R.Follows);
  } else {
    report(Diags, R.Pragma, Diag::NotAttachable) << R.directive();
    report(Diags, R.Anchors.front(), Diag::WhatFollows);
  }
}

void RegionAttachment::finish() {
  if (Table->empty())
    return;
  // Lambdas in the initialisers of an instantiated class's members are never shown. Their code is generated
  // later.
  for (ClassTemplateDecl *Template : Templates)
    for (ClassTemplateSpecializationDecl *Class : Template->specializations())
      visit(Class);
  for (const Decl *D : CI.getASTContext().getTranslationUnitDecl()->noload_decls()) // a precompiled header has no regions
    findMisplaced(D);
  for (const std::unique_ptr<Region> &R : Table->all())
    if (!R->Matched && !R->Reported)
      reportUnattached(*R);
}

} // namespace gpuprof
