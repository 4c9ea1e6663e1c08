// Threads run side by side in strips give the same results, counts and unique
// bytes as with a stack each: rows not filled by strips, early returns,
// divergent loops, neighbouring, strided and gathered memory, wrapping numbers.
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=split %minicuda -O2 %s -o %t.split %link
// RUN: %clangxx -fplugin=%plugin -fplugin-arg-gpuprof-barriers=fibers %minicuda -O2 %s -o %t.fibers %link
// RUN: env GPUPROF_OUTPUT=%t.split.json %t.split > %t.split.out
// RUN: env GPUPROF_OUTPUT=%t.fibers.json %t.fibers > %t.fibers.out
// RUN: diff %t.split.out %t.fibers.out
// RUN: %FileCheck %s < %t.split.out
// RUN: %py %S/Inputs/same_counts.py %t.split.json %t.fibers.json 10
// CHECK: column_sums 37 {{[1-9]}}
// CHECK: lower_triangle 64
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

/* side by side; the guard cuts through a strip */
__global__ void column_sums(const float *in, float *out, int rows, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns)
    return;
  float sum = 0;
  for (int r = 0; r < rows; r++)
    sum += in[r * columns + c] * 0.5f;
  out[c] = sum;
}

/* a row of memory each */
__global__ void row_sums(const float *in, float *out, int rows, int columns) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float sum = 0;
  for (int c = 0; c < columns; c++)
    sum = sum * 0.75f + in[r * columns + c];
  out[r] = sum;
}

/* threads of the grid take turns: the last one cuts through a strip */
__global__ void grid_stride(const float *in, float *out, int n) {
  float most = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    most = in[i] > most ? in[i] : most;
  out[blockIdx.x * blockDim.x + threadIdx.x] = most;
}

/* each thread one turn more than its neighbour */
__global__ void lower_triangle(const float *in, float *out, int n) {
  int c = threadIdx.x;
  float sum = 0;
  for (int r = 0; r <= c; r++)
    sum += in[r * n + c];
  out[c] = sum;
}

/* a uniform branch, and a select */
__global__ void spikes(const unsigned char *fired, const float *weight, float *out, int inputs, int n) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= n)
    return;
  float v = 0;
  for (int i = 0; i < inputs; i++) {
    if (fired[i])
      v += weight[i * n + c];
    v = v > 1.0f ? v - 1.0f : v;
  }
  out[c] = v;
}

/* through a list */
__global__ void gathered(const float *in, const int *where, float *out, int turns, int n) {
  int c = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < turns; i++)
    sum += in[where[i * n + c] + c];
  out[c] = sum;
}

/* a number of 32 bits passes its largest in the middle of a strip, with and without a sign, before the loop and in it */
__global__ void wraps(const float *in, float *out, unsigned from, int turns) {
  unsigned long long wide = threadIdx.x + from;
  float sum = 0;
  for (int i = 0; i < turns; i++)
    sum += in[i * 32 + threadIdx.x] + (float)(wide * 3 + i);
  out[threadIdx.x] = sum;
}

__global__ void wraps_signed(const float *in, float *out, unsigned from, int turns) {
  float sum = 0;
  for (unsigned i = 0; i < turns; i++)
    sum += in[i * 32 + threadIdx.x] + (float)((long long)(int)(threadIdx.x + from + i) * 5 + 1);
  out[threadIdx.x] = sum;
}

/* several numbers, of 64 and 8 bits too, and stores in the loop */
__global__ void mixed(const double *in, unsigned char *bytes, long long *out, int turns, int n) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= n)
    return;
  long long sum = c;
  double scale = 1;
  for (int i = 0; i < turns; i++) {
    scale = scale * 0.5 + in[i * n + c];
    sum = sum * 3 + (long long)(scale * 16);
    bytes[i * n + c] = (unsigned char)(sum & 0xff);
  }
  out[c] = sum;
}

/* how often the loop goes round is read again each time, at an address known before it */
__global__ void turns_in_memory(const int *lengths, int *out) {
  for (int i = 0; i < lengths[blockIdx.x]; i++)
    out[blockIdx.x * blockDim.x + threadIdx.x] += i;
}

template <class T> static T *array(size_t count) {
  T *p = nullptr;
  cudaMallocManaged(&p, count * sizeof(T));
  memset(p, 0, count * sizeof(T));
  return p;
}

static void show(const char *name, int n, const void *memory, size_t bytes) {
  unsigned long long hash = 1469598103934665603ull;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ ((const unsigned char *)memory)[i]) * 1099511628211ull;
  printf("%s %d %llu\n", name, n, hash);
}

int main() {
  enum { Most = 1 << 16 };
  float *in = array<float>(Most), *out = array<float>(Most);
  int *where = array<int>(Most), *sums = array<int>(Most);
  double *doubles = array<double>(Most);
  unsigned char *fired = array<unsigned char>(Most);
  long long *longs = array<long long>(Most);
  unsigned state = 1;
  for (int i = 0; i < Most; i++) {
    state = state * 1664525u + 1013904223u;
    in[i] = (float)(state >> 16) / 4096;
    where[i] = (state >> 20) % 1000;
    doubles[i] = in[i];
    fired[i] = state >> 30 == 1;
  }
  const int sizes[] = {1, 5, 8, 37, 64, 100, 129};
  for (int n : sizes) {
    dim3 block(n < 64 ? 32 : 48, 1), blocks((n + block.x - 1) / block.x);
    column_sums<<<blocks, block>>>(in, out, 19, n);
    cudaDeviceSynchronize();
    show("column_sums", n, out, n * sizeof *out);
    row_sums<<<blocks, block>>>(in, out, n, 21);
    cudaDeviceSynchronize();
    show("row_sums", n, out, n * sizeof *out);
    grid_stride<<<2, 40>>>(in, out, n * 17);
    cudaDeviceSynchronize();
    show("grid_stride", n, out, 80 * sizeof *out);
    lower_triangle<<<1, n>>>(in, out, n);
    cudaDeviceSynchronize();
    show("lower_triangle", n, out, n * sizeof *out);
    spikes<<<blocks, block>>>(fired, in, out, 50, n);
    cudaDeviceSynchronize();
    show("spikes", n, out, n * sizeof *out);
    gathered<<<1, n>>>(in, where, out, 11, n);
    cudaDeviceSynchronize();
    show("gathered", n, out, n * sizeof *out);
    wraps<<<1, n>>>(in, out, 0xffffffe0u, 8);
    cudaDeviceSynchronize();
    show("wraps", n, out, n * sizeof *out);
    wraps_signed<<<1, n>>>(in, out, 0x7fffffe9u, 8);
    cudaDeviceSynchronize();
    show("wraps_signed", n, out, n * sizeof *out);
    mixed<<<blocks, block>>>(doubles, fired, longs, 9, n);
    cudaDeviceSynchronize();
    show("mixed", n, longs, n * sizeof *longs);
    turns_in_memory<<<blocks, block>>>(where, sums);
    cudaDeviceSynchronize();
    show("turns_in_memory", n, sums, n * sizeof *sums);
    memset(fired + 50, 0, Most - 50);
  }
}
