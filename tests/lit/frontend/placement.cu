// The places of regions in device code, and the texts of their markers.
// Older clangs print attributes and name outlined functions in another way.
// REQUIRES: llvm-at-least-19
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -I%inputs --cuda-device-only -fsyntax-only -Xclang -ast-print %s 2>&1 | %FileCheck %s
#include "cuda.h"

// CHECK: void whole(float *p) {
// CHECK-NEXT: int __gpuprof_scope = __gpuprof_enter("name=attn.all\tkind=kernel\tfile={{.*}}placement.cu\tline=[[@LINE+4]]\tphase=forward\tcategory=my attention\tcolor=76b900");
// CHECK-NEXT: {
// CHECK-NEXT: *p = 1;
#pragma gpuprof region("attn" ".all") phase(forward) category("my attention") color(0x76B900)
__global__ void whole(float *p) { *p = 1; }

// CHECK: void named(float *p)
// CHECK-NEXT: __gpuprof_enter("name=named\tkind=kernel\tfile={{.*}}placement.cu\tline=[[@LINE+2]]");
#pragma gpuprof region
__global__ void named(float *p) { *p = 1; }

// CHECK: void statements(float *p, int n) {
// CHECK-NEXT: {
// CHECK-NEXT: __gpuprof_enter("name=statements:[[@LINE+3]]\tkind=device\tfile={{.*}}placement.cu\tline=[[@LINE+3]]");
__global__ void statements(float *p, int n) {
#pragma gpuprof region
  for (int i = 0; i < n; ++i)
    // CHECK-NEXT: for (int i = 0; i < n; ++i) {
    // CHECK-NEXT: __gpuprof_enter("name=body\tkind=device
    // CHECK-NEXT: p[i] = 2;
    // CHECK-NEXT: }
    // CHECK-NEXT: }
#pragma gpuprof region("body") category(neuron)
    p[i] = 2;
  // CHECK-NEXT: if (n == 1) {
  // CHECK-NEXT: __gpuprof_enter("name=then\tkind=device
  // CHECK-NEXT: p[0] = 3;
  // CHECK-NEXT: } else {
  // CHECK-NEXT: __gpuprof_enter("name=else\tkind=device
  // CHECK-NEXT: {
  // CHECK-NEXT: p[0] = 4;
  if (n == 1)
#pragma gpuprof region("then")
    p[0] = 3;
  else
#pragma gpuprof region("else")
  {
    p[0] = 4;
  }
  // CHECK: do {
  // CHECK-NEXT: __gpuprof_enter("name=do\tkind=device
  do
#pragma gpuprof region("do")
    --n;
  while (n > 0);
  // CHECK: case 1:
  // CHECK-NEXT: {
  // CHECK-NEXT: __gpuprof_enter("name=case\tkind=device
  switch (n) {
  case 1:
#pragma gpuprof region("case")
    p[1] = 5;
  }
  // CHECK: label:
  // CHECK-NEXT: {
  // CHECK-NEXT: __gpuprof_enter("name=label\tkind=device
label:
#pragma gpuprof region("label")
  p[2] = 6;
  if (n)
    goto label;
  // Two pragmas: the first is the outer one. Blocks as they are written.
  // CHECK: __gpuprof_enter("name=outer\tkind=device
  // CHECK-NEXT: {
  // CHECK-NEXT: int __gpuprof_scope = __gpuprof_enter("name=inner\tkind=device
  // CHECK-NEXT: {
  // CHECK-NEXT: p[3] = 7;
#pragma gpuprof region("outer")
#pragma gpuprof region("inner")
  {
    p[3] = 7;
  }
  // CHECK: __gpuprof_enter("kind=ignore\tfile={{.*}}placement.cu\tline=[[@LINE+3]]");
  // CHECK-NEXT: p[4] = 8;
#pragma gpuprof ignore
  p[4] = 8;
}

// CHECK: void left_out(float *p)
// CHECK-NEXT: __gpuprof_enter("kind=ignore
#pragma gpuprof ignore
__global__ void left_out(float *p) { *p = 1; }

// Host code is not marked in the device compile, nor device code in the host compile.
// CHECK: void host(float *p)
// CHECK-NEXT: named<<<1, 1>>>(p);
// CHECK-NEXT: }
void host(float *p) {
#pragma gpuprof region("launch")
  named<<<1, 1>>>(p);
}
