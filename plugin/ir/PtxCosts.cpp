// The cost of inline PTX, by the same conventions as IR.
#include "ir/Costs.h"

#include "ptx/Ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace gpuprof {
namespace {

using Pieces = SmallVector<StringRef, 12>;

const CostKind *kindOf(StringRef Opcode) {
  static const StringMap<CostKind> Kinds = {
#define COST_PTX(Name, Kind) {Name, CostKind::Kind},
#include "ir/InstructionCosts.def"
  };
  auto Found = Kinds.find(Opcode);
  return Found == Kinds.end() ? nullptr : &Found->second;
}

// The type of the operation is the last that the opcode names: cvt.f32.f16 apart, all operands have it.
bool typeOf(ArrayRef<StringRef> Opcode, Precision &P, unsigned &Elements) {
  for (StringRef Piece : reverse(Opcode.drop_front()))
    if (parseTypeName(Piece, P, Elements))
      return true;
  return false;
}

// Bytes of a memory instruction: width of its type times its vector length.
uint64_t accessBytes(ArrayRef<StringRef> Opcode) {
  uint64_t Bits = 0, Vector = 1;
  for (StringRef Piece : Opcode.drop_front()) {
    Precision P;
    unsigned Elements, Width;
    if (parseTypeName(Piece, P, Elements)) {
      Piece.drop_while([](char C) { return C >= 'a' && C <= 'z'; }).split('x').first.getAsInteger(10, Width);
      Bits = uint64_t(Width) * Elements;
    } else if (Piece == "b128") {
      Bits = 128;
    } else if (Piece == "v2" || Piece == "v4" || Piece == "v8") {
      Vector = Piece[1] - '0';
    }
  }
  return Bits * Vector / 8;
}

struct SpaceClasses {
  const char *Name;
  CostClass Load, Store, Atomic;
};

const SpaceClasses *spaceClasses(ArrayRef<StringRef> Opcode) {
  static const SpaceClasses Spaces[] = {
      {"global", CostClass::global_load, CostClass::global_store, CostClass::global_atomic},
      {"shared", CostClass::shared_load, CostClass::shared_store, CostClass::shared_atomic},
      {"local", CostClass::local_load, CostClass::local_store, CostClass::local_atomic},
      {"const", CostClass::constant_load, CostClass::global_store, CostClass::global_atomic},
      {"param", CostClass::constant_load, CostClass::local_store, CostClass::local_atomic},
  };
  for (StringRef Piece : Opcode)
    for (const SpaceClasses &S : Spaces)
      if (Piece.split(':').first == S.Name) // shared::cta, shared::cluster
        return &S;
  return nullptr;
}

bool addAccess(InstructionCost &Cost, ArrayRef<StringRef> Opcode) {
  const StringRef Op = Opcode[0];
  const bool Load = Op == "ld" || Op == "ldu", Store = Op == "st", Atomic = Op == "atom" || Op == "red";
  if (!Load && !Store && !Atomic)
    return false;
  const uint64_t Bytes = accessBytes(Opcode);
  if (Bytes == 0)
    return false;
  const SpaceClasses *Space = spaceClasses(Opcode);
  if (!Space)
    Cost.uncounted("generic address in inline PTX", "its bytes are counted as global");
  if (Load)
    Cost.add(Space ? Space->Load : CostClass::global_load, Bytes);
  else if (Store)
    Cost.add(Space ? Space->Store : CostClass::global_store, Bytes);
  else
    Cost.add(Space ? Space->Atomic : CostClass::global_atomic, Bytes);
  return true;
}

// cp.async.cg.shared.global [to], [from], 16 {, bytes}; and its bookkeeping, which is free.
bool addCopy(InstructionCost &Cost, const ptx::Instruction &I) {
  if (I.has("bulk") || !I.has("async"))
    return false;
  if (I.has("commit_group") || I.has("wait_group") || I.has("wait_all") || I.has("mbarrier"))
    return true;
  uint64_t Bytes = 0;
  if (I.Operands.size() < 3 || StringRef(I.Operands[2]).getAsInteger(10, Bytes))
    return false;
  Cost.add(CostClass::global_load, Bytes);
  Cost.add(CostClass::shared_store, Bytes);
  if (I.Operands.size() > 3)
    Cost.uncounted("cp.async with a source size", "counted as if all bytes were copied");
  return true;
}

bool addMatrix(InstructionCost &Cost, const ptx::Instruction &I, ArrayRef<StringRef> Opcode) {
  const StringRef Op = Opcode[0];
  if (Op == "mma" || (Op == "wmma" && I.has("mma")))
    return addMatrixProduct(Cost, Opcode, 32);
  if (Op == "wgmma") // four warps
    return !I.has("mma_async") || addMatrixProduct(Cost, Opcode, 128);
  if ((Op != "ldmatrix" && Op != "stmatrix") || !I.has("m8n8"))
    return false;
  const unsigned Matrices = I.has("x4") ? 4 : I.has("x2") ? 2 : 1;
  Cost.add(Op == "ldmatrix" ? CostClass::shared_load : CostClass::shared_store, 4 * Matrices);
  return true;
}

bool addByName(InstructionCost &Cost, ArrayRef<StringRef> Opcode) {
  const CostKind *Kind = kindOf(Opcode[0]);
  if (!Kind)
    return false;
  Precision P = Precision::Integer;
  unsigned Elements = 1;
  const bool Typed = typeOf(Opcode, P, Elements);
  if (*Kind == CostKind::Integer && is_contained(Opcode, "pred"))
    return true; // logic on predicates
  // Arithmetic on a type not known here must not be taken for integers.
  if (!Typed && *Kind <= CostKind::Sqrt)
    return false;
  addOperation(Cost, *Kind, P, Elements, is_contained(Opcode, "approx"));
  return true;
}

} // namespace

InstructionCost costOfPtx(StringRef Text) {
  InstructionCost Total;
  const ptx::Program Program = ptx::parse({Text.data(), Text.size()});
  if (!Program.Error.empty()) {
    Total.uncounted("inline asm \"" + Text.trim().str() + "\"", Program.Error);
    return Total;
  }
  for (const ptx::Instruction &I : Program.Instructions) {
    Pieces Opcode(I.Opcode.begin(), I.Opcode.end());
    InstructionCost Cost;
    const bool Known = Opcode[0] == "cp" ? addCopy(Cost, I)
                                         : addAccess(Cost, Opcode) || addMatrix(Cost, I, Opcode) || addByName(Cost, Opcode);
    if (!Known)
      Cost.uncounted("inline asm \"" + I.text() + "\"", "not in the table of PTX instructions");
    else if (!I.Predicate.empty() && !Cost.Amounts.empty())
      Cost.uncounted("inline asm \"" + I.text() + "\"", "counted as if its predicate were true");
    Total.Amounts.append(Cost.Amounts.begin(), Cost.Amounts.end());
    if (Total.Why.empty())
      Total.uncounted(Cost.What, Cost.Why);
  }
  return Total;
}

} // namespace gpuprof
