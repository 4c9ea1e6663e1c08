// IF and LIF neurons, forward and backward: each charge, reset, surrogate, element type and layout, at
// sizes filling groups and blocks and at others, against the reference in double and the closed form.
// RUN: %cases
#include "cases.h"
#include "elements.h"

#include "../../kernels/snn/integrate_fire.cuh"
#include "../../kernels/snn/integrate_fire_reference.h"

namespace {

enum { kBlock = 64 };

struct Size {
  size_t neurons, padding; /* stride = neurons + padding */
  int steps;
};

/* The arguments of a launch of `Charge`, `Reset` and so on, and of the reference. */
struct Neuron {
  IntegrateFire p;
  IntegrateFireReference reference;

  Neuron(SnnCharge charge, SnnReset reset, bool detach, float tau, float threshold, float v_reset)
      : p(integrate_fire(tau, threshold, v_reset)), reference{charge != SnnIf,
                                                              charge == SnnDecayInput,
                                                              reset == SnnSoftReset,
                                                              detach,
                                                              p.leak,
                                                              threshold,
                                                              v_reset,
                                                              false,
                                                              2.0} {}
};

const char *const kCharges[] = {"IF", "LIF, input decays", "LIF, input kept"};
const char *const kResets[] = {"hard", "soft"};

std::string title(const char *what, SnnCharge charge, SnnReset reset, const char *more, const char *element,
                  Size size) {
  char text[200];
  snprintf(text, sizeof text, "%s, %s, %s reset%s, %s, %zu neurons + %zu, %d steps", what, kCharges[charge],
           kResets[reset], more, element, size.neurons, size.padding, size.steps);
  return text;
}

std::vector<float> random_values(Random &random, size_t count, float low, float high) {
  std::vector<float> values(count);
  for (float &value : values)
    value = random.uniform(low, high);
  return values;
}

template <typename Element>
std::vector<Element> random_elements(Random &random, Size size, float low, float high) {
  return to_elements<Element>(random_values(random, (size.neurons + size.padding) * size.steps, low, high));
}

template <typename Element, SnnCharge Charge, SnnReset Reset, bool Save, SnnLayout Layout,
          typename Spike = Element>
void check_forward(Cases &cases, Random &random, Size size) {
  const size_t stride = size.neurons + size.padding;
  const Neuron neuron(Charge, Reset, false, 1.7f, 1.0f, Reset == SnnHardReset ? -0.125f : 0.0f);
  const std::vector<Element> input_elements = random_elements<Element>(random, size, -1.0f, 2.5f);
  const std::vector<float> input = to_values(input_elements);
  const std::vector<float> start = random_values(random, size.neurons, -0.5f, 0.9f);
  Array<Element> device_input(input_elements), potential(stride * size.steps);
  Array<Spike> spike(stride * size.steps);
  Array<float> membrane(start);

  const char *const what = sizeof(Spike) == 1 ? "forward, spikes in bytes"
                           : Save             ? "forward saving potentials"
                                              : "forward";
  cases.begin(title(what, Charge, Reset, "", ElementOf<Element>::name, size));
  integrate_fire_forward<Charge, Reset, Save, Layout, Element>
      <<<(unsigned)snn_blocks(size.neurons, Layout, sizeof(Element), kBlock), kBlock>>>(
          device_input.get(), membrane.get(), spike.get(), potential.get(), size.neurons, stride, size.steps,
          neuron.p);
  cases.launched();

  ClosedForm cost = integrate_fire_forward_cost(Charge, Reset, Save, Layout, size.neurons, stride, size.steps,
                                                sizeof(Element), sizeof(Spike), kBlock);
  const std::vector<float> spikes = to_values(spike.read()), potentials = to_values(potential.read());
  const std::vector<float> end = membrane.read();
  const double tie = 4 * (INTEGRATE_FIRE_FORWARD_BOUND + ElementOf<Element>::rounding);
  std::vector<double> decided(size.steps), h(size.steps);
  Difference membranes, potential_difference;
  size_t wrong = 0;
  for (size_t n = 0; n < size.neurons; ++n) {
    double v = start[n];
    integrate_fire_forward_reference(neuron.reference, size.steps, stride, &input[n], &spikes[n], tie, &v,
                                     decided.data(), h.data());
    membranes.add(end[n], v);
    for (int t = 0; t < size.steps; ++t) {
      const float spiked = spikes[t * stride + n];
      wrong += spiked != decided[t];
      cost.add_spike(spiked);
      if (Save)
        potential_difference.add(potentials[t * stride + n], h[t]);
    }
  }
  if (wrong)
    cases.fail("%zu spikes are wrong", wrong);
  membranes.expect(cases, "membranes", INTEGRATE_FIRE_FORWARD_BOUND);
  potential_difference.expect(cases, "potentials",
                              INTEGRATE_FIRE_FORWARD_BOUND + ElementOf<Element>::rounding);
  cases.end(cost);
}

template <typename Element, SnnCharge Charge, SnnReset Reset, bool Detach, SnnLayout Layout,
          typename Surrogate>
void check_backward(Cases &cases, Random &random, Size size, Surrogate surrogate, bool sigmoid, float alpha) {
  const size_t stride = size.neurons + size.padding;
  Neuron neuron(Charge, Reset, Detach, 2.5f, 1.0f, Reset == SnnHardReset ? -0.125f : 0.0f);
  neuron.reference.sigmoid = sigmoid;
  neuron.reference.alpha = alpha;
  const std::vector<Element> gradient_elements = random_elements<Element>(random, size, -1.0f, 1.0f);
  const std::vector<Element> potential_elements = random_elements<Element>(random, size, -1.0f, 2.5f);
  const std::vector<float> gradient = to_values(gradient_elements), potential = to_values(potential_elements);
  const std::vector<float> end = random_values(random, size.neurons, -1.0f, 1.0f);
  Array<Element> device_gradient(gradient_elements), device_potential(potential_elements);
  Array<Element> input_gradient(stride * size.steps);
  Array<float> membrane_gradient(end);

  const std::string more = std::string(Detach ? " detached" : "") + (sigmoid ? ", sigmoid" : ", atan");
  cases.begin(title("backward", Charge, Reset, more.c_str(), ElementOf<Element>::name, size));
  integrate_fire_backward<Charge, Reset, Detach, Layout, Element>
      <<<(unsigned)snn_blocks(size.neurons, Layout, sizeof(Element), kBlock), kBlock>>>(
          device_gradient.get(), device_potential.get(), membrane_gradient.get(), input_gradient.get(),
          size.neurons, stride, size.steps, neuron.p, surrogate);
  cases.launched();

  const std::vector<float> result = to_values(input_gradient.read()), start = membrane_gradient.read();
  std::vector<double> expected(size.steps);
  Difference inputs, membranes;
  for (size_t n = 0; n < size.neurons; ++n) {
    double g_v = end[n];
    integrate_fire_backward_reference(neuron.reference, size.steps, stride, &gradient[n], &potential[n], &g_v,
                                      expected.data());
    membranes.add(start[n], g_v);
    for (int t = 0; t < size.steps; ++t)
      inputs.add(result[t * stride + n], expected[t]);
  }
  membranes.expect(cases, "membrane gradients", INTEGRATE_FIRE_BACKWARD_BOUND);
  inputs.expect(cases, "input gradients", INTEGRATE_FIRE_BACKWARD_BOUND + ElementOf<Element>::rounding);
  cases.end(integrate_fire_backward_cost<Surrogate>(Charge, Reset, Detach, Layout, size.neurons, stride,
                                                    size.steps, sizeof(Element), kBlock));
}

/* Sizes for rows beginning anywhere, and for rows beginning at multiples of 16 bytes. */
const Size kUnaligned[] = {{1, 0, 1},   {1, 0, 5},    {3, 2, 2},
                           {259, 0, 4}, {1031, 0, 3}, {64 * 8 * 2 + 1, 6, 2}};

std::vector<Size> aligned_sizes(size_t element_bytes) {
  std::vector<Size> sizes;
  for (Size size : {Size{1, 0, 1}, Size{7, 0, 4}, Size{8, 0, 16}, Size{253, 0, 3}, Size{1024, 0, 2},
                    Size{1003, 0, 5}, Size{4096, 0, 4}}) {
    size.padding = snn_aligned_stride(size.neurons, element_bytes) - size.neurons;
    sizes.push_back(size);
  }
  return sizes;
}

template <typename Element, SnnCharge Charge, SnnReset Reset>
void check_neuron(Cases &cases, Random &random) {
  const AtanSurrogate atan = atan_surrogate(2.0f);
  const SigmoidSurrogate sigmoid = sigmoid_surrogate(4.0f);
  for (Size size : aligned_sizes(sizeof(Element))) {
    check_forward<Element, Charge, Reset, true, SnnAligned>(cases, random, size);
    check_backward<Element, Charge, Reset, false, SnnAligned>(cases, random, size, atan, false, 2.0f);
    check_backward<Element, Charge, Reset, true, SnnAligned>(cases, random, size, atan, false, 2.0f);
    check_backward<Element, Charge, Reset, false, SnnAligned>(cases, random, size, sigmoid, true, 4.0f);
  }
}

template <typename Element> void check_element(Cases &cases, Random &random) {
  check_neuron<Element, SnnIf, SnnHardReset>(cases, random);
  check_neuron<Element, SnnIf, SnnSoftReset>(cases, random);
  check_neuron<Element, SnnDecayInput, SnnHardReset>(cases, random);
  check_neuron<Element, SnnDecayInput, SnnSoftReset>(cases, random);
  check_neuron<Element, SnnKeepInput, SnnHardReset>(cases, random);
  check_neuron<Element, SnnKeepInput, SnnSoftReset>(cases, random);
  for (Size size : aligned_sizes(sizeof(Element))) {
    check_forward<Element, SnnDecayInput, SnnHardReset, false, SnnAligned>(cases, random, size);
    check_forward<Element, SnnDecayInput, SnnSoftReset, true, SnnAligned, signed char>(cases, random, size);
  }
  for (Size size : kUnaligned) {
    check_forward<Element, SnnDecayInput, SnnHardReset, true, SnnUnaligned>(cases, random, size);
    check_forward<Element, SnnKeepInput, SnnSoftReset, false, SnnUnaligned>(cases, random, size);
    check_forward<Element, SnnIf, SnnHardReset, true, SnnUnaligned, signed char>(cases, random, size);
    check_backward<Element, SnnKeepInput, SnnHardReset, true, SnnUnaligned>(
        cases, random, size, sigmoid_surrogate(4.0f), true, 4.0f);
  }
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(1);
  check_element<float>(cases, random);
  check_element<SnnHalf>(cases, random);
  check_element<SnnBfloat16>(cases, random);
  return cases.finish();
}
