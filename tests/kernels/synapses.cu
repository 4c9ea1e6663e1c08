// Currents of recurrent networks: right, and as costly as spikes and connectivity say.
// RUN: %cases
#include "layer_checks.h"

#include "../../kernels/snn/events_reference.h"
#include "../../kernels/snn/synapses.cuh"
#include "../../kernels/snn/synapses_reference.h"

enum { kSteps = 9, kSlots = 5, kBlocks = 3, kStepBlock = 64 };
static const float kDecay = 0.875f;

/* The network on the device, by source and by target. */
struct Network {
  const Connectivity &c;
  Incoming in;
  std::vector<float> in_weight;
  std::vector<unsigned char> in_delay;
  Device<int> offset, target, in_offset, in_source;
  Device<float> weight, in_weights;
  Device<unsigned char> delay, in_delays;

  explicit Network(const Connectivity &c)
      : c(c), in(incoming_of(c, c.sources())), in_weight(by_target(c.weight)), in_delay(by_target(c.delay)),
        offset(c.offset), target(c.target), in_offset(in.offset), in_source(in.source), weight(c.weight),
        in_weights(in_weight), delay(c.delay), in_delays(in_delay) {}

private:
  template <class T> std::vector<T> by_target(const std::vector<T> &values) const {
    std::vector<T> result;
    for (int s : in.synapse)
      result.push_back(values[s]);
    return result;
  }
};

static void compare(Checks &checks, const std::string &what, const Device<float> &current,
                    const std::vector<double> &expected) {
  std::vector<float> values = current.read();
  Comparison comparison;
  for (size_t i = 0; i < values.size(); ++i)
    comparison.add(values[i], expected[i]);
  checks.compare(what, comparison, SYNAPSES_BOUND);
}

template <bool Delays>
static void check_network(Checks &checks, Random &random, const Connectivity &c, double rate,
                          const std::string &name) {
  const int neurons = c.sources(), words = (int)ceil_div(neurons, kWarp);
  Network net(c);
  Device<float> delivered(neurons), gathered(neurons), arriving((size_t)kSlots * neurons);
  Device<unsigned> fired((size_t)kSlots * words);
  delivered.clear(), gathered.clear(), arriving.clear(), fired.clear();
  std::vector<unsigned> bits((size_t)kSlots * words);
  std::vector<std::vector<signed char>> history;
  std::vector<double> expected(neurons);
  for (int step = 0; step < kSteps; ++step) {
    expected = synapses_reference(c, history, expected, kDecay, Delays);
    synapse_step<<<(unsigned)ceil_div(neurons, kStepBlock), kStepBlock>>>(
        delivered, arriving + (size_t)(step % kSlots) * neurons, neurons, kDecay);
    ClosedForm cost = synapse_step_cost(neurons, kStepBlock);
    // A slot begins anywhere in a sector.
    Sectors slot;
    slot.add(4 * (uint64_t)(step % kSlots) * neurons, 4 * neurons);
    cost.unique = sectors_of(4 * neurons) + slot.bytes();
    checks.expect("synapse_step", "synapses.step", cost);

    synapse_gather<Delays><<<(unsigned)ceil_div(neurons, kGatherTargets * kEventWarps), kEventBlock>>>(
        fired, net.in_offset, net.in_source, net.in_weights,
        Delays ? (unsigned char *)net.in_delays : nullptr, gathered, neurons, step, kSlots, kDecay);
    checks.expect("synapse_gather", "synapses.gather",
                  synapse_gather_cost(net.in, Delays ? net.in_delay : std::vector<unsigned char>(), bits,
                                      step, kSlots));

    history.push_back(random_spikes(random, neurons, rate));
    const std::vector<int> list = events_reference(history.back().data(), neurons);
    const std::vector<int> number = {(int)list.size()};
    Device<int> events(list), count(number);
    synapse_deliver<Delays><<<kBlocks, kEventBlock>>>(events, count, net.offset, net.target, net.weight,
                                                      Delays ? (unsigned char *)net.delay : nullptr, arriving,
                                                      neurons, step, kSlots);
    checks.expect("synapse_deliver", "synapses.deliver",
                  synapse_deliver_cost(c, neurons, list, Delays, step, kSlots, kBlocks));
    const std::vector<unsigned> now = bits_reference(history.back().data(), neurons, 1);
    std::copy(now.begin(), now.end(), &bits[(size_t)(step % kSlots) * words]);
    check(cudaMemcpy(fired + (size_t)(step % kSlots) * words, now.data(), 4 * words, cudaMemcpyHostToDevice),
          "bits");
  }
  compare(checks, "synapse_deliver, synapse_step " + name, delivered, expected);
  compare(checks, "synapse_gather " + name, gathered, expected);
}

static void check_both(Checks &checks, Random &random, Connectivity c, const std::string &name) {
  for (float &weight : c.weight)
    weight = random.uniform();
  for (unsigned char &delay : c.delay)
    delay = (unsigned char)(1 + random.bits() % (kSlots - 1));
  for (double rate : kRates) {
    check_network<false>(checks, random, c, rate, name + text(" at %g", rate));
    check_network<true>(checks, random, c, rate, name + text(" at %g, delays", rate));
  }
}

int main(int count, char **arguments) {
  Checks checks(count, arguments);
  Random random(6);
  const int sizes[][2] = {{1, 1}, {33, 5}, {1003, 40}, {300, 129}};
  for (const int(&size)[2] : sizes)
    check_both(checks, random,
               fixed_out_degree(size[0], size[1], size[0], [&](int n) { return (int)(random.bits() % n); }),
               text("%d neurons of %d synapses", size[0], size[1]));
  for (int percent : {1, 10})
    check_both(checks, random,
               random_pairs(201, 201, [&] { return random.bits() % 100 < (unsigned)percent; }),
               text("201 neurons, %d %% of pairs", percent));
  return checks.finish();
}
