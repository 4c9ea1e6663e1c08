// Attention as three kernels by tiles, causal and not, against the reference in double: lengths and sizes that fill no tile.
// RUN: %cases
#include "row_checks.h"

#include "../../kernels/attention/attention_coalesced.cuh"
#include "../../kernels/attention/attention_reference.h"

namespace {

template <bool Causal, RowLayout Layout, typename Element>
void check(Cases &cases, Random &random, int heads, int length, int size) {
  const size_t values = (size_t)heads * length * size, pairs = (size_t)heads * length * length;
  const float scale = 0.3f;
  const std::vector<Element> query = random_elements<Element>(random, values, -1, 1),
                             key = random_elements<Element>(random, values, -1, 1),
                             value = random_elements<Element>(random, values, -1, 1);
  Array<Element> d_query(query), d_key(key), d_value(value), d_scores(pairs), d_weights(pairs),
      d_output(values);
  const SoftmaxShape shape =
      softmax_shape((size_t)heads * length, length, length, scale, Causal ? length : 0);
  const RowTeams t = {32, 2, 2, 3};
  const unsigned rows = (unsigned)ceil_div(length, kCoalescedTile);
  cases.begin(format("three kernels%s, %s, %d heads, length %d, size %d", Causal ? ", causal" : "",
                     ElementOf<Element>::name, heads, length, size));
  attention_coalesced_scores<Causal, Element><<<dim3(rows, rows, heads), kProductThreads>>>(
      d_query.get(), d_key.get(), d_scores.get(), length, size);
  softmax_forward<Layout, 2, Element>
      <<<t.blocks, dim3(t.threads, t.teams)>>>(d_scores.get(), d_weights.get(), shape);
  attention_coalesced_values<Causal, Element>
      <<<dim3((unsigned)ceil_div(size, kProductColumns), rows, heads), kProductThreads>>>(
          d_weights.get(), d_value.get(), d_output.get(), length, size);
  cases.launched();
  const std::vector<float> q = to_values(query), k = to_values(key), v = to_values(value),
                           o = to_values(d_output.read());
  std::vector<double> scores(length), weights(length), expected(size);
  Difference error;
  for (int h = 0; h < heads; ++h)
    for (int r = 0; r < length; ++r) {
      const size_t head = (size_t)h * length * size, at = head + (size_t)r * size;
      attention_reference(&q[at], &k[head], &v[head], Causal ? r + 1 : length, size, scale, scores.data(),
                          weights.data(), expected.data());
      for (int i = 0; i < size; ++i)
        error.add(o[at + i], expected[i]);
    }
  error.expect(cases, "outputs",
               ATTENTION_BOUND + 3 * ElementOf<Element>::rounding); // scores and weights are rounded, too
  cases.end(attention_coalesced_scores_cost(Causal, heads, length, size, sizeof(Element)) +
            softmax_forward_cost(Layout, shape, t, sizeof(Element)) +
            attention_coalesced_values_cost(Causal, heads, length, size, sizeof(Element)));
}

template <typename Element> void check_element(Cases &cases, Random &random) {
  check<false, RowAligned, Element>(cases, random, 2, 72, 40);
  check<true, RowAligned, Element>(cases, random, 1, 200, 72);
  check<true, RowUnaligned, Element>(cases, random, 2, 67, 17);
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(13);
  check_element<float>(cases, random);
  check_element<Fp16>(cases, random);
  check_element<Bf16>(cases, random);
  return cases.finish();
}
