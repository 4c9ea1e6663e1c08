// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work with known times, for tests/gpu/timeline: copies, spins, sleeps, two streams, empty kernels. The program prints
// what it measured itself, a line NAME VALUE each; the script compares with the document. Also compiled without gpuprof.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>
#include <unistd.h>
#include <vector>
#include <algorithm>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t error = call;                                                                                          \
    if (error) {                                                                                                       \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                                                   \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

static double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

__global__ void empty() {}

// For `ns`, by the GPU's nanosecond clock.
__global__ void spin(unsigned long long ns) {
  unsigned long long start, here;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(here));
  while (here - start < ns);
}

// GB/s by events around five copies.
static double rate(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  cudaEvent_t begin, end;
  float ms;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  spin<<<1, 1>>>(2000000); // the copies are queued meanwhile
  CHECK(cudaEventRecord(begin));
  for (int i = 0; i < 5; i++)
    CHECK(cudaMemcpyAsync(to, from, bytes, kind));
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  return 5.0 * (double)bytes / (1e6 * ms);
}

static void copies() {
  const size_t bytes = 256 << 20;
  void *a, *b, *pinned, *pageable = malloc(bytes);
  memset(pageable, 1, bytes);
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMallocHost(&pinned, bytes));
  memset(pinned, 1, bytes);
#pragma gpuprof region("warm")
  {
    CHECK(cudaMemcpy(a, pinned, bytes, cudaMemcpyHostToDevice));
    spin<<<1, 1>>>(1000);
  }
#pragma gpuprof region("up")
  { printf("copies.up %.3f\n", rate(a, pinned, bytes, cudaMemcpyHostToDevice)); }
#pragma gpuprof region("down")
  { printf("copies.down %.3f\n", rate(pinned, a, bytes, cudaMemcpyDeviceToHost)); }
#pragma gpuprof region("within")
  { printf("copies.within %.3f\n", rate(b, a, bytes, cudaMemcpyDeviceToDevice)); }
#pragma gpuprof region("pageable")
  { printf("copies.pageable %.3f\n", rate(a, pageable, bytes, cudaMemcpyHostToDevice)); }
#pragma gpuprof region("fill")
  {
    CHECK(cudaMemset(a, 0, bytes));
    CHECK(cudaDeviceSynchronize());
  }
}

static void gaps() {
  void *memory;
  CHECK(cudaMalloc(&memory, 1 << 20));
  spin<<<1, 1>>>(1000000);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; i++) {
#pragma gpuprof region("step")
    {
      spin<<<1, 1>>>(2000000);
      CHECK(cudaDeviceSynchronize());
#pragma gpuprof region("load")
      { usleep(20000); }
      spin<<<1, 1>>>(3000000);
      CHECK(cudaDeviceSynchronize());
    }
    usleep(7000);
  }
  spin<<<1, 1>>>(1000);
  CHECK(cudaDeviceSynchronize());
}

static void streams() {
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
#pragma gpuprof region("together")
  {
    // Counters within kernels are switched with the region, and the second stream waits for that.
    spin<<<1, 1, 0, one>>>(1000);
    spin<<<1, 1, 0, two>>>(1000);
    CHECK(cudaDeviceSynchronize());
    spin<<<1, 1, 0, one>>>(30000000);
    usleep(10000);
    spin<<<1, 1, 0, two>>>(30000000); // 20 ms together
    CHECK(cudaDeviceSynchronize());
  }
}

static void spins() {
  spin<<<1, 1>>>(1000);
  CHECK(cudaDeviceSynchronize());
#pragma gpuprof region("spins")
  for (int i = 0; i < 50; i++)
    spin<<<1, 1>>>(100000);
  CHECK(cudaDeviceSynchronize());
}

// ns of a launch: the median of 20 bursts of 500, each on an idle GPU.
static void launches() {
  std::vector<double> all;
  empty<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  for (int burst = 0; burst < 24; burst++) {
    const double begin = now();
#pragma gpuprof region("burst")
    for (int i = 0; i < 500; i++)
      empty<<<1, 1>>>();
    const double end = now();
    CHECK(cudaDeviceSynchronize());
    if (burst >= 4)
      all.push_back((end - begin) / 500);
  }
  std::sort(all.begin(), all.end());
  printf("launches.ns %.1f\nlaunches.least %.1f\n", all[all.size() / 2], all[0]);
}

int main(int count, char **arguments) {
  const struct {
    const char *name;
    void (*run)();
  } cases[] = {{"copies", copies}, {"gaps", gaps}, {"streams", streams}, {"spins", spins}, {"launches", launches}};
  for (const auto &c : cases)
    if (count > 1 && !strcmp(arguments[1], c.name)) {
      c.run();
      return 0;
    }
  fprintf(stderr, "name one of: copies, gaps, streams, spins, launches\n");
  return 2;
}
