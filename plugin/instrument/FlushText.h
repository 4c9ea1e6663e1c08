// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PTX adding the counts of an ending thread to the counters in memory.
#ifndef GPUPROF_INSTRUMENT_FLUSHTEXT_H
#define GPUPROF_INSTRUMENT_FLUSHTEXT_H

#include "instrument/Flush.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace gpuprof {

/// One statement of inline assembly. Its operands: $0 the counters' address, i64; $1, $2, … the counts in
/// their order; then the array's address, i64, and that of the bound base, if the plan has them. `Architecture` is the number in sm_90.
std::string flushText(const FlushPlan &Plan, llvm::ArrayRef<LocalCount> Counts, unsigned Architecture);

} // namespace gpuprof
#endif
