// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named metadata passing requests from the device half to the compiler of the CPU device.
#ifndef GPUPROF_COMMON_MODULEMETADATA_H
#define GPUPROF_COMMON_MODULEMETADATA_H

namespace gpuprof {
/// Requests sectors per request.
constexpr const char *RequestsWanted = "gpuprof.requests";
} // namespace gpuprof

#endif
