/* Times kernels on a GPU by events around many launches, in turn: rows of a name, the bytes
 * moved by a launch, and the way to launch it. Prints "NAME\tBYTES\tMICROSECONDS", of medians. */
#ifndef GPUPROF_BENCH_SNN_TIMING_H
#define GPUPROF_BENCH_SNN_TIMING_H

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

inline void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "bench/snn: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

struct Row {
  std::string name;
  double bytes;
  std::function<void()> launch;
};

/* Microseconds of a launch, with `launches` in a row: an event costs 5 us, which must not count for the kernel. */
inline double time_launches(const Row &row, int launches, cudaEvent_t begin, cudaEvent_t end) {
  check(cudaEventRecord(begin), "event");
  for (int i = 0; i < launches; ++i)
    row.launch();
  check(cudaEventRecord(end), "event");
  check(cudaEventSynchronize(end), row.name.c_str());
  check(cudaGetLastError(), row.name.c_str());
  float milliseconds;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "event");
  return 1000.0 * milliseconds / launches;
}

inline void print_times(const std::vector<Row> &rows, int rounds, int launches) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  std::vector<std::vector<double>> times(rows.size());
  for (int round = -1; round < rounds; ++round) // the first warms up
    for (size_t i = 0; i < rows.size(); ++i) {
      const double time = time_launches(rows[i], launches, begin, end);
      if (round >= 0)
        times[i].push_back(time);
    }
  for (size_t i = 0; i < rows.size(); ++i) {
    std::nth_element(times[i].begin(), times[i].begin() + rounds / 2, times[i].end());
    printf("%s\t%.0f\t%.3f\n", rows[i].name.c_str(), rows[i].bytes, times[i][rounds / 2]);
  }
}

#endif
