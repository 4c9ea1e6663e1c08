// As with nvcc, "%tid.x" is "%%tid.x" in inline PTX with operands; a text without operands stays as it is.
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx80 -O1 -g -emit-llvm -S %s -o - | %FileCheck %s
#include "cuda.h"

#define CLUSTER(x) asm volatile("mov.u32 %0, " "%clusterid.x;\n\n" : "=r"(x) :)

// CHECK: asm sideeffect "mov.u32 $0, %tid.x;\0A mov.u32 $1, %ntid.x;\0A"
// CHECK: asm sideeffect "mov.u32 $0, %clusterid.x;\0A\0A"
// CHECK: asm sideeffect "mov.u64 $0, %clock64; // %other\0A"
// CHECK: asm sideeffect "{ .reg .u32 %r; mov.u32 %r, %laneid; }"
__global__ void k(unsigned *out) {
  unsigned a, b, c;
  unsigned long long t;
  asm volatile("mov.u32 %0, %tid.x;\n mov.u32 %1, %%ntid.x;\n" : "=r"(a), "=r"(b));
  CLUSTER(c);
  asm volatile("mov.u64 %0, %clock64; // %%other\n" : "=l"(t)::"memory");
  asm volatile("{ .reg .u32 %r; mov.u32 %r, %laneid; }");
  out[a] = b + c + unsigned(t);
}
