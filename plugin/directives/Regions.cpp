// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "directives/Regions.h"

#include "common/Compat.h"
#include "directives/DeclaredRegions.h"
#include "directives/DirectiveLowering.h"
#include "directives/RegionFlow.h"
#include "gpuprof/abi.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;

namespace gpuprof {
namespace {

// The file name distinguishing gpuprof's scopes, subprograms and unit from the user's.
constexpr const char PrivateFile[] = "gpuprof-region";
// The column, with line 0, of an instruction without a location in the user's debug information.
constexpr unsigned NoLocationColumn = 65535;
// Pairs of (copy below a region, scope of the user), for restoring the user's scopes.
constexpr const char ScopePairs[] = "gpuprof.scopes";

bool isPrivate(const DIScope *Scope) {
  return Scope && Scope->getFile() && Scope->getFile()->getFilename() == PrivateFile;
}

bool isRegionScope(const DIScope *Scope) { return isa_and_nonnull<DILexicalBlock>(Scope) && isPrivate(Scope); }

/* ---- Regions as scopes -------------------------------------------------------------------------------------- */

class ScopeWriter {
public:
  explicit ScopeWriter(Module &M) : M(M), Builder(M, /*AllowUnresolved=*/false) {}

  // Gives a function without debug information a private subprogram, and its instructions locations in it.
  // Regions inlined into it then find a call site to compose with.
  void addLocations(Function &F) {
    if (F.getSubprogram())
      return;
    DISubprogram *SP = Builder.createFunction(
        privateFile(""), F.getName(), F.getName(), privateFile(""), 0,
        Builder.createSubroutineType(Builder.getOrCreateTypeArray({})), 0, DINode::FlagZero,
        DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit);
    SP->replaceUnit(unit());
    F.setSubprogram(SP);
    const DILocation *Location = DILocation::get(M.getContext(), 0, 0, SP);
    for (BasicBlock &BB : F)
      for (Instruction &I : BB)
        I.setDebugLoc(DebugLoc(Location));
  }

  void place(Instruction &I, ArrayRef<CallInst *> Open) {
    DILocation *Location = I.getDebugLoc();
    if ((Open.empty() && Location) || isa<DbgInfoIntrinsic>(I))
      return;
    if (!Location)
      Location = DILocation::get(M.getContext(), 0, NoLocationColumn, I.getFunction()->getSubprogram());
    I.setDebugLoc(DebugLoc(place(*Location, Open)));
    // Loops keep locations of their own; the code of unrolled loops takes them over.
    updateLoopMetadataDebugLocations(I, [&](Metadata *MD) -> Metadata * {
      auto *Location = dyn_cast_or_null<DILocation>(MD);
      return Location ? place(*Location, Open) : MD;
    });
  }

  void finish() { Builder.finalize(); }

private:
  DILocation *place(const DILocation &Location, ArrayRef<CallInst *> Open) {
    DIScope *Innermost = Location.getScope()->getSubprogram();
    for (CallInst *Enter : Open)
      Innermost = regionScope(Innermost, *Enter);
    return DILocation::get(M.getContext(), Location.getLine(), Location.getColumn(),
                           below(Location.getScope(), Innermost), Location.getInlinedAt());
  }

  DIFile *privateFile(StringRef Description) { return Builder.createFile(PrivateFile, Description); }

  DICompileUnit *unit() {
    if (Unit)
      return Unit;
    NamedMDNode *Units = M.getOrInsertNamedMetadata("llvm.dbg.cu");
    if (Units->getNumOperands() > 0)
      return Unit = cast<DICompileUnit>(Units->getOperand(0));
    // Bitcode without this flag loses its locations when it is read back.
    if (!M.getModuleFlag("Debug Info Version"))
      M.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
    return Unit = Builder.createCompileUnit(dwarf::DW_LANG_C_plus_plus_14, privateFile(""), "gpuprof", true, "", 0,
                                            "", DICompileUnit::NoDebug);
  }

  // Regions lie directly below the subprogram, above the user's blocks. Merged instructions of one region
  // from different blocks then keep the region.
  DIScope *regionScope(DIScope *Parent, CallInst &Enter) {
    DIScope *&Scope = Regions[{Parent, &Enter}];
    if (!Scope) {
      std::string Description = descriptionOf(Enter);
      unsigned Line = 1; // a scope with a column needs a line
      descriptionField(Description, "line").getAsInteger(10, Line);
      // The column distinguishes two regions of one line (a macro's) as scopes.
      Scope = Builder.createLexicalBlock(Parent, privateFile(Description), std::max(Line, 1u), Regions.size());
    }
    return Scope;
  }

  // The user's chain of blocks from its subprogram to Scope, copied to below Region.
  DILocalScope *below(DILocalScope *Scope, DIScope *Region) {
    auto *Block = dyn_cast<DILexicalBlockBase>(Scope);
    if (!Block)
      return cast<DILocalScope>(Region);
    DILocalScope *&Copy = Copies[{Scope, Region}];
    if (Copy)
      return Copy;
    DILocalScope *Parent = below(Block->getScope(), Region);
    LLVMContext &Context = M.getContext();
    if (auto *Lexical = dyn_cast<DILexicalBlock>(Block))
      Copy = DILexicalBlock::getDistinct(Context, Parent, Lexical->getFile(), Lexical->getLine(), Lexical->getColumn());
    else
      Copy = DILexicalBlockFile::getDistinct(Context, Parent, Block->getFile(),
                                             cast<DILexicalBlockFile>(Block)->getDiscriminator());
    M.getOrInsertNamedMetadata(ScopePairs)->addOperand(MDNode::get(Context, {Copy, Scope}));
    return Copy;
  }

  Module &M;
  DIBuilder Builder;
  DICompileUnit *Unit = nullptr;
  std::map<std::pair<DIScope *, CallInst *>, DIScope *> Regions;
  std::map<std::pair<DILocalScope *, DIScope *>, DILocalScope *> Copies;
};

/* ---- Markers out -------------------------------------------------------------------------------------------- */

// Erases the uses of the variable of a marked scope; true if there were no others.
bool eraseUses(Value &V) {
  bool All = true;
  for (User *U : make_early_inc_range(V.users())) {
    auto *I = dyn_cast<Instruction>(U);
    if (isa_and_nonnull<AddrSpaceCastInst, BitCastInst>(I) && eraseUses(*I))
      I->eraseFromParent();
    else if (isa_and_nonnull<StoreInst>(I) || (I && (I->isLifetimeStartOrEnd() || asMarker(*I, GPUPROF_MARK_EXIT))))
      I->eraseFromParent();
    else
      All = false;
  }
  return All;
}

void eraseMarker(CallInst &Enter) {
  auto *Variable = dyn_cast_or_null<AllocaInst>(scopeVariable(Enter));
  auto *String = dyn_cast<GlobalVariable>(getUnderlyingObject(Enter.getArgOperand(0)));
  if (Variable && eraseUses(*Variable))
    Variable->eraseFromParent();
  eraseUses(Enter); // a store to something else than an alloca
  Enter.eraseFromParent();
  if (!String || !String->hasLocalLinkage())
    return;
  String->removeDeadConstantUsers();
  if (String->use_empty())
    String->eraseFromParent();
}

std::vector<CallInst *> callsOf(Module &M, StringRef Name) {
  std::vector<CallInst *> Calls;
  if (Function *Marker = M.getFunction(Name))
    for (User *U : Marker->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        Calls.push_back(Call);
  return Calls;
}

void eraseMarkers(Module &M) {
  for (CallInst *Enter : callsOf(M, GPUPROF_MARK_ENTER))
    eraseMarker(*Enter);
  for (CallInst *Exit : callsOf(M, GPUPROF_MARK_EXIT)) // for an unreachable enter, already erased
    Exit->eraseFromParent();
  for (const char *Name : {GPUPROF_MARK_ENTER, GPUPROF_MARK_EXIT})
    if (Function *Marker = M.getFunction(Name))
      if (Marker->use_empty())
        Marker->eraseFromParent();
}

// True if a function can run the step of a region other than its own. Such a step is in a function without a
// region around it, e.g. a lambda: it belongs to the calling region.
bool callsOthers(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && !Callee->isDeclaration();
  });
}

// The regions possibly divided into steps. A kernel's own ends with the thread.
SmallPtrSet<CallInst *, 4> regionsWithSteps(ArrayRef<CallInst *> Enters,
                                            const SetVector<Function *> &Marked) {
  SmallPtrSet<CallInst *, 4> WithSteps;
  bool InNone = false;
  for (Function *F : Marked)
    RegionFlow(*F).forEach(*F, [&](Instruction &I, ArrayRef<CallInst *> Open) {
      if (!isStepMarker(I))
        return;
      if (Open.size() > 1) // the innermost scope is the directive's own
        WithSteps.insert(Open[Open.size() - 2]);
      else
        InNone = true;
    });
  SmallPtrSet<CallInst *, 4> Result;
  for (CallInst *Enter : Enters) {
    const std::string Description = descriptionOf(*Enter);
    const StringRef Kind = descriptionField(Description, "kind");
    if (Kind == "device" && (WithSteps.count(Enter) || (InNone && callsOthers(*Enter->getFunction()))))
      Result.insert(Enter);
  }
  return Result;
}

void endSteps(Module &M, const SmallPtrSetImpl<CallInst *> &WithSteps) {
  const std::vector<CallInst *> Exits = callsOf(M, GPUPROF_MARK_EXIT);
  for (CallInst *Enter : WithSteps) {
    const Value *Variable = scopeVariable(*Enter);
    SmallVector<CallInst *, 4> Own;
    for (CallInst *Exit : Exits)
      if (Exit->getArgOperand(0)->stripPointerCasts() == Variable)
        Own.push_back(Exit);
    addEndsOfSteps(*Enter, Own);
  }
}

// A function without calls of functions with a body has nothing inlined into it. It takes the call site's
// location when it is inlined itself.
bool needsLocations(const Function &F) {
  if (F.isDeclaration() || F.getSubprogram())
    return false;
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      if (const auto *Call = dyn_cast<CallBase>(&I)) {
        const Function *Callee = Call->getCalledFunction();
        if (!Call->isInlineAsm() && (!Callee || !Callee->isIntrinsic()))
          return true;
      }
  return false;
}

/* ---- Back to the user's debug information ------------------------------------------------------------------- */

class Restorer {
public:
  explicit Restorer(Module &M) : M(M) {
    if (NamedMDNode *Pairs = M.getNamedMetadata(ScopePairs))
      for (const MDNode *Pair : Pairs->operands())
        Originals[cast<DILocalScope>(Pair->getOperand(0))] = cast<DILocalScope>(Pair->getOperand(1));
  }

  // Null: an instruction of a function without debug information of its own.
  DILocation *location(DILocation *L) {
    if (!L)
      return nullptr;
    auto Known = Locations.find(L);
    if (Known != Locations.end())
      return Known->second;
    DILocation *InlinedAt = location(L->getInlinedAt());
    DILocation *Result = InlinedAt;
    const bool HadNone = L->getLine() == 0 && L->getColumn() == NoLocationColumn;
    if (!HadNone && !isPrivate(L->getScope()->getSubprogram())) {
      DILocalScope *Scope = scope(L->getScope());
      if (Scope == L->getScope() && InlinedAt == L->getInlinedAt())
        Result = L;
      else if (L->isDistinct())
        Result = DILocation::getDistinct(M.getContext(), L->getLine(), L->getColumn(), Scope, InlinedAt);
      else
        Result = DILocation::get(M.getContext(), L->getLine(), L->getColumn(), Scope, InlinedAt);
    }
    return Locations[L] = Result;
  }

private:
  DILocalScope *scope(DILocalScope *S) {
    auto Original = Originals.find(S);
    if (Original != Originals.end())
      return Original->second;
    while (isRegionScope(S))
      S = cast<DILexicalBlock>(S)->getScope();
    return S;
  }

  Module &M;
  DenseMap<DILocalScope *, DILocalScope *> Originals;
  DenseMap<DILocation *, DILocation *> Locations;
};

void dropPrivateUnit(Module &M) {
  NamedMDNode *Units = M.getNamedMetadata("llvm.dbg.cu");
  if (!Units || Units->getNumOperands() == 0 || !isPrivate(cast<DICompileUnit>(Units->getOperand(0))))
    return;
  // The unit is private only if there was no other before; units linked in since are the user's.
  SmallVector<MDNode *, 4> Others(drop_begin(Units->operands()));
  Units->clearOperands();
  for (MDNode *Other : Others)
    Units->addOperand(Other);
  if (Others.empty())
    Units->eraseFromParent();
}

} // namespace

StringRef descriptionField(StringRef Description, StringRef Key) {
  while (!Description.empty()) {
    auto [Field, Rest] = Description.split('\t');
    auto [Name, Value] = Field.split('=');
    if (Name == Key)
      return Value;
    Description = Rest;
  }
  return {};
}

RegionPath regionPath(const DILocation *Location) {
  RegionPath Path;
  for (; Location; Location = Location->getInlinedAt())
    for (const DILocalScope *Scope = Location->getScope(); Scope;) {
      if (isRegionScope(Scope))
        Path.push_back(Scope->getFile()->getDirectory());
      const auto *Block = dyn_cast<DILexicalBlockBase>(Scope);
      Scope = Block ? Block->getScope() : nullptr;
    }
  std::reverse(Path.begin(), Path.end());
  return Path;
}

static std::string pathOf(const DIFile &File) {
  StringRef Name = File.getFilename();
  if (Name.empty() || Name.front() == '/' || File.getDirectory().empty())
    return Name.str();
  return (File.getDirectory() + "/" + Name).str();
}

// The next enclosing location of the user's, not one carrying regions only.
static const DILocation *userLocation(const DILocation *Location) {
  while (Location && isPrivate(Location->getScope()->getSubprogram()))
    Location = Location->getInlinedAt();
  return Location;
}

SourceLine sourceLine(const DILocation *Location, const std::function<bool(StringRef)> &IsLibrary) {
  SourceLine Innermost;
  for (Location = userLocation(Location); Location; Location = userLocation(Location->getInlinedAt())) {
    const DIScope *Scope = Location->getScope();
    while (isRegionScope(Scope))
      Scope = cast<DILexicalBlock>(Scope)->getScope();
    SourceLine Here{pathOf(*Scope->getFile()), Location->getLine()};
    const bool Known = Here.Line != 0; // otherwise instructions of several lines were merged
    if (!IsLibrary || !IsLibrary(Here.File))
      return Known ? Here : Innermost;
    if (Known && Innermost.File.empty())
      Innermost = std::move(Here);
  }
  return Innermost;
}

SourceLine sourceLine(const DISubprogram *Subprogram) {
  if (!Subprogram || isPrivate(Subprogram) || !Subprogram->getFile())
    return {};
  return {pathOf(*Subprogram->getFile()), Subprogram->getLine()};
}

void stripRegions(Module &M) {
  Restorer Restore(M);
  for (Function &F : M) {
    for (BasicBlock &BB : F)
      for (Instruction &I : BB) {
        I.setDebugLoc(DebugLoc(Restore.location(I.getDebugLoc().get())));
        updateLoopMetadataDebugLocations(I, [&](Metadata *MD) -> Metadata * {
          auto *Location = dyn_cast_or_null<DILocation>(MD);
          return Location ? Restore.location(Location) : MD;
        });
        compat::forEachDebugRecordLocation(I, [&](const DebugLoc &L) { return DebugLoc(Restore.location(L.get())); });
      }
    if (isPrivate(F.getSubprogram()))
      F.setSubprogram(nullptr);
  }
  if (NamedMDNode *Pairs = M.getNamedMetadata(ScopePairs))
    Pairs->eraseFromParent();
  dropPrivateUnit(M);
}

PreservedAnalyses RegionsPass::run(Module &M, ModuleAnalysisManager &) {
  std::vector<CallInst *> Enters = callsOf(M, GPUPROF_MARK_ENTER);
  if (Enters.empty())
    return PreservedAnalyses::all();

  SetVector<Function *> Marked;
  for (CallInst *Enter : Enters)
    Marked.insert(Enter->getFunction());
  endSteps(M, regionsWithSteps(Enters, Marked));
  declareRegions(M);
  ScopeWriter Scopes(M);
  for (Function &F : M)
    if (needsLocations(F))
      Scopes.addLocations(F);
  for (Function *F : Marked)
    RegionFlow(*F).forEach(*F, [&](Instruction &I, ArrayRef<CallInst *> Open) { Scopes.place(I, Open); });
  Scopes.finish();
  lowerDirectives(M);
  eraseMarkers(M);
  return PreservedAnalyses::none();
}

PreservedAnalyses RegionsPrinterPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    OS << "regions of " << F.getName() << ":\n";
    for (BasicBlock &BB : F)
      for (Instruction &I : BB) {
        RegionPath Path = regionPath(I.getDebugLoc().get());
        if (Path.empty())
          continue;
        ListSeparator Separator("/");
        OS << "  ";
        for (StringRef Description : Path)
          OS << Separator << descriptionField(Description, "name");
        OS << ":" << I << "\n";
      }
  }
  return PreservedAnalyses::all();
}

} // namespace gpuprof
