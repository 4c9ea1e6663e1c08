// Attention in fp32 by tiles: right, and as costly as the formula says, also at lengths that fill no tile.
// RUN: %cases
#include "cases.h"

#include "../../kernels/attention/attention_reference.h"
#include "../../kernels/attention/attention_tiled.cuh"

enum { kSize = 64 };

static std::vector<float> uniforms(Random &random, size_t count) {
  std::vector<float> values(count);
  for (float &value : values)
    value = random.uniform(-1, 1);
  return values;
}

static void check(Cases &cases, size_t heads, size_t length, bool causal) {
  Random random(1);
  const float scale = 0.125f;
  const std::vector<float> query = uniforms(random, heads * length * kSize),
                           key = uniforms(random, heads * length * kSize),
                           value = uniforms(random, heads * length * kSize);
  const Array<float> q(query), k(key), v(value), out(query.size());
  cases.begin("length " + std::to_string(length) + (causal ? ", causal" : ""));
  attention_tiled<kSize><<<dim3((unsigned)ceil_div(length, kTiledRows), (unsigned)heads), kTiledRows>>>(
      q.get(), k.get(), v.get(), out.get(), (int)length, scale, causal);
  cases.launched();

  const std::vector<float> found = out.read();
  std::vector<double> scores(length), weights(length), expected(kSize);
  Difference difference;
  for (size_t row = 0; row < heads * length; ++row) {
    const size_t head = row / length * length;
    attention_reference(&query[row * kSize], &key[head * kSize], &value[head * kSize],
                        causal ? row - head + 1 : length, kSize, scale, scores.data(), weights.data(),
                        expected.data());
    for (size_t i = 0; i < kSize; ++i)
      difference.add(found[row * kSize + i], expected[i]);
  }
  difference.expect(cases, "outputs", ATTENTION_BOUND);
  const AttentionTiledCost cost = attention_tiled_cost(heads, length, kSize, causal);
  cases.expect("attention_tiled", cost.whole,
               {{"attention.tiled", cost.whole},
                {"attention.scores", cost.scores},
                {"attention.softmax", cost.softmax},
                {"attention.values", cost.values}});
  cases.end(cost.whole);
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  for (const bool causal : {false, true})
    for (const size_t length : {1, 77, 192})
      check(cases, 2, length, causal);
  return cases.finish();
}
