/* Elements of spiking layers on the host: their names, and conversions from and to floats. */
#ifndef GPUPROF_TESTS_KERNELS_ELEMENTS_H
#define GPUPROF_TESTS_KERNELS_ELEMENTS_H

#include "../../kernels/snn/elements_reference.h"
#include "../../kernels/snn/neurons.cuh"

#include <vector>

template <typename Element> struct ElementOf;
template <> struct ElementOf<float> {
  static constexpr const char *name = "fp32";
  static constexpr double rounding = 0;
  static float value(float element) { return element; }
  static float element(float value) { return value; }
};
template <> struct ElementOf<SnnHalf> {
  static constexpr const char *name = "fp16";
  static constexpr double rounding = FP16_ROUNDING;
  static float value(SnnHalf element) { return (float)fp16_value(element.bits); }
  static SnnHalf element(float value) { return {fp16_bits(value)}; }
};
template <> struct ElementOf<SnnBfloat16> {
  static constexpr const char *name = "bf16";
  static constexpr double rounding = BF16_ROUNDING;
  static float value(SnnBfloat16 element) { return (float)bf16_value(element.bits); }
  static SnnBfloat16 element(float value) { return {bf16_bits(value)}; }
};

template <> struct ElementOf<signed char> { // of spikes
  static float value(signed char element) { return element; }
};

template <typename Element> std::vector<Element> to_elements(const std::vector<float> &values) {
  std::vector<Element> elements;
  for (float value : values)
    elements.push_back(ElementOf<Element>::element(value));
  return elements;
}
template <typename Element> std::vector<float> to_values(const std::vector<Element> &elements) {
  std::vector<float> values;
  for (Element element : elements)
    values.push_back(ElementOf<Element>::value(element));
  return values;
}

#endif
