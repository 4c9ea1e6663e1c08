// Kernels of every kind on all devices at once, a thread each, in regions "device 0", "device 1",
// …: a device's counts are those of one device alone, and the closed forms of two_devices.py.
// usage: two_devices [DEVICES]
#include "gpuprof.h"
#include "run.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#ifndef ROUNDS
#define ROUNDS 25
#endif
enum { THREADS = 128, BLOCKS = 40 };

// By a clone, once for each n.
__global__ void free_clone(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f;
}

// By a clone at each launch.
__global__ void light_clone(const int *__restrict__ lengths, float *__restrict__ x) {
  for (int i = 0; i < lengths[blockIdx.x]; ++i)
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f;
}

// By a clone where the arguments lie apart, else by a copy with counters.
__global__ void either(const int *lengths, int *x) {
  for (int i = 0; i < lengths[blockIdx.x]; ++i)
    x[BLOCKS + blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

// By counters in it.
__global__ void in_kernel(int *x) {
  int &mine = x[blockIdx.x * blockDim.x + threadIdx.x];
  while (mine > 1)
    mine /= 2;
}

__constant__ int turns;
__global__ void of_constant_memory(float *x) {
  for (int i = 0; i < turns; ++i)
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f;
}

template <typename T> static T *allocate(size_t n, T value, bool managed = false) {
  T *memory;
  OK(managed ? cudaMallocManaged(&memory, n * sizeof(T)) : cudaMalloc(&memory, n * sizeof(T)));
  std::vector<T> values(n, value);
  OK(cudaMemcpy(memory, values.data(), n * sizeof(T), cudaMemcpyDefault));
  return memory;
}

static void work(int device) {
  OK(cudaSetDevice(device));
  const size_t n = BLOCKS * THREADS;
  float *x = allocate(n, 0.0f), *managed = allocate(n, 0.0f, true);
  int *lengths = allocate(BLOCKS, 3), *both = allocate(BLOCKS + n, 2), *apart = allocate(BLOCKS + n, 0);
  const int constant = 4 + device;
  OK(cudaMemcpyToSymbol(turns, &constant, sizeof constant));
  uint32_t region = gpuprof_region_begin(("device " + std::to_string(device)).c_str());
  for (int round = 0; round < ROUNDS; ++round) {
    free_clone<<<BLOCKS, THREADS>>>(round % 2 ? x : managed, 1 + round % 3);
    light_clone<<<BLOCKS, THREADS>>>(lengths, round % 2 ? managed : x);
    either<<<BLOCKS, THREADS>>>(lengths, apart);
    either<<<BLOCKS, THREADS>>>(both, both);
    OK(cudaMemcpy(both + BLOCKS, apart, 4, cudaMemcpyDefault));
    in_kernel<<<BLOCKS, THREADS>>>(allocate(n, 16));
    of_constant_memory<<<BLOCKS, THREADS>>>(x);
  }
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  gpuprof_region_end(region);
}

int main(int count, char **arguments) {
  const int devices = count > 1 ? std::atoi(arguments[1]) : 2;
  std::vector<std::thread> threads;
  for (int device = 0; device < devices; ++device)
    threads.emplace_back(work, device);
  for (std::thread &thread : threads)
    thread.join();
  return finish();
}
