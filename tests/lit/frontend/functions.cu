// Every way to write a function can be annotated: members, templates (each instantiation), extern "C", attributes.
// Older clangs print attributes and name outlined functions in another way.
// REQUIRES: llvm-at-least-19
// RUN: %clangxx -fplugin=%plugin -x cuda -std=c++17 -nocudainc -nocudalib -I%inputs --cuda-device-only -fsyntax-only -Xclang -ast-print %s 2>&1 | %FileCheck %s
#include "cuda.h"

// CHECK: T twice(T x) {
// CHECK-NOT: __gpuprof_enter
// CHECK: template<> float twice<float>(float x) {
// CHECK-NEXT: __gpuprof_enter("name=twice\tkind=device
// CHECK: template<> int twice<int>(int x) {
// CHECK-NEXT: __gpuprof_enter("name=twice\tkind=device
// CHECK: __gpuprof_enter("name=sum\tkind=device
#pragma gpuprof region
template <class T> __device__ T twice(T x) {
#pragma gpuprof region("sum")
  return x + x;
}

// CHECK: template<> struct Box<float>
template <class T> struct Box {
  T value;
  // CHECK: float get() {
  // CHECK-NEXT: __gpuprof_enter("name=Box::get\tkind=device
#pragma gpuprof region
  __device__ T get() { return value; }
  // CHECK: void Box<float>::set(float x) {
  // CHECK-NEXT: __gpuprof_enter("name=Box::set\tkind=device
  __device__ void set(T);
};

// CHECK: struct Plain
struct Plain {
  // CHECK: int get() {
  // CHECK-NEXT: __gpuprof_enter("name=Plain::get\tkind=device
#pragma gpuprof region
  __device__ int get() { return 1; }
  // CHECK: Plain(int n) : value(n) {
  // CHECK-NEXT: __gpuprof_enter("name=Plain::Plain\tkind=device
#pragma gpuprof region
  __device__ Plain(int n) : value(n) { value += 1; }
  int value;
};

#pragma gpuprof region
template <class T> __device__ void Box<T>::set(T x) { value = x; }
// CHECK: template <> void Box<int>::set(int x) {
// CHECK-NEXT: __gpuprof_enter("name=set int\tkind=device
#pragma gpuprof region("set int")
template <> __device__ void Box<int>::set(int x) { value = x; }

// CHECK: void with_c_linkage(float *p) {
// CHECK-NEXT: __gpuprof_enter("name=with_c_linkage\tkind=kernel
#pragma gpuprof region
extern "C" __global__ void with_c_linkage(float *p) {
  Box<float> b;
  b.set(*p);
  *p = twice(b.get()) + twice(1) + Plain(2).get();
}

// CHECK: void attributed(float *p) {
// CHECK-NEXT: __gpuprof_enter("name=attributed\tkind=kernel
#pragma gpuprof region
[[maybe_unused]] static __attribute__((global)) void attributed(float *p) { *p = 1; }

namespace deep {
// CHECK: void in_namespace(float *p) {
// CHECK-NEXT: __gpuprof_enter("name=in_namespace\tkind=kernel
#pragma gpuprof region
__global__ void in_namespace(float *p) {
  // CHECK: [](float *q) {
  // CHECK: __gpuprof_enter("name=in_namespace:[[@LINE+4]]\tkind=device
  // CHECK-NEXT: *q = 2;
  auto f = [](float *q) {
#pragma gpuprof region
    *q = 2;
  };
  f(p);
}
} // namespace deep

// Host and device: a region in both.
// CHECK: int shared_by_both(int n) {
// CHECK-NEXT: __gpuprof_enter("name=shared_by_both\tkind=device
#pragma gpuprof region
__host__ __device__ int shared_by_both(int n) { return n + 1; }
