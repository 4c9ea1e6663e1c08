// Threads launch, allocate and open regions while the main thread forks 200 times. Children end by exit(), launch kernels
// themselves, fork within a region, run another program, or become daemons: none hangs. A child counts for itself, unless a
// thread was just launching; the parent's report has nothing of them.
// RUN: rm -rf %t.reports && mkdir %t.reports
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link -pthread
// RUN: env GPUPROF_OUTPUT=%t.reports/%%p.json timeout 300 %t | %FileCheck %s
// RUN: %py %S/Inputs/forked_reports.py %t.reports
// CHECK: all right
#include "run.h"
#include <atomic>
#include <csignal>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

__global__ void add(float *p) {
  __shared__ float all[64];
  all[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = all[63 - threadIdx.x] + 1;
}

static std::atomic<bool> stop{false};

static float run_once() {
  float zero[64] = {}, host[64];
  float *p = to_device(zero, 64);
  add<<<4, 64>>>(p);
  to_host(host, p, 64);
  cudaFree(p);
  return host[0];
}

static void work() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  while (!stop) {
#pragma gpuprof region("work")
    run_once();
    cudaStreamSynchronize(stream);
  }
  cudaStreamDestroy(stream);
}

static char program[] = "/bin/true";
static char *const arguments[] = {program, nullptr};

static void end() { std::exit(0); }
static void launch() { std::exit(run_once() >= 1 ? 0 : 1); }
static void execute() { execv(program, arguments); }
static void become_daemon() { std::exit(daemon(0, 0)); }

// Returns false if the child had to be killed.
static bool ends_well(pid_t child) {
  alarm(60); // generous: the test ends if a child hangs
  int status = -1;
  bool ended = waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  alarm(0);
  return ended;
}

static pid_t fork_to(void (*what)()) {
  pid_t child = fork();
  if (child == 0) {
    what();
    _exit(1);
  }
  return child;
}

static pid_t spawn() {
  pid_t child = -1;
  return posix_spawn(&child, program, nullptr, nullptr, arguments, environ) ? -1 : child;
}

static pid_t fork_virtually() {
  pid_t child = vfork();
  if (child == 0) {
    execv(program, arguments);
    _exit(1);
  }
  return child;
}

int main() {
  void (*const ways[])() = {end, launch, execute, become_daemon};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back(work);
  for (int i = 0; i < 200; i++) {
    EXPECT(ends_well(fork_to(ways[i % 4])));
#pragma gpuprof region("around")
    EXPECT(i % 8 || ends_well(fork_to(launch)));
    EXPECT(i % 16 || ends_well(spawn()));
    EXPECT(i % 16 || ends_well(fork_virtually()));
  }
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  return finish();
}
