/* Inputs and comparisons of the programs that check attention kernels on tensor cores. */
#ifndef GPUPROF_TESTS_KERNELS_ATTENTION_CHECKS_H
#define GPUPROF_TESTS_KERNELS_ATTENTION_CHECKS_H

#include "cases.h"

#include "../../kernels/attention/attention_flash_reference.h"
#include "../../kernels/attention/attention_shape.h"
#include "../../kernels/snn/elements_reference.h"
#include "../../kernels/tensor_core.cuh"

template <typename Element> struct AttentionElement;
template <> struct AttentionElement<float> {
  static constexpr const char *name = "fp32";
  static constexpr double rounding = 5e-6;
  static float value(float element) { return element; }
  static float element(float value) { return value; }
};
template <> struct AttentionElement<Fp16> {
  static constexpr const char *name = "fp16";
  static constexpr double rounding = FP16_ROUNDING;
  static float value(Fp16 element) { return (float)fp16_value(element.bits); }
  static Fp16 element(float value) { return {fp16_bits(value)}; }
};
template <> struct AttentionElement<Bf16> {
  static constexpr const char *name = "bf16";
  static constexpr double rounding = BF16_ROUNDING;
  static float value(Bf16 element) { return (float)bf16_value(element.bits); }
  static Bf16 element(float value) { return {bf16_bits(value)}; }
};

/* Elements on both sides, and their values. */
template <typename Element> struct AttentionMatrix {
  std::vector<float> values;
  Array<Element> device;

  AttentionMatrix(size_t count, Random &random, float largest) : device(fill(count, random, largest)) {}
  Element *get() const { return device.get(); }

private:
  std::vector<Element> fill(size_t count, Random &random, float largest) {
    std::vector<Element> elements;
    for (size_t i = 0; i < count; ++i) {
      elements.push_back(AttentionElement<Element>::element(random.uniform(-largest, largest)));
      values.push_back(AttentionElement<Element>::value(elements.back()));
    }
    return elements;
  }
};

template <typename Element> struct AttentionData {
  typedef AttentionElement<Element> Of;
  AttentionShape shape;
  size_t size;
  float scale;
  Random random{1};
  AttentionMatrix<Element> query, key, value, output_gradient;
  Array<Element> output, query_gradient, key_gradient, value_gradient;
  Array<float> logsumexp;

  AttentionData(const AttentionShape &s, int size)
      : shape(s), size(size), scale(1.0f / sqrtf((float)size)), query(rows() * size, random, 2.0f),
        key(key_rows() * size, random, 2.0f), value(key_rows() * size, random, 1.0f),
        output_gradient(rows() * size, random, 1.0f), output(rows() * size), query_gradient(rows() * size),
        key_gradient(key_rows() * size), value_gradient(key_rows() * size), logsumexp(rows()) {}

  size_t rows() const { return (size_t)shape.batch * shape.heads * shape.queries; }
  size_t key_rows() const { return (size_t)shape.batch * shape.key_heads * shape.keys; }
  /* The first element of the keys of a row's head. */
  size_t keys_of(size_t row) const {
    const size_t head = row / shape.queries, batch = head / shape.heads;
    return (batch * shape.key_heads + head % shape.heads / (shape.heads / shape.key_heads)) * shape.keys *
           size;
  }
  AttentionKeys seen(size_t row) const {
    return attention_keys((long)(row % shape.queries), shape.queries, shape.keys, shape.left, shape.right);
  }
  std::string name(const char *what) const {
    return std::string(Of::name) + ", size " + std::to_string(size) + ", " + what;
  }

  void compare_forward(Cases &cases) const {
    const std::vector<Element> outputs = output.read();
    const std::vector<float> sums = logsumexp.read();
    std::vector<double> weights(shape.keys), expected(size);
    Difference of_output, of_sums, scale_of_values;
    scale_of_values.add(1, 1);
    for (size_t row = 0; row < rows(); row += rows() / 4096 + 1) { // of many rows a sample
      const double sum = attention_row_weights(&query.values[row * size], &key.values[keys_of(row)],
                                               seen(row), size, scale, weights.data());
      attention_row_values(weights.data(), &value.values[keys_of(row)], seen(row), size, expected.data());
      for (size_t i = 0; i < size; ++i)
        of_output.add(Of::value(outputs[row * size + i]), expected[i]);
      if (std::isinf(sum) ? !(sums[row] == -INFINITY) : (of_sums.add(sums[row], sum), false))
        cases.fail("logarithm of row %zu is %g instead of no number", row, sums[row]);
    }
    of_output.share_scale(scale_of_values);
    of_output.expect(cases, "outputs", 2 * Of::rounding);
    of_sums.expect(cases, "logarithms of sums", 2e-5);
  }

  void compare_backward(Cases &cases) const {
    std::vector<double> dq(rows() * size), dk(key_rows() * size), dv(key_rows() * size), weights(shape.keys),
        change(shape.keys);
    for (size_t row = 0; row < rows(); ++row) {
      const float *q = &query.values[row * size], *k = &key.values[keys_of(row)],
                  *v = &value.values[keys_of(row)];
      attention_row_weights(q, k, seen(row), size, scale, weights.data());
      attention_row_backward(weights.data(), q, k, v, &output_gradient.values[row * size], seen(row), size,
                             scale, &dq[row * size], &dk[keys_of(row)], &dv[keys_of(row)], change.data());
    }
    compare_gradient(cases, "query gradients", query_gradient, dq);
    compare_gradient(cases, "key gradients", key_gradient, dk);
    compare_gradient(cases, "value gradients", value_gradient, dv);
  }

private:
  static void compare_gradient(Cases &cases, const char *what, const Array<Element> &gradient,
                               const std::vector<double> &expected) {
    const std::vector<Element> values = gradient.read();
    Difference difference;
    for (size_t i = 0; i < values.size(); ++i)
      difference.add(Of::value(values[i]), expected[i]);
    difference.expect(cases, what, 4 * Of::rounding);
  }
};

#endif
