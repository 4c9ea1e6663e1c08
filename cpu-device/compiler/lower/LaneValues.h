// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of an index or address in each lane of a warp, if the code determines it.
#ifndef GPUPROF_LOWER_LANEVALUES_H
#define GPUPROF_LOWER_LANEVALUES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"
#include <array>
#include <cstdint>
#include <optional>

namespace gpuprof::cpu {

/// Evaluates values depending on threadIdx.x alone, for the first warp of a block with rows of whole warps.
/// threadIdx.y, threadIdx.z and blockIdx are 0 there. Nothing else is assumed.
class LaneValues {
public:
  static constexpr unsigned Lanes = 32;
  // one value a lane; of pointers: bytes behind their underlying object
  using Row = std::array<int64_t, Lanes>;

  explicit LaneValues(const llvm::DataLayout &Layout) : Layout(Layout) {}
  /// None: it depends on something else (memory, arguments, calls, iterations of a loop).
  std::optional<Row> of(const llvm::Value *V, unsigned Depth = 0);

private:
  std::optional<Row> compute(const llvm::Value *V, unsigned Depth);
  std::optional<Row> address(const llvm::Value *V, unsigned Depth);

  const llvm::DataLayout &Layout;
  llvm::DenseMap<const llvm::Value *, std::optional<Row>> Known;
};
} // namespace gpuprof::cpu

#endif
