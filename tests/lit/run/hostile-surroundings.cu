// A program's changes of its process do not change its results or counts: few descriptors, closed streams,
// small stacks, signals, another folder, an empty environment, all descriptors closed, many short threads.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -I%source/include -O1 %s -o %t %link -pthread
// RUN: %py %S/Inputs/hostile.py %t | %FileCheck %s
// CHECK: all right
#include "run.h"
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gpuprof.h>
#include <pthread.h>
#include <string>
#include <sys/resource.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

__global__ void add(float *p) {
  __shared__ float all[64];
  all[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = all[63 - threadIdx.x] + 1;
}

static void work(int launches) {
  float *p;
  OK(cudaMalloc(&p, 64 * sizeof(float)));
  OK(cudaMemset(p, 0, 64 * sizeof(float)));
  const uint32_t token = gpuprof_region_begin("work");
  for (int i = 0; i < launches; i++)
    add<<<1, 64>>>(p);
  gpuprof_region_end(token);
  OK(cudaGetLastError());
  float first = -1; // no array: the stack may be small
  OK(cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost));
  EXPECT(first == (float)launches);
  OK(cudaFree(p));
}

static void *work_four_times(void *) {
  work(4);
  return nullptr;
}

static void in_small_stack() {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT(pthread_attr_setstacksize(&attributes, 16384) == 0);
  EXPECT(pthread_create(&thread, &attributes, work_four_times, nullptr) == 0);
  pthread_join(thread, nullptr);
}

static volatile sig_atomic_t alarms;
static void on_alarm(int) { alarms = alarms + 1; }
static void with_alarms() {
  struct sigaction action = {};
  action.sa_handler = on_alarm; // no SA_RESTART: system calls are interrupted
  sigaction(SIGALRM, &action, nullptr);
  const itimerval each = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &each, nullptr);
  work(4);
  while (!alarms)
    pause();
}

// At places known to the kernel only.
__global__ void fill(unsigned *p) {
  unsigned place = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 3; i++)
    place = (place * 1664525u + 1013904223u + p[place & 1023] % 2) & ((1 << 20) - 1);
  p[place] = place;
}

// For large allocations gpuprof asks the system for the pages in use.
static void fill_much() {
  unsigned *p;
  OK(cudaMalloc(&p, 4 << 20));
  fill<<<64, 256>>>(p);
  OK(cudaDeviceSynchronize());
  OK(cudaFree(p));
}

// Files of the program get the numbers of closed descriptors.
static void with_closed_descriptors(bool closed) {
  work(2);
  fill_much();
  for (int i = 3; closed && i < 256; i++)
    close(i);
  for (int i = 3; closed && i < 32; i++)
    EXPECT(open("/dev/zero", O_RDWR | O_CLOEXEC) == i);
  work(2);
  fill_much();
  for (int i = 3; closed && i < 32; i++)
    EXPECT(close(i) == 0);
}

static void with_changing_environment() {
  std::thread setter([] {
    for (int i = 0; i < 2000; i++)
      setenv(("NAME" + std::to_string(i % 50)).c_str(), "value", 1);
  });
  work(2);
  setter.join();
  clearenv();
  work(2);
}

static uint64_t address_space() {
  unsigned long long pages = 0, resident = 0;
  FILE *file = std::fopen("/proc/self/statm", "r");
  EXPECT(!file || std::fscanf(file, "%llu %llu", &pages, &resident) == 2);
  if (file)
    std::fclose(file);
  return pages * 4096;
}

// As much address space is in use after a thousand threads as after the first hundred.
static void with_many_threads() {
  for (int i = 0; i < 100; i++)
    std::thread(work, 1).join();
  const uint64_t before = address_space();
  for (int i = 0; i < 1000; i++)
    std::thread(work, 1).join();
  EXPECT(address_space() < before + (16 << 20));
}

int main(int, char **arguments) {
  const std::string mode = arguments[1];
  if (mode == "folder")
    EXPECT(chdir("/") == 0);
  if (mode == "small-stack")
    in_small_stack();
  else if (mode == "alarms")
    with_alarms();
  else if (mode == "descriptors" || mode == "open")
    with_closed_descriptors(mode == "descriptors");
  else if (mode == "environment")
    with_changing_environment();
  else if (mode == "locale") {
    EXPECT(std::setlocale(LC_ALL, "") && std::strcmp(std::localeconv()->decimal_point, "."));
    work(4);
  } else if (mode == "threads")
    with_many_threads();
  else
    work(4);
  return failures != 0; // by its status: its streams may be closed
}
