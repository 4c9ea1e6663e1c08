/* Runs each kernel in turn as native loops and on the CPU device, counting and not, and prints their ratios. */
#include "bench.h"

#include <cuda_runtime.h>
#include <gpuprof.h>

#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vector>

namespace {
struct Row_ {
  const char *name;
  bool barriers;
  Size size;
  size_t elements; /* of the largest array */
};
const Row_ rows[Kernels] = {
    {"vector_add", false, {1 << 18, 0}, 1 << 18},
    {"lif_step", false, {1 << 18, 0}, 1 << 18},
    {"stbif_forward", false, {1 << 15, 8}, 1 << 18},
    {"stbif_backward", false, {1 << 14, 8}, 1 << 17},
    {"attention_scores", false, {256, 2}, 1 << 17},
    {"attention_values", false, {256, 2}, 1 << 17},
    {"attention_softmax", true, {256, 2}, 1 << 17},
    {"attention_tiled", true, {256, 2}, 1 << 15},
    {"reduce_shared", true, {1 << 17, 0}, 1 << 17},
    {"reduce_shuffle", true, {1 << 17, 0}, 1 << 17},
    {"scan_shared", true, {1 << 17, 0}, 1 << 17},
    {"scan_warp", true, {1 << 17, 0}, 1 << 17},
    {"scan_block", true, {1 << 17, 0}, 1 << 17},
    {"normalize_rows", true, {512, 256}, 1 << 17},
    {"stencil_line", true, {1 << 17, 0}, 1 << 17},
    {"stencil_plane", false, {512, 256}, 1 << 17},
    {"stencil_tiled", true, {512, 256}, 1 << 17},
    {"matrix_tiled", true, {256, 0}, 1 << 16},
    {"matrix_vector", true, {128, 2048}, 1 << 18},
};

const size_t most = 1 << 18;
enum { Before = 8 }; // runs in a row before the one whose time is taken, with several threads

/* Seconds of all processors of this process: less disturbed by other load than those of a clock. */
double seconds(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

double median(std::vector<double> &times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

float *allocate() {
  float *memory = nullptr;
  if (cudaMallocManaged(&memory, most * sizeof(float)) != cudaSuccess) {
    fprintf(stderr, "cpu-device: no memory\n");
    exit(1);
  }
  return memory;
}

void run(bool native, Kernel kernel, Size size, const Memory &memory) {
  (native ? run_native : run_device)(kernel, size, memory);
}

/* The largest difference, relative to the largest value. */
double difference(const float *a, const float *b, size_t count) {
  double largest = 0, off = 0;
  for (size_t i = 0; i < count; ++i) {
    largest = fmax(largest, fabs(a[i]));
    off = fmax(off, a[i] == b[i] ? 0 : fabs((double)a[i] - b[i]));
    if (isnan(a[i]) != isnan(b[i]))
      return INFINITY;
  }
  return largest ? off / largest : off;
}
} // namespace

int main(int count, char **words) {
  const int rounds = count > 1 ? atoi(words[1]) : 21;
  const clockid_t clock = count > 2 && !strcmp(words[2], "wall") ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
  const char *only = count > 3 ? words[3] : "";
  Memory memory[2];
  std::vector<std::vector<float>> start(Arrays, std::vector<float>(most));
  for (int a = 0; a < Arrays; ++a) {
    float *in = allocate();
    for (size_t i = 0; i < most; ++i) {
      in[i] = (float)(rand() % 512 - 128) / 512;
      start[a][i] = (float)(rand() % 256) / 256;
    }
    memory[0].in[a] = memory[1].in[a] = in;
    for (Memory &side : memory)
      side.out[a] = allocate();
  }
  printf("| kernel | barriers | native, ms | not counted, ms | counted, ms | native/not counted | native/counted |\n"
         "|---|---|---|---|---|---|---|\n");
  bool right = true;
  for (int k = 0; k < Kernels; ++k) {
    const Row_ &row = rows[k];
    if (*only && strcmp(only, row.name))
      continue;
    enum { Native, Off, On, Ways };
    std::vector<double> times[Ways];
    for (int round = -1; round < rounds; ++round) // the first warms up
      for (int way = Native; way != Ways; ++way) {
        const Memory &side = memory[way != Native];
        for (int a = 0; a < Arrays; ++a)
          memcpy(side.out[a], start[a].data(), most * sizeof(float));
        if (way == Off)
          gpuprof_disable();
        if (clock == CLOCK_MONOTONIC) {
          const timespec pause = {0, 3000000}; // the other side's threads go to sleep
          nanosleep(&pause, nullptr);
          for (int i = 0; i < Before; ++i)
            run(way == Native, (Kernel)k, row.size, side);
        }
        const double before = seconds(clock);
        run(way == Native, (Kernel)k, row.size, side);
        const double after = seconds(clock);
        gpuprof_enable();
        if (round >= 0)
          times[way].push_back(after - before);
        for (int a = 0; way != Native && a < Arrays; ++a)
          if (double off = difference(memory[0].out[a], side.out[a], row.elements); !(off < 1e-4)) {
            fprintf(stderr, "cpu-device: %s: array %d differs by %g of its largest value\n", row.name, a, off);
            right = false;
            a = Arrays;
          }
      }
    const double native = median(times[Native]), off = median(times[Off]), on = median(times[On]);
    printf("| %s | %s | %.3f | %.3f | %.3f | %.3f | %.3f |\n", row.name, row.barriers ? "yes" : "no", native * 1e3,
           off * 1e3, on * 1e3, native / off, native / on);
  }
  return right ? 0 : 1;
}
