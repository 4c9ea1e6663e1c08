// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "directives/ConditionalCosts.h"

#include "common/Compat.h"
#include "costs/Expansions.h"
#include "costs/PtxCosts.h"
#include "costs/PtxValues.h"
#include "directives/CountedStatements.h"
#include "directives/DirectiveLowering.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include <utility>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr StringLiteral MarkedTag = "gpuprof.accesses";

using Builder = IRBuilder<InstSimplifyFolder, IRBuilderCallbackInserter>;

bool isGlobal(CostClass Class) { return costClassName(Class).starts_with("global_"); }

// "global_load=16,shared_store=16": the name contains the cost; equal costs are one function.
std::string nameOf(const InstructionCost &Unit) {
  std::string Name;
  for (auto [Class, Amount] : Unit.Amounts)
    Name += (Name.empty() ? "" : ",") + costClassName(Class).str() + "=" + std::to_string(Amount);
  return Name;
}

// A number of bytes as i64.
Value *bounded(Builder &B, Value *Given, uint64_t Most) {
  Value *Limit = ConstantInt::get(Given->getType(), Most);
  return B.CreateZExt(B.CreateSelect(B.CreateICmpULT(Given, Limit), Given, Limit), B.getInt64Ty());
}

// The operand of an instruction with its address in global memory, if it has exactly one.
std::optional<unsigned> addressOperand(const ptx::Instruction &I) {
  const StringRef Name = I.Opcode[0];
  if (Name == "ld" || Name == "ldu" || Name == "atom")
    return 1;
  if (Name == "red" || (Name == "st" && !I.has("bulk")))
    return 0;
  if (Name == "cp" && I.has("async") && !I.has("bulk") && !I.has("reduce"))
    return 1;
  return std::nullopt;
}

class Statement {
public:
  Statement(CallInst &Call, const ptx::Program &Program)
      : Call(Call), Program(Program),
        B(Call.getContext(), InstSimplifyFolder(Call.getModule()->getDataLayout()),
          IRBuilderCallbackInserter([this](Instruction *I) {
            markOwn(*I);
            Created.push_back(I);
          })) {
    B.SetInsertPoint(&Call);
  }

  void run(bool WithAccesses) {
    PtxValues Values(Call, Program, B);
    if (Values.goesForward())
      follow(Values, WithAccesses);
    else if (!countLoop())
      return;
    for (const auto &[Holds, Unit] : Conditions)
      createCostCall(Call, Call.getDebugLoc(), nameOf(Unit), B.CreateZExt(Holds, B.getInt64Ty()));
    for (const auto &[Bytes, Unit] : Sizes)
      createCostCall(Call, Call.getDebugLoc(), nameOf(Unit), Bytes);
    if (Inside.empty())
      setFlowOfPtx(Call, Flow);
    else
      countInside();
    for (Instruction *I : reverse(Created))
      if (isInstructionTriviallyDead(I))
        I->eraseFromParent();
  }

private:
  using Units = SmallVector<std::pair<Value *, InstructionCost>, 4>;

  // An instruction counted by the statement itself: the cost of an execution, and of each of so many bytes.
  struct CountedInside {
    size_t Index;
    InstructionCost Unit;
    Value *Bytes; // null: none
    InstructionCost PerByte;
  };

  void follow(PtxValues &Values, bool WithAccesses) {
    bool AllMarked = WithAccesses;
    Values.walk([&](size_t N, Value *Executes) {
      const ptx::Instruction &I = Program.Instructions[N];
      const PtxCost Cost = costOfPtx(Call, I);
      Value *Bytes = sizeOf(Values, Cost);
      Flow.push_back(add(N, Cost, Executes, Bytes));
      AllMarked = AllMarked && mark(Values, I, Cost, Executes, Bytes);
    });
    if (leaders().size() > MostCounters)
      for (const CountedInside &Counted : std::exchange(Inside, {}))
        Flow[Counted.Index] = PtxFlow::Unknown;
    if (AllMarked && !Marks.empty())
      createMarks();
  }

  // False: nothing in it costs anything, or not all can be counted.
  bool countLoop() {
    for (auto [N, I] : enumerate(Program.Instructions)) {
      PtxCost Cost = costOfPtx(Call, I);
      if (!Cost.Size.Operand.empty())
        return false;
      const bool IsFree = Cost.Whole.Amounts.empty();
      Flow.push_back(IsFree ? PtxFlow::Always : PtxFlow::Conditional);
      addExpansion(I, Cost.Whole);
      if (!IsFree)
        Inside.push_back({N, std::move(Cost.Whole), nullptr, {}});
    }
    return !Inside.empty() && reachesEnd(Program) && leaders().size() <= MostCounters;
  }

  /* ---- Counters in the statement ---- */

  static constexpr size_t MostCounters = 16; // they are registers

  // True if an instruction runs as often as the counted one before it.
  bool continues(size_t Index, size_t Before) const {
    const ptx::Instruction &I = Program.Instructions[Index], &Last = Program.Instructions[Before];
    const StringRef Condition = StringRef(I.Predicate).ltrim('!');
    return Index == Before + 1 && I.Predicate == Last.Predicate &&
           (Condition.empty() || !StringRef(Last.Operands[0]).contains(Condition)) &&
           none_of(Program.Labels, [&](const ptx::Label &L) { return L.Before == Index; });
  }

  // The instructions counted for themselves and for those that run as often, behind them.
  std::vector<size_t> leaders() const {
    std::vector<size_t> Leaders;
    for (size_t N = 0; N < Inside.size(); ++N)
      if (N == 0 || !continues(Inside[N].Index, Inside[N - 1].Index))
        Leaders.push_back(Inside[N].Index);
    return Leaders;
  }

  // The statement is replaced: its costs are behind it.
  void countInside() {
    const std::vector<size_t> Leaders = leaders();
    const DebugLoc Where = Call.getDebugLoc();
    Instruction &Next = *std::next(Call.getIterator());
    const CountedStatement New = countInStatement(Call, Program, Leaders);
    std::vector<PtxFlow> NewFlow;
    for (size_t Index : New.Former)
      NewFlow.push_back(Index == CountedStatement::NotThere ? PtxFlow::Conditional : Flow[Index]);
    setFlowOfPtx(*New.Call, NewFlow);
    B.SetInsertPoint(&Next);
    Units Executed;
    for (const CountedInside &Counted : Inside) {
      const auto Leader = std::prev(upper_bound(Leaders, Counted.Index));
      Value *Times = New.Counts[static_cast<size_t>(Leader - Leaders.begin())];
      addTo(Executed, Times, Counted.Unit);
      if (Counted.Bytes)
        addTo(Executed, B.CreateMul(B.CreateZExt(Times, B.getInt64Ty()), Counted.Bytes), Counted.PerByte);
    }
    for (const auto &[Times, Unit] : Executed)
      if (!Unit.Amounts.empty())
        createCostCall(Next, Where, nameOf(Unit), B.CreateZExt(Times, B.getInt64Ty()));
  }

  /* ---- Costs of operands ---- */

  static void addTo(Units &To, Value *Of, const InstructionCost &Unit) {
    auto Known = find_if(To, [&](const auto &Entry) { return Entry.first == Of; });
    if (Known == To.end())
      To.push_back({Of, Unit});
    else
      Known->second.Amounts.append(Unit.Amounts.begin(), Unit.Amounts.end());
  }

  // The bytes in a register; null without them, or if their number is unknown.
  Value *sizeOf(PtxValues &Values, const PtxCost &Cost) {
    if (Cost.Size.Operand.empty())
      return nullptr;
    if (Values.isPredicate(Cost.Size.Operand)) { // the source is ignored
      Value *Ignored = Values.read(Cost.Size.Operand, B.getInt1Ty());
      return Ignored ? B.CreateSelect(Ignored, B.getInt64(0), B.getInt64(Cost.Size.Most)) : nullptr;
    }
    Value *Given = Values.read(Cost.Size.Operand, B.getInt32Ty());
    if (!Given)
      return nullptr;
    return Cost.Size.Most ? bounded(B, Given, Cost.Size.Most) : B.CreateZExt(Given, B.getInt64Ty());
  }

  // Its operands do not tell whether it is executed.
  PtxFlow addInside(size_t N, const PtxCost &Cost, Value *Bytes) {
    const ptx::Instruction &I = Program.Instructions[N];
    if (Cost.Whole.Amounts.empty() || (!Cost.Size.Operand.empty() && !Bytes) || !reachesEnd(Program))
      return PtxFlow::Unknown;
    auto [Fixed, PerByte] = divided(Cost, Bytes);
    addExpansion(I, Fixed);
    addExpansion(I, PerByte);
    Inside.push_back({N, std::move(Fixed), Bytes, std::move(PerByte)});
    return PtxFlow::Conditional;
  }

  // The cost of an execution, and of each of its bytes in a register.
  static std::pair<InstructionCost, InstructionCost> divided(const PtxCost &Cost, const Value *Bytes) {
    InstructionCost Fixed = Cost.Whole, PerByte;
    if (!Bytes)
      return {Fixed, PerByte};
    erase_if(Fixed.Amounts, [&](auto Amount) { return is_contained(Cost.Size.PerByte, Amount.first); });
    for (CostClass Class : Cost.Size.PerByte)
      PerByte.add(Class, 1);
    return {Fixed, PerByte};
  }

  PtxFlow add(size_t N, const PtxCost &Cost, Value *Executes, Value *Bytes) {
    const ptx::Instruction &I = Program.Instructions[N];
    const auto *Known = dyn_cast_or_null<ConstantInt>(Executes);
    if (!Executes)
      return addInside(N, Cost, Bytes);
    if (Known && Known->isZero())
      return PtxFlow::Conditional;
    if (!Cost.Size.Operand.empty() && !Bytes) // an assumption, listed as such
      return Known ? PtxFlow::Always : PtxFlow::Unknown;
    auto [Fixed, PerByte] = divided(Cost, Bytes);
    if (Bytes) {
      if (!Known)
        addExpansion(I, PerByte);
      addTo(Sizes, Known ? Bytes : B.CreateSelect(Executes, Bytes, B.getInt64(0)), PerByte);
    }
    if (Known)
      return Bytes ? PtxFlow::Sized : PtxFlow::Always;
    addExpansion(I, Fixed);
    if (!Fixed.Amounts.empty())
      addTo(Conditions, Executes, Fixed);
    return PtxFlow::Conditional;
  }

  void addExpansion(const ptx::Instruction &I, InstructionCost &To) const {
    const InstructionCost Machine = expansionOf(Call, I, To);
    To.Amounts.append(Machine.Amounts.begin(), Machine.Amounts.end());
  }

  /* ---- Accesses ---- */

  // False: part of its accesses to global memory is unknown.
  bool mark(PtxValues &Values, const ptx::Instruction &I, const PtxCost &Cost, Value *Executes,
            Value *Bytes) {
    uint64_t Most = 0;
    for (auto [Class, Amount] : Cost.Whole.Amounts)
      if (isGlobal(Class))
        Most = Amount;
    const bool IsSized = !Cost.Size.Operand.empty();
    if (Most == 0 && (!IsSized || none_of(Cost.Size.PerByte, isGlobal)))
      return Cost.Whole.Amounts.empty() ? Cost.Whole.Why.empty() : true;
    const std::optional<unsigned> Operand = addressOperand(I);
    Value *Pointer = Operand && *Operand < I.Operands.size() ? Values.address(I.Operands[*Operand]) : nullptr;
    if (!Pointer || !Executes || (IsSized && !Bytes))
      return false;
    Value *Length = B.CreateSelect(Executes, IsSized ? Bytes : B.getInt64(Most), B.getInt64(0));
    Marks.push_back({Pointer, Length});
    return true;
  }

  void createMarks() {
    FunctionCallee Marker =
        Call.getModule()->getOrInsertFunction(AccessMarker, B.getVoidTy(), B.getPtrTy(), B.getInt64Ty());
    auto *F = cast<Function>(Marker.getCallee());
    F->setOnlyAccessesInaccessibleMemory();
    F->setDoesNotThrow();
    F->addFnAttr(Attribute::WillReturn);
    for (auto [Pointer, Length] : Marks)
      B.CreateCall(Marker, {Pointer, Length});
    Call.setMetadata(MarkedTag, MDNode::get(Call.getContext(), {}));
  }

  CallInst &Call;
  const ptx::Program &Program;
  Builder B;
  std::vector<Instruction *> Created;
  std::vector<PtxFlow> Flow; // of its instructions
  std::vector<CountedInside> Inside;
  Units Conditions; // i1, and the cost executed if it holds
  Units Sizes;      // i64, and the cost of each of so many bytes
  SmallVector<std::pair<Value *, Value *>, 4> Marks;
};

// True if its cost differs from its text's.
bool isConditional(const CallInst &Call, const ptx::Program &Program) {
  return !Program.Branch.empty() || any_of(Program.Instructions, [&](const ptx::Instruction &I) {
    return !I.Predicate.empty() || !costOfPtx(Call, I).Size.Operand.empty();
  });
}

bool accessesGlobal(const CallInst &Call, const ptx::Program &Program) {
  return any_of(Program.Instructions, [&](const ptx::Instruction &I) {
    const PtxCost Cost = costOfPtx(Call, I);
    return any_of(Cost.Whole.Amounts, [](auto Amount) { return isGlobal(Amount.first); });
  });
}

// llvm.nvvm.cp.async.cg.shared.global.16.s(to, from, bytes to read), and the number of bytes moved; 0:
// another call.
uint64_t bytesOfCopy(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : StringRef();
  uint64_t Bytes = 0;
  if (!Name.consume_front("llvm.nvvm.cp.async.") || !Name.consume_back(".s") ||
      isa<Constant>(Call.getArgOperand(2)) || Name.rsplit('.').second.getAsInteger(10, Bytes))
    return 0;
  return Bytes;
}

void addSize(CallInst &Copy, uint64_t Most) {
  Builder B(Copy.getContext(), InstSimplifyFolder(Copy.getModule()->getDataLayout()),
            IRBuilderCallbackInserter([](Instruction *I) { markOwn(*I); }));
  B.SetInsertPoint(&Copy);
  InstructionCost PerByte;
  PerByte.add(CostClass::global_load, 1);
  createCostCall(Copy, Copy.getDebugLoc(), nameOf(PerByte), bounded(B, Copy.getArgOperand(2), Most));
  setFlowOfPtx(Copy, {PtxFlow::Sized});
}

} // namespace

void addConditionalCosts(Module &M, bool Accesses) {
  noteTensorCopies(M);
  SmallVector<CallInst *, 32> Statements;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && (isa<InlineAsm>(Call->getCalledOperand()) || bytesOfCopy(*Call)))
        Statements.push_back(Call);
  for (CallInst *Call : Statements) {
    if (const uint64_t Most = isa<InlineAsm>(Call->getCalledOperand()) ? 0 : bytesOfCopy(*Call)) {
      addSize(*Call, Most);
      continue;
    }
    const ptx::Program Program = ptx::parse(compat::asmText(*cast<InlineAsm>(Call->getCalledOperand())));
    if (!Program.Error.empty())
      continue;
    const bool WithAccesses = Accesses && accessesGlobal(*Call, Program);
    if (WithAccesses || isConditional(*Call, Program))
      Statement(*Call, Program).run(WithAccesses);
  }
}

InstructionCost conditionalCost(StringRef Name) {
  InstructionCost Cost;
  for (StringRef Part : split(Name, ',')) {
    auto [Class, Amount] = Part.split('=');
    uint64_t Number = 0;
    [[maybe_unused]] const bool Bad = Amount.getAsInteger(10, Number);
    assert(!Bad && "the name of a conditional cost is made here");
    Cost.add(costClassOf(Class), Number);
  }
  return Cost;
}

bool isAccessMarker(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == AccessMarker;
}

bool hasAccessMarkers(const Instruction &I) { return I.hasMetadata(MarkedTag); }

void eraseAccessMarkers(Module &M) {
  Function *Marker = M.getFunction(AccessMarker);
  if (!Marker)
    return;
  for (User *U : make_early_inc_range(Marker->users()))
    eraseWithOperands(*cast<CallInst>(U));
  Marker->eraseFromParent();
}

} // namespace gpuprof
