// Every misuse of `synapse`, directive and clause, has its own message at
// the wrong place. Numbers of no integer type are refused in templates, too.
// RUN: %clangxx -fplugin=%plugin %minicuda --cuda-host-only -ferror-limit=0 -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
// RUN: %clangxx -fplugin=%plugin %minicuda --cuda-device-only -ferror-limit=0 -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s

template <int A, int B> __host__ __device__ int choose(int n) { return A < B ? n : 0; }
enum class Layer { First, Second };

#pragma gpuprof region
__host__ __device__ void wrong(int n, float f, double d, float *p, unsigned long long u) {
#pragma gpuprof synapse // expected-error {{malformed '#pragma gpuprof synapse': write synapse(events, fanout), and behind it multiply or inputs(number) where they apply}}
#pragma gpuprof synapse() // expected-error {{malformed '#pragma gpuprof synapse'}}
#pragma gpuprof synapse(n) // expected-error {{malformed '#pragma gpuprof synapse'}}
#pragma gpuprof synapse(n, ) // expected-error {{malformed '#pragma gpuprof synapse'}}
#pragma gpuprof synapse(, n) // expected-error {{malformed '#pragma gpuprof synapse'}}
#pragma gpuprof synapse(n, n // expected-error {{malformed '#pragma gpuprof synapse'}}
#pragma gpuprof synapse(n, n] // expected-error {{malformed '#pragma gpuprof synapse'}}
#pragma gpuprof synapse(n, n, n) // expected-error {{'#pragma gpuprof synapse' takes two expressions, and here are more: put parentheses around one that holds a comma}}
#pragma gpuprof synapse(choose<1, 2>(n), n) // expected-error {{put parentheses around one that holds a comma}}
#pragma gpuprof synapse((choose<1, 2>(n)), n)
#pragma gpuprof synapse(n, n) multiplies // expected-error {{unknown clause 'multiplies' in '#pragma gpuprof synapse'; did you mean 'multiply'? It must be one of multiply, inputs}}
#pragma gpuprof synapse(n, n) accumulate // expected-error {{unknown clause 'accumulate' in '#pragma gpuprof synapse': expected one of multiply, inputs}}
#pragma gpuprof synapse(n, n) multiply multiply // expected-error {{clause 'multiply' is given twice}}
#pragma gpuprof synapse(n, n) inputs(n) multiply inputs(n) // expected-error {{clause 'inputs' is given twice}}
#pragma gpuprof synapse(n, n) inputs // expected-error {{malformed '#pragma gpuprof synapse'}}
#pragma gpuprof synapse(n, n) inputs() // expected-error {{malformed '#pragma gpuprof synapse'}}
#pragma gpuprof synapse(n, n) multiply(2) // expected-error {{unexpected '(' at the end of '#pragma gpuprof synapse'}}
#pragma gpuprof synapse(n, n) 3 // expected-error {{unexpected '3' at the end of '#pragma gpuprof synapse'}}
#pragma gpuprof synapse(f, n) // expected-error {{'#pragma gpuprof synapse' counts whole numbers: write an integer, as (s != 0) for a spike s}}
#pragma gpuprof synapse(n, d) // expected-error {{counts whole numbers}}
#pragma gpuprof synapse(n, n) inputs(1.0) // expected-error {{counts whole numbers}}
#pragma gpuprof synapse(p, n) // expected-error {{counts whole numbers}}
#pragma gpuprof synapse(-1, n) // expected-error {{'#pragma gpuprof synapse' counts events: write a number that is not negative}}
#pragma gpuprof synapse(n, n) inputs(2 - 3) // expected-error {{write a number that is not negative}}
#pragma gpuprof synapse(f != 0, u) multiply inputs(sizeof n)
#pragma gpuprof synapse(true, Layer::Second) inputs('a') multiply
}

template <class T> __host__ __device__ void deduced(T s) {
#pragma gpuprof region
  {
#pragma gpuprof synapse(s, 3) // expected-error {{counts whole numbers}}
  }
}
__host__ __device__ void instances() {
  deduced(1);
  deduced(1.0f);
}

void clause() {
#pragma gpuprof region("a") synapse(multiply) // expected-error {{malformed clause 'synapse': write synapse alone, or put '#pragma gpuprof synapse(events, fanout)' into the region}}
  { }
#pragma gpuprof region synapse synapse // expected-error {{clause 'synapse' is given twice}}
  { }
#pragma gpuprof region("a") synapse phase(forward)
  { }
}
#pragma gpuprof synapse(1, 1) // expected-error {{'#pragma gpuprof synapse' must stand in a function, inside a '#pragma gpuprof region': put a region around it}}
