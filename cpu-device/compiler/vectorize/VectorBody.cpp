// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vectorize/VectorBody.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// Metadata valid for a vector access if valid for each lane's. Access groups belong to the loop.
void keepMetadata(Instruction *New, const Instruction &Old) {
  constexpr unsigned Kept[] = {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias,
                               LLVMContext::MD_invariant_load, LLVMContext::MD_fpmath};
  New->copyMetadata(Old, Kept);
}

// Code inserted there comes right behind the value; the block may have no terminator yet.
void setBehind(IRBuilder<> &B, Instruction *I) {
  BasicBlock *Block = I->getParent();
  B.SetInsertPoint(Block, isa<PHINode>(I) ? Block->getFirstInsertionPt() : std::next(I->getIterator()));
}

Constant *laneNumbers(Type *T, unsigned Width, int64_t Step) {
  SmallVector<Constant *> Numbers;
  for (unsigned N = 0; N != Width; ++N)
    Numbers.push_back(ConstantInt::get(T, uint64_t(N * Step), true));
  return ConstantVector::get(Numbers);
}
} // namespace

VectorType *VectorBody::wide(Type *T) const { return FixedVectorType::get(T, Width); }

// First + Step * Times, of integers and of addresses.
Value *VectorBody::moved(IRBuilder<> &B, Value *First, Value *Step, uint64_t Times) {
  if (!Times)
    return First;
  Value *Distance = B.CreateMul(Step, ConstantInt::get(Step->getType(), Times));
  return First->getType()->isPointerTy() ? B.CreateGEP(B.getInt8Ty(), First, Distance)
                                         : B.CreateAdd(First, Distance);
}

Value *VectorBody::spread(IRBuilder<> &B, const Lanes &Of) {
  if (Of.All)
    return Of.All;
  Type *T = Of.First->getType();
  if (!Of.Step)
    return B.CreateVectorSplat(Width, Of.First);
  Value *Distances = nullptr;
  if (const auto *Number = dyn_cast<ConstantInt>(Of.Step))
    Distances = laneNumbers(Of.Step->getType(), Width, Number->getSExtValue());
  else
    Distances = B.CreateMul(B.CreateVectorSplat(Width, Of.Step), laneNumbers(Of.Step->getType(), Width, 1));
  if (T->isPointerTy())
    return B.CreateGEP(B.getInt8Ty(), Of.First, Distances);
  return B.CreateAdd(B.CreateVectorSplat(Width, Of.First), Distances);
}

Value *VectorBody::first(Value *V) {
  auto Found = Known.find(V);
  return Found == Known.end() ? V : Found->second.First;
}

Value *VectorBody::lane(Value *V, unsigned Number) {
  auto Found = Known.find(V);
  if (Found == Known.end())
    return V;
  const Lanes &Of = Found->second;
  if (Of.All)
    return Builder->CreateExtractElement(Of.All, Builder->getInt32(Number));
  return Of.Step ? moved(*Builder, Of.First, Of.Step, Number) : Of.First;
}

// Made once, right behind the value itself.
Value *VectorBody::vector(Value *V) {
  auto Found = Known.find(V);
  const Lanes Of = Found == Known.end() ? Lanes{V} : Found->second;
  if (Of.All)
    return Of.All;
  Value *&Made = Vectors[V];
  if (!Made) {
    auto *At = dyn_cast<Instruction>(Of.First);
    auto *Step = dyn_cast_or_null<Instruction>(Of.Step);
    if (At && Step && Step->getParent() == At->getParent() && At->comesBefore(Step))
      At = Step;
    IRBuilder<> B(Outside);
    if (Found != Known.end() && At)
      setBehind(B, At);
    Made = spread(B, Of);
  }
  return Made;
}

Value *VectorBody::keep(IRBuilder<> &B, Value *V, const LaneExit &At) {
  if (V == At.Failed) {
    Value *Of = keep(B, At.Failed->getOperand(0), At);
    if (const auto *Extension = dyn_cast<CastInst>(V))
      return B.CreateCast(Extension->getOpcode(), Of, wide(V->getType()));
    return B.CreateBinOp(cast<BinaryOperator>(V)->getOpcode(), Of,
                         B.CreateVectorSplat(Width, At.Failed->getOperand(1)));
  }
  const Lanes &Of = Known.find(V)->second;
  return Of.All || Of.Step ? spread(B, Of) : Of.First;
}

// The step of an affine value.
Value *VectorBody::stepOf(Instruction &I, const Variation &S) {
  IRBuilder<> &B = *Builder;
  Type *T = I.getType()->isPointerTy() ? B.getInt64Ty() : I.getType();
  if (S.Is == Variation::Affine)
    return ConstantInt::get(T, uint64_t(S.Step), true);
  auto Step = [&](Value *V) -> Value * {
    auto Found = Known.find(V);
    return Found != Known.end() && Found->second.Step ? Found->second.Step : nullptr;
  };
  if (auto *Address = dyn_cast<GetElementPtrInst>(&I)) {
    const DataLayout &Layout = L.M.getDataLayout();
    Value *Total = Step(Address->getPointerOperand());
    for (auto At = gep_type_begin(Address), End = gep_type_end(Address); At != End; ++At)
      if (Value *Of = Step(At.getOperand())) {
        Of = B.CreateMul(Of, B.getInt64(Layout.getTypeAllocSize(At.getIndexedType()).getFixedValue()));
        Total = Total ? B.CreateAdd(Total, Of) : Of;
      }
    return Total;
  }
  Value *A = Step(I.getOperand(0)), *C = I.getNumOperands() > 1 ? Step(I.getOperand(1)) : nullptr;
  switch (I.getOpcode()) {
  case Instruction::Add:
    return A && C ? B.CreateAdd(A, C) : A ? A : C;
  case Instruction::Sub:
    return A && C ? B.CreateSub(A, C) : A ? A : B.CreateNeg(C);
  case Instruction::Mul:
    return A ? B.CreateMul(A, first(I.getOperand(1))) : B.CreateMul(C, first(I.getOperand(0)));
  case Instruction::Shl:
    return B.CreateShl(A, first(I.getOperand(1)));
  case Instruction::SExt:
  case Instruction::ZExt:
    return B.CreateSExt(A, T);
  case Instruction::Trunc:
    return B.CreateTrunc(A, T);
  default:
    return A;
  }
}

// Lane 0 of a uniform or affine value.
void VectorBody::copyScalar(Instruction &I, const Variation &S) {
  Instruction *New = I.clone();
  for (Use &U : New->operands())
    U = first(U);
  New->setMetadata(LLVMContext::MD_access_group, nullptr);
  Builder->Insert(New);
  Accesses[&I] = New;
  Known[&I] = {New, S.isLinear() ? stepOf(I, S) : nullptr, nullptr};
}

void VectorBody::copyLoad(LoadInst &I) {
  IRBuilder<> &B = *Builder;
  Value *Pointer = I.getPointerOperand();
  if (Plan.isContiguous(Pointer, I.getType())) {
    const bool IsBit = I.getType()->isIntegerTy(1); // a byte in memory
    LoadInst *New =
        B.CreateAlignedLoad(wide(IsBit ? B.getInt8Ty() : I.getType()), first(Pointer), I.getAlign());
    keepMetadata(New, I);
    Accesses[&I] = New;
    Known[&I] = {nullptr, nullptr, IsBit ? B.CreateTrunc(New, wide(I.getType())) : New};
    return;
  }
  Value *All = PoisonValue::get(wide(I.getType()));
  for (unsigned N = 0; N != Width; ++N) {
    LoadInst *One = B.CreateAlignedLoad(I.getType(), lane(Pointer, N), I.getAlign());
    keepMetadata(One, I);
    All = B.CreateInsertElement(All, One, B.getInt32(N));
  }
  Known[&I] = {nullptr, nullptr, All};
}

void VectorBody::copyStore(StoreInst &I) {
  IRBuilder<> &B = *Builder;
  if (const Accumulation *A = Plan.accumulation(I))
    return accumulate(I, *A);
  Value *Pointer = I.getPointerOperand(), *Stored = I.getValueOperand();
  auto Store = [&](Value *What, Value *Where) {
    StoreInst *New = B.CreateAlignedStore(What, Where, I.getAlign());
    keepMetadata(New, I);
    Accesses[&I] = New;
  };
  if (Plan.isContiguous(Pointer, Stored->getType())) {
    const bool IsBit = Stored->getType()->isIntegerTy(1);
    return Store(IsBit ? B.CreateZExt(vector(Stored), wide(B.getInt8Ty())) : vector(Stored), first(Pointer));
  }
  const bool OnlyLast = Plan.of(Pointer).Is == Variation::Uniform;
  for (unsigned N = OnlyLast ? Width - 1 : 0; N != Width; ++N)
    Store(lane(Stored, N), lane(Pointer, N));
}

// The sum of all lanes' additions to a variable of the block.
void VectorBody::accumulate(StoreInst &I, const Accumulation &A) {
  IRBuilder<> &B = *Builder;
  Value *Pointer = I.getPointerOperand(), *Added = nullptr;
  const bool IsSum = A.Sum->getOpcode() == Instruction::Add;
  if (Plan.of(A.Value).Is != Variation::Uniform)
    Added = IsSum ? B.CreateAddReduce(vector(A.Value)) : B.CreateOrReduce(vector(A.Value));
  else
    Added = IsSum ? B.CreateMul(first(A.Value), ConstantInt::get(A.Value->getType(), Width)) : first(A.Value);
  Value *Old = B.CreateAlignedLoad(Added->getType(), Pointer, I.getAlign());
  B.CreateAlignedStore(B.CreateBinOp(A.Sum->getOpcode(), Old, Added), Pointer, I.getAlign());
}

// Records of accesses: one call for a strip if the addresses are uniform or affine.
bool VectorBody::copyRecord(CallInst &I) {
  IRBuilder<> &B = *Builder;
  const StringRef Name = I.getCalledFunction()->getName();
  Value *Pointer = I.getArgOperand(0);
  if (all_of(I.args(), [&](const Use &U) { return Plan.of(U).Is == Variation::Uniform; })) {
    auto *Once = cast<CallInst>(I.clone());
    for (Use &U : Once->args())
      U.set(first(U));
    B.Insert(Once);
    return true;
  }
  auto Step = [&] { return Known.find(Pointer)->second.Step; };
  const bool Even =
      all_of(drop_begin(I.args()), [&](const Use &U) { return Plan.of(U).Is == Variation::Uniform; }) &&
      Plan.of(Pointer).isLinear();
  auto Argument = [&](unsigned N) { return first(I.getArgOperand(N)); };
  Value *Threads = B.getInt64(Width);
  if (Name == "__gpuprof_cpu_record_access") {
    if (Even)
      B.CreateCall(L.entry("__gpuprof_cpu_record_row"), {Argument(0), Step(), Threads, Argument(1)});
    return Even;
  }
  if (Name != "__gpuprof_cpu_record_row")
    return false;
  if (Even)
    B.CreateCall(L.entry("__gpuprof_cpu_record_rows"),
                 {Argument(0), Step(), Threads, Argument(3), Argument(1), Argument(2)});
  if (Even || !Plan.of(Pointer).isLinear() || Plan.of(I.getArgOperand(1)).Is != Variation::Uniform ||
      Plan.of(I.getArgOperand(3)).Is != Variation::Uniform)
    return Even;
  IRBuilder<> Entry(&*Outside->getFunction()->getEntryBlock().begin());
  Value *Counts = Entry.CreateAlloca(ArrayType::get(B.getInt64Ty(), Width));
  B.CreateAlignedStore(vector(I.getArgOperand(2)), Counts, Align(8));
  B.CreateCall(L.entry("__gpuprof_cpu_record_lanes"),
               {Argument(0), Step(), Threads, Argument(3), Argument(1), Counts});
  return true;
}

void VectorBody::copyCall(CallInst &I) {
  IRBuilder<> &B = *Builder;
  if (I.getType()->isVoidTy() && copyRecord(I))
    return;
  SmallVector<Value *> Arguments;
  if (isLanewise(I)) {
    for (Value *V : I.args())
      Arguments.push_back(vector(V));
    Instruction *New = B.CreateIntrinsic(I.getIntrinsicID(), {wide(I.getType())}, Arguments);
    New->copyIRFlags(&I);
    Known[&I] = {nullptr, nullptr, New};
    return;
  }
  Value *All = I.getType()->isVoidTy() ? nullptr : PoisonValue::get(wide(I.getType()));
  for (unsigned N = 0; N != Width; ++N) {
    auto *One = cast<CallInst>(I.clone());
    for (unsigned A = 0; A != I.arg_size(); ++A)
      One->setArgOperand(A, lane(I.getArgOperand(A), N));
    B.Insert(One);
    if (All)
      All = B.CreateInsertElement(All, One, B.getInt32(N));
  }
  Known[&I] = {nullptr, nullptr, All};
}

void VectorBody::copyVector(Instruction &I) {
  IRBuilder<> &B = *Builder;
  auto Operand = [&](unsigned N) { return vector(I.getOperand(N)); };
  auto AsIs = [&](Value *V) { return Plan.of(V).Is == Variation::Uniform ? first(V) : vector(V); };
  Value *New = nullptr;
  if (isa<BinaryOperator>(I))
    New = B.CreateBinOp(static_cast<Instruction::BinaryOps>(I.getOpcode()), Operand(0), Operand(1));
  else if (isa<UnaryOperator>(I))
    New = B.CreateUnOp(static_cast<Instruction::UnaryOps>(I.getOpcode()), Operand(0));
  else if (const auto *Cast = dyn_cast<CastInst>(&I))
    New = B.CreateCast(Cast->getOpcode(), Operand(0), wide(I.getType()));
  else if (const auto *Compare = dyn_cast<CmpInst>(&I))
    New = B.CreateCmp(Compare->getPredicate(), Operand(0), Operand(1));
  else if (isa<SelectInst>(I))
    New = B.CreateSelect(AsIs(I.getOperand(0)), Operand(1), Operand(2));
  else if (isa<FreezeInst>(I))
    New = B.CreateFreeze(Operand(0));
  else {
    auto &Address = cast<GetElementPtrInst>(I);
    SmallVector<Value *> Indices;
    for (Value *Index : Address.indices())
      Indices.push_back(AsIs(Index));
    New = B.CreateGEP(Address.getSourceElementType(), AsIs(Address.getPointerOperand()), Indices);
  }
  if (auto *Made = dyn_cast<Instruction>(New)) {
    Made->copyIRFlags(&I);
    keepMetadata(Made, I);
  }
  Known[&I] = {nullptr, nullptr, New};
}

void VectorBody::copy(Instruction &I) {
  if (Plan.isSkipped(I) || isa<PHINode>(I) || I.isTerminator())
    return;
  Builder->SetCurrentDebugLocation(I.getDebugLoc());
  const Variation S = Plan.of(&I);
  auto *Call = dyn_cast<CallInst>(&I);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return copyStore(*Store);
  if (Call && Call->getType()->isVoidTy())
    return copyCall(*Call);
  if (S.Is != Variation::Varying)
    return copyScalar(I, S);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return copyLoad(*Load);
  Call ? copyCall(*Call) : copyVector(I);
}

// All lanes take one way, or each goes on by itself.
void VectorBody::diverge(BasicBlock &Block, BranchInst &Branch) {
  IRBuilder<> &B = *Builder;
  LLVMContext &C = B.getContext();
  Value *Condition = vector(Branch.getCondition());
  Type *Bits = B.getIntNTy(Width);
  Value *Taken = B.CreateBitCast(Condition, Bits);
  Function *F = Block.getParent();
  BasicBlock *Other = BasicBlock::Create(C, "strip.other", F);
  BasicBlock *Alone = BasicBlock::Create(C, "strip.leave", F);
  B.CreateCondBr(B.CreateICmpEQ(Taken, Constant::getAllOnesValue(Bits)), Blocks[Branch.getSuccessor(0)],
                 Other);
  Exits.push_back({&Block, Alone, Condition, nullptr});
  B.SetInsertPoint(Other);
  B.CreateCondBr(B.CreateICmpEQ(Taken, Constant::getNullValue(Bits)), Blocks[Branch.getSuccessor(1)], Alone);
}

// The result for the last lane must lie as far from the first lane's as the plan says: wraparound check of an
// extension, one warp of an index.
void VectorBody::check(BasicBlock &Block, Instruction &Checked) {
  IRBuilder<> &B = *Builder;
  const Lanes Of = Known.find(Checked.getOperand(0))->second, Result = Known.find(&Checked)->second;
  Instruction *Last = Checked.clone();
  Last->setOperand(0, moved(B, Of.First, Of.Step, Width - 1));
  Last->dropPoisonGeneratingFlags();
  B.Insert(Last);
  Value *Expected = Result.Step ? moved(B, Result.First, Result.Step, Width - 1) : Result.First;
  BasicBlock *Alone = BasicBlock::Create(B.getContext(), "strip.leave", Block.getParent());
  B.CreateCondBr(B.CreateICmpEQ(Last, Expected), Blocks[Block.getSingleSuccessor()], Alone);
  Exits.push_back({&Block, Alone, nullptr, &Checked});
}

void VectorBody::end(BasicBlock &Block) {
  Instruction *Old = Block.getTerminator();
  Builder->SetCurrentDebugLocation(Old->getDebugLoc());
  if (Plan.divergent().contains(Old))
    return diverge(Block, *cast<BranchInst>(Old));
  if (Instruction *Before = Old->getPrevNode(); Before && Plan.checked().contains(Before))
    return check(Block, *Before);
  Instruction *New = Old->clone();
  for (Use &U : New->operands())
    if (auto *To = dyn_cast<BasicBlock>(U))
      U = Blocks[To];
    else
      U = first(U);
  Builder->Insert(New);
}

void VectorBody::fillPhis() {
  for (auto &[Old, New] : Filled) {
    const bool IsVector = New->getType()->isVectorTy();
    for (unsigned N = 0; N != Old->getNumIncomingValues(); ++N) {
      Value *V = Old->getIncomingValue(N);
      New->addIncoming(IsVector ? vector(V) : first(V), Blocks.lookup(Old->getIncomingBlock(N)));
    }
  }
}

void VectorBody::emit(ArrayRef<BasicBlock *> Order, const BasicBlock *Latch, AllocaInst *Position,
                     BasicBlock *Next) {
  LLVMContext &C = Next->getContext();
  for (BasicBlock *Block : Order)
    Blocks[Block] = BasicBlock::Create(C, Block->getName() + ".strip", Next->getParent());
  Header = Blocks[Order[0]];
  Builder = std::make_unique<IRBuilder<>>(Header);
  Known[&X] = {Builder->CreateLoad(X.getType(), Position), ConstantInt::get(X.getType(), 1), nullptr};
  for (BasicBlock *Block : Order) {
    Builder->SetInsertPoint(Blocks[Block]);
    for (PHINode &Phi : Block->phis()) {
      if (&Phi == &X)
        continue;
      const Variation S = Plan.of(&Phi);
      const bool IsVector = S.Is == Variation::Varying;
      Type *T = IsVector ? wide(Phi.getType()) : Phi.getType();
      PHINode *New = Builder->CreatePHI(T, Phi.getNumIncomingValues());
      Filled.push_back({&Phi, New});
      if (IsVector)
        Known[&Phi] = {nullptr, nullptr, New};
      else
        Known[&Phi] = {New, S.isLinear() ? stepOf(Phi, S) : nullptr, nullptr};
    }
    for (Instruction &I : *Block)
      copy(I);
    if (Block == Latch)
      Builder->CreateBr(Next);
    else
      end(*Block);
  }
  fillPhis();
}

void VectorBody::addAccesses(ArrayRef<GlobalAccess> Unrecorded, SmallVectorImpl<GlobalAccess> &All) const {
  for (const GlobalAccess &A : Unrecorded)
    if (Instruction *New = Accesses.lookup(A.At)) {
      GlobalAccess Copy = A;
      Copy.At = New;
      Copy.Pointer = getLoadStorePointerOperand(New);
      if (getLoadStoreType(New)->isVectorTy())
        Copy.Bytes = A.Bytes * Width;
      All.push_back(Copy);
    }
}
} // namespace gpuprof::cpu
