// ST-BIF neurons against their definition in plain C, forward and backward: head starts of 0, 0.25 and 0.5,
// both conventions of levels, fp32, fp16 and bf16, both layouts. RUN: %cases
#include "cases.h"
#include "elements.h"

#include "../../kernels/snn/stbif_multistep.cuh"
#include "../../kernels/snn/stbif_reference.h"

namespace {

enum { kBlock = 64 };

struct Size {
  size_t neurons, padding; /* stride = neurons + padding */
  int steps;
};

struct Neuron {
  float threshold, prefire;
  int level;
  bool symmetric;

  StbifParameters parameters() const {
    return stbif_parameters(threshold, stbif_trace_min(level, symmetric), stbif_trace_max(level, symmetric),
                            prefire);
  }
};

const StbifSurrogate kPotentialSurrogate = {1.25f, -4.0f}, kTraceSurrogate = {1.5f, -3.0f};

template <typename Element>
std::vector<Element> random_elements(Random &random, Size size, float low, float high) {
  std::vector<float> values((size.neurons + size.padding) * size.steps);
  for (float &value : values)
    value = random.uniform(low, high);
  return to_elements<Element>(values);
}

template <typename Element> std::string title(const char *what, const Neuron &neuron, Size size) {
  char text[200];
  snprintf(text, sizeof text, "%s, prefire %g, %d levels%s, %s, %zu neurons + %zu, %d steps", what,
           neuron.prefire, neuron.level, neuron.symmetric ? " symmetric" : "", ElementOf<Element>::name,
           size.neurons, size.padding, size.steps);
  return text;
}

template <typename Element, SnnLayout Layout>
void check_neuron(Cases &cases, Random &random, const Neuron &neuron, Size size) {
  const size_t stride = size.neurons + size.padding, all = stride * size.steps;
  const unsigned blocks = (unsigned)snn_blocks(size.neurons, Layout, sizeof(Element), kBlock);
  const StbifParameters p = neuron.parameters();
  const float membrane_start = stbif_membrane_start(neuron.threshold, neuron.prefire);
  const double rounding = ElementOf<Element>::rounding;
  const std::vector<Element> input_elements = random_elements<Element>(random, size, -1.0f, 1.2f);
  const std::vector<float> input = to_values(input_elements);
  Array<Element> device_input(input_elements), output(all), potential(all), trace(all);
  Array<float> membrane(size.neurons);

  cases.begin(title<Element>("forward", neuron, size));
  stbif_multistep_forward<Layout, Element>
      <<<blocks, kBlock>>>(device_input.get(), output.get(), potential.get(), trace.get(), membrane.get(),
                           size.neurons, stride, size.steps, membrane_start, 0.0f, p);
  cases.launched();

  ClosedForm cost =
      stbif_multistep_forward_cost(Layout, size.neurons, stride, size.steps, sizeof(Element), kBlock);
  const std::vector<float> outputs = to_values(output.read()), potentials = to_values(potential.read());
  const std::vector<float> traces = to_values(trace.read()), membranes = membrane.read();
  std::vector<double> spike(size.steps), h(size.steps), traced(size.steps);
  Difference membrane_difference, potential_difference;
  size_t wrong = 0;
  for (size_t n = 0; n < size.neurons; ++n) {
    const double v = stbif_definition(neuron.threshold, neuron.prefire, neuron.level, neuron.symmetric,
                                      size.steps, stride, &input[n], spike.data(), h.data(), traced.data(),
                                      4 * (STBIF_DEFINITION_BOUND + rounding), &outputs[n]);
    membrane_difference.add(membranes[n], v);
    for (int t = 0; t < size.steps; ++t) {
      const size_t i = t * stride + n;
      wrong += outputs[i] !=
               (float)spike[t] * ElementOf<Element>::value(ElementOf<Element>::element(neuron.threshold));
      wrong += traces[i] != traced[t];
      potential_difference.add(potentials[i], h[t]);
      cost.add_spike(outputs[i]);
    }
  }
  if (wrong)
    cases.fail("%zu outputs and traces are wrong", wrong);
  membrane_difference.expect(cases, "membranes", STBIF_DEFINITION_BOUND);
  potential_difference.expect(cases, "potentials", STBIF_DEFINITION_BOUND + rounding);
  cases.end(cost);

  // Backward, from the forward pass's state.
  const std::vector<Element> gradient_elements = random_elements<Element>(random, size, -1.0f, 1.0f);
  const std::vector<float> gradient = to_values(gradient_elements);
  Array<Element> device_gradient(gradient_elements), input_gradient(all);
  Array<float> start_gradient(size.neurons);
  cases.begin(title<Element>("backward", neuron, size));
  stbif_multistep_backward<Layout, Element><<<blocks, kBlock>>>(
      device_gradient.get(), potential.get(), trace.get(), input_gradient.get(), start_gradient.get(),
      size.neurons, stride, size.steps, 0.0f, p, kPotentialSurrogate, kTraceSurrogate);
  cases.launched();

  const StbifReference reference = {p.threshold,
                                    membrane_start,
                                    0,
                                    p.trace_min,
                                    p.trace_max,
                                    p.give_back,
                                    kPotentialSurrogate.amplitude,
                                    -(double)kPotentialSurrogate.negative_sharpness,
                                    kTraceSurrogate.amplitude,
                                    -(double)kTraceSurrogate.negative_sharpness};
  const std::vector<float> results = to_values(input_gradient.read()), starts = start_gradient.read();
  std::vector<double> expected(size.steps);
  Difference inputs, start_difference;
  for (size_t n = 0; n < size.neurons; ++n) {
    start_difference.add(starts[n], stbif_backward_reference(reference, size.steps, stride, &gradient[n],
                                                             &potentials[n], &traces[n], expected.data()));
    for (int t = 0; t < size.steps; ++t)
      inputs.add(results[t * stride + n], expected[t]);
  }
  start_difference.share_scale(inputs); // it is almost 0 where the trace is far from its ends
  start_difference.expect(cases, "gradients of the first trace", STBIF_BACKWARD_BOUND);
  inputs.expect(cases, "input gradients", STBIF_BACKWARD_BOUND + rounding);
  cases.end(stbif_multistep_backward_cost(Layout, size.neurons, stride, size.steps, sizeof(Element), kBlock));
}

template <typename Element> void check_element(Cases &cases, Random &random) {
  for (float prefire : {0.0f, 0.25f, 0.5f})
    for (bool symmetric : {false, true})
      for (int level : {2, 8, 15})
        for (Size size : {Size{1, 0, 1}, Size{5, 0, 21}, Size{517, 0, 6}}) {
          const Neuron neuron = {0.75f, prefire, level, symmetric};
          check_neuron<Element, SnnUnaligned>(cases, random, neuron, size);
          size.neurons += 32; // no case comes twice
          size.padding = snn_aligned_stride(size.neurons, sizeof(Element)) - size.neurons;
          check_neuron<Element, SnnAligned>(cases, random, neuron, size);
        }
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(2);
  check_element<float>(cases, random);
  check_element<SnnHalf>(cases, random);
  check_element<SnnBfloat16>(cases, random);
  return cases.finish();
}
