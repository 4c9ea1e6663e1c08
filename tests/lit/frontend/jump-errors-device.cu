// Jumps into a region are rejected in device code, too, by the compiles for the GPU and for the CPU device.
// RUN: %clangxx -fplugin=%plugin -x cuda -nocudainc -nocudalib -include %inputs/cuda.h --cuda-device-only --cuda-gpu-arch=sm_90 -fsyntax-only -Xclang -verify %s
// RUN: %clangxx -fplugin=%plugin %minicuda -fsyntax-only -Xclang -verify %s

__device__ int f(int n) {
  if (n)
    goto inside; // expected-error {{jump into the statement of a '#pragma gpuprof region'}}
#pragma gpuprof region // expected-note {{the pragma is here}}
  {
    n += 2;
  inside:
    n += 3;
  }
  return n;
}

__global__ void kernel(int *p, int n) {
  switch (n)
#pragma gpuprof ignore // expected-note {{the pragma is here}}
  {
  case 1: // expected-error {{the 'switch' outside jumps into the statement of a '#pragma gpuprof ignore'}}
    *p = f(n);
  }
}

__device__ int out(int n) { // jumps out, and within
#pragma gpuprof region
  {
  again:
    if (n < 0)
      goto done;
    if (n-- > 3)
      goto again;
  }
done:
  return n;
}
