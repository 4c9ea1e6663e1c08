// Batch normalisation: statistics over steps and samples, affine map, application and folding, against the
// reference in double, with means near and far from 0; layers behind linear layers and behind convolutions.
// RUN: %cases
#include "cases.h"
#include "elements.h"

#include "../../kernels/snn/batch_norm.cuh"
#include "../../kernels/snn/batch_norm_reference.h"

namespace {

enum { kBlock = 64 };
const float kMomentum = 0.1f, kGain = 0.75f, kEpsilon = 1e-5f;

struct Size {
  size_t rows, channels, inner, padding, slice_rows;
};

std::vector<float> random_values(Random &random, size_t count, float low, float high) {
  std::vector<float> values(count);
  for (float &value : values)
    value = random.uniform(low, high);
  return values;
}

template <typename Element, SnnLayout Layout>
void check_layer(Cases &cases, Random &random, Size size, float offset) {
  const size_t columns = size.channels * size.inner, stride = columns + size.padding,
               channels = size.channels;
  const BatchNormShape shape = {size.rows, stride, channels, size.inner, size.slice_rows};
  const dim3 grid((unsigned)snn_blocks(columns, Layout, sizeof(Element), kBlock), (unsigned)shape.slices());
  const std::vector<Element> elements =
      to_elements<Element>(random_values(random, stride * size.rows, offset - 1, offset + 2));
  const std::vector<float> x = to_values(elements);
  const std::vector<float> gamma = random_values(random, channels, 0.5f, 1.5f);
  const std::vector<float> beta = random_values(random, channels, -1, 1);
  const std::vector<float> old_mean = random_values(random, channels, -1, 1);
  const std::vector<float> old_variance = random_values(random, channels, 0.5f, 2);
  Array<Element> device_x(elements), y(stride * size.rows);
  Array<float> device_gamma(gamma), device_beta(beta), running_mean(old_mean), running_variance(old_variance);
  Array<float> slice_mean(stride * shape.slices()), slice_spread(stride * shape.slices());
  Array<float> mean(channels), variance(channels), scale(channels), shift(channels);

  char title[200];
  snprintf(title, sizeof title, "%s, %s, %zu rows in slices of %zu, %zu channels of %zu + %zu, about %g",
           Layout == SnnAligned ? "aligned" : "unaligned", ElementOf<Element>::name, size.rows,
           size.slice_rows, channels, size.inner, size.padding, offset);
  cases.begin(title);
  batch_norm_partials<Layout, Element>
      <<<grid, kBlock>>>(device_x.get(), slice_mean.get(), slice_spread.get(), shape);
  batch_norm_statistics<<<(unsigned)channels, kBatchNormBlock>>>(
      slice_mean.get(), slice_spread.get(), mean.get(), variance.get(), running_mean.get(),
      running_variance.get(), shape, kMomentum);
  batch_norm_affine<<<(unsigned)ceil_div(channels, kBlock), kBlock>>>(device_gamma.get(), device_beta.get(),
                                                                      mean.get(), variance.get(), scale.get(),
                                                                      shift.get(), channels, kGain, kEpsilon);
  batch_norm_apply<Layout, Element>
      <<<grid, kBlock>>>(device_x.get(), scale.get(), shift.get(), y.get(), shape);
  cases.launched();

  const std::vector<float> means = mean.read(), variances = variance.read(), scales = scale.read();
  const std::vector<float> shifts = shift.read(), results = to_values(y.read());
  const std::vector<float> new_mean = running_mean.read(), new_variance = running_variance.read();
  const double count = (double)(size.rows * size.inner), bound = BATCH_NORM_BOUND;
  Difference mean_error, variance_error, running_error, scale_error, shift_error, result_error;
  for (size_t c = 0; c < channels; ++c) {
    double m, v, s, b;
    batch_norm_statistics_reference(x.data(), size.rows, stride, size.inner, c, &m, &v);
    mean_error.add(means[c], m);
    variance_error.add(variances[c], v);
    running_error.add(new_mean[c], batch_norm_running_reference(old_mean[c], m, kMomentum));
    running_error.add(new_variance[c],
                      batch_norm_running_reference(old_variance[c], v * count / (count - 1), kMomentum));
    batch_norm_affine_reference(gamma[c], beta[c], means[c], variances[c], kGain, kEpsilon, &s, &b);
    scale_error.add(scales[c], s);
    shift_error.add(shifts[c], b);
    for (size_t r = 0; r < size.rows; ++r)
      for (size_t i = 0; i < size.inner; ++i) {
        const size_t at = r * stride + c * size.inner + i;
        result_error.add(results[at], x[at] * (double)scales[c] + shifts[c]);
      }
  }
  mean_error.expect(cases, "means", bound);
  variance_error.expect(cases, "variances", bound);
  running_error.expect(cases, "running statistics", bound);
  scale_error.expect(cases, "scales", bound);
  shift_error.expect(cases, "shifts", bound);
  result_error.expect(cases, "results", bound + ElementOf<Element>::rounding);
  cases.end(batch_norm_partials_cost(Layout, shape, sizeof(Element), kBlock) +
            batch_norm_statistics_cost(shape) + batch_norm_affine_cost(channels, kBlock) +
            batch_norm_apply_cost(Layout, shape, sizeof(Element), kBlock));
}

void check_fold(Cases &cases, Random &random, size_t channels, size_t inputs) {
  const std::vector<float> weight = random_values(random, channels * inputs, -1, 1);
  const std::vector<float> bias = random_values(random, channels, -1, 1);
  const std::vector<float> scale = random_values(random, channels, 0.5f, 1.5f);
  const std::vector<float> shift = random_values(random, channels, -1, 1);
  Array<float> device_weight(weight), device_bias(bias), device_scale(scale), device_shift(shift);
  char title[100];
  snprintf(title, sizeof title, "fold, %zu channels of %zu weights", channels, inputs);
  cases.begin(title);
  batch_norm_fold<<<dim3((unsigned)ceil_div(inputs, kBlock), (unsigned)channels), kBlock>>>(
      device_weight.get(), device_bias.get(), device_scale.get(), device_shift.get(), inputs);
  cases.launched();
  const std::vector<float> folded = device_weight.read(), moved = device_bias.read();
  Difference weights, biases;
  for (size_t c = 0; c < channels; ++c) {
    biases.add(moved[c], batch_norm_folded_bias(bias[c], scale[c], shift[c]));
    for (size_t i = 0; i < inputs; ++i)
      weights.add(folded[c * inputs + i], batch_norm_folded_weight(weight[c * inputs + i], scale[c]));
  }
  weights.expect(cases, "weights", BATCH_NORM_BOUND);
  biases.expect(cases, "biases", BATCH_NORM_BOUND);
  cases.end(batch_norm_fold_cost(channels, inputs, kBlock));
}

template <typename Element> void check_element(Cases &cases, Random &random) {
  for (Size size : {Size{2, 1, 1, 0, 2}, Size{2, 3, 1, 0, 1}, Size{33, 5, 7, 0, 8}, Size{16, 130, 1, 3, 5},
                    Size{8, 3, 49, 0, 3}})
    for (float offset : {0.0f, 20.0f}) {
      check_layer<Element, SnnUnaligned>(cases, random, size, offset);
      Size aligned = size;
      aligned.padding =
          snn_aligned_stride(size.channels * size.inner, sizeof(Element)) - size.channels * size.inner;
      check_layer<Element, SnnAligned>(cases, random, aligned, offset);
    }
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(4);
  check_element<float>(cases, random);
  check_element<SnnHalf>(cases, random);
  check_element<SnnBfloat16>(cases, random);
  check_fold(cases, random, 1, 1);
  check_fold(cases, random, 7, 65);
  check_fold(cases, random, 32, 288);
  return cases.finish();
}
