// The backward pass of attention on tensor cores: right, and as costly as the formula says.
// RUN: %cases
#include "attention_checks.h"

#include "../../kernels/attention/attention.cuh"

template <typename Element, class Tile, bool ForKeys>
static ClosedForm expect(Cases &cases, const AttentionShape &shape) {
  const BackwardCost cost = attention_backward_cost<Element, Tile, ForKeys>(shape);
  cases.expect("attention_backward", cost.whole,
               {{"attention.backward", cost.whole},
                {"attention.backward.scores", cost.scores},
                {"attention.backward.softmax", cost.softmax},
                {"attention.backward.gradients", cost.gradients}});
  return cost.whole;
}

/* What the forward pass leaves, from the reference. */
template <typename Element>
static void forward(AttentionData<Element> &data, Array<float> &logsumexp, Array<Element> &output) {
  std::vector<float> sums;
  std::vector<Element> outputs;
  std::vector<double> weights(data.shape.keys), values(data.size);
  for (size_t row = 0; row < data.rows(); ++row) {
    const size_t keys = data.keys_of(row);
    sums.push_back((float)attention_row_weights(&data.query.values[row * data.size], &data.key.values[keys],
                                                data.seen(row), data.size, data.scale, weights.data()));
    attention_row_values(weights.data(), &data.value.values[keys], data.seen(row), data.size, values.data());
    for (double value : values)
      outputs.push_back(AttentionElement<Element>::element((float)value));
  }
  cudaMemcpy(logsumexp.get(), sums.data(), sums.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(output.get(), outputs.data(), outputs.size() * sizeof(Element), cudaMemcpyHostToDevice);
}

template <typename Element, int Size>
static void check(Cases &cases, const char *what, const AttentionShape &shape) {
  typedef AttentionTiles<Size> Tiles;
  AttentionData<Element> data(shape, Size);
  Array<BackwardRow> rows(data.rows());
  forward(data, data.logsumexp, data.output);
  cases.begin(data.name(what));
  if (attention_gradients<Element, Size>({data.query.get(), data.key.get(), data.value.get(),
                                          data.output.get(), data.output_gradient.get(), data.logsumexp.get(),
                                          rows.get(), data.query_gradient.get(), data.key_gradient.get(),
                                          data.value_gradient.get(), shape, data.scale},
                                         nullptr))
    cases.fail("no launch");
  cases.launched();
  data.compare_backward(cases);
  const ClosedForm of_rows = attention_backward_rows_cost<Size>(data.rows());
  cases.expect("attention_backward_rows", of_rows, {{"attention.backward.rows", of_rows}});
  cases.end(of_rows + expect<Element, typename Tiles::OfKeys, true>(cases, backward_shape(shape)) +
            expect<Element, typename Tiles::OfQueries, false>(cases, shape));
}

template <typename Element, int Size> static void check_all(Cases &cases) {
  const int all = kAttentionAll;
  check<Element, Size>(cases, "whole tiles", {1, 1, 1, 128, 128, all, all});
  check<Element, Size>(cases, "odd", {1, 2, 2, 77, 133, all, all});
  check<Element, Size>(cases, "causal", {2, 2, 1, 141, 141, all, 0});
  check<Element, Size>(cases, "causal, more keys", {1, 1, 1, 33, 200, all, 0});
  check<Element, Size>(cases, "causal, more queries", {1, 1, 1, 200, 33, all, 0});
  check<Element, Size>(cases, "grouped queries", {1, 4, 2, 65, 65, all, all});
  check<Element, Size>(cases, "window", {1, 1, 1, 300, 300, 70, 0});
  if (!cases.large())
    return;
  check<Element, Size>(cases, "large, causal", {1, 2, 1, 1000, 1024, all, 0});
  check<Element, Size>(cases, "large", {1, 2, 2, 1024, 1024, all, all});
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  check_all<Fp16, 64>(cases);
  check_all<Bf16, 128>(cases);
  return cases.finish();
}
