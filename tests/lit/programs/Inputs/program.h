/* For whole programs: memory on both sides, numbers equal on every
 * machine, and the lines compared with a report by counts.py. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "run.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <vector>

/* The expected counts of a kernel, or of "region:NAME": FLOPs by kind (two an fma), bytes
 * by space and direction, special functions, spikes and counters of the program, by their
 * keys in the report. Counts without a name are 0; integer operations are not compared. */
struct Amount {
  const char *key;
  long long amount;
};
static inline void counts(const char *name, std::initializer_list<Amount> amounts) {
  std::printf("COUNT %s", name);
  for (const Amount &a : amounts)
    std::printf(" %s=%lld", a.key, a.amount);
  std::printf("\n");
}

/* n values on the host, and as many on the device. */
template <class T> struct Buffer {
  std::vector<T> host;
  T *device;
  explicit Buffer(size_t n, T value = T()) : host(n, value), device(to_device(host.data(), n)) {}
  Buffer(const Buffer &) = delete;
  ~Buffer() { OK(cudaFree(device)); }
  T &operator[](size_t i) { return host[i]; }
  size_t size() const { return host.size(); }
  void up() { OK(cudaMemcpy(device, host.data(), size() * sizeof(T), cudaMemcpyHostToDevice)); }
  void down() {
    OK(cudaDeviceSynchronize());
    to_host(host.data(), device, size());
  }
};

/* Marsaglia's xorshift of 32 bits. */
struct Random {
  uint32_t state = 2463534242u;
  uint32_t next() {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
  }
  int below(int n) { return (int)(next() % (uint32_t)n); }
  float unit() { return (float)(next() >> 8) * 0x1p-24f; } /* [0, 1), exact */
  float symmetric() { return 2.0f * unit() - 1.0f; }
};

static inline bool near(double a, double b, double tolerance = 1e-5) {
  return std::fabs(a - b) <= tolerance * (1.0 + std::fabs(b));
}

#endif
