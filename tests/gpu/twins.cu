// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that no clone counts, for tests/gpu/twins: in each case 50 launches of one of them, after 5 outside of regions. Prints
// the microseconds a launch by events, and a checksum that no way of counting may change.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define OK(call)                                                                                             \
  do {                                                                                                       \
    cudaError_t error = (call);                                                                              \
    if (error != cudaSuccess) {                                                                              \
      std::printf("error %s in line %d\n", cudaGetErrorName(error), __LINE__);                               \
      std::exit(1);                                                                                          \
    }                                                                                                        \
  } while (0)

#ifndef NEURONS
#define NEURONS (1 << 22)
#endif
enum { Neurons = NEURONS, Block = 256, Blocks = Neurons / Block };

// Streaming, with control flow of what it writes.
__global__ void fire(float *v, const float *in, unsigned *spikes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  v[i] = 0.9375f * v[i] + in[i];
  if (v[i] > 1.0f) {
    v[i] -= 1.0f;
    spikes[i] += 1;
  }
}

// A barrier, shared memory, an early way out of a loop of what it writes.
__global__ void relax(float *grid, int n, int turns) {
  __shared__ float tile[Block + 2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
  for (int turn = 0; turn < turns; ++turn) {
    tile[t] = grid[i];
    if (threadIdx.x == 0)
      tile[0] = tile[1], tile[Block + 1] = grid[blockIdx.x * blockDim.x + Block - 1];
    __syncthreads();
    const float next = 0.25f * tile[t - 1] + 0.5f * tile[t] + 0.25f * tile[t + 1];
    __syncthreads();
    grid[i] = next;
    if (__syncthreads_and(next < 1e-3f))
      break;
  }
}

// Atomic results decide.
__global__ void claim(unsigned *owner, const unsigned *wanted, unsigned *got, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && atomicCAS(&owner[wanted[i] % n], 0u, (unsigned)i + 1) == 0u)
    got[i] += 1;
}

// Pointers from memory, long loops.
__global__ void follow(unsigned *next, float *sum, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at = i;
  float s = 0;
  for (int t = 0; next[at] != ~0u && t < turns; ++t) {
    s = s * 0.5f + 1.0f;
    at = next[at];
  }
  sum[i] = s;
  next[i] = next[i];
}

// More shared memory than is allowed without cudaFuncSetAttribute.
__global__ void large(float *x, int n) {
  extern __shared__ float room[];
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    room[k] = x[blockIdx.x * n + k];
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    if (room[n - 1 - k] > 0.5f)
      x[blockIdx.x * n + k] = 0.5f * room[n - 1 - k];
}

// A grid of as many blocks as fit the device, by the occupancy query.
__global__ void together(float *x, unsigned *turns, int n) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = grid.thread_rank(); i < n; i += grid.num_threads())
      if (x[i] > 0.25f)
        x[i] *= 0.5f;
    grid.sync();
  }
  if (grid.thread_rank() == 0)
    *turns += 3;
}

__global__ void tiny(int *x) {
  if (x[threadIdx.x] > 1 << 20)
    x[threadIdx.x] = 0;
}
__global__ void free_clone(int *x, int n) {
  for (int i = 0; i < n; ++i)
    x[threadIdx.x] = i;
}

static float *v, *in;
static unsigned *u, *w, *got;

static unsigned mixed(unsigned x) { return x = (x ^ x >> 15) * 0x2c1b3c6du, x = (x ^ x >> 12) * 0x297a2d39u, x ^ x >> 15; }

static void fill() {
  std::vector<float> f(Neurons);
  std::vector<unsigned> k(Neurons);
  for (unsigned i = 0; i < Neurons; ++i)
    f[i] = (mixed(i) % 1000) * 0.001f, k[i] = mixed(i + 7) % Neurons;
  OK(cudaMemcpy(v, f.data(), Neurons * sizeof *v, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(in, f.data(), Neurons * sizeof *in, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(u, k.data(), Neurons * sizeof *u, cudaMemcpyHostToDevice));
  OK(cudaMemset(w, 0, Neurons * sizeof *w));
  OK(cudaMemset(got, 0, Neurons * sizeof *got));
}

static unsigned checksum() {
  std::vector<unsigned> words(Neurons);
  unsigned sum = 0;
  for (const void *memory : {(const void *)v, (const void *)u, (const void *)got}) {
    OK(cudaMemcpy(words.data(), memory, Neurons * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < Neurons; ++i)
      sum = mixed(sum + words[i]);
  }
  return sum;
}

static int together_blocks() {
  int blocks = 0, count = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, together, Block, 0));
  OK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return blocks * count;
}

static void launch(const char *name, cudaStream_t stream) {
  const int shared = 96 << 10;
  if (!std::strcmp(name, "fire"))
    fire<<<Blocks, Block, 0, stream>>>(v, in, got, Neurons);
  else if (!std::strcmp(name, "relax"))
    relax<<<Blocks, Block, 0, stream>>>(v, Neurons, 8);
  else if (!std::strcmp(name, "claim"))
    claim<<<Blocks, Block, 0, stream>>>(w, u, w + Neurons / 2, Neurons / 2);
  else if (!std::strcmp(name, "follow"))
    follow<<<Blocks, Block, 0, stream>>>(u, v, 32);
  else if (!std::strcmp(name, "large")) {
    OK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    large<<<Neurons / (shared / 4), Block, shared, stream>>>(v, shared / 4);
  } else if (!std::strcmp(name, "together")) {
    int n = Neurons;
    void *arguments[] = {&v, &got, &n};
    static const int blocks = together_blocks();
    OK(cudaLaunchCooperativeKernel((const void *)together, dim3(blocks), dim3(Block), arguments, 0, stream));
  } else if (!std::strcmp(name, "tiny"))
    tiny<<<1, 32, 0, stream>>>((int *)got);
  else
    free_clone<<<1, 32, 0, stream>>>((int *)got, 4);
  OK(cudaGetLastError());
}

static void run(const char *name, int launches) {
  cudaEvent_t begin, end;
  float ms = 0;
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreate(&end));
  fill();
  for (int i = 0; i < 5; ++i)
    launch(name, nullptr);
  fill();
  OK(cudaDeviceSynchronize());
  const auto before = std::chrono::steady_clock::now();
#pragma gpuprof region("measured")
  {
    OK(cudaEventRecord(begin));
    for (int i = 0; i < launches; ++i)
      launch(name, nullptr);
    OK(cudaEventRecord(end));
  }
  const auto after = std::chrono::steady_clock::now();
  OK(cudaEventSynchronize(end));
  OK(cudaEventElapsedTime(&ms, begin, end));
  std::printf("%s %.3f %.3f %08x\n", name, 1e3 * ms / launches,
              std::chrono::duration<double, std::micro>(after - before).count() / launches, checksum());
}

// The same in a graph, and on two streams in turn.
static void run_graph() {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStream_t one, two;
  OK(cudaStreamCreate(&one));
  OK(cudaStreamCreate(&two));
  fill();
  OK(cudaDeviceSynchronize());
  OK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  launch("fire", one);
  launch("large", one);
  OK(cudaStreamEndCapture(one, &graph));
  OK(cudaGraphInstantiate(&executable, graph, 0));
#pragma gpuprof region("graph")
  for (int i = 0; i < 10; ++i)
    OK(cudaGraphLaunch(executable, one));
  OK(cudaStreamSynchronize(one));
#pragma gpuprof region("streams")
  for (int i = 0; i < 10; ++i) {
    fire<<<Blocks / 2, Block, 0, one>>>(v, in, got, Neurons / 2);
    fire<<<Blocks / 2, Block, 0, two>>>(v + Neurons / 2, in + Neurons / 2, got + Neurons / 2, Neurons / 2);
  }
  OK(cudaDeviceSynchronize());
  std::printf("graph 0 0 %08x\n", checksum());
}

int main(int argc, char **argv) {
  for (void **memory : {(void **)&v, (void **)&in, (void **)&u, (void **)&w, (void **)&got})
    OK(cudaMalloc(memory, Neurons * sizeof(float)));
  if (argc > 1) { /* launches of one kernel, for their cost on the host */
    for (int turn = 0; turn < 3; ++turn)
      run(argv[1], 20000);
    return 0;
  }
  for (const char *name : {"fire", "relax", "claim", "follow", "large", "together"})
    run(name, 50);
  run("tiny", 5000);
  run("free_clone", 5000);
  run_graph();
}
