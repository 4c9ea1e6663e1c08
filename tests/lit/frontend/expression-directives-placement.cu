// A directive outside of a region, or alone in a branch or loop, is an error; in braces, after labels and in lambdas, in
// member functions and templates it is none.
// RUN: %clangxx -fplugin=%plugin %minicuda --cuda-host-only -ferror-limit=0 -fsyntax-only -Xclang -verify %s
// RUN: %clangxx -fplugin=%plugin %minicuda --cuda-device-only -ferror-limit=0 -fsyntax-only -Xclang -verify %s

void noRegion() {
#pragma gpuprof step(1) // expected-error {{'#pragma gpuprof step' must stand in a function, inside a '#pragma gpuprof region': put a region around it}}
#pragma gpuprof region
  {
#pragma gpuprof step(2)
  }
#pragma gpuprof ignore
  {
#pragma gpuprof step(3) // expected-error {{'#pragma gpuprof step' must stand in a function, inside a '#pragma gpuprof region': put a region around it}}
  }
}

#pragma gpuprof region
void alone(int n) {
  if (n)
#pragma gpuprof count("a", 1) // expected-error {{'#pragma gpuprof count' is the whole statement of a branch or loop, so that what follows is not in it: enclose both in braces}}
    ++n;
  if (n)
    ++n;
  else
#pragma gpuprof count("a", 1) // expected-error {{is the whole statement of a branch or loop}}
    ++n;
  while (n < 3)
#pragma gpuprof count("a", ++n) // expected-error {{is the whole statement of a branch or loop}}
  for (;;)
#pragma gpuprof step(1) // expected-error {{is the whole statement of a branch or loop}}
}

#pragma gpuprof region
void good(int n) {
  if (n) {
#pragma gpuprof count("a", 1)
  } else {
#pragma gpuprof count("a" "b", n < 2 ? 1 : 2)
  }
  switch (n) {
  case 1:
#pragma gpuprof count("a", 1)
    break;
  }
again:
#pragma gpuprof step(n)
  auto lambda = [=] {
#pragma gpuprof count("a", n)
  };
  lambda();
#define STEP _Pragma("gpuprof step(n)")
  STEP
  if (n < 0)
    goto again;
}

struct Layer {
  int size;
#pragma gpuprof region
  void run() {
    { }
#pragma gpuprof count("size", size)
  }
};

#pragma gpuprof region
template <class T> __device__ void typed(T value) {
#pragma gpuprof spike(value)
}
#pragma gpuprof region
__global__ void kernel(float v) {
  typed(v);
  typed(1);
#pragma gpuprof step(3)
#pragma gpuprof count("x", v)
}
