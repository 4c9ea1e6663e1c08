// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with counters, launched on several streams: the host does not wait for the device, and each region has its own counts.
// usage: streams ROUNDS
#include <chrono>
#include <cstdio>
#include <cstdlib>

#define OK(call)                                                                                              \
  do {                                                                                                        \
    if (cudaError_t error_ = (call)) {                                                                        \
      printf("%s: %s\n", #call, cudaGetErrorString(error_));                                                  \
      exit(1);                                                                                                \
    }                                                                                                         \
  } while (0)

// mode 0: waits for the flag, at most 3 s; mode 1: sets it. The steps depend on data: counters are in the kernel.
__global__ void mailbox(volatile int *flag, int mode, int *seen) {
  if (mode == 1) {
    *flag = 1;
    __threadfence_system();
    return;
  }
  long long begin = clock64();
  while (!*flag && clock64() - begin < 6000000000ll)
    ;
  *seen = *flag;
}

__global__ void steps(const int *n, float *x) {
  float value = x[threadIdx.x];
  for (int i = 0; i < *n; i++)
    value = value * 1.5f + 2.0f;
  x[threadIdx.x] = value;
}

static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

int main(int count, char **arguments) {
  cudaStream_t s[4];
  for (auto &stream : s)
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int *flag, *seen, *n, host_n = 1000;
  float *x;
  OK(cudaMallocHost(&flag, 4));
  OK(cudaMalloc(&seen, 4));
  OK(cudaMalloc(&n, 4));
  OK(cudaMalloc(&x, 4 * 4096));
  OK(cudaMemset(x, 0, 4 * 4096));
  OK(cudaMemcpy(n, &host_n, 4, cudaMemcpyHostToDevice));
  *flag = 1;
  mailbox<<<1, 1, 0, s[0]>>>(flag, 0, seen); // the first launch reads the sheet
  steps<<<1, 32, 0, s[0]>>>(n, x);
  OK(cudaDeviceSynchronize());
  *flag = 0;
  double begin = now();
#pragma gpuprof region("mailbox")
  {
    mailbox<<<1, 1, 0, s[0]>>>(flag, 0, seen);
    double before = now();
    mailbox<<<1, 1, 0, s[1]>>>(flag, 1, seen);
    printf("second launch us: %.1f\n", 1e6 * (now() - before));
  }
  OK(cudaDeviceSynchronize());
  int got = 0;
  OK(cudaMemcpy(&got, seen, 4, cudaMemcpyDeviceToHost));
  printf("arrived: %d\n", got);

  begin = now();
  const int rounds = count > 1 ? atoi(arguments[1]) : 200;
  double worst = 0;
  unsigned random = 12345;
  for (int i = 0; i < rounds; i++) {
    random = random * 1664525u + 1013904223u;
    cudaStream_t own = nullptr, stream = random >> 28 < 4 ? s[random >> 28] : nullptr;
    if (random >> 28 == 7)
      OK(cudaStreamCreate(&own));
    double before = now();
    if (i % 3 == 0) {
#pragma gpuprof region("a")
      steps<<<1, 32, 0, own ? own : stream>>>(n, x + 32 * (i % 128));
    } else if (i % 3 == 1) {
#pragma gpuprof region("b")
      steps<<<2, 32, 0, own ? own : stream>>>(n, x + 32 * (i % 128));
    } else {
#pragma gpuprof region("c")
      {
        steps<<<3, 32, 0, own ? own : stream>>>(n, x + 32 * (i % 128));
        steps<<<3, 32, 0, s[i % 4]>>>(n, x + 32 * (i % 128));
      }
    }
    double took = now() - before;
    worst = i > 10 && took > worst ? took : worst;
    if (own)
      OK(cudaStreamDestroy(own));
  }
  printf("round us: %.1f\nlongest round us: %.1f\n", 1e6 * (now() - begin) / rounds, 1e6 * worst);
  OK(cudaDeviceSynchronize());
  return 0;
}
