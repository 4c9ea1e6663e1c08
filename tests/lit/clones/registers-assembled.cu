// ptxas gives clones at most 64 registers, so that blocks of 1024 threads can be launched.
// Counting clones need all of them with each clang, the others with some.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-count=clone -fplugin-arg-gpuprof-unique=on -std=c++17 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o %t.s
// RUN: %cudapath/bin/ptxas -v -arch=sm_90 %t.s -o %t.cubin 2>%t.info
// RUN: %py %S/Inputs/registers_of.py %t.info | %FileCheck %s
// CHECK: _Z9unboundedPf5Ratesi$gpuprof_addresses {{([1-5]?[0-9]|6[0-4])$}}
// CHECK: _Z9unboundedPf5Ratesi$gpuprof_count 64
// CHECK: _Z9unboundedPf5Ratesi$gpuprof_unique {{([1-5]?[0-9]|6[0-4])$}}
#include "Inputs/many_branches.h"
