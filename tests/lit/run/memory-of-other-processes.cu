// cudaIpcGetMemHandle: another process maps the memory, its kernels read and write it, and both see each
// other's writes, also beside it in the same page. A handle cannot be opened in its own process, as with CUDA.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.%%p.json timeout 60 %t | %FileCheck %s
// CHECK: all right
// CHECK: all right
#include "run.h"
#include <sys/wait.h>
#include <unistd.h>

enum { N = 5000 };

__global__ void add(int *p, int n, int amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += amount;
}

struct Message {
  cudaIpcMemHandle_t memory, neighbour;
  cudaIpcEventHandle_t event;
};

static int child(int in, int out) {
  Message message;
  EXPECT(read(in, &message, sizeof message) == sizeof message);
  int *p, *again, *neighbour, values[2];
  cudaEvent_t event;
  OK(cudaIpcOpenMemHandle((void **)&p, message.memory, cudaIpcMemLazyEnablePeerAccess));
  OK(cudaIpcOpenMemHandle((void **)&again, message.memory, cudaIpcMemLazyEnablePeerAccess));
  OK(cudaIpcOpenMemHandle((void **)&neighbour, message.neighbour, cudaIpcMemLazyEnablePeerAccess));
  EXPECT(p == again && cudaIpcOpenMemHandle((void **)&p, message.memory, 0) == cudaErrorInvalidValue);
  OK(cudaIpcOpenEventHandle(&event, message.event));
  OK(cudaStreamWaitEvent(0, event));
  add<<<(N + 127) / 128, 128>>>(p, N, 20);
  add<<<1, 2>>>(neighbour, 2, 5);
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(values, p + N - 2, sizeof values, cudaMemcpyDeviceToHost));
  EXPECT(values[0] == N - 2 + 20 && values[1] == N - 1 + 20);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, p));
  EXPECT(attributes.type == cudaMemoryTypeDevice);
  OK(cudaIpcCloseMemHandle(p));
  add<<<1, 1>>>(p, 1, 300); // still open
  OK(cudaDeviceSynchronize());
  OK(cudaIpcCloseMemHandle(p));
  OK(cudaIpcCloseMemHandle(neighbour));
  EXPECT(cudaIpcCloseMemHandle(p) == cudaErrorInvalidValue);
  memset(&message.memory, 1, sizeof message.memory);
  EXPECT(cudaIpcOpenMemHandle((void **)&p, message.memory, cudaIpcMemLazyEnablePeerAccess) == cudaErrorInvalidValue);
  int result = finish();
  std::fflush(stdout);
  EXPECT(write(out, &result, sizeof result) == sizeof result);
  return result;
}

int main() {
  int down[2], up[2], result = -1;
  EXPECT(pipe(down) == 0 && pipe(up) == 0);
  if (fork() == 0)
    return child(down[0], up[1]);
  int host[N], two[2] = {1, 2};
  for (int i = 0; i < N; i++)
    host[i] = i;
  int *p = to_device(host, N), *neighbour = to_device(two, 2), *opened;
  Message message;
  cudaEvent_t event, timed;
  OK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  OK(cudaEventCreate(&timed));
  EXPECT(cudaIpcGetEventHandle(&message.event, timed) == cudaErrorInvalidResourceHandle);
  OK(cudaIpcGetMemHandle(&message.memory, p));
  OK(cudaIpcGetMemHandle(&message.neighbour, neighbour));
  OK(cudaIpcGetEventHandle(&message.event, event));
  EXPECT(cudaIpcGetMemHandle(&message.memory, host) == cudaErrorInvalidValue);
  EXPECT(cudaIpcOpenMemHandle((void **)&opened, message.memory, cudaIpcMemLazyEnablePeerAccess) ==
         cudaErrorDeviceUninitialized);
  OK(cudaEventRecord(event));
  EXPECT(write(down[1], &message, sizeof message) == sizeof message);
  EXPECT(read(up[0], &result, sizeof result) == sizeof result && result == 0);
  EXPECT(wait(nullptr) > 0);
  to_host(host, p, N);
  to_host(two, neighbour, 2);
  EXPECT(host[0] == 320 && host[1] == 21 && host[N - 1] == N - 1 + 20 && two[0] == 6 && two[1] == 7);
  return finish();
}
