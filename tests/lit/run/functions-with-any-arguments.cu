// The functions of gpuprof.h take every argument, on every thread, before main, in exit handlers
// and after the end: null, empty, huge and broken names, numbers out of range, unknown tokens.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -I%source/include -O1 %s -o %t %link -pthread
// RUN: env GPUPROF_OUTPUT=%t.json timeout 300 %t | %FileCheck %s
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: env GPUPROF_ENABLE=0 GPUPROF_OUTPUT=%t.off.json timeout 300 %t | %FileCheck %s
// CHECK: all right
#include "run.h"
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <gpuprof.h>
#include <limits>
#include <string>
#include <thread>
#include <vector>

__global__ void add(float *p) { p[threadIdx.x] += 1; }

static const std::string huge(1 << 16, 'x');
static const char *const names[] = {nullptr, "", " ", "a/b", "\n\t\"\\", "\xff\xfe not UTF-8 \xc3", "%s%n%d", huge.c_str()};
static const double numbers[] = {0, -1, 1e308, 5e-324, NAN, INFINITY, -INFINITY};
static const int64_t integers[] = {0, -1, INT64_MIN, INT64_MAX, 1};

static void call_all() {
  gpuprof_status(nullptr);
  for (const char *name : names) {
    for (const char *other : names) {
      const uint32_t token = gpuprof_region_begin_as(name, other, other);
      gpuprof_region_end(token);
    }
    const uint32_t token = gpuprof_region_begin(name);
    for (int64_t amount : integers) {
      gpuprof_count(name, amount);
      gpuprof_step(amount);
    }
    for (double number : numbers)
      gpuprof_expect(number, number, number);
    gpuprof_region_end(UINT32_MAX);
    gpuprof_region_end(token + 1);
    gpuprof_region_end(token);
    gpuprof_region_end(token);
    gpuprof_region_end(0);
  }
  gpuprof_disable();
  gpuprof_disable();
  gpuprof_count("off", 1);
  gpuprof_enable();
  gpuprof_enable();
}

static void check_status() {
  struct gpuprof_status status;
  gpuprof_status(&status);
  EXPECT(status.version && (status.state == GPUPROF_ON || status.state == GPUPROF_OFF || status.state == GPUPROF_PAUSED));
}

struct Early {
  Early() { call_all(); }
  ~Early() { call_all(); }
} early;

__attribute__((constructor(101))) static void first() { gpuprof_status(nullptr); }
__attribute__((destructor(101))) static void last() {
  gpuprof_region_end(gpuprof_region_begin("last"));
  gpuprof_count("last", 1);
  gpuprof_status(nullptr);
  gpuprof_flush();
}

int main() {
  std::atexit(call_all);
  call_all();
  check_status();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++)
    threads.emplace_back([] {
      call_all();
      check_status();
      gpuprof_region_begin("left open");
    });
  for (std::thread &thread : threads)
    thread.join();
  float zero[32] = {}, *p = to_device(zero, 32);
  const uint32_t token = gpuprof_region_begin("\xff");
  add<<<1, 32>>>(p);
  gpuprof_count("\xff", INT64_MAX);
  gpuprof_count("\xff", INT64_MAX);
  gpuprof_region_end(token);
  to_host(zero, p, 32);
  EXPECT(zero[0] == 1);
  gpuprof_flush();
  return finish();
}
