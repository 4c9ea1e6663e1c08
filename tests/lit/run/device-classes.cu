// Classes with constructors, operators and references in device code.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

struct Complex {
  float re, im;
  __host__ __device__ Complex(float re = 0, float im = 0) : re(re), im(im) {}
  __host__ __device__ Complex operator*(const Complex &o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __host__ __device__ Complex &operator+=(const Complex &o) {
    re += o.re, im += o.im;
    return *this;
  }
};
__global__ void iterate(float *out) {
  Complex c(0.01f * threadIdx.x, 0.25f), z;
  for (int i = 0; i < 5; i++) {
    z = z * z;
    z += c;
  }
  out[threadIdx.x] = z.re + z.im;
}

int main() {
  Values<float, 64> out;
  iterate<<<1, 64>>>(out.device);
  out.read();
  for (int t = 0; t < 64; t++) {
    Complex c(0.01f * t, 0.25f), z;
    for (int i = 0; i < 5; i++) {
      z = z * z;
      z += c;
    }
    float difference = out.host[t] - (z.re + z.im);
    EXPECT(difference < 1e-5f && difference > -1e-5f);
  }
  return finish();
}
