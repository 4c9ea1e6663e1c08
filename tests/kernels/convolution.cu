// Convolutions driven by spikes: right, at the cost of spikes and connectivity.
// RUN: %cases
#include "elements.h"
#include "layer_checks.h"

#include "../../kernels/snn/convolution.cuh"
#include "../../kernels/snn/convolution_reference.h"
#include "../../kernels/snn/events_reference.h"

enum { kKernel = 3, kScatterBlocks = 3 };

struct Layer {
  ConvolutionShape shape;
  std::vector<signed char> spikes;
  ConvolutionTraffic traffic;
  std::string name;
};

static void compare(Checks &checks, const std::string &what, const std::vector<float> &values,
                    const std::vector<double> &expected) {
  Comparison comparison;
  for (size_t i = 0; i < values.size(); ++i)
    comparison.add(values[i], expected[i]);
  checks.compare(what, comparison, CONVOLUTION_BOUND);
}

template <int RowsOfThread, class Weight>
static void check_dense(Checks &checks, const Layer &l, const Weight *weight,
                        const std::vector<double> &expected, const std::string &name) {
  const ConvolutionShape &s = l.shape;
  Device<signed char> spikes(l.spikes);
  Device<float> current(expected.size());
  const dim3 grid((unsigned)ceil_div(s.group_outputs(), kProductColumns),
                  (unsigned)ceil_div(s.pixels(), kProductSide * RowsOfThread), s.groups);
  convolution_dense<kKernel, RowsOfThread><<<grid, kProductThreads>>>(spikes, weight, current, s);
  checks.expect("convolution_dense", "convolution.dense",
                convolution_dense_cost(s, l.traffic, RowsOfThread, sizeof(Weight)));
  compare(checks, "convolution_dense " + name, current.read(), expected);
}

template <bool Vectors, class Weight>
static void check_gather(Checks &checks, const Layer &l, const Weight *weight,
                         const std::vector<double> &expected, const std::string &name) {
  const ConvolutionShape &s = l.shape;
  const int rows = s.batch * s.height * s.width * s.groups, channels = s.group_channels();
  Device<signed char> spikes(l.spikes);
  Device<unsigned> words((size_t)rows * s.group_words());
  Device<float> current(expected.size());
  pack_rows<<<dim3((unsigned)ceil_div(channels, kEventBlock), rows), kEventBlock>>>(spikes, words, channels);
  checks.expect("pack_rows", "events.pack", pack_rows_cost(rows, channels));
  const dim3 grid((unsigned)ceil_div(s.pixels(), kEventWarps),
                  (unsigned)ceil_div(s.group_outputs(), LaneColumns<Weight, Vectors>::kTile), s.groups);
  convolution_gather<kKernel, Vectors><<<grid, kEventBlock>>>(words, weight, current, s);
  checks.expect("convolution_gather", "convolution.gather",
                convolution_gather_cost(s, l.traffic, Vectors, sizeof(Weight)));
  compare(checks, "convolution_gather " + name, current.read(), expected);
}

template <class Weight>
static void check_scatter(Checks &checks, const Layer &l, const Weight *weight,
                          const std::vector<double> &expected, const std::string &name) {
  std::vector<int> list = events_reference(l.spikes.data(), l.spikes.size());
  const std::vector<int> number = {(int)list.size()};
  Device<int> events(list), count(number);
  Device<float> current(expected.size());
  current.clear();
  convolution_scatter<kKernel><<<kScatterBlocks, kEventBlock>>>(events, count, weight, current, l.shape);
  checks.expect("convolution_scatter", "convolution.scatter",
                convolution_scatter_cost(l.traffic, list.size(), kScatterBlocks, sizeof(Weight)));
  compare(checks, "convolution_scatter " + name, current.read(), expected);
}

template <class Weight>
static void check_weights(Checks &checks, Layer &l, const std::vector<Weight> &weight,
                          const std::vector<double> &exact, const std::string &name, bool ternary) {
  Device<Weight> device(weight);
  const std::vector<double> expected = convolution_reference(l.shape, l.spikes.data(), exact);
  l.traffic = convolution_traffic(l.spikes.data(), l.shape, sizeof(Weight));
  check_dense<4>(checks, l, (const Weight *)device, expected, name);
  check_dense<2>(checks, l, (const Weight *)device, expected, name + ", narrow");
  check_scatter(checks, l, (const Weight *)device, expected, name);
  if (ternary)
    return;
  check_gather<false>(checks, l, (const Weight *)device, expected, name);
  if (l.shape.group_outputs() % LaneColumns<Weight, true>::kColumns == 0)
    check_gather<true>(checks, l, (const Weight *)device, expected, name + ", vectors");
}

static void check_layer(Checks &checks, Random &random, const ConvolutionShape &s, double rate) {
  Layer l;
  l.shape = s;
  const size_t number = (size_t)kKernel * kKernel * s.group_channels() * s.outputs;
  std::vector<float> weight = random.uniforms(number);
  std::vector<double> exact(weight.begin(), weight.end());
  for (bool ternary : {false, true}) {
    l.spikes = random_spikes(random, (size_t)s.batch * s.height * s.width * s.channels, rate, ternary);
    std::string name =
        text("%d x %d x %d x %d to %d, stride %d, padding %d, groups %d at %g%s", s.batch, s.height, s.width,
             s.channels, s.outputs, s.stride, s.padding, s.groups, rate, ternary ? ", ternary" : "");
    check_weights(checks, l, weight, exact, name + ", fp32", ternary);
    std::vector<SnnHalf> halves = to_elements<SnnHalf>(weight);
    std::vector<float> rounded = to_values(halves);
    check_weights(checks, l, halves, std::vector<double>(rounded.begin(), rounded.end()), name + ", half",
                  ternary);
  }
}

int main(int count, char **arguments) {
  Checks checks(count, arguments);
  Random random(4);
  const ConvolutionShape shapes[] = {
      {1, 3, 3, 1, 1, kKernel, 1, 0, 1},   {2, 7, 5, 3, 10, kKernel, 1, 1, 1},
      {1, 9, 8, 40, 24, kKernel, 2, 1, 1}, {1, 6, 6, 6, 48, kKernel, 1, 1, 3},
      {1, 5, 11, 8, 8, kKernel, 3, 2, 8},  {1, 4, 4, 64, 136, kKernel, 1, 1, 1},
  };
  for (const ConvolutionShape &shape : shapes)
    for (double rate : kRates)
      check_layer(checks, random, shape, rate);
  return checks.finish();
}
