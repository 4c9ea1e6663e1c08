// Steps of a region around another that has steps: a warning in device code, where a thread is in one step at a time,
// and none on the host, nor for regions side by side.
// RUN: %clangxx -fplugin=%plugin %minicuda --cuda-host-only -fsyntax-only -Xclang -verify %s
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-warn=no-nested-steps %minicuda --cuda-host-only -fsyntax-only -Werror %s

#pragma gpuprof region("outer")
__global__ void kernel(float *p) {
  for (int t = 0; t < 3; ++t) {
#pragma gpuprof step(t) // expected-warning {{in device code '#pragma gpuprof step' does not divide a region around another that has steps: remove the steps of one}}
#pragma gpuprof region("inner")
    for (int k = 0; k < 3; ++k) {
#pragma gpuprof step(k) // expected-note {{the inner region's step is here}}
      p[k] += 1.0f;
    }
  }
}

__global__ void sideBySide(float *p) {
#pragma gpuprof region("one")
  for (int t = 0; t < 3; ++t) {
#pragma gpuprof step(t)
    p[t] += 1.0f;
  }
#pragma gpuprof region("two")
  for (int t = 0; t < 3; ++t) {
#pragma gpuprof step(t)
    p[t] += 1.0f;
  }
}

#pragma gpuprof region("host")
void host(float *p) {
#pragma gpuprof step(1)
#pragma gpuprof region("host inner")
  {
#pragma gpuprof step(2)
    p[0] = 1.0f;
  }
}
