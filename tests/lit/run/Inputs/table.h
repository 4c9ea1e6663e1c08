/* Tables of the results of CUDA calls, in the words of CUDA. A program's output on the
 * CPU device is compared with its output on an H200 with CUDA 13.0 (Inputs/h200). A
 * line: the call, its result, and the result of cudaGetLastError() after it.
 */
#ifndef TABLE_H
#define TABLE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static inline void show_call(const char *call, cudaError_t result) {
  cudaError_t last = cudaGetLastError();
  std::printf("%-100s %s%s%s\n", call, cudaGetErrorName(result), last == result ? "" : ", last ",
              last == result ? "" : cudaGetErrorName(last));
  std::fflush(stdout);
}
#define CALL(call) show_call(#call, (call))
/* A launch: the error is where cudaGetLastError() finds it. */
#define LAUNCH(launch)                                                                                       \
  do {                                                                                                       \
    launch;                                                                                                  \
    show_call(#launch, cudaPeekAtLastError());                                                               \
  } while (0)
#define VALUE(value)                                                                                         \
  do {                                                                                                       \
    std::printf("%-100s %lld\n", #value, (long long)(value));                                                \
    std::fflush(stdout);                                                                                     \
  } while (0)
/* All bits of a float. */
#define REAL(value) std::printf("%-100s %a\n", #value, (double)(value))
/* All bits of up to 64 numbers in device memory. */
template <class T> void show_values(const char *name, const T *device, int n) {
  T host[64];
  cudaError_t e = cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%s: %s\n ", name, cudaGetErrorName(e));
  for (int i = 0; i < n; i++)
    std::printf(" %a", (double)host[i]);
  std::printf("\n");
}
#define TITLE(text) std::printf("-- %s\n", text)

#endif
