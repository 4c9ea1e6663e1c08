// Linear layers on bits, with binary and ternary weights: right, and as costly as the formula says.
// RUN: %cases
#include "layer_checks.h"

#include "../../kernels/snn/linear_packed.cuh"
#include "../../kernels/snn/linear_packed_reference.h"

template <bool Ternary>
static void check_packed(Checks &checks, Random &random, int rows, int inputs, int outputs, double rate) {
  const int words = (int)ceil_div(inputs, kWarp);
  std::vector<signed char> spikes = random_spikes(random, (size_t)rows * inputs, rate);
  std::vector<signed char> weight = random_spikes(random, (size_t)inputs * outputs, Ternary ? 0.6 : 1, true);
  std::vector<float> scale = random.uniforms(outputs);
  Device<signed char> bytes(spikes);
  Device<unsigned> packed((size_t)rows * words), plus(weight_bits(weight.data(), inputs, outputs, 1)),
      minus(weight_bits(weight.data(), inputs, outputs, -1));
  Device<float> by(scale), current((size_t)rows * outputs);
  pack_rows<<<dim3((unsigned)ceil_div(inputs, kEventBlock), rows), kEventBlock>>>(bytes, packed, inputs);
  checks.expect("pack_rows", "events.pack", pack_rows_cost(rows, inputs));
  const dim3 grid((unsigned)ceil_div(outputs, kPackedTile), (unsigned)ceil_div(rows, kPackedTile));
  linear_packed<Ternary><<<grid, kPackedThreads>>>(packed, plus, Ternary ? (unsigned *)minus : nullptr, by,
                                                   current, rows, inputs, outputs);
  LinearPackedResult expected =
      linear_packed_reference(spikes.data(), weight.data(), scale.data(), rows, inputs, outputs);
  checks.expect("linear_packed", "linear.packed",
                linear_packed_cost(rows, inputs, outputs, Ternary, expected.operations));
  std::vector<float> values = current.read();
  Comparison comparison;
  for (size_t i = 0; i < values.size(); ++i)
    comparison.add(values[i], expected.current[i]);
  checks.compare(text("linear_packed %s, %d x %d x %d at %g", Ternary ? "ternary" : "binary", rows, inputs,
                      outputs, rate),
                 comparison, LINEAR_PACKED_BOUND);
}

int main(int count, char **arguments) {
  Checks checks(count, arguments);
  Random random(3);
  const int sizes[][3] = {{1, 1, 1}, {3, 77, 5}, {33, 129, 130}, {2, 1100, 64}, {40, 64, 33}, {32, 1024, 32}};
  for (const int(&size)[3] : sizes)
    for (double rate : kRates) {
      check_packed<false>(checks, random, size[0], size[1], size[2], rate);
      check_packed<true>(checks, random, size[0], size[1], size[2], rate);
    }
  return checks.finish();
}
