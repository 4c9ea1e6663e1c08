// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named metadata by which the device half tells the compiler of the CPU device what was asked for.
#ifndef GPUPROF_COMMON_MODULEMETADATA_H
#define GPUPROF_COMMON_MODULEMETADATA_H

namespace gpuprof {
/// Asks for sectors per request.
constexpr const char *RequestsWanted = "gpuprof.requests";
} // namespace gpuprof

#endif
