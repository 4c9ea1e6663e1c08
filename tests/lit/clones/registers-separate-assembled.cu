// Separate compilation (-fgpu-rdc): ptxas and nvlink accept what is added for counts, unique bytes and the check, though
// device functions need more registers than a block of 1024 threads leaves, or need them with counters. A twin that
// calls functions of other units has no launch bounds.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-unique=on -fplugin-arg-gpuprof-check=on -fgpu-rdc -std=c++17 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o %t.first.s
// RUN: %clangxx -fplugin=%plugin -fgpu-rdc -DELSEWHERE -std=c++17 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o %t.second.s
// RUN: %cudapath/bin/ptxas -c -arch=sm_90 %t.first.s -o %t.first.o
// RUN: %cudapath/bin/ptxas -c -arch=sm_90 %t.second.s -o %t.second.o
// RUN: %cudapath/bin/nvlink -arch=sm_90 %t.first.o %t.second.o -o %t.cubin
// RUN: grep -e '[.]entry' -e '^[.]max' %t.first.s | %FileCheck %s
// CHECK: .entry _Z13calls_collatzPKfPKiPf(
// CHECK-NEXT: .maxntid 1024
// CHECK: .entry _Z13calls_collatzPKfPKiPf$gpuprof_in_kernel(
// CHECK-NEXT: .entry
// CHECK: .entry _Z13calls_collatzPKfPKiPf$gpuprof_warps(
// CHECK-NOT: .max
#ifdef ELSEWHERE
#define mix elsewhere
#endif
#include "Inputs/separate_calls.h"
