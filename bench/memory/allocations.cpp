// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time of an allocation and its release: allocations PAIRS DEPTH FUNCTION [LIVE]. Prints ns of the process per pair. DEPTH calls stand
// above the allocation; LIVE allocations stay. FUNCTION is device, pool or host.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

extern "C" {
int cudaMalloc(void **, size_t);
int cudaFree(void *);
int cudaMallocAsync(void **, size_t, void *);
int cudaFreeAsync(void *, void *);
int cudaMallocHost(void **, size_t);
int cudaFreeHost(void *);
int cudaDeviceSynchronize(void);
}

static int pool_malloc(void **p, size_t bytes) { return cudaMallocAsync(p, bytes, nullptr); }
static int pool_free(void *p) { return cudaFreeAsync(p, nullptr); }

static const struct Function {
  const char *name;
  int (*allocate)(void **, size_t);
  int (*release)(void *);
} functions[] = {{"device", cudaMalloc, cudaFree}, {"pool", pool_malloc, pool_free}, {"host", cudaMallocHost, cudaFreeHost}};

static double now(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static long pairs(const Function &f, long count) {
  long failed = 0;
  for (long i = 0; i < count; i++) {
    void *p = nullptr;
    failed += f.allocate(&p, 256) != 0;
    failed += f.release(p) != 0;
  }
  return failed;
}

__attribute__((noinline)) static long below(int depth, const Function &f, long count) {
  volatile long failed = depth > 0 ? below(depth - 1, f, count) : pairs(f, count);
  return failed;
}

int main(int count, char **arguments) {
  if (count < 4)
    return std::fprintf(stderr, "usage: allocations PAIRS DEPTH device|pool|host [LIVE]\n"), 2;
  const Function *f = functions;
  while (f < functions + 3 && std::strcmp(f->name, arguments[3]))
    f++;
  if (f == functions + 3)
    return std::fprintf(stderr, "no such function: %s\n", arguments[3]), 2;
  const long wanted = std::atol(arguments[1]), live = count > 4 ? std::atol(arguments[4]) : 0;
  std::vector<void *> kept(live);
  cudaFree(nullptr);
  for (void *&p : kept)
    f->allocate(&p, 256);
  below(std::atoi(arguments[2]), *f, 100); // the first ones are slower
  const double start = now(CLOCK_MONOTONIC), start_cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  const long failed = below(std::atoi(arguments[2]), *f, wanted);
  const double cpu = now(CLOCK_PROCESS_CPUTIME_ID) - start_cpu, wall = now(CLOCK_MONOTONIC) - start;
  cudaDeviceSynchronize();
  for (void *p : kept)
    f->release(p);
  std::printf("%.0f %.0f %ld\n", wall / (double)wanted, cpu / (double)wanted, failed);
}
