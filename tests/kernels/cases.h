/* For programs checking kernels: one line a case, "N passed, M failed"
 * at the end, and with --closed-forms FILE the required report of each
 * case, a region of its own. They run on the CPU device and on a GPU.
 *
 * usage of each: PROGRAM [--closed-forms FILE] [--large]   --large: cases of a GPU's size too
 */
#ifndef GPUPROF_TESTS_KERNELS_CASES_H
#define GPUPROF_TESTS_KERNELS_CASES_H

#include <gpuprof.h>

#include "../../kernels/closed_form_json.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

/* ---- Cases ---- */

class Cases {
public:
  Cases(int count, char **arguments) {
    for (int i = 1; i < count; ++i)
      if (!strcmp(arguments[i], "--closed-forms") && i + 1 < count) {
        closed_form_file = arguments[++i];
      } else if (!strcmp(arguments[i], "--large")) {
        is_large = true;
      } else {
        fprintf(stderr, "usage: %s [--closed-forms FILE] [--large]\n", arguments[0]);
        exit(2);
      }
  }

  bool large() const { return is_large; }

  /* A case begins: launches until done() belong to it. The name must not come twice. */
  void begin(const std::string &name) {
    current = name;
    errors.clear();
    token = gpuprof_region_begin(name.c_str());
  }
  /* The launches are over; the comparison follows. */
  void launched() {
    const cudaError_t error = cudaDeviceSynchronize();
    gpuprof_region_end(token);
    if (error != cudaSuccess)
      fail("%s", cudaGetErrorString(error));
  }
  void fail(const char *format, ...) {
    char text[200];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    errors += errors.empty() ? text : std::string("; ") + text;
  }
  /* What all launches of a kernel cost, and its regions: added up over the cases. */
  void expect(const char *kernel, const ClosedForm &cost, const std::vector<ClosedForms::Region> &regions) {
    closed_forms.add(kernel, cost, regions);
  }
  void end(const ClosedForm &cost) {
    closed_forms.add_case(current, cost);
    printf("%s: %s\n", current.c_str(), errors.empty() ? "passed" : ("FAILED: " + errors).c_str());
    ++(errors.empty() ? passed : failed);
  }

  /* The exit status of the program. */
  int finish() {
    printf("%d passed, %d failed\n", passed, failed);
    if (closed_form_file && !closed_forms.write(closed_form_file)) {
      fprintf(stderr, "cannot write %s\n", closed_form_file);
      return 2;
    }
    return failed || !passed;
  }

private:
  const char *closed_form_file = nullptr;
  bool is_large = false;
  ClosedForms closed_forms;
  std::string current, errors;
  uint32_t token = 0;
  int passed = 0, failed = 0;
};

/* ---- Comparison: the largest difference from the reference, over the largest value of the reference ---- */

class Difference {
public:
  void add(double value, double reference) {
    const double difference = std::fabs(value - reference);
    if (!(difference <= largest_difference))
      largest_difference = difference == difference ? difference : INFINITY;
    largest = std::fmax(largest, std::fabs(reference));
  }
  /* Values of another comparison count among the largest. */
  void share_scale(const Difference &other) { largest = std::fmax(largest, other.largest); }
  double relative() const { return largest_difference == 0 ? 0 : largest_difference / largest; }
  void expect(Cases &cases, const char *what, double bound) const {
    if (!(relative() <= bound))
      cases.fail("%s differ by %.2e of the largest, %.2e allowed", what, relative(), bound);
  }

private:
  double largest_difference = 0, largest = 0;
};

/* ---- Random numbers: splitmix64 ---- */

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t bits() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /* In [low, high). */
  float uniform(float low, float high) { return low + (high - low) * ((float)(bits() >> 40) / 16777216.0f); }

private:
  uint64_t state;
};

/* ---- Device memory: as wide as the elements, NaN until it is written ---- */

template <typename Element> class Array {
public:
  explicit Array(size_t count) : count(count) {
    check(cudaMalloc((void **)&data, bytes()));
    check(cudaMemset(data, 0xff, bytes()));
  }
  explicit Array(const std::vector<Element> &values) : Array(values.size()) {
    check(cudaMemcpy(data, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  ~Array() { cudaFree(data); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;

  std::vector<Element> read() const {
    std::vector<Element> values(count);
    check(cudaMemcpy(values.data(), data, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }
  Element *get() const { return data; }

private:
  size_t bytes() const { return count * sizeof(Element); }
  static void check(cudaError_t error) {
    if (error == cudaSuccess)
      return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
  }
  Element *data = nullptr;
  size_t count;
};

#endif
