// `expect` in a kernel's code is an error at the directive: in the kernel, in a device function, in a lambda or
// __host__ __device__ function called by the kernel, and in one with its address taken. Unreachable code has no error.
// RUN: %clangxx -fplugin=%plugin %minicuda -O1 -ferror-limit=0 -c %s -o %t.o -Xclang -verify
// RUN: %clangxx -fplugin=%plugin %minicuda -O0 -ferror-limit=0 -c %s -o %t.o -Xclang -verify

#pragma gpuprof region
__device__ void function(float *p) {
#pragma gpuprof expect flops(1) // expected-error {{'#pragma gpuprof expect' states the work of host regions: put it before the launch (in the device code compiled for the CPU device)}}
  *p += 1;
}

template <class T> __host__ __device__ void shared(T *p) {
#pragma gpuprof region
  {
#pragma gpuprof expect flops(1) // expected-error {{'#pragma gpuprof expect' states the work of host regions}}
    *p += 1;
  }
}

__host__ __device__ void unused(float *p) {
#pragma gpuprof region
  {
#pragma gpuprof expect flops(1)
    *p += 1;
  }
}

__device__ void pointed(float *p) {
#pragma gpuprof region
  {
#pragma gpuprof expect flops(1) // expected-error {{'#pragma gpuprof expect' states the work of host regions}}
    *p += 1;
  }
}

#pragma gpuprof region
__global__ void kernel(float *p, int n) {
#pragma gpuprof expect flops(n) // expected-error {{'#pragma gpuprof expect' states the work of host regions}}
  auto lambda = [=] {
#pragma gpuprof expect flops(1) // expected-error {{'#pragma gpuprof expect' states the work of host regions}}
    *p += 1;
  };
  lambda();
  function(p);
  shared(p);
  void (*volatile pointer)(float *) = pointed;
  pointer(p);
}

void host(float *p) {
  shared((double *)nullptr);
  unused(p);
  kernel<<<1, 1>>>(p, 1);
}
