/* Helpers of demo.cu beside the kernels: options, device arrays, and comparison. */
#ifndef GPUPROF_SAMPLES_DEMO_SUPPORT_H
#define GPUPROF_SAMPLES_DEMO_SUPPORT_H

#include "../kernels/closed_form_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

/* ---- Options ---- */
struct Options {
  size_t neurons = 1 << 20, steps = 8, sequence = 512, heads = 4;
  const char *closed_forms = nullptr;
};

inline int usage(FILE *to, int code) {
  fputs("usage: demo [--small | --gpu] [--size S] [--neurons N] [--steps T] [--sequence N] [--heads H]\n"
        "            [--closed-forms FILE]\n"
        "  --small          sizes for a test\n"
        "  --gpu            sizes for a large GPU\n"
        "  --size S         sequences of S, and 1024*S neurons\n"
        "  --closed-forms   write what the counters must show, as JSON\n",
        to);
  return code;
}

/* Returns 0, or an exit code plus one: 1 means "end well" (help was asked for). */
inline int parse_options(int count, char **arguments, Options &o) {
  struct {
    const char *name;
    size_t *value;
  } numbers[] = {
      {"--neurons", &o.neurons}, {"--steps", &o.steps}, {"--sequence", &o.sequence}, {"--heads", &o.heads}};
  for (int i = 1; i < count; ++i) {
    std::string name = arguments[i];
    if (name == "--help" || name == "-h")
      return usage(stdout, 1);
    if (name == "--small") {
      o.neurons = 1 << 16, o.steps = 4, o.sequence = 192, o.heads = 2;
      continue;
    }
    if (name == "--gpu") {
      o.neurons = 1 << 24, o.steps = 4, o.sequence = 4096, o.heads = 32;
      continue;
    }
    if (++i == count) {
      fprintf(stderr, "demo: %s is unknown or lacks its value\n", name.c_str());
      return usage(stderr, 3);
    }
    if (name == "--closed-forms") {
      o.closed_forms = arguments[i];
      continue;
    }
    char *end;
    long long number = strtoll(arguments[i], &end, 10);
    bool known = name == "--size";
    if (known)
      o.sequence = (size_t)number, o.neurons = 1024 * (size_t)number;
    for (auto &n : numbers)
      if (name == n.name)
        known = true, *n.value = (size_t)number;
    if (!known || *end || number < 1 || number > 1 << 28) {
      fprintf(stderr,
              known ? "demo: %s takes a number from 1 to 268435456, not '%s'\n" : "demo: unknown option %s\n",
              name.c_str(), arguments[i]);
      return usage(stderr, 3);
    }
  }
  return 0;
}

/* ---- Device memory ---- */
inline void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "demo: %s failed: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

/* Values on the device. Fresh ones have all bits set: a float not written by a kernel is NaN, and never right. */
template <typename Value> class DeviceValues {
public:
  explicit DeviceValues(size_t count) : count(count) {
    check(cudaMalloc((void **)&data, count * sizeof(Value)), "cudaMalloc");
    check(cudaMemset(data, 0xff, count * sizeof(Value)), "cudaMemset");
  }
  explicit DeviceValues(const std::vector<Value> &values) : DeviceValues(values.size()) {
    check(cudaMemcpy(data, values.data(), count * sizeof(Value), cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
  }
  ~DeviceValues() { cudaFree(data); }
  DeviceValues(const DeviceValues &) = delete;
  DeviceValues &operator=(const DeviceValues &) = delete;

  std::vector<Value> read(size_t first, size_t number) const {
    std::vector<Value> values(number);
    check(cudaMemcpy(values.data(), data + first, number * sizeof(Value), cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    return values;
  }
  std::vector<Value> read() const { return read(0, count); }
  operator Value *() const { return data; }

private:
  Value *data = nullptr;
  size_t count;
};
typedef DeviceValues<float> DeviceArray;

/* ---- Inputs and comparison ---- */
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t bits() { // splitmix64
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /* In [-1, 1); as multiples of 2⁻⁸ sums of few are exact in float. */
  float multiple() { return (float)(int)(bits() >> 55) / 256.0f - 1.0f; }
  float uniform() { return (float)(bits() >> 40) / 8388608.0f - 1.0f; }
  std::vector<float> multiples(size_t count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = multiple();
    return values;
  }
  std::vector<float> uniforms(size_t count) {
    std::vector<float> values(count);
    for (float &value : values)
      value = uniform();
    return values;
  }

private:
  uint64_t state;
};

/* The largest difference from the reference over the largest reference value. NaN counts as infinitely wrong. */
class Comparison {
public:
  void add(double value, double reference) {
    double difference = fabs(value - reference);
    if (!(difference <= largest_difference))
      largest_difference = difference == difference ? difference : INFINITY;
    largest = fmax(largest, fabs(reference));
    ++compared;
  }
  double error() const { return largest_difference == 0 ? 0 : largest_difference / largest; }
  bool within(double bound) const { return compared > 0 && error() <= bound; }
  size_t number() const { return compared; }

private:
  double largest_difference = 0, largest = 0;
  size_t compared = 0;
};

/* About `wanted` of `count` indices, evenly spaced, the last one among them; all where there are no more. */
inline std::vector<size_t> sample(size_t count, size_t wanted) {
  size_t stride = count > wanted ? count / wanted : 1;
  std::vector<size_t> indices;
  for (size_t i = 0; i < count; i += stride)
    indices.push_back(i);
  if (indices.back() != count - 1)
    indices.push_back(count - 1);
  return indices;
}

#endif
