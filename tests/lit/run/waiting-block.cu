// A block waiting for ever: a warning names kernel, block and
// line. The host reads the warning, and then ends the wait itself.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 -pthread %s -o %t %link
// RUN: env GPUPROF_CPU_WORKERS=1 GPUPROF_OUTPUT=%t.json timeout 60 %t | %FileCheck %s
// CHECK: gpuprof: warning: {{.*}}waiter{{.*}}: block (1,0,0): for {{[0-9]+}} seconds it has gone round loops that wait for other threads, now at {{.*}}waiting-block.cu:{{12|13}}; up to 4224 blocks of this size are under way at once{{.*}}waits for the host thread that launched it, the CPU device cannot
// CHECK: all right
#include "run.h"
#include <thread>
#include <unistd.h>

__global__ void waiter(volatile int *flag) {
  if (blockIdx.x == 1)
    while (*flag == 0)
      ;
}

int main() {
  int ends[2];
  EXPECT(pipe(ends) == 0);
  dup2(ends[1], STDERR_FILENO);
  int *flag;
  OK(cudaMallocHost((void **)&flag, sizeof *flag));
  *flag = 0;
  std::thread reader([&] {
    char text[2048];
    ssize_t length = read(ends[0], text, sizeof text);
    std::printf("%.*s", (int)length, text);
    *(volatile int *)flag = 1;
  });
  waiter<<<3, 1>>>(flag);
  OK(cudaDeviceSynchronize());
  reader.join();
  return finish();
}
