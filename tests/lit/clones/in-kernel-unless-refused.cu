// count=inkernel: a kernel that may have too many registers for the program's blocks, with its counters, has a twin that carries
// them, and a bounded one. All others have the counters themselves.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-device=gpu -fplugin-arg-gpuprof-count=inkernel -std=c++17 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80 -nocudainc -nocudalib -I%S/Inputs -isystem %source/cpu-device/headers -include cuda_runtime.h -Wno-unknown-cuda-version -O2 -S %s -o - | grep -o '[.]entry [^(]*' | sed 's/.entry _Z[0-9]*//; s/Pf//' | sort | %FileCheck %s
#include "many_registers.h"
// CHECK: {{^}}few{{$}}
// CHECK-NEXT: {{^}}large{{$}}
// CHECK-NEXT: {{^}}large$gpuprof_in_kernel{{$}}
// CHECK-NEXT: {{^}}large$gpuprof_in_kernel$bounded{{$}}
// CHECK-NEXT: {{^}}small{{$}}
// CHECK-NOT: {{.}}
KERNEL(large)
KERNEL(small)
__global__ void few(float *p) { p[0] = p[1] + 1; }

void launch(float *p) {
  large<<<1, 512>>>(p);
  small<<<1, 128>>>(p);
  few<<<1, 1024>>>(p);
}
