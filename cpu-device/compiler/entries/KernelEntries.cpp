// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entries/KernelEntries.h"
#include "common/Compat.h"
#include "gpuprof/abi.h"
#include "module/Lowering.h"
#include "workitem/LoopNest.h"
#include "workitem/ParallelLoops.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
class EntryWriter {
public:
  EntryWriter(Lowering &L, Kernel &K) : L(L), K(K), C(L.M.getContext()) {}
  Function *thread();
  Function *block(bool BodyRunsAll);
  bool canLoop() const;

private:
  Function *create(StringRef Suffix);
  void unpack(IRBuilder<> &B, Value *Arguments);
  Value *smallCopy(IRBuilder<> &B, unsigned Parameter, Value *Address);
  Value *field(IRBuilder<> &B, Value *State, Field Which);
  Value *ownState(IRBuilder<> &B, Function *F);
  void run(IRBuilder<> &B, Value *State, Function *Body);
  bool hasKnownWidths() const;
  void runKnownWidths(IRBuilder<> &B, Value *State);
  void runAll(IRBuilder<> &B, Value *State);

  Lowering &L;
  Kernel &K;
  LLVMContext &C;
  SmallVector<Value *> Parameters; // by value, or the address in the launch's arguments
  SmallVector<Value *> Copies;     // a thread's own copy of a parameter it may write
};

bool EntryWriter::canLoop() const {
  for (Function *F : L.reachable(*K.Body))
    for (Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = Call->getCalledFunction();
            Callee && (scheduleOf(Callee->getName()) != Schedule::runs || isForOtherUnits(*Callee)))
          return false; // the effects of another unit's function are unknown
  return true;
}

Function *EntryWriter::create(StringRef Suffix) {
  PointerType *Pointer = PointerType::get(C, 0);
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), {Pointer, Pointer}, false),
                             GlobalValue::InternalLinkage, K.Name + Suffix.str(), &L.M);
  F->copyAttributesFrom(K.Body);
  F->setAttributes(AttributeList::get(C, K.Body->getAttributes().getFnAttrs(), {}, {}));
  F->removeFnAttr(Attribute::AlwaysInline);
  F->getArg(0)->setName("thread");
  F->getArg(1)->setName("arguments");
  if (DISubprogram *Program = K.Body->getSubprogram()) {
    DIBuilder D(L.M, false, Program->getUnit());
    auto *Type = D.createSubroutineType(D.getOrCreateTypeArray({}));
    F->setSubprogram(D.createFunction(Program->getFile(), F->getName(), F->getName(), Program->getFile(),
                                      Program->getLine(), Type, Program->getLine(), DINode::FlagArtificial,
                                      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit));
    D.finalizeSubprogram(F->getSubprogram()); // until then LLVM up to 16 keeps a temporary node in it
  }
  return F;
}

void EntryWriter::unpack(IRBuilder<> &B, Value *Arguments) {
  Parameters.clear();
  Copies.clear();
  const DataLayout &Layout = L.M.getDataLayout();
  for (unsigned I = 0; I != K.ByVal.size(); ++I) {
    Type *T = K.Body->getArg(I + 1)->getType();
    Value *Address = B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(B.getPtrTy(), Arguments, I));
    Copies.push_back(K.Written[I] ? B.CreateAlloca(K.ByVal[I]) : nullptr);
    if (K.ByVal[I])
      Parameters.push_back(B.CreateAddrSpaceCast(smallCopy(B, I, Address), T));
    else if (T->isIntegerTy()) { // bool is one byte in the launch's arguments
      Type *Whole = B.getIntNTy(8 * Layout.getTypeStoreSize(T).getFixedValue());
      Parameters.push_back(B.CreateTrunc(B.CreateAlignedLoad(Whole, Address, Align(1)), T));
    } else
      Parameters.push_back(B.CreateAlignedLoad(T, Address, Align(1)));
  }
}

// A small structure that is only read is promoted to registers, too: no write of the kernel can change it.
Value *EntryWriter::smallCopy(IRBuilder<> &B, unsigned Parameter, Value *Address) {
  constexpr uint64_t Small = 256;
  const uint64_t Bytes = L.M.getDataLayout().getTypeAllocSize(K.ByVal[Parameter]);
  if (K.Written[Parameter] || Bytes > Small)
    return Address;
  const Align Needed = K.Body->getArg(Parameter + 1)->getParamAlign().valueOrOne();
  AllocaInst *Copy = B.CreateAlloca(K.ByVal[Parameter]);
  Copy->setAlignment(std::max(Copy->getAlign(), Needed));
  B.CreateMemCpy(Copy, Copy->getAlign(), Address, Align(1), Bytes);
  return Copy;
}

Value *EntryWriter::field(IRBuilder<> &B, Value *State, Field Which) {
  return B.CreateStructGEP(L.ThreadType, State, static_cast<unsigned>(Which));
}

void EntryWriter::run(IRBuilder<> &B, Value *State, Function *Body) {
  SmallVector<Value *> Arguments{State};
  for (unsigned I = 0; I != Parameters.size(); ++I) {
    if (!Copies[I]) {
      Arguments.push_back(Parameters[I]);
      continue;
    }
    const uint64_t Bytes = L.M.getDataLayout().getTypeAllocSize(K.ByVal[I]);
    B.CreateMemCpy(Copies[I], MaybeAlign(), Parameters[I], Align(1), Bytes);
    Arguments.push_back(B.CreateAddrSpaceCast(Copies[I], Parameters[I]->getType()));
  }
  B.CreateCall(Body, Arguments);
}

SmallVector<BasicBlock *> blocksOf(Function &F) {
  SmallVector<BasicBlock *> Blocks;
  for (BasicBlock &Block : F)
    Blocks.push_back(&Block);
  return Blocks;
}

void setLocation(IRBuilder<> &B, Function *F) {
  if (DISubprogram *Program = F->getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(F->getContext(), Program->getLine(), 0, Program));
}

Function *EntryWriter::thread() {
  Function *F = create(".thread");
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  setLocation(B, F);
  unpack(B, F->getArg(1));
  run(B, F->getArg(0), K.Thread ? K.Thread : K.Body);
  B.CreateRetVoid();
  return F;
}

// A local copy is promoted to registers, unless a function asks the emulator for the state.
Value *EntryWriter::ownState(IRBuilder<> &B, Function *F) {
  if (L.asksForSelf(*K.Body))
    return F->getArg(0);
  Value *State = B.CreateAlloca(L.ThreadType);
  B.CreateMemCpy(State, MaybeAlign(8), F->getArg(0), MaybeAlign(8),
                 L.M.getDataLayout().getTypeAllocSize(L.ThreadType));
  return State;
}

// The body is compiled once for each width: within a budget a small one.
bool EntryWriter::hasKnownWidths() const {
  const unsigned Large = L.HasBudget ? 1000 : 4000; // instructions
  return K.HasRows && !K.MergesBlocks && K.Body->getInstructionCount() <= Large && !L.asksForSelf(*K.Body);
}

// Rows of tiles are short: loops over them cost more than their work, and with a known width there are none. The state is
// the entry's own.
void EntryWriter::runKnownWidths(IRBuilder<> &B, Value *State) {
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Done = BasicBlock::Create(C, "done", F);
  Value *Address = field(B, State, Field::ntid_x), *Width = B.CreateLoad(B.getInt32Ty(), Address);
  for (const uint32_t Known : {16, 32}) {
    BasicBlock *Is = BasicBlock::Create(C, "width", F, Done),
               *Other = BasicBlock::Create(C, "other", F, Done);
    B.CreateCondBr(B.CreateICmpEQ(Width, B.getInt32(Known)), Is, Other);
    B.SetInsertPoint(Is);
    B.CreateStore(B.getInt32(Known), Address);
    run(B, State, K.Body);
    B.CreateBr(Done);
    B.SetInsertPoint(Other);
  }
  run(B, State, K.Body);
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
}

Function *EntryWriter::block(bool BodyRunsAll) {
  Function *F = create(".block");
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  setLocation(B, F);
  Value *State = ownState(B, F);
  unpack(B, F->getArg(1));
  if (BodyRunsAll && hasKnownWidths())
    runKnownWidths(B, State);
  else if (BodyRunsAll)
    run(B, State, K.Body);
  else
    runAll(B, State);
  B.CreateRetVoid();
  return F;
}

// One loop nest over all threads: the optimiser sees a plain loop.
void EntryWriter::runAll(IRBuilder<> &B, Value *State) {
  Function *F = B.GetInsertBlock()->getParent();
  constexpr Field Sizes[] = {Field::ntid_z, Field::ntid_y, Field::ntid_x};
  LoopNestBounds Bounds;
  for (unsigned N = 0; N != 3; ++N)
    Bounds.Sizes[N] = Bounds.Counts[N] = B.CreateLoad(B.getInt32Ty(), field(B, State, Sizes[N]));
  BasicBlock *Thread = BasicBlock::Create(C, "thread", F);
  const LoopNest Loop = makeLoopNest(B, Bounds, *Thread);
  Thread->moveAfter(Loop.First);
  constexpr Field Indices[] = {Field::tid_z, Field::tid_y, Field::tid_x};
  for (unsigned N = 0; N != 3; ++N) {
    B.SetInsertPoint(Loop.Counter[N]->getParent()->getTerminator());
    B.CreateStore(Loop.Counter[N], field(B, State, Indices[N]));
  }
  B.SetInsertPoint(Thread);
  B.CreateStore(B.CreateAnd(Loop.Linear, 31), field(B, State, Field::laneid));
  B.CreateStore(B.CreateLShr(Loop.Linear, 5), field(B, State, Field::warpid));
  run(B, State, K.Body);
  B.CreateBr(Loop.Latch);
  if (none_of(instructions(*K.Body), [](const Instruction &Of) { return isa<AllocaInst>(Of); }))
    markParallelLoop(*Loop.Latch->getTerminator(), blocksOf(*K.Body));
  B.SetInsertPoint(Loop.Done);
}

Constant *parameterBytes(Lowering &L, const Kernel &K) {
  SmallVector<uint32_t> Bytes;
  for (unsigned I = 0; I != K.ByVal.size(); ++I) {
    Type *T = K.ByVal[I] ? K.ByVal[I] : K.Body->getArg(I + 1)->getType();
    Bytes.push_back(L.M.getDataLayout().getTypeAllocSize(T));
  }
  if (Bytes.empty())
    return ConstantPointerNull::get(PointerType::get(L.M.getContext(), 0));
  Constant *Array = ConstantDataArray::get(L.M.getContext(), Bytes);
  return new GlobalVariable(L.M, Array->getType(), true, GlobalValue::InternalLinkage, Array,
                            "gpuprof.parameters");
}

void emitArray(Lowering &L, StringRef Name, ArrayRef<Constant *> Rows) {
  if (Rows.empty())
    return;
  ArrayType *T = ArrayType::get(Rows[0]->getType(), Rows.size());
  // External until linked into the host module, to keep its name.
  new GlobalVariable(L.M, T, true, GlobalValue::ExternalLinkage, ConstantArray::get(T, Rows), Name);
}

void addFunctionsThatUse(const Value &V, SmallPtrSetImpl<const Function *> &Found) {
  for (const User *U : V.users())
    if (const auto *I = dyn_cast<Instruction>(U))
      Found.insert(I->getFunction());
    else
      addFunctionsThatUse(*U, Found);
}

// The marks of another unit's function are unknown.
bool tellsAll(const Lowering &L, Function &Start) {
  SmallPtrSet<const Function *, 16> Marking;
  if (const GlobalVariable *Map = L.M.getGlobalVariable("__gpuprof_cpu_sectors"))
    addFunctionsThatUse(*Map, Marking);
  for (const Function &F : L.M)
    if (isForOtherUnits(F))
      Marking.insert(&F);
  const auto MayMark = [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && (Call->isIndirectCall() || Marking.contains(Call->getCalledFunction()));
  };
  return none_of(L.reachable(Start),
                 [&](Function *F) { return Marking.contains(F) || any_of(instructions(*F), MayMark); });
}

uint64_t flagsOf(const Lowering &L, const Kernel &K) {
  const bool Tells = tellsAll(L, *K.Body) && (!K.Thread || tellsAll(L, *K.Thread));
  return (Tells ? GPUPROF_CPU_KERNEL_TELLS_ALL : 0) | (K.MergesBlocks ? GPUPROF_CPU_KERNEL_MERGES : 0) |
         (K.RecordsRuns ? GPUPROF_CPU_KERNEL_RECORDS_RUNS : 0);
}

// One row of the table of kernels.
Constant *kernelRow(Lowering &L, Kernel &K) {
  LLVMContext &C = L.M.getContext();
  assert((K.Thread == nullptr) == K.Loops.empty() && "a body of loops has a copy for one thread");
  EntryWriter Writer(L, K);
  Constant *Thread = ConstantPointerNull::get(PointerType::get(C, 0)), *Block = Thread;
  Thread = Writer.thread();
  if (!K.Loops.empty())
    Block = Writer.block(true); // the body runs all threads
  else if (Writer.canLoop())
    Block = Writer.block(false);
  using Row = abi::cpu_kernel;
  return abi::ConstantOf<Row>(C)
      .set(Row::name, L.text(K.Name))
      .set(Row::thread, Thread)
      .set(Row::block, Block)
      .set(Row::parameter_bytes, parameterBytes(L, K))
      .set(Row::parameter_count, uint64_t(K.ByVal.size()))
      .set(Row::static_shared_bytes, uint64_t(K.StaticShared))
      .set(Row::maximum_threads, uint64_t(K.MaximumThreads))
      .set(Row::line, uint64_t(K.Line))
      .set(Row::file, L.text(K.File))
      .set(Row::flags, flagsOf(L, K))
      .set(Row::cluster, ConstantDataArray::get(C, ArrayRef<uint32_t>(K.Cluster)))
      .set(Row::maximum_cluster, uint64_t(K.MaximumCluster))
      .get();
}

// clang registers the variables marked as externally initialised and visible.
bool isRegistered(const GlobalVariable &V) {
  return V.isExternallyInitialized() && !V.isDeclaration() && !V.hasLocalLinkage() &&
         (V.getAddressSpace() == AsGlobal || V.getAddressSpace() == AsConstant);
}

// To sectors: unique bytes must not depend on the place that a linker finds. Programs also read arrays of float as
// float4, for which a GPU's loader aligns variables.
void alignVariables(Module &M) {
  const Align Sector(32);
  for (GlobalVariable &V : M.globals())
    if (!V.isDeclaration() && !V.hasPrivateLinkage() && (V.getAddressSpace() == AsGlobal || V.getAddressSpace() == AsConstant))
      V.setAlignment(std::max(V.getAlign().valueOrOne(), Sector));
}

Constant *variableRow(Lowering &L, GlobalVariable &V) {
  LLVMContext &C = L.M.getContext();
  uint64_t Flags = V.getAddressSpace() == AsConstant ? GPUPROF_CPU_VARIABLE_CONSTANT : 0;
  StringRef Name = V.getName();
  if (Name.consume_back(".managed"))
    Flags |= GPUPROF_CPU_VARIABLE_MANAGED;
  using Row = abi::cpu_variable;
  return abi::ConstantOf<Row>(C)
      .set(Row::name, L.text(Name))
      .set(Row::address, ConstantExpr::getPointerBitCastOrAddrSpaceCast(&V, PointerType::get(C, 0)))
      .set(Row::bytes, uint64_t(L.M.getDataLayout().getTypeAllocSize(V.getValueType())))
      .set(Row::flags, Flags)
      .get();
}
} // namespace

void emitKernelEntries(Lowering &L) {
  SmallVector<Constant *> Kernels, Variables;
  for (Kernel &K : L.Kernels)
    Kernels.push_back(kernelRow(L, K));
  SmallVector<GlobalVariable *> Registered;
  for (GlobalVariable &V : L.M.globals())
    if (isRegistered(V))
      Registered.push_back(&V);
  for (GlobalVariable *V : Registered) {
    Variables.push_back(variableRow(L, *V));
    V->setConstant(false); // cudaMemcpyToSymbol writes it
  }
  alignVariables(L.M);
  const bool Relocatable = isRelocatable(L.M);
  for (GlobalVariable &V : L.M.globals())
    if (!V.isDeclaration() && !V.hasPrivateLinkage()) {
      if (Relocatable && V.hasExternalLinkage() && is_contained(Registered, &V) &&
          !V.getName().contains("__gpuprof_")) // for other units
        V.setVisibility(GlobalValue::HiddenVisibility);
      else
        V.setLinkage(GlobalValue::InternalLinkage);
      V.setName(V.getName() + ".cpu");
    }
  emitArray(L, GPUPROF_CPU_KERNEL_TABLE, Kernels);
  emitArray(L, GPUPROF_CPU_VARIABLE_TABLE, Variables);
}
} // namespace gpuprof::cpu
