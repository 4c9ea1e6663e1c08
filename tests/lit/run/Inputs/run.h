/* For programs checking themselves: they print one line
 * a failure, or "all right" at the end and return 0. */
#ifndef RUN_H
#define RUN_H

#include <cstdio>
#include <cstring>

static int failures, shown;

#define EXPECT(condition)                                                                                    \
  do {                                                                                                       \
    if (!(condition) && (failures++, shown++ < 10))                                                          \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
  } while (0)
#define OK(call)                                                                                             \
  do {                                                                                                       \
    cudaError_t result_ = (call);                                                                            \
    if (result_ != cudaSuccess && (failures++, shown++ < 10))                                                \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(result_));                \
  } while (0)

/* One of several behaviours in a file; of each so many failures are shown. */
static inline void behaviour(void (*check)()) {
  shown = 0;
  check();
}

static inline int finish() {
  std::printf(failures ? "%d failures\n" : "all right\n", failures);
  return failures != 0;
}

/* Device memory with contents, and back. */
template <class T> static T *to_device(const T *host, size_t n) {
  T *device = nullptr;
  OK(cudaMalloc(&device, n * sizeof(T)));
  OK(cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}
template <class T> static void to_host(T *host, const T *device, size_t n) {
  OK(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
}

#endif
