// Members of class templates, and member templates.
// RUN: %place
// RUN: %has region:device counts flops.fp32.add=64
// RUN: %has region:host executions=2 launches=2
#include "place.h"

template <class T> struct Place {
#pragma gpuprof region("device")
  template <class U> __device__ U add(T x) { return U(x + T(1)); }
  template <int N> void launch();
};
#pragma gpuprof region("host")
template <class T> template <int N> void Place<T>::launch() { LAUNCH(); }

__device__ float on_device(float x) { return Place<float>().add<float>(x); }
void on_host() { Place<int>().launch<3>(); }
