// _Pragma in a macro marks the macro's code; loop hints and attributes may stand between pragma
// and statement. Older clangs print attributes and name outlined functions in another way.
// REQUIRES: llvm-at-least-19
// RUN: %clangxx -fplugin=%plugin -x cuda -std=c++17 -nocudainc -nocudalib -I%inputs --cuda-device-only -fsyntax-only -Xclang -ast-print %s 2>&1 | %FileCheck %s
#include "cuda.h"
#define NAMED(text) _Pragma(text)
#define LOOP(n) _Pragma("gpuprof region(\"loop\")") for (int i = 0; i < n; ++i)
#define REGION _Pragma("gpuprof region")
#define TITLE "from.macro"
#define phase broken // clause names are not expanded
#define KERNEL REGION __global__ void

// CHECK: void by_macro(float *p, int n) {
// CHECK-NEXT: __gpuprof_enter("name=by_macro\tkind=kernel\tfile={{.*}}macros.cu\tline=[[@LINE+1]]");
KERNEL by_macro(float *p, int n) {
  // CHECK: __gpuprof_enter("name=loop\tkind=device\tfile={{.*}}macros.cu\tline=[[@LINE+2]]");
  // CHECK-NEXT: for (int i = 0; i < n; ++i)
  LOOP(n) { p[i] = 1; }
  // CHECK: __gpuprof_enter("name=from.macro\tkind=device\tfile={{.*}}macros.cu\tline=[[@LINE+3]]\tphase=backward");
  // CHECK-NEXT: p[0] = 2;
#pragma gpuprof region(TITLE) phase(backward)
  p[0] = 2;
  // CHECK: __gpuprof_enter("name=hinted\tkind=device
  // CHECK-NEXT: #pragma unroll (4)
  // CHECK-NEXT: for (int i
#pragma gpuprof region("hinted")
#pragma unroll 4
  for (int i = 0; i < n; ++i)
    p[i] = 3;
  // CHECK: __gpuprof_enter("name=after hint\tkind=device
  // CHECK-NEXT: #pragma unroll (2)
  // CHECK-NEXT: for (int i
#pragma unroll 2
#pragma gpuprof region("after hint")
  for (int i = 0; i < n; ++i)
    p[i] = 4;
  // CHECK: __gpuprof_enter("name=attributed\tkind=device
  // CHECK-NEXT: {{\[\[likely\]\] *}}p[5] = 5;
  if (n)
#pragma gpuprof region("attributed")
    [[likely]] p[5] = 5;
}
