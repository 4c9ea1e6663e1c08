/* Shared by the programs checking kernels of transformer blocks: random elements. */
#ifndef GPUPROF_TESTS_KERNELS_ROW_CHECKS_H
#define GPUPROF_TESTS_KERNELS_ROW_CHECKS_H

#include "cases.h"
#include "elements.h"

inline std::vector<float> random_values(Random &random, size_t count, float low, float high) {
  std::vector<float> values(count);
  for (float &value : values)
    value = random.uniform(low, high);
  return values;
}

template <typename Element>
std::vector<Element> random_elements(Random &random, size_t count, float low, float high) {
  return to_elements<Element>(random_values(random, count, low, high));
}

inline std::string format(const char *pattern, ...) {
  char text[250];
  va_list values;
  va_start(values, pattern);
  vsnprintf(text, sizeof text, pattern, values);
  va_end(values);
  return text;
}

#endif
