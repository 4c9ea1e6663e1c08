// A directive whose region derives the same operations by its clause is refused; one in a region within it is not.
// RUN: %clangxx -fplugin=%plugin %minicuda --cuda-host-only -fsyntax-only -Xclang -verify %s
#pragma gpuprof region("outer") synapse
void outer(int n) {
#pragma gpuprof synapse(n, 3) // expected-error {{'#pragma gpuprof synapse' stands in a region with the clause synapse, which derives the same operations: remove one of the two}}
#pragma gpuprof region("inner")
  {
#pragma gpuprof synapse(n, 3)
  }
}
