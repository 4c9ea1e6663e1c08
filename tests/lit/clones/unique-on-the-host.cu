// Address formulas against the CPU device's own marks, to the byte: guards, wrapped and rounded ids, rows and columns, loops in both
// directions, structures passed by value, switches, blocks of three dimensions.
// RUN: %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-unique=host -fplugin-arg-gpuprof-remarks -O2 %s -o %t %link 2>&1 | %FileCheck --implicit-check-not='no address clone' %s
// RUN: for way in auto host; do env GPUPROF_UNIQUE=$way GPUPROF_OUTPUT=%t.$way.json %t || exit 1; done
// RUN: %py %source/tests/gpu/compare_unique.py --regions %t.auto.json %t.host.json
// CHECK-COUNT-7: unique bytes computed on the host
struct Part {
  float *data;
  int rows, columns;
  long pitch;
};

__global__ void guarded(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}

__global__ void wrapped(const float *x, float *y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[(i + 100) & 127] = x[(i / 3) % n];
}

__global__ void part(Part p) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < p.rows && column < p.columns)
    p.data[row * p.pitch + column] = 0;
}

__global__ void backwards(float *x, int n, int step) {
  float sum = 0;
  for (int i = n - 1 - (int)threadIdx.x; i >= 0; i -= step)
    sum += x[i];
  x[threadIdx.x] = sum;
}

__global__ void triangle(float *x, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int column = 0; row < n && column <= row; ++column)
    x[row * n + column] = 1;
}

__global__ void lanes(double *x, int shift) {
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  switch (warp) {
  case 0:
    x[lane * 8] = 1;
    break;
  case 2:
    x[1000 + (lane ^ 3)] = 2;
    break;
  default:
    x[2000 + ((lane << shift) | warp)] = 3;
  }
}

__global__ void cubes(char *x) {
  x[threadIdx.x * 300 + threadIdx.y * 40 + threadIdx.z * 5 + blockIdx.z * 9000 + gridDim.z] = 1;
}

int main() {
  char *memory;
  cudaMalloc(&memory, 1 << 20);
  cudaMemset(memory, 0, 1 << 20);
  float *x = (float *)memory, *y = x + 100003;
  for (int n : {0, 1, 5, 256, 1000})
    guarded<<<4, 256>>>(x + n % 7, n);
  for (unsigned n : {1u, 10u, 200u})
    wrapped<<<3, 96>>>(x, y, n);
  part<<<dim3(3, 4), dim3(16, 8)>>>({x + 3, 29, 41, 50});
  part<<<dim3(3, 4), dim3(16, 8)>>>({y, 32, 48, 48});
  for (int step : {1, 7, 64, 900})
    backwards<<<1, 64>>>(x, 5000, step);
  triangle<<<2, 40>>>(x, 77);
  for (int shift : {0, 1, 4})
    lanes<<<1, 128>>>((double *)memory, shift);
  cubes<<<dim3(1, 1, 3), dim3(5, 6, 7)>>>(memory);
  return cudaDeviceSynchronize();
}
