// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that has launched a kernel forks: the child says that it is not counted. One that forks before has two documents.
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(float *p) { p[threadIdx.x] += 1; }

static int launch() {
  float *p = nullptr;
  if (cudaMalloc(&p, 32 * sizeof(float)))
    return 1;
  add<<<1, 32>>>(p);
  return cudaDeviceSynchronize() != cudaSuccess;
}

static void in_child(const char *when) {
  if (pid_t child = fork()) {
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("child forked %s the first launch: its launch %s\n", when, status ? "fails" : "is good");
    return;
  }
  std::exit(launch());
}

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  in_child("before");
  std::printf("parent: its launch %s\n", launch() ? "fails" : "is good");
  in_child("after");
}
