// Lines of the device half: known with -gline-tables-only; library functions have the line of their call.
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs -isystem %S/Inputs/library --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx80 -O1 -gline-tables-only -emit-llvm -S %s -o - | %FileCheck --check-prefix=LINES %s
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs -isystem %S/Inputs/library --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx80 -O1 -emit-llvm -S %s -o - | %FileCheck --check-prefix=NONE %s
#include "cuda.h"
#include "library.h"

__global__ void k(float *a, float *b) {
  float x = *a; // line 8
  b[1] = product(x, 3);
  b[2] = x;
}
// LINES: file\090\09{{[^\\]*}}line-tables.cu\0A
// LINES-NOT: file\091
// LINES-SAME: \090\098\09global_load=4
// LINES-SAME: \090\099\09fp32_mul=1\09global_store=4
// LINES-SAME: \090\0910\09global_store=4
// NONE: \09-\090\09fp32_mul=1
