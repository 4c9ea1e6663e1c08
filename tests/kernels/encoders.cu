// Rate, latency and level encoders: spikes equal to the reference, on every device, and
// to the random generator's published words; rates near their probabilities. RUN: %cases
#include "cases.h"
#include "elements.h"

#include "../../kernels/snn/encoders.cuh"
#include "../../kernels/snn/encoders_reference.h"

namespace {

enum { kBlock = 64 };

struct Size {
  size_t neurons, padding; /* stride = neurons + padding */
  int steps;
};

__global__ void philox_words(uint64_t low, uint64_t high, uint64_t key, PhiloxBlock *block) {
  *block = philox(low, high, key);
}

/* The words published by the generator's authors (kat_vectors of Random123). */
void check_generator(Cases &cases) {
  const struct {
    uint64_t low, high, key;
    PhiloxBlock words;
  } known[] = {
      {0, 0, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
      {~0ull, ~0ull, ~0ull, {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
      {0x85a308d3243f6a88,
       0x0370734413198a2e,
       0x299f31d0a4093822,
       {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
  };
  Array<PhiloxBlock> block(1);
  ClosedForm cost = {};
  cases.begin("philox, published words");
  for (const auto &k : known) {
    philox_words<<<1, 1>>>(k.low, k.high, k.key, block.get());
    const PhiloxBlock device = block.read()[0], host = philox(k.low, k.high, k.key);
    if (memcmp(&device, &k.words, sizeof device) || memcmp(&host, &k.words, sizeof host))
      cases.fail("wrong words: %08x %08x", device.word[0], host.word[0]);
    ++cost.launches, ++cost.threads, cost.global_store += 16, cost.unique += 32;
  }
  cases.launched();
  cases.end(cost);
}

template <typename Element, SnnLayout Layout, typename Spike = Element, typename Encoder, typename Reference>
void check_encoder(Cases &cases, const char *name, Random &random, Size size, Encoder encoder,
                   Reference reference) {
  const size_t stride = size.neurons + size.padding;
  std::vector<float> value(size.neurons);
  for (float &x : value)
    x = random.uniform(-0.1f, 1.1f);
  Array<float> device_value(value);
  Array<Spike> spike(stride * size.steps);
  char title[200];
  snprintf(title, sizeof title, "%s, %s, %zu neurons + %zu, %d steps", name, ElementOf<Element>::name,
           size.neurons, size.padding, size.steps);
  cases.begin(title);
  encode<Layout, Element><<<(unsigned)snn_blocks(size.neurons, Layout, sizeof(Element), kBlock), kBlock>>>(
      device_value.get(), spike.get(), size.neurons, stride, size.steps, encoder);
  cases.launched();

  ClosedForm cost =
      encode_cost<Encoder>(Layout, size.neurons, stride, size.steps, sizeof(Element), sizeof(Spike), kBlock);
  const std::vector<float> spikes = to_values(spike.read());
  size_t wrong = 0;
  for (size_t n = 0; n < size.neurons; ++n)
    for (int t = 0; t < size.steps; ++t) {
      const float spiked = spikes[t * stride + n];
      wrong += spiked != (reference(value[n], n, t, size.steps) ? 1.0f : 0.0f);
      cost.add_spike(spiked);
    }
  if (wrong)
    cases.fail("%zu spikes are wrong", wrong);
  cases.end(cost);
}

template <typename Element, SnnLayout Layout> void check_size(Cases &cases, Random &random, Size size) {
  const uint64_t seed = 0x123456789abcdef0 + size.neurons;
  check_encoder<Element, Layout>(
      cases, "rate", random, size, RateEncoder{seed},
      [=](float x, size_t n, int t, int) { return rate_reference(x, n, t, seed); });
  check_encoder<Element, Layout>(
      cases, "latency", random, size, LatencyEncoder{},
      [](float x, size_t, int t, int steps) { return latency_reference(x, t, steps); });
  check_encoder<Element, Layout>(
      cases, "level", random, size, LevelEncoder{},
      [](float x, size_t, int t, int steps) { return level_reference(x, t, steps); });
}

/* Values of one rate: the share of spikes lies within five standard deviations. */
void check_rate(Cases &cases, float rate) {
  const size_t neurons = 4096;
  const int steps = 16;
  Array<float> value(std::vector<float>(neurons, rate)), spike(neurons * steps);
  char title[100];
  snprintf(title, sizeof title, "share of spikes at rate %g", rate);
  cases.begin(title);
  encode<SnnAligned, float><<<(unsigned)snn_blocks(neurons, SnnAligned, 4, kBlock), kBlock>>>(
      value.get(), spike.get(), neurons, neurons, steps, RateEncoder{7});
  cases.launched();
  ClosedForm cost = encode_cost<RateEncoder>(SnnAligned, neurons, neurons, steps, 4, 4, kBlock);
  for (float spiked : spike.read())
    cost.add_spike(spiked);
  const double count = neurons * steps, deviation = sqrt(rate * (1 - rate) / count);
  if (fabs(cost.spikes_positive / count - rate) > 5 * deviation)
    cases.fail("it is %g", cost.spikes_positive / count);
  cases.end(cost);
}

template <typename Element> void check_element(Cases &cases, Random &random) {
  for (Size size : {Size{1, 0, 1}, Size{7, 0, 16}, Size{1003, 0, 5}, Size{2048, 0, 4}}) {
    check_size<Element, SnnUnaligned>(cases, random, size);
    size.neurons += 2; // no case comes twice
    size.padding = snn_aligned_stride(size.neurons, sizeof(Element)) - size.neurons;
    check_size<Element, SnnAligned>(cases, random, size);
  }
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(3);
  check_generator(cases);
  for (float rate : {0.0f, 0.02f, 0.3f, 0.9f, 1.0f})
    check_rate(cases, rate);
  check_element<float>(cases, random);
  check_element<SnnHalf>(cases, random);
  check_element<SnnBfloat16>(cases, random);
  return cases.finish();
}
