// Linear layers driven by spikes, and their gradients: right, at the cost of the spikes.
// RUN: %cases
#include "elements.h"
#include "layer_checks.h"

#include "../../kernels/snn/events_reference.h"
#include "../../kernels/snn/linear.cuh"
#include "../../kernels/snn/linear_reference.h"

enum { kSumBlock = 128 };

struct Layer {
  int rows, inputs, outputs;
  std::vector<signed char> spikes;
  std::string name;
};

static void compare(Checks &checks, const std::string &what, const std::vector<float> &values,
                    const std::vector<double> &expected) {
  Comparison comparison;
  for (size_t i = 0; i < values.size(); ++i)
    comparison.add(values[i], expected[i]);
  checks.compare(what, comparison, LINEAR_BOUND);
}

template <int RowsOfThread, class Weight>
static void check_dense(Checks &checks, const Layer &l, const Weight *weight,
                        const std::vector<double> &expected, const std::string &name, int slice) {
  const size_t number = (size_t)l.rows * l.outputs, slices = ceil_div(l.inputs, slice);
  Device<signed char> spikes(l.spikes);
  Device<float> partial(number * slices), current(number);
  const dim3 grid((unsigned)ceil_div(l.outputs, kProductColumns),
                  (unsigned)ceil_div(l.rows, kProductSide * RowsOfThread), (unsigned)slices);
  linear_dense<RowsOfThread>
      <<<grid, kProductThreads>>>(spikes, weight, partial, l.rows, l.inputs, l.outputs, slice);
  checks.expect("linear_dense", "linear.dense",
                linear_dense_cost(l.rows, l.inputs, l.outputs, slice, RowsOfThread, sizeof(Weight)));
  sum_slices<<<(unsigned)ceil_div(number, kSumBlock), kSumBlock>>>(partial, current, number, (int)slices);
  checks.expect("sum_slices", "linear.sum_slices", sum_slices_cost(number, slices, kSumBlock));
  compare(checks, "linear_dense " + name, current.read(), expected);
}

template <class Weight, bool Vectors>
static void check_events(Checks &checks, const Layer &l, const Weight *weight,
                         const std::vector<double> &expected, const std::string &name) {
  std::vector<int> lists((size_t)l.rows * l.inputs), numbers;
  for (int r = 0; r < l.rows; ++r) {
    std::vector<int> row = events_reference(&l.spikes[(size_t)r * l.inputs], l.inputs);
    std::copy(row.begin(), row.end(), &lists[(size_t)r * l.inputs]);
    numbers.push_back((int)row.size());
  }
  Device<int> events(lists), counts(numbers);
  Device<float> current((size_t)l.rows * l.outputs);
  const dim3 grid((unsigned)ceil_div(l.outputs, LaneColumns<Weight, Vectors>::kTile), l.rows);
  linear_events<Weight, Vectors><<<grid, kEventBlock>>>(events, counts, weight, current, l.inputs, l.outputs);
  LinearEventsCost cost =
      linear_events_cost(l.spikes.data(), l.rows, l.inputs, l.outputs, sizeof(Weight), Vectors);
  checks.expect("linear_events", cost.whole,
                {{"linear.events", cost.whole},
                 {"linear.accumulate", cost.accumulate},
                 {"linear.reduce", cost.reduce}});
  compare(checks, "linear_events " + name, current.read(), expected);
}

template <class Weight>
static void check_scatter(Checks &checks, const Layer &l, const Weight *weight,
                          const std::vector<double> &expected, const std::string &name) {
  Device<signed char> spikes(l.spikes);
  Device<float> current((size_t)l.rows * l.outputs);
  current.clear();
  linear_scatter<<<dim3((unsigned)ceil_div(l.inputs, kEventWarps), l.rows), kEventBlock>>>(
      spikes, weight, current, l.inputs, l.outputs);
  checks.expect("linear_scatter", "linear.scatter",
                linear_scatter_cost(l.spikes.data(), l.rows, l.inputs, l.outputs, sizeof(Weight)));
  compare(checks, "linear_scatter " + name, current.read(), expected);
}

template <class Weight>
static void check_input_gradient(Checks &checks, const Layer &l, const Weight *weight,
                                 const std::vector<double> &exact, const std::vector<float> &gradient) {
  Device<float> from(gradient), result((size_t)l.rows * l.inputs);
  const dim3 grid((unsigned)ceil_div(l.inputs, kProductColumns),
                  (unsigned)ceil_div(l.rows, kProductSide * 2));
  linear_input_gradient<2><<<grid, kProductThreads>>>(from, weight, result, l.rows, l.inputs, l.outputs);
  checks.expect("linear_input_gradient", "linear.input_gradient",
                linear_input_gradient_cost(l.rows, l.inputs, l.outputs, 2, sizeof(Weight)));
  compare(checks, "linear_input_gradient " + l.name, result.read(),
          linear_input_gradient_reference(gradient.data(), exact, l.rows, l.inputs, l.outputs));
}

static void check_weight_gradient(Checks &checks, const Layer &l, const std::vector<float> &gradient) {
  const unsigned groups = (unsigned)ceil_div(l.rows, kWarp);
  Device<signed char> spikes(l.spikes);
  Device<unsigned> columns((size_t)groups * l.inputs);
  Device<float> from(gradient), result((size_t)l.inputs * l.outputs);
  pack_columns<<<dim3((unsigned)ceil_div(l.inputs, kEventBlock), groups, 1), kEventBlock>>>(spikes, columns,
                                                                                            l.rows, l.inputs);
  linear_weight_gradient<<<dim3(l.inputs, (unsigned)ceil_div(l.outputs, kEventBlock)), kEventBlock>>>(
      columns, from, result, l.rows, l.inputs, l.outputs);
  checks.expect("linear_weight_gradient", "linear.weight_gradient",
                linear_weight_gradient_cost(l.spikes.data(), l.rows, l.inputs, l.outputs));
  compare(checks, "linear_weight_gradient " + l.name, result.read(),
          linear_weight_gradient_reference(l.spikes.data(), gradient.data(), l.rows, l.inputs, l.outputs));
}

template <class Weight>
static void check_forward(Checks &checks, const Layer &l, const std::vector<Weight> &weight,
                          const std::vector<double> &exact, const char *type) {
  Device<Weight> device(weight);
  const std::vector<double> expected = linear_reference(l.spikes.data(), exact, l.rows, l.inputs, l.outputs);
  const std::string name = l.name + ", " + type;
  check_dense<4>(checks, l, (const Weight *)device, expected, name, l.inputs);
  check_dense<2>(checks, l, (const Weight *)device, expected, name + " in slices", 100);
  check_events<Weight, false>(checks, l, device, expected, name);
  if (l.outputs % LaneColumns<Weight, true>::kColumns == 0)
    check_events<Weight, true>(checks, l, device, expected, name + ", vectors");
  check_scatter(checks, l, (const Weight *)device, expected, name);
}

static void check_layer(Checks &checks, Layer &l, double rate, Random &random) {
  const size_t number = (size_t)l.inputs * l.outputs;
  std::vector<float> weight = random.uniforms(number), gradient = random.uniforms((size_t)l.rows * l.outputs);
  std::vector<double> exact(weight.begin(), weight.end());
  for (bool ternary : {false, true}) {
    l.spikes = random_spikes(random, (size_t)l.rows * l.inputs, rate, ternary);
    l.name = text("%d x %d x %d at %g%s", l.rows, l.inputs, l.outputs, rate, ternary ? ", ternary" : "");
    check_forward(checks, l, weight, exact, "fp32");
    std::vector<SnnHalf> halves = to_elements<SnnHalf>(weight);
    std::vector<float> rounded = to_values(halves);
    check_forward(checks, l, halves, std::vector<double>(rounded.begin(), rounded.end()), "half");
    if (ternary)
      continue;
    Device<float> device(weight);
    check_input_gradient(checks, l, (const float *)device, exact, gradient);
    check_weight_gradient(checks, l, gradient);
  }
}

int main(int count, char **arguments) {
  Checks checks(count, arguments);
  Random random(2);
  Layer layers[] = {{1, 1, 1}, {3, 77, 5}, {33, 129, 130}, {2, 300, 256}, {40, 64, 264}, {1, 1000, 41}};
  for (Layer &layer : layers)
    for (double rate : kRates)
      check_layer(checks, layer, rate, random);
  return checks.finish();
}
