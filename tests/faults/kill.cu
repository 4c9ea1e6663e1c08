// A program to be killed: its threads launch until the end. Each returned launch is logged by a
// write(), which outlives the process: the thread, its number of launches so far, and the time.
//
//     kill LOG THREADS TURNS    // TURNS: of the kernel's loop, an addition by each of its 256 threads
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <thread>
#include <unistd.h>
#include <vector>

__global__ void add(float *a, int turns) {
  float sum = a[threadIdx.x + blockIdx.x * blockDim.x];
  for (int i = 0; i < turns; i++)
    sum += 0.5f;
  a[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}

struct line {
  uint64_t thread, launches, ns;
};

static void launch_for_ever(int log, uint64_t thread, int turns) {
  float *a;
  cudaMalloc(&a, 256 * sizeof *a);
  for (uint64_t launches = 1;; launches++) {
#pragma gpuprof region("turn")
    {
      add<<<4, 64>>>(a, turns);
    }
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const line entry = {thread, launches, now.tv_sec * UINT64_C(1000000000) + now.tv_nsec};
    if (write(log, &entry, sizeof entry) != sizeof entry)
      abort();
  }
}

int main(int, char **arguments) {
  const int log = open(arguments[1], O_WRONLY | O_CREAT | O_APPEND, 0666);
  std::vector<std::thread> threads;
  for (int i = 1; i < std::atoi(arguments[2]); i++)
    threads.emplace_back(launch_for_ever, log, i, std::atoi(arguments[3]));
  launch_for_ever(log, 0, std::atoi(arguments[3]));
}
