// Inline PTX without a count: its file and line are known without
// debug information, too, and a remark names it at compile time.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-remarks -x cuda -nocudainc -nocudalib -I%inputs --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx80 -emit-llvm -S %s -o %t.ll 2> %t.err
// RUN: %FileCheck --check-prefix=REMARK %s < %t.err
// RUN: %FileCheck %s < %t.ll
#include "cuda.h"

__global__ void unread(float *p) {
  float x = *p;
  asm volatile("foo.bar.f32 %0, %0;" : "+f"(x)); // line 10
  asm volatile("{ AGAIN: add.f32 %0, %0, %0; exit; bra AGAIN; }" : "+f"(x));
  *p = x;
}
// REMARK: remark: gpuprof: kernel unread(float*) has uncounted work, inline asm "foo.bar.f32" at {{.*}}unread-ptx.cu:10: not in the table of PTX instructions
// REMARK: remark: gpuprof: kernel unread(float*) has uncounted work, inline asm "{ AGAIN: {{.*}} at {{.*}}unread-ptx.cu:11: a label is not straight-line PTX
// CHECK: \09{{[0-9]+}}\0910\09inline asm \22foo.bar.f32\22\09not in the table of PTX instructions
