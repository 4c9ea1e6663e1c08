// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/MatrixCosts.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprof {
namespace {

constexpr unsigned WarpThreads = 32;

struct Shape {
  uint64_t M = 0, N = 0, K = 0;
};

bool consumeNumber(StringRef &Text, StringRef Letter, uint64_t &Number) {
  return Text.consume_front(Letter) && !Text.consumeInteger(10, Number);
}

// "m16n8k16"
bool parseShape(StringRef Text, Shape &S) {
  return consumeNumber(Text, "m", S.M) && consumeNumber(Text, "n", S.N) && consumeNumber(Text, "k", S.K) &&
         Text.empty();
}

struct Operand {
  const char *Name;
  CostClass Class, OfWarp; // OfWarp: the part of it done by mma.sync and wmma
};

// The first matching row decides. Accumulators come last: in some spellings, products of fp16 name only
// these. Floats of 6 and 4 bits beside floats of 8 bits are multiplied at the latter's rate.
const Operand *operandOf(ArrayRef<StringRef> Pieces) {
  static const Operand Operands[] = {
      {"b1", CostClass::tensor_int1, CostClass::mma_sync_int1},
      {"s4", CostClass::tensor_int4, CostClass::mma_sync_int4},
      {"u4", CostClass::tensor_int4, CostClass::mma_sync_int4},
      {"s8", CostClass::tensor_int8, CostClass::mma_sync_int8},
      {"u8", CostClass::tensor_int8, CostClass::mma_sync_int8},
      {"bf16", CostClass::tensor_bf16, CostClass::mma_sync_bf16},
      {"tf32", CostClass::tensor_tf32, CostClass::mma_sync_tf32},
      {"f64", CostClass::tensor_fp64, CostClass::mma_sync_fp64},
      {"mxf4", CostClass::tensor_fp4, CostClass::mma_sync_fp4},
      {"mxf4nvf4", CostClass::tensor_fp4, CostClass::mma_sync_fp4},
      {"kind::mxf4", CostClass::tensor_fp4, CostClass::mma_sync_fp4},
      {"kind::mxf4nvf4", CostClass::tensor_fp4, CostClass::mma_sync_fp4},
      {"e4m3", CostClass::tensor_fp8, CostClass::mma_sync_fp8},
      {"e5m2", CostClass::tensor_fp8, CostClass::mma_sync_fp8},
      {"e2m3", CostClass::tensor_fp8, CostClass::mma_sync_fp8},
      {"e3m2", CostClass::tensor_fp8, CostClass::mma_sync_fp8},
      {"e2m1", CostClass::tensor_fp8, CostClass::mma_sync_fp8},
      {"f16", CostClass::tensor_fp16, CostClass::mma_sync_fp16},
      {"f32", CostClass::tensor_fp16, CostClass::mma_sync_fp16},
  };
  const auto *Found = find_if(Operands, [&](const Operand &O) { return is_contained(Pieces, O.Name); });
  return Found == std::end(Operands) ? nullptr : Found;
}

bool isSparse(ArrayRef<StringRef> Pieces) {
  return any_of(Pieces, [](StringRef Piece) { return Piece == "sp" || Piece.starts_with("sp::"); });
}

} // namespace

bool addMatrixProduct(InstructionCost &Cost, ArrayRef<StringRef> Pieces, unsigned Threads) {
  Shape S;
  const Operand *O = operandOf(Pieces);
  if (!O || none_of(Pieces, [&](StringRef Piece) { return parseShape(Piece, S); }))
    return false;
  uint64_t Operations = 2 * S.M * S.N * S.K;
  if (isSparse(Pieces))
    Operations /= 2;
  // In fp16 this shape is four products, one for each group of eight threads.
  if (O->Class == CostClass::tensor_fp16 && S.M == 8 && S.N == 8 && S.K == 4)
    Operations *= 4;
  Cost.add(O->Class, Operations / Threads);
  if (Threads == WarpThreads)
    Cost.add(O->OfWarp, Operations / Threads);
  return true;
}

uint64_t matrixFragmentBytes(ArrayRef<StringRef> Pieces) {
  Shape S;
  if ((!is_contained(Pieces, "store") && !is_contained(Pieces, "load")) ||
      none_of(Pieces, [&](StringRef Piece) { return parseShape(Piece, S); }))
    return 0;
  static const std::pair<const char *, unsigned> Bits[] = {
      {"f64", 64}, {"f32", 32}, {"tf32", 32}, {"s32", 32}, {"f16", 16}, {"bf16", 16},
      {"s8", 8},   {"u8", 8},   {"s4", 4},    {"u4", 4},   {"b1", 1}};
  const auto *Type = find_if(Bits, [&](const auto &Row) { return is_contained(Pieces, Row.first); });
  if (Type == std::end(Bits))
    return 0;
  const uint64_t Elements = is_contained(Pieces, "a")   ? S.M * S.K
                            : is_contained(Pieces, "b") ? S.K * S.N
                                                        : S.M * S.N;
  return Elements * Type->second / 8 / WarpThreads;
}

uint64_t matrixRowBytes(ArrayRef<StringRef> Pieces) {
  // A row of 16 bytes for each of the first number of a shape, even if part of it is padding.
  static const std::pair<const char *, unsigned> Rows[] = {
      {"m8n8", 8}, {"m8n16", 8}, {"m16n16", 16}, {"m16n8", 8}};
  static const std::pair<const char *, unsigned> Counts[] = {{"x1", 1}, {"x2", 2}, {"x4", 4}};
  auto Named = [&](const auto &Row) { return is_contained(Pieces, Row.first); };
  const auto *Shape = find_if(Rows, Named);
  const auto *Count = find_if(Counts, Named);
  if (Shape == std::end(Rows) || Count == std::end(Counts))
    return 0;
  return 16 * Shape->second * Count->second / WarpThreads;
}

} // namespace gpuprof
