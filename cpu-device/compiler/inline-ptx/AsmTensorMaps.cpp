// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by tensor maps, done by the emulator at once: cp.async.bulk.tensor, cp.reduce.async.bulk.tensor.
// Changes of a map in memory: tensormap.replace and tensormap.cp_fenceproxy.
#include "inline-ptx/AsmTensorMaps.h"
#include "gpuprof/cpu_tensor.h"
#include "inline-ptx/AsmTextures.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr const char *Operations[] = {
#define GPUPROF_TENSOR_NAME(name) #name,
    GPUPROF_TENSOR_OPERATIONS(GPUPROF_TENSOR_NAME)
#undef GPUPROF_TENSOR_NAME
};
constexpr const char *Fields[] = {
#define GPUPROF_TENSOR_NAME(name) #name,
    GPUPROF_TENSOR_FIELDS(GPUPROF_TENSOR_NAME)
#undef GPUPROF_TENSOR_NAME
};
constexpr unsigned PlaceWords = GPUPROF_TENSOR_COORDINATES + GPUPROF_TENSOR_OFFSETS;

// "1d" to "5d"; 0: none.
unsigned rankOf(ArrayRef<std::string> Pieces) {
  for (StringRef Piece : Pieces)
    if (Piece.size() == 2 && Piece[1] == 'd' && Piece[0] >= '1' && Piece[0] <= '5')
      return Piece[0] - '0';
  return 0;
}

// True for a read mode unknown to the emulator (gathers and scatters, and im2col's wide forms).
bool isUnknownMode(ArrayRef<std::string> Pieces) {
  return any_of(Pieces,
                [](StringRef Piece) { return Piece.starts_with("tile::") || Piece.starts_with("im2col::"); });
}

unsigned operationOf(const ptx::Instruction &O) {
  for (unsigned N = 1; N != std::size(Operations); ++N)
    if (O.has(Operations[N]))
      return N;
  return GPUPROF_TENSOR_store;
}
} // namespace

// "[$1, {$2, $3}]": the address of the map, and coordinates. The coordinates go to memory, followed by the
// offsets.
bool AsmTensorMaps::tensorPlace(StringRef Text, unsigned Rank, StringRef Offsets, Value *&Map,
                                Value *&Place) {
  SmallVector<Value *> Words;
  if (!AsmTextures(Context).textureAddress(Text, Rank, Map, Words) || Words.size() != Rank)
    return false;
  Words.resize(GPUPROF_TENSOR_COORDINATES, B.getInt32(0));
  SmallVector<Value *> More;
  if (!Offsets.empty() && !readList(Offsets, B.getInt16Ty(), More))
    return false;
  for (Value *V : More)
    Words.push_back(B.CreateZExt(V, B.getInt32Ty()));
  if (Words.size() > PlaceWords)
    return false;
  auto *Whole = ArrayType::get(B.getInt32Ty(), PlaceWords);
  BasicBlock &Entry = I.getFunction()->getEntryBlock();
  AllocaInst *Memory = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(Whole);
  for (auto [Index, V] : enumerate(Words))
    B.CreateStore(V, B.CreateConstInBoundsGEP2_32(Whole, Memory, 0, static_cast<unsigned>(Index)));
  Map = B.CreateIntToPtr(Map, B.getPtrTy());
  Place = Memory;
  return true;
}

// cp.async.bulk.tensor.2d.shared::cluster.global.… [to], [map, {x, y}], [barrier]{, {offsets}}{, blocks}{,
// policy}; cp[.reduce].async.bulk.tensor.2d.global.shared::cta.… [map, {x, y}], [from]{, policy}.
bool AsmTensorMaps::tensorCopy(Op O) {
  const unsigned Rank = rankOf(O.Opcode);
  if (!Rank || isUnknownMode(O.Opcode) || O.Operands.empty())
    return false;
  if (O.has("prefetch"))
    return true;
  const bool Columns = any_of(O.Opcode, [](StringRef Piece) { return Piece.starts_with("im2col"); });
  const uint32_t Form =
      Rank | operationOf(O) << GPUPROF_TENSOR_OPERATION_SHIFT | (Columns ? GPUPROF_TENSOR_IM2COL : 0);
  const auto FirstSpace =
      find_if(O.Opcode, [](StringRef P) { return P == "global" || P.starts_with("shared"); });
  const bool IsLoad = FirstSpace != O.Opcode.end() && *FirstSpace != "global";
  Value *Map = nullptr, *Place = nullptr;
  if (!IsLoad) {
    Value *From = O.Operands.size() > 1 ? address(O.Operands[1], AsGeneric) : nullptr;
    if (!From || !tensorPlace(O.Operands[0], Rank, "", Map, Place))
      return false;
    B.CreateCall(L.entry("__gpuprof_cpu_tensor_store"), {Map, B.getInt32(Form), Place, From});
    return true;
  }
  const bool HasOffsets = Columns && O.Operands.size() > 3;
  const size_t Mask = 3 + HasOffsets;
  Value *To = address(O.Operands[0], AsGeneric);
  Value *Barrier = O.Operands.size() > 2 ? address(O.Operands[2], AsGeneric) : nullptr,
        *Blocks = B.getInt32(0);
  if (O.has("multicast::cluster"))
    Blocks = Mask < O.Operands.size() ? read(O.Operands[Mask], B.getInt16Ty()) : nullptr;
  if (!To || !Barrier || !Blocks ||
      !tensorPlace(O.Operands[1], Rank, HasOffsets ? StringRef(O.Operands[3]) : StringRef(), Map, Place))
    return false;
  B.CreateCall(L.entry("__gpuprof_cpu_tensor_load"),
               {Map, B.getInt32(Form), Place, To, Barrier, B.CreateZExt(Blocks, B.getInt32Ty())});
  return true;
}

// tensormap.replace.tile.FIELD.b1024.b32 [map], {number,} value; tensormap.cp_fenceproxy.… [to], [from],
// bytes.
bool AsmTensorMaps::tensorMap(Op O) {
  if (O.Opcode[0] != "tensormap" || O.Operands.size() < 2)
    return false;
  Value *To = genericAddress(O, 0);
  if (!To)
    return false;
  if (O.has("cp_fenceproxy")) {
    Value *From = genericAddress(O, 1),
          *Size = O.Operands.size() > 2 ? read(O.Operands[2], B.getInt64Ty()) : nullptr;
    if (From && Size)
      B.CreateMemCpy(To, Align(16), From, Align(16), Size);
    return From && Size;
  }
  const auto *Field = find_if(Fields, [&](const char *Name) { return O.has(Name); });
  const bool Numbered = O.Operands.size() == 3;
  Value *Number = Numbered ? read(O.Operands[1], B.getInt32Ty()) : B.getInt32(0);
  Value *Given = read(O.Operands[Numbered ? 2 : 1], O.has("b64") ? B.getInt64Ty() : B.getInt32Ty());
  if (Field == std::end(Fields) || !O.has("replace") || !Number || !Given)
    return false;
  B.CreateCall(
      L.entry("__gpuprof_cpu_tensor_replace"),
      {To, B.getInt32(static_cast<uint32_t>(Field - Fields)), Number, B.CreateZExt(Given, B.getInt64Ty())});
  return true;
}
} // namespace gpuprof::cpu
