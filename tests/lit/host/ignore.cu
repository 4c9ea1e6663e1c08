// `#pragma gpuprof ignore`: ignored code is in no total; in host code, in a kernel, before a whole kernel.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 %s -o %t %link
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t 2>&1 | %FileCheck --allow-empty --check-prefix=QUIET %s
// QUIET-NOT: gpuprof:
// RUN: %py -c "import read_document; d = read_document.load('%t.json'); print([(k['name'], k['launches'], k['flops']['total']) for k in d['kernels'] if k['launches'] and k['flops']['total']], [(r['name'], r['launches'], r['flops']['total']) for r in d['regions']])" | %FileCheck %s
// CHECK: {{^}}[('counted(float*)', 1, 100)] [('work', {{[12]}}, 100)]{{$}}
__global__ void counted(float *x) {
  x[threadIdx.x] += 1; // 1 FLOP a thread
#pragma gpuprof ignore
  x[threadIdx.x] *= 2;
}
#pragma gpuprof ignore
__global__ void gone(float *x) { x[threadIdx.x] *= 2; }

int main() {
  float *x;
  if (cudaMalloc(&x, 100 * sizeof *x))
    return 1;
#pragma gpuprof region("work")
  {
    counted<<<1, 100>>>(x);
    gone<<<1, 100>>>(x);
#pragma gpuprof ignore
    counted<<<1, 100>>>(x);
  }
  return cudaDeviceSynchronize();
}
