/* Shared by the programs checking layers: typed device memory, random
 * spikes, a line a case, and the required counts of the report.
 */
#ifndef GPUPROF_TESTS_LAYER_CHECKS_H
#define GPUPROF_TESTS_LAYER_CHECKS_H

#include <cuda_runtime.h>

#include <stdarg.h>

#include "../../samples/demo_support.h"

/* Firing rates checked for every family. */
static const double kRates[] = {0, 0.02, 0.1, 0.5, 1};

/* Values on the device. Fresh ones are all bits set, NaN of
 * floats: a value not written by a kernel is never right. */
template <class T> class Device {
public:
  explicit Device(size_t count) : count(count) {
    check(cudaMalloc((void **)&data, count * sizeof(T) + 1), "cudaMalloc");
    check(cudaMemset(data, 0xff, count * sizeof(T)), "cudaMemset");
  }
  Device(const std::vector<T> &values) : Device(values.size()) {
    check(cudaMemcpy(data, values.data(), count * sizeof(T), cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
  }
  ~Device() { cudaFree(data); }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  void clear() { check(cudaMemset(data, 0, count * sizeof(T)), "cudaMemset"); }
  std::vector<T> read() const {
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    return values;
  }
  operator T *() const { return data; }

private:
  T *data = nullptr;
  size_t count;
};

/* Spikes at a rate; ternary ones are negative every other time. */
inline std::vector<signed char> random_spikes(Random &random, size_t count, double rate,
                                              bool ternary = false) {
  std::vector<signed char> spikes(count);
  for (signed char &spike : spikes) {
    bool fired = (double)(random.bits() >> 40) < rate * 16777216.0, negative = random.bits() & 1;
    spike = (signed char)(!fired ? 0 : ternary && negative ? -1 : 1);
  }
  return spikes;
}

class Checks {
public:
  Checks(int count, char **arguments) {
    for (int i = 1; i + 1 < count; ++i)
      if (!strcmp(arguments[i], "--closed-forms"))
        path = arguments[i + 1];
  }
  /* The cost of a launch of this kernel; its region has the whole of it. */
  void expect(const char *kernel, const char *region, const ClosedForm &cost) {
    expect(kernel, cost, {{region, cost}});
  }
  void expect(const char *kernel, const ClosedForm &cost, const std::vector<ClosedForms::Region> &regions) {
    check(cudaGetLastError(), kernel);
    closed_forms.add(kernel, cost, regions);
  }
  void compare(const std::string &what, const Comparison &comparison, double bound) {
    verdict(what, comparison.within(bound), comparison.error(), comparison.number());
  }
  void equal(const std::string &what, bool right, size_t number) { verdict(what, right, 0, number); }
  int finish() {
    printf("%d passed, %d failed\n", passed, failed);
    if (path && !closed_forms.write(path)) {
      fprintf(stderr, "%s cannot be written\n", path);
      return 1;
    }
    return failed || !passed;
  }

private:
  void verdict(const std::string &what, bool right, double error, size_t number) {
    ++(right ? passed : failed);
    printf("%s: %s, %zu values, error %.1e\n", what.c_str(), right ? "passed" : "FAILED", number, error);
  }
  const char *path = nullptr;
  ClosedForms closed_forms;
  int passed = 0, failed = 0;
};

inline std::string text(const char *format, ...) {
  char line[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  return line;
}

#endif
