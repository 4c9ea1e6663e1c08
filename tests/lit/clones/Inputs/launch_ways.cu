/* Launches of every kind, each in a region of its own. Counts must not depend on the way of
 * counting, nor, on a GPU, on the device. ONLY_ON_GPU adds launches missing on the CPU device.
 */
#include "gpuprof.h"
#include "run.h"

#include <thread>
#include <vector>

struct Box {
  char tag;
  int rows;
  float scale;
  long columns;
  float *data;
};

__global__ void boxed(Box box) {
  for (int r = threadIdx.x; r < box.rows; r += blockDim.x)
    for (long c = 0; c < box.columns; ++c)
      box.data[r * box.columns + c] *= box.scale;
}

template <typename T> __global__ void fill(T *x, T value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = value + x[i];
}

__constant__ int limit;
__global__ void limited(float *x) {
  for (int i = 0; i < limit; ++i)
    x[threadIdx.x] += 1.5f;
}

__device__ int bound;
__global__ void set_bound(int value) { bound = value; }
__global__ void bounded(float *__restrict__ x) {
  for (int i = 0; i < bound; ++i)
    x[threadIdx.x * 64 + i] = i;
}

__global__ void rows(const int *__restrict__ lengths, float *__restrict__ x) {
  for (int i = 0; i < lengths[threadIdx.x]; ++i)
    x[threadIdx.x * 64 + i] += 2.0f;
}

__global__ void block_sum(const float *x, float *sums, int n) {
  extern __shared__ float partial[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = partial[0];
}

__global__ void chooses(float *x, int way) {
  switch (way + (threadIdx.x & 1)) {
  case 0: x[threadIdx.x] += 1.0f; break;
  case 1: x[threadIdx.x] *= 2.0f; break;
  case 2: x[threadIdx.x] = x[threadIdx.x] * 2.0f + 1.0f; break;
  default: return;
  }
  while (way-- > 0)
    x[threadIdx.x] -= 0.5f;
}

#pragma gpuprof region("halves")
__global__ void halves(float *x, unsigned n) {
  for (unsigned width = n; width > 1; width = (width + 1) / 2)
    x[threadIdx.x] += width;
#pragma gpuprof count("halved", n * 2)
}

struct Region {
  explicit Region(const char *name) : token(gpuprof_region_begin(name)) {}
  ~Region() {
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    gpuprof_region_end(token);
  }
  uint32_t token;
};

static float *zeros(size_t n) { return to_device(std::vector<float>(n).data(), n); }

static void arguments() {
  Region region("arguments");
  float *data = zeros(4096);
  for (int pass = 0; pass < 2; ++pass)
    for (int rows = 1; rows < 5; ++rows)
      for (long columns = 0; columns < 3; ++columns)
        boxed<<<1, 2>>>(Box{(char)rows, rows, 2.0f, columns, data});
  for (int n = 30; n < 34; ++n) {
    fill<float><<<2, 32>>>(data, 1.0f, n);
    fill<double><<<2, 32>>>((double *)data, 1.0, n);
    fill<float><<<dim3(1, 2), dim3(32, 1)>>>(data, 1.0f, n);
  }
}

static void memory() {
  Region region("memory");
  float *x = zeros(64 * 64);
  for (int value : {3, 0, 5, 3}) {
    OK(cudaMemcpyToSymbol(limit, &value, sizeof value));
    limited<<<1, 32>>>(x);
    set_bound<<<1, 1>>>(value + 1);
    bounded<<<1, 32>>>(x);
  }
  int lengths[64];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 64; ++i)
      lengths[i] = (i * 7 + round * 5) % 13;
    rows<<<1, 64>>>(to_device(lengths, 64), x);
  }
}

static void shared_memory() {
  Region region("shared memory");
  float *x = zeros(1000), *sums = zeros(16);
  for (int block = 32; block <= 256; block *= 2)
    block_sum<<<4, block, block * sizeof(float)>>>(x, sums, 3 * block + 5);
}

static void control_flow() {
  Region region("control flow");
  float *x = zeros(64);
  for (int way = -1; way < 4; ++way)
    chooses<<<1, 64>>>(x, way);
  for (unsigned n : {0u, 1u, 7u, 1000u, 7u})
    halves<<<1, 33>>>(x, n);
}

static void streams() {
  Region region("streams");
  cudaStream_t stream[3];
  float *x = zeros(1024);
  for (cudaStream_t &s : stream)
    OK(cudaStreamCreate(&s));
  for (int i = 0; i < 12; ++i) {
    uint32_t inner = gpuprof_region_begin(i % 2 ? "odd" : "even");
    fill<float><<<4, 64, 0, stream[i % 3]>>>(x, 1.0f, 200 + i % 4);
    rows<<<1, 64, 0, stream[i % 3]>>>((const int *)zeros(64), zeros(64 * 64));
    gpuprof_region_end(inner);
  }
  OK(cudaDeviceSynchronize());
  for (cudaStream_t s : stream)
    OK(cudaStreamDestroy(s));
}

static void host_threads() {
  Region region("host threads");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      Region own(t % 2 ? "odd thread" : "even thread");
      float *x = zeros(1024);
      for (int i = 0; i < 25; ++i)
        fill<float><<<4, 64>>>(x, 1.0f, 100 + 10 * t + i % 3);
    });
  for (std::thread &thread : threads)
    thread.join();
}

static void cooperative() {
  Region region("cooperative");
  float *x = zeros(256), value = 1.0f;
  int n = 200;
  void *arguments[] = {&x, &value, &n};
  for (int i = 0; i < 3; ++i)
    OK(cudaLaunchCooperativeKernel((const void *)fill<float>, dim3(2), dim3(128), arguments, 0, nullptr));
}

#ifdef ONLY_ON_GPU
static void clusters() {
  Region region("clusters");
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4);
  config.blockDim = dim3(64);
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 2;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = 1;
  float *x = zeros(256), value = 1.0f;
  int n = 250;
  void *arguments[] = {&x, &value, &n};
  for (int i = 0; i < 3; ++i)
    OK(cudaLaunchKernelExC(&config, (const void *)fill<float>, arguments));
}
#endif

/* Failed launches are not counted. */
static void failures_of_launches() {
  uint32_t region = gpuprof_region_begin("failures");
  fill<float><<<1, 4096>>>(zeros(64), 1.0f, 64);
  EXPECT(cudaGetLastError() != cudaSuccess);
  fill<float><<<1, 64>>>(zeros(64), 1.0f, 64);
  gpuprof_region_end(region);
}

int main() {
  arguments();
  memory();
  shared_memory();
  control_flow();
  streams();
  host_threads();
  cooperative();
#ifdef ONLY_ON_GPU
  clusters();
#endif
  failures_of_launches();
  OK(cudaDeviceSynchronize());
  return finish();
}
