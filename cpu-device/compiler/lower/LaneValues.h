// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an index or address is in each lane of a warp, as far as the code says.
#ifndef GPUPROF_LOWER_LANEVALUES_H
#define GPUPROF_LOWER_LANEVALUES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"
#include <array>
#include <cstdint>
#include <optional>

namespace gpuprof::cpu {

/// Evaluates what follows from threadIdx.x alone, for the first warp of a block whose rows are of whole
/// warps: threadIdx.y and z and blockIdx are 0 there. Nothing else is guessed.
class LaneValues {
public:
  static constexpr unsigned Lanes = 32;
  using Row = std::array<int64_t, Lanes>; // a lane each; of pointers: bytes behind their underlying object

  explicit LaneValues(const llvm::DataLayout &Layout) : Layout(Layout) {}
  /// None: it depends on something else (memory, arguments, calls, turns of a loop).
  std::optional<Row> of(const llvm::Value *V, unsigned Depth = 0);

private:
  std::optional<Row> compute(const llvm::Value *V, unsigned Depth);
  std::optional<Row> address(const llvm::Value *V, unsigned Depth);

  const llvm::DataLayout &Layout;
  llvm::DenseMap<const llvm::Value *, std::optional<Row>> Known;
};
} // namespace gpuprof::cpu

#endif
