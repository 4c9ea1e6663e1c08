// Launches every micro-kernel once: a report holds one
// row for each. Names on the command line choose some.
#include "arithmetic.h"
#include "control.h"
#include "memory.h"
#include "tensor.h"

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

namespace {

constexpr int Threads = 16384; // working in each launch
constexpr size_t Bytes = size_t(16) * Threads;

#define ARITHMETIC_ROW(name, type, fill, body) {#name, name, Fill::fill, 64, 256},
#define MEMORY_ROW(name, fill) {#name, name, Fill::fill, 64, 256},
#define CONTROL_ROW(name, blocks, threads) {#name, name, Fill::Float, blocks, threads},
#define TENSOR_ROW(name, fill, blocks, threads) {#name, name, Fill::fill, blocks, threads},
const Micro Micros[] = {ARITHMETIC_KERNELS(ARITHMETIC_ROW) MEMORY_KERNELS(MEMORY_ROW)
                            CONTROL_KERNELS(CONTROL_ROW) TENSOR_KERNELS(TENSOR_ROW)};

template <typename T> void fillWith(std::vector<char> &bytes, T (*value)(int)) {
  for (size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    const T x = value(static_cast<int>(i % 997));
    memcpy(&bytes[i * sizeof(T)], &x, sizeof(T));
  }
}

// Between 1 and 2; integers between 1 and 997.
void fill(std::vector<char> &bytes, Fill what) {
  switch (what) {
  case Fill::Float:
    return fillWith<float>(bytes, [](int i) { return 1.0f + static_cast<float>(i) / 1000.0f; });
  case Fill::Double:
    return fillWith<double>(bytes, [](int i) { return 1.0 + i / 1000.0; });
  case Fill::Half: // the bits of a number between 1 and 2
    return fillWith<unsigned short>(bytes, [](int i) { return static_cast<unsigned short>(0x3c00 + i); });
  case Fill::BFloat:
    return fillWith<unsigned short>(bytes,
                                    [](int i) { return static_cast<unsigned short>(0x3f80 + i % 128); });
  case Fill::Integer:
    return fillWith<int>(bytes, [](int i) { return i + 1; });
  }
}

bool chosen(const char *name, int count, char **names) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(names[i], name))
      return true;
  return count == 0;
}

bool failed(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  return error != cudaSuccess;
}

bool launch(const Micro &m, void *out, void *in) {
  std::vector<char> input(2 * Bytes);
  fill(input, m.Input);
  if (failed(cudaMemcpy(in, input.data(), input.size(), cudaMemcpyHostToDevice), "cudaMemcpy") ||
      failed(cudaMemset(out, 0, 2 * Bytes), "cudaMemset"))
    return false;
  m.Kernel<<<m.Blocks, m.Threads>>>(out, in, Threads);
  return !failed(cudaGetLastError(), m.Name) && !failed(cudaDeviceSynchronize(), m.Name);
}

} // namespace

int main(int argc, char **argv) {
  void *in = nullptr, *out = nullptr;
  if (failed(cudaMalloc(&in, 2 * Bytes), "cudaMalloc") || failed(cudaMalloc(&out, 2 * Bytes), "cudaMalloc"))
    return 1;
  int launched = 0;
  for (const Micro &m : Micros)
    if (chosen(m.Name, argc - 1, argv + 1)) {
      if (!launch(m, out, in))
        return 1;
      ++launched;
    }
  printf("%d micro-kernels\n", launched);
  cudaFree(in);
  cudaFree(out);
  return launched ? 0 : 2;
}
