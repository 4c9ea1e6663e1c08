// A clone can be launched in every block size of its kernel. Clones of kernels without launch bounds
// have at most 64 registers, others the number left by their bounds; occupancy does not matter. The
// instrumented kernel gets the largest block as bounds, if the kernel seems to need few registers: as it
// is timed, ptxas must not use them up. Kernels keep their own bounds. Kernels of 34 registers: unbounded, their clones would take 114 and 188.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-count=clone -fplugin-arg-gpuprof-unique=auto -std=c++17 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o %t.s
// RUN: grep -e '[.]entry' -e '^[.]max' -e '^[.]minn' %t.s | %FileCheck %s
// CHECK: .entry _Z9unboundedPf5Ratesi(
// CHECK-NEXT: .entry _Z7boundedPf5Ratesi(
// CHECK-NEXT: .maxntid 256
// CHECK-NEXT: .minnctapersm 2
// CHECK-NEXT: .entry _Z9by_memoryPKiPf(
// CHECK-NEXT: .entry _Z9unboundedPf5Ratesi$gpuprof_addresses(
// CHECK-NEXT: .maxnreg 64
// CHECK-NEXT: .entry _Z7boundedPf5Ratesi$gpuprof_addresses(
// CHECK-NEXT: .maxntid 256
// CHECK-NEXT: .entry _Z9unboundedPf5Ratesi$gpuprof_count(
// CHECK-NEXT: .maxnreg 64
// CHECK-NEXT: .entry _Z7boundedPf5Ratesi$gpuprof_count(
// CHECK-NEXT: .maxntid 256
// CHECK-NEXT: .entry _Z9by_memoryPKiPf$gpuprof_count(
// CHECK-NEXT: .maxnreg 64
// CHECK-NEXT: .entry _Z9by_memoryPKiPf$gpuprof_in_kernel(
// CHECK-NEXT: .maxntid 1024
#include "Inputs/many_branches.h"
