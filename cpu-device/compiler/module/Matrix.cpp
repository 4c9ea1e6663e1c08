// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/Matrix.h"
#include "gpuprof/cpu_matrix.h"
#include "module/Lowering.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprof::cpu {
constexpr MatrixElement ElementTypes[] = {
#define GPUPROF_MATRIX_ROW(name, bits) {#name, GPUPROF_MATRIX_##name, bits},
    GPUPROF_MATRIX_TYPES(GPUPROF_MATRIX_ROW)
#undef GPUPROF_MATRIX_ROW
};

const MatrixElement *matrixElement(StringRef Name) {
  const auto *Found = find_if(ElementTypes, [&](const MatrixElement &T) { return Name == T.Name; });
  return Found == std::end(ElementTypes) ? nullptr : Found;
}

static bool consumeNumber(StringRef &Text, StringRef Letter, unsigned &Number) {
  return Text.consume_front(Letter) && !Text.consumeInteger(10, Number);
}

// "m16n8k16"
bool parseMatrixShape(StringRef Text, unsigned &M, unsigned &N, unsigned &K) {
  return consumeNumber(Text, "m", M) && consumeNumber(Text, "n", N) && consumeNumber(Text, "k", K) &&
         Text.empty();
}

namespace {
// The shapes divided among lanes as the emulator expects: whole groups of lanes, and within its memory.
bool isKnownShape(unsigned M, unsigned N, unsigned K) {
  return M % 8 == 0 && N % 8 == 0 && M && N && K && M * N <= 256 && M * K <= 4096 && K * N <= 2048 &&
         M * K % 32 == 0 && K * N % 32 == 0;
}

// Types of D, A, B and C. Names of intrinsics omit redundant types: f16 forms give D and C, all others A and,
// if different, B.
struct Types {
  const MatrixElement *D, *A, *B, *C;
  bool complete() const { return D && A && B && C; }
};

Types typesOf(ArrayRef<const MatrixElement *> Given) {
  if (Given.size() == 4)
    return {Given[0], Given[1], Given[2], Given[3]};
  if (Given.empty() || Given.size() > 2)
    return {};
  const StringRef First = Given[0]->Name;
  if (Given.size() == 2 && (First == "f16" || First == "f32"))
    return {Given[0], matrixElement("f16"), matrixElement("f16"), Given[1]};
  const char *Sum = First == "f64"                                                 ? "f64"
                    : First == "bf16" || First == "tf32" || First.starts_with("e") ? "f32"
                                                                                   : "s32";
  return {matrixElement(Sum), Given[0], Given.back(), matrixElement(Sum)};
}
} // namespace

std::optional<MatrixForm> MatrixForm::parse(ArrayRef<StringRef> Pieces) {
  constexpr const char *Unknown[] = {"block_scale", "rz", "rm", "rp"};
  MatrixForm F;
  SmallVector<const MatrixElement *> Given;
  SmallVector<bool> Columns; // layouts of A and B
  bool Shaped = false;
  for (StringRef Piece : Pieces) {
    if (is_contained(Unknown, Piece) || Piece.starts_with("kind::mx"))
      return std::nullopt;
    F.Sparse |= Piece == "sp" || Piece.starts_with("sp::");
    if (const MatrixElement *T = matrixElement(Piece))
      Given.push_back(T);
    else if (Piece == "row" || Piece == "col")
      Columns.push_back(Piece == "col");
    else if (!Shaped)
      Shaped = parseMatrixShape(Piece, F.M, F.N, F.K);
  }
  const Types T = typesOf(Given);
  if (!T.complete() || !Shaped || Columns.size() != 2)
    return std::nullopt;
  uint64_t Flags = 0;
  if (is_contained(Pieces, "satfinite") && T.D->Number == GPUPROF_MATRIX_s32)
    Flags |= GPUPROF_MATRIX_SATURATE;
  if (is_contained(Pieces, "and"))
    Flags |= GPUPROF_MATRIX_AND;
  if (F.Sparse)
    Flags |= GPUPROF_MATRIX_SPARSE;
  if (F.M == 8 && F.N == 8 && F.K == 4 && T.A->Number == GPUPROF_MATRIX_f16)
    Flags |= GPUPROF_MATRIX_QUADS | (Columns[0] ? GPUPROF_MATRIX_A_COLUMN : 0) |
             (Columns[1] ? 0 : GPUPROF_MATRIX_B_ROW);
  else if (!isKnownShape(F.M, F.N, F.K))
    return std::nullopt;
  F.BitsA = T.A->Bits;
  F.BitsB = T.B->Bits;
  F.BitsC = T.C->Bits;
  F.BitsD = T.D->Bits;
  F.Packed = uint64_t(F.M) << GPUPROF_MATRIX_M_SHIFT | uint64_t(F.N) << GPUPROF_MATRIX_N_SHIFT |
             uint64_t(F.K) << GPUPROF_MATRIX_K_SHIFT | uint64_t(T.A->Number) << GPUPROF_MATRIX_A_SHIFT |
             uint64_t(T.B->Number) << GPUPROF_MATRIX_B_SHIFT |
             uint64_t(T.C->Number) << GPUPROF_MATRIX_C_SHIFT |
             uint64_t(T.D->Number) << GPUPROF_MATRIX_D_SHIFT | Flags << GPUPROF_MATRIX_FLAG_SHIFT;
  return F;
}

void MatrixForm::select(unsigned Lanes) {
  Packed |= uint64_t(Lanes & 3) << (GPUPROF_MATRIX_FLAG_SHIFT + GPUPROF_MATRIX_SELECTOR_SHIFT);
}

namespace {
// Registers in the lane's memory, for the emulator to read or write.
class RegisterFile {
public:
  RegisterFile(IRBuilder<> &B, Type *Register, unsigned Count)
      : B(B), Whole(ArrayType::get(Register, Count)) {
    BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
    IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
    Slot = AtEntry.CreateAlloca(Whole);
  }
  void store(ArrayRef<Value *> Values) {
    for (auto [Index, V] : enumerate(Values))
      B.CreateStore(B.CreateBitCast(V, Whole->getElementType()), at(static_cast<unsigned>(Index)));
  }
  SmallVector<Value *> load() {
    SmallVector<Value *> Values;
    for (unsigned N = 0; N != Whole->getNumElements(); ++N)
      Values.push_back(B.CreateLoad(Whole->getElementType(), at(N)));
    return Values;
  }
  Value *address() const { return Slot; }

private:
  Value *at(unsigned N) { return B.CreateConstInBoundsGEP2_32(Whole, Slot, 0, N); }

  IRBuilder<> &B;
  ArrayType *Whole;
  AllocaInst *Slot = nullptr;
};

IntegerType *registerType(IRBuilder<> &B, unsigned ElementBits) {
  return B.getIntNTy(ElementBits == 64 ? 64 : 32);
}
} // namespace

// A function of the module, never inlined. Kernels unroll loops over hundreds of matrix instructions; inlined
// code would be too large to optimise in reasonable time. `New`: the caller has to fill it.
static Function *makeHelper(Lowering &L, const Function &User, StringRef Name, Type *Result,
                            ArrayRef<Value *> Arguments, bool &New) {
  LLVMContext &C = L.M.getContext();
  Function *F = L.M.getFunction(Name);
  New = !F;
  if (!New)
    return F;
  SmallVector<Type *> Parameters;
  for (const Value *V : Arguments)
    Parameters.push_back(V->getType());
  F = Function::Create(FunctionType::get(Result, Parameters, false), GlobalValue::InternalLinkage, Name, L.M);
  // It has its users' target: both then pass vectors in the same way.
  AttrBuilder Attributes(C, User.getAttributes().getFnAttrs());
  Attributes.removeAttribute(Attribute::AlwaysInline);
  Attributes.removeAttribute(Attribute::OptimizeNone);
  Attributes.addAttribute(Attribute::NoInline);
  F->setAttributes(AttributeList::get(C, AttributeSet::get(C, Attributes), {}, {}));
  BasicBlock::Create(C, "entry", F);
  return F;
}

// The same for an instruction of a whole warp. Its first parameter is the thread's state, the others are the
// lane's registers. It returns an array of registers, or nothing.
static Function *makeWarpHelper(Lowering &L, const Function &User, StringRef Name, const WarpMatrix &Of,
                                Type *Result, ArrayRef<Value *> Arguments, bool &New) {
  Function *F = makeHelper(L, User, Name, Result, Arguments, New);
  if (New) {
    F->addFnAttr(WarpMatrixAttribute, utostr(Of.Operation) + " " + utostr(Of.Form) + " " + utostr(Of.Counts));
    L.setThread(*F, F->getArg(0));
  }
  return F;
}

std::optional<WarpMatrix> warpMatrix(const CallInst &I) {
  const Function *F = I.getCalledFunction();
  WarpMatrix Of;
  if (!F || !F->hasFnAttribute(WarpMatrixAttribute))
    return std::nullopt;
  StringRef Text = F->getFnAttribute(WarpMatrixAttribute).getValueAsString();
  for (uint64_t *Number : {&Of.Operation, &Of.Form, &Of.Counts}) {
    Text.consumeInteger(10, *Number);
    Text = Text.ltrim();
  }
  return Of;
}

static SmallVector<Value *> registersOf(IRBuilder<> &B, Value *All) {
  SmallVector<Value *> Registers;
  for (unsigned N = 0; N != cast<ArrayType>(All->getType())->getNumElements(); ++N)
    Registers.push_back(B.CreateExtractValue(All, N));
  return Registers;
}

// The body of one product: registers to memory, the emulator's call, and registers from memory.
static void fillProduct(Lowering &L, Function &F, const MatrixForm &Form, const unsigned (&Counts)[3]) {
  IRBuilder<> B(&F.getEntryBlock());
  const unsigned Bits[] = {Form.BitsA, Form.BitsB, Form.BitsC};
  SmallVector<Value *> Arguments{F.getArg(0), B.getInt64(Form.Packed)};
  unsigned Next = 1;
  for (unsigned N = 0; N != 3; ++N) {
    RegisterFile File(B, registerType(B, Bits[N]), Counts[N]);
    SmallVector<Value *> Values;
    for (unsigned I = 0; I != Counts[N]; ++I)
      Values.push_back(F.getArg(Next++));
    File.store(Values);
    Arguments.push_back(File.address());
  }
  auto *Results = cast<ArrayType>(F.getReturnType());
  RegisterFile Result(B, Results->getElementType(), static_cast<unsigned>(Results->getNumElements()));
  Arguments.push_back(Result.address());
  B.CreateCall(L.entry("__gpuprof_cpu_matrix_product"), Arguments);
  B.CreateRet(B.CreateLoad(Results, Result.address()));
}

SmallVector<Value *> matrixProduct(Lowering &L, IRBuilder<> &B, const MatrixForm &Form,
                                   ArrayRef<Value *> RegistersA, ArrayRef<Value *> RegistersB,
                                   ArrayRef<Value *> RegistersC) {
  Function &User = *B.GetInsertBlock()->getParent();
  const ArrayRef<Value *> Given[] = {RegistersA, RegistersB, RegistersC};
  const unsigned Bits[] = {Form.BitsA, Form.BitsB, Form.BitsC};
  unsigned Counts[3];
  SmallVector<Value *> Arguments{L.thread(User)};
  std::string Name = "mma." + utohexstr(Form.Packed);
  for (unsigned N = 0; N != 3; ++N) {
    Counts[N] = static_cast<unsigned>(Given[N].size());
    Name += "." + std::to_string(Counts[N]);
    for (Value *V : Given[N])
      Arguments.push_back(B.CreateBitCast(V, registerType(B, Bits[N])));
  }
  // A product of quads is four of 8 x 8.
  const unsigned Sums =
      Form.M * Form.N * (Form.Packed >> GPUPROF_MATRIX_FLAG_SHIFT & GPUPROF_MATRIX_QUADS ? 4 : 1) / 32;
  const unsigned Registers = Form.BitsD == 16 ? Sums / 2 : Sums;
  const WarpMatrix Of{GPUPROF_MATRIX_PRODUCT, Form.Packed,
                      Counts[0] | Counts[1] << 8 | Counts[2] << 16 | Registers << 24};
  bool New = false;
  Function *F = makeWarpHelper(L, User, Name, Of, ArrayType::get(registerType(B, Form.BitsD), Registers),
                               Arguments, New);
  if (New)
    fillProduct(L, *F, Form, Counts);
  return registersOf(B, B.CreateCall(F, Arguments));
}

SmallVector<Value *> matrixLoad(Lowering &L, IRBuilder<> &B, unsigned Count, bool Transposed,
                                Value *Address) {
  Function &User = *B.GetInsertBlock()->getParent();
  Value *const Arguments[] = {L.thread(User), B.CreateAddrSpaceCast(Address, B.getPtrTy())};
  const std::string Name = "ldmatrix.x" + std::to_string(Count) + (Transposed ? ".trans" : "");
  const WarpMatrix Of{GPUPROF_MATRIX_LOAD, Transposed, 1 | Count << 24};
  ArrayType *Registers = ArrayType::get(B.getInt32Ty(), Count);
  bool New = false;
  Function *F = makeWarpHelper(L, User, Name, Of, Registers, Arguments, New);
  if (New) {
    IRBuilder<> Inside(&F->getEntryBlock());
    RegisterFile Result(Inside, Inside.getInt32Ty(), Count);
    Inside.CreateCall(
        L.entry("__gpuprof_cpu_matrix_load"),
        {F->getArg(0), Inside.getInt32(Count), Inside.getInt32(Transposed), F->getArg(1), Result.address()});
    Inside.CreateRet(Inside.CreateLoad(Registers, Result.address()));
  }
  return registersOf(B, B.CreateCall(F, Arguments));
}

void matrixStore(Lowering &L, IRBuilder<> &B, bool Transposed, Value *Address, ArrayRef<Value *> Registers) {
  Function &User = *B.GetInsertBlock()->getParent();
  const auto Count = static_cast<unsigned>(Registers.size());
  SmallVector<Value *> Arguments{L.thread(User), B.CreateAddrSpaceCast(Address, B.getPtrTy())};
  for (Value *V : Registers)
    Arguments.push_back(B.CreateBitCast(V, B.getInt32Ty()));
  const std::string Name = "stmatrix.x" + std::to_string(Count) + (Transposed ? ".trans" : "");
  const WarpMatrix Of{GPUPROF_MATRIX_STORE, Transposed, 1 | Count << 8};
  bool New = false;
  Function *F = makeWarpHelper(L, User, Name, Of, B.getVoidTy(), Arguments, New);
  if (New) {
    IRBuilder<> Inside(&F->getEntryBlock());
    RegisterFile File(Inside, Inside.getInt32Ty(), Count);
    SmallVector<Value *> Own;
    for (Argument &A : drop_begin(F->args(), 2))
      Own.push_back(&A);
    File.store(Own);
    Inside.CreateCall(
        L.entry("__gpuprof_cpu_matrix_store"),
        {F->getArg(0), Inside.getInt32(Count), Inside.getInt32(Transposed), F->getArg(1), File.address()});
    Inside.CreateRetVoid();
  }
  B.CreateCall(F, Arguments);
}

Value *matrixTranspose(Lowering &L, IRBuilder<> &B, Value *Register) {
  Function &User = *B.GetInsertBlock()->getParent();
  Value *const Arguments[] = {L.thread(User), Register};
  const WarpMatrix Of{GPUPROF_MATRIX_TRANSPOSE, 0, 1 | 1 << 24};
  ArrayType *Registers = ArrayType::get(B.getInt32Ty(), 1);
  bool New = false;
  Function *F = makeWarpHelper(L, User, "movmatrix", Of, Registers, Arguments, New);
  if (New) {
    IRBuilder<> Inside(&F->getEntryBlock());
    Value *Swapped =
        Inside.CreateCall(L.entry("__gpuprof_cpu_matrix_transpose"), {F->getArg(0), F->getArg(1)});
    Inside.CreateRet(Inside.CreateInsertValue(PoisonValue::get(Registers), Swapped, 0));
  }
  return registersOf(B, B.CreateCall(F, Arguments))[0];
}

namespace {
// A call of one of the intrinsics. Its result is one register or a struct of them.
class MatrixIntrinsic {
public:
  MatrixIntrinsic(Lowering &L, CallInst &I, ArrayRef<StringRef> Pieces) : L(L), I(I), B(&I), Pieces(Pieces) {}
  bool lower();
  bool isKnownFragment();

private:
  bool has(StringRef Piece) const { return is_contained(Pieces, Piece); }
  SmallVector<Value *> arguments(unsigned First, unsigned Count) const {
    SmallVector<Value *> Values;
    for (unsigned N = First; N != First + Count; ++N)
      Values.push_back(I.getArgOperand(N));
    return Values;
  }
  void finish(ArrayRef<Value *> Registers);
  bool product();
  bool fragment(bool IsLoad);
  bool rows(bool IsLoad);
  bool transpose();

  Lowering &L;
  CallInst &I;
  IRBuilder<> B;
  ArrayRef<StringRef> Pieces;
  unsigned M = 0, N = 0, K = 0; // the shape of a fragment's product
  const MatrixElement *Element = nullptr;
};

// Fragments of wmma with surplus registers hold their elements several times.
void MatrixIntrinsic::finish(ArrayRef<Value *> Registers) {
  auto *Struct = dyn_cast<StructType>(I.getType());
  if (!Struct) {
    I.replaceAllUsesWith(B.CreateBitCast(Registers[0], I.getType()));
    return;
  }
  Value *All = PoisonValue::get(Struct);
  for (unsigned N = 0; N != Struct->getNumElements(); ++N)
    All = B.CreateInsertValue(All,
                              B.CreateBitCast(Registers[N % Registers.size()], Struct->getElementType(N)), N);
  I.replaceAllUsesWith(All);
}

bool MatrixIntrinsic::product() {
  std::optional<MatrixForm> Form = MatrixForm::parse(Pieces);
  if (!Form)
    return false;
  unsigned Given = I.arg_size();
  if (Form->Sparse) { // metadata and selector follow all others
    auto *Lanes = dyn_cast<ConstantInt>(I.getArgOperand(Given - 1));
    if (!Lanes)
      return false;
    Form->select(static_cast<unsigned>(Lanes->getZExtValue()));
    Given -= 2;
  }
  auto Count = [&](unsigned Bits) { return Bits == 16 ? 2u : 1u; };
  const unsigned RegistersC = Form->M * Form->N / 32 *
                              (Form->Packed >> GPUPROF_MATRIX_FLAG_SHIFT & GPUPROF_MATRIX_QUADS ? 4 : 1) /
                              Count(Form->BitsC);
  if (Given <= RegistersC)
    return false;
  // The registers other than C's belong to A and B, in proportion to their sizes, or in halves for wmma's
  // larger fragments.
  const unsigned Others = Given - RegistersC;
  unsigned RegistersA =
      Form->M * Form->K * Form->BitsA / (Form->Sparse ? 2 : 1) / 32 / (Form->BitsA == 64 ? 64 : 32);
  const unsigned RegistersB = Form->N * Form->K * Form->BitsB / 32 / (Form->BitsB == 64 ? 64 : 32);
  if (RegistersA + RegistersB != Others)
    RegistersA = Others / 2;
  SmallVector<Value *> Left = arguments(0, RegistersA);
  if (Form->Sparse)
    Left.push_back(I.getArgOperand(Given));
  finish(matrixProduct(L, B, *Form, Left, arguments(RegistersA, Others - RegistersA),
                       arguments(Others, RegistersC)));
  return true;
}

// wmma.SHAPE.load.a.row[.stride].f16 pointer[, stride], store.d likewise. Each lane moves its own elements
// once the whole warp has arrived, and goes on once all have stored theirs. PTX does not specify the
// distribution of elements over lanes: mma's is used.
bool MatrixIntrinsic::isKnownFragment() {
  if (Pieces.size() < 6 || !parseMatrixShape(Pieces[1], M, N, K) || !isKnownShape(M, N, K))
    return false;
  constexpr const char *Names[] = {"a", "b", "c", "d"};
  for (StringRef Piece : Pieces.drop_front(5))
    Element = Element ? Element : matrixElement(Piece);
  const bool Neighbours = (Pieces[4] == "col") == (Pieces[3] == "b");
  return Element && is_contained(Names, Pieces[3]) && (Neighbours || Element->Bits >= 8);
}

bool MatrixIntrinsic::fragment(bool IsLoad) {
  if (!isKnownFragment())
    return false;
  const MatrixElement *T = Element;
  const StringRef Which = Pieces[3];
  const bool InColumns = Pieces[4] == "col", Strided = has("stride");
  // B is held as its columns.
  const unsigned Lines = Which == "b" ? N : M, Depth = Which == "a" || Which == "b" ? K : N;
  const bool AlongMemory = InColumns == (Which == "b"); // neighbours in a register are neighbours in memory
  const unsigned Per = Which == "c" || Which == "d" ? 2 : T->Bits == 64 ? 1 : 32 / T->Bits;
  const unsigned Elements = Lines * Depth / 32, InRegister = T->Bits >= 32 ? 1 : 32 / T->Bits;
  const unsigned Default = AlongMemory ? Depth : Lines;
  Value *Pointer = I.getArgOperand(0);
  Value *Stride = Strided ? I.getArgOperand(I.arg_size() - 1) : B.getInt32(Default);
  Stride = B.CreateSExt(Stride, B.getInt64Ty());

  Value *Lane = B.CreateZExt(I.getFunction()->getArg(0), B.getInt64Ty());
  Value *Group = B.CreateLShr(Lane, 2), *Member = B.CreateAnd(Lane, 3);
  // The position of element `Index` of this lane: line * stride + depth, or the other way round.
  auto Address = [&](unsigned Index) {
    const unsigned Number = Index / Per, Tiles = Lines / 8;
    Value *Line = B.CreateAdd(Group, B.getInt64(8 * (Number % Tiles)));
    Value *Column =
        B.CreateAdd(B.CreateMul(Member, B.getInt64(Per)), B.getInt64(Number / Tiles * 4 * Per + Index % Per));
    Value *Offset = AlongMemory ? B.CreateAdd(B.CreateMul(Line, Stride), Column)
                                : B.CreateAdd(B.CreateMul(Column, Stride), Line);
    Value *Bytes = T->Bits >= 8 ? B.CreateMul(Offset, B.getInt64(T->Bits / 8))
                                : B.CreateUDiv(Offset, B.getInt64(8 / T->Bits));
    return B.CreateGEP(B.getInt8Ty(), Pointer, Bytes);
  };
  Type *Register = registerType(B, T->Bits), *Piece = B.getIntNTy(T->Bits);
  const bool Whole = InRegister == 1 || AlongMemory;
  const unsigned Registers = Elements / InRegister;
  SmallVector<Value *> Loaded;
  for (unsigned R = 0; R != Registers; ++R) {
    Value *Given = IsLoad ? nullptr : B.CreateBitCast(I.getArgOperand(1 + R), Register);
    if (Whole) {
      const Align A(Register->getIntegerBitWidth() / 8);
      if (IsLoad)
        Loaded.push_back(B.CreateAlignedLoad(Register, Address(R * InRegister), A));
      else
        B.CreateAlignedStore(Given, Address(R * InRegister), A);
      continue;
    }
    Value *All = ConstantInt::get(Register, 0);
    for (unsigned Sub = 0; Sub != InRegister; ++Sub) {
      Value *At = Address(R * InRegister + Sub);
      if (IsLoad)
        All = B.CreateOr(All, B.CreateShl(B.CreateZExt(B.CreateLoad(Piece, At), Register), Sub * T->Bits));
      else
        B.CreateStore(B.CreateTrunc(B.CreateLShr(Given, Sub * T->Bits), Piece), At);
    }
    Loaded.push_back(All);
  }
  if (IsLoad)
    finish(Loaded);
  return true;
}

// ldmatrix.sync.aligned.m8n8.x4[.trans].b16 pointer; stmatrix likewise, with registers behind the pointer.
bool MatrixIntrinsic::rows(bool IsLoad) {
  const unsigned Count = has("x1") ? 1 : has("x2") ? 2 : has("x4") ? 4 : 0;
  if (!Count || !has("m8n8") || !has("b16"))
    return false;
  if (IsLoad)
    finish(matrixLoad(L, B, Count, has("trans"), I.getArgOperand(0)));
  else
    matrixStore(L, B, has("trans"), I.getArgOperand(0), arguments(1, Count));
  return true;
}

bool MatrixIntrinsic::transpose() {
  if (!has("trans") || !has("b16"))
    return false;
  finish({matrixTranspose(L, B, I.getArgOperand(0))});
  return true;
}

bool MatrixIntrinsic::lower() {
  const StringRef Name = Pieces[0];
  if (Name == "wmma" && Pieces.size() > 2 && (Pieces[2] == "load" || Pieces[2] == "store"))
    return fragment(Pieces[2] == "load");
  if (Name == "wmma" || Name == "mma")
    return product();
  if (Name == "ldmatrix" || Name == "stmatrix")
    return rows(Name == "ldmatrix");
  return Name == "movmatrix" && transpose();
}
} // namespace

// The call moves into a function of its own, lowered once for all calls of the intrinsic. Its first parameter
// is the number of the lane.
static CallInst *outline(Lowering &L, CallInst &I, bool IsLoad) {
  IRBuilder<> B(&I);
  auto Meet = [&] {
    B.CreateCall(L.entry("__gpuprof_cpu_syncwarp"), {L.thread(*I.getFunction()), B.getInt32(~0u)});
  };
  Meet();
  SmallVector<Value *> Arguments{L.load(B, Field::laneid)};
  Arguments.append(I.arg_begin(), I.arg_end());
  StringRef Name = I.getCalledFunction()->getName();
  Name.consume_front("llvm.nvvm.");
  bool New = false;
  Function *F = makeHelper(L, *I.getFunction(), Name, I.getType(), Arguments, New);
  Value *Result = B.CreateCall(F, Arguments);
  if (IsLoad)
    I.replaceAllUsesWith(Result);
  else
    Meet();
  CallInst *Inner = nullptr;
  if (New) {
    IRBuilder<> Inside(&F->getEntryBlock());
    SmallVector<Value *> Own;
    for (Argument &A : drop_begin(F->args()))
      Own.push_back(&A);
    Inner = Inside.CreateCall(I.getCalledFunction(), Own);
    if (IsLoad)
      Inside.CreateRet(Inner);
    else
      Inside.CreateRetVoid();
  }
  return Inner;
}

bool lowerMatrixIntrinsic(Lowering &L, CallInst &I, ArrayRef<StringRef> Pieces) {
  CallInst *Lowered = &I;
  if (Pieces[0] == "wmma" && Pieces.size() > 2 && (Pieces[2] == "load" || Pieces[2] == "store")) {
    if (!MatrixIntrinsic(L, I, Pieces).isKnownFragment())
      return false;
    Lowered = outline(L, I, Pieces[2] == "load");
    I.eraseFromParent();
    if (!Lowered)
      return true;
  }
  if (!MatrixIntrinsic(L, *Lowered, Pieces).lower())
    return false;
  Lowered->eraseFromParent();
  return true;
}
} // namespace gpuprof::cpu
