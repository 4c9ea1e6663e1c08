// Plasticity by the times of spikes, dense and by events: right, and as costly as spikes and connectivity say.
// RUN: %cases
#include "layer_checks.h"

#include "../../kernels/snn/events_reference.h"
#include "../../kernels/snn/stdp.cuh"
#include "../../kernels/snn/stdp_reference.h"

enum { kSteps = 12, kBlocks = 3, kTraceBlock = 64 };
static const float kDecay = 0.875f;
static const StdpParameters kParameters = {0.0625f, 0.05f, 0.0f, 1.0f};

/* Neurons of a population: spikes and traces on both sides. */
struct Population {
  int neurons;
  std::vector<signed char> now;
  std::vector<double> expected;
  Device<float> trace;

  explicit Population(int neurons) : neurons(neurons), expected(neurons), trace(neurons) { trace.clear(); }
  void fire(Random &random, double rate) { now = random_spikes(random, neurons, rate); }
  void end_step(Checks &checks) {
    Device<signed char> spikes(now);
    stdp_traces<<<(unsigned)ceil_div(neurons, kTraceBlock), kTraceBlock>>>(spikes, trace, neurons, kDecay);
    checks.expect("stdp_traces", "stdp.traces", stdp_traces_cost(neurons, kTraceBlock));
    stdp_traces_reference(now.data(), expected, kDecay);
  }
};

static void compare(Checks &checks, const std::string &what, const Device<float> &values,
                    const std::vector<double> &expected) {
  std::vector<float> read = values.read();
  Comparison comparison;
  for (size_t i = 0; i < read.size(); ++i)
    comparison.add(read[i], expected[i]);
  checks.compare(what, comparison, STDP_BOUND);
}

static std::vector<float> weights(Random &random, size_t number) {
  std::vector<float> values(number);
  for (float &value : values)
    value = 0.5f + 0.5f * random.uniform();
  return values;
}

static void check_dense(Checks &checks, Random &random, int inputs, int outputs, double rate) {
  Population sources(inputs), targets(outputs);
  const std::vector<float> start = weights(random, (size_t)inputs * outputs);
  std::vector<double> expected(start.begin(), start.end());
  Device<float> weight(start);
  for (int step = 0; step < kSteps; ++step) {
    sources.fire(random, rate), targets.fire(random, rate);
    Device<signed char> before(sources.now), after(targets.now);
    stdp_dense<<<dim3((unsigned)ceil_div(outputs, kEventBlock), inputs), kEventBlock>>>(
        before, after, sources.trace, targets.trace, weight, outputs, kParameters);
    checks.expect("stdp_dense", "stdp.dense",
                  stdp_dense_cost(sources.now.data(), targets.now.data(), inputs, outputs));
    for (int i = 0; i < inputs; ++i)
      for (int j = 0; j < outputs; ++j)
        expected[(size_t)i * outputs + j] =
            stdp_reference(kParameters, expected[(size_t)i * outputs + j], sources.now[i], targets.now[j],
                           sources.expected[i], targets.expected[j]);
    sources.end_step(checks), targets.end_step(checks);
  }
  compare(checks, text("stdp_dense %d x %d at %g", inputs, outputs, rate), weight, expected);
  compare(checks, text("stdp_traces %d at %g", inputs, rate), sources.trace, sources.expected);
}

static void check_events(Checks &checks, Random &random, int neurons, int degree, double rate) {
  const Connectivity c =
      fixed_out_degree(neurons, degree, neurons, [&](int n) { return (int)(random.bits() % n); });
  const Incoming in = incoming_of(c, neurons);
  const std::vector<float> start = weights(random, c.synapses());
  std::vector<double> expected(start.begin(), start.end());
  Population population(neurons);
  Device<int> offset(c.offset), target(c.target), in_offset(in.offset), source(in.source),
      synapse(in.synapse);
  Device<float> weight(start);
  for (int step = 0; step < kSteps; ++step) {
    population.fire(random, rate);
    const std::vector<int> list = events_reference(population.now.data(), neurons),
                           number = {(int)list.size()};
    Device<int> events(list), count(number);
    stdp_depress<<<kBlocks, kEventBlock>>>(events, count, offset, target, population.trace, weight,
                                           kParameters);
    checks.expect("stdp_depress", "stdp.depress", stdp_depress_cost(c, list, kBlocks));
    stdp_potentiate<<<kBlocks, kEventBlock>>>(events, count, in_offset, source, synapse, population.trace,
                                              weight, kParameters);
    checks.expect("stdp_potentiate", "stdp.potentiate", stdp_potentiate_cost(in, list, kBlocks));
    for (int n = 0; n < neurons; ++n)
      for (int s = c.offset[n]; s < c.offset[n + 1]; ++s)
        expected[s] = stdp_reference(kParameters, expected[s], population.now[n], population.now[c.target[s]],
                                     population.expected[n], population.expected[c.target[s]]);
    population.end_step(checks);
  }
  compare(checks, text("stdp by events, %d neurons of %d synapses at %g", neurons, degree, rate), weight,
          expected);
}

int main(int count, char **arguments) {
  Checks checks(count, arguments);
  Random random(7);
  const int sizes[][2] = {{1, 1}, {33, 5}, {129, 300}, {300, 40}};
  for (const int(&size)[2] : sizes)
    for (double rate : kRates) {
      check_dense(checks, random, size[0], size[1], rate);
      check_events(checks, random, size[0], size[1], rate);
    }
  return checks.finish();
}
