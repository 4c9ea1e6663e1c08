// The backward pass of attention on tensor cores: right, and as costly as the formula says.
// RUN: %cases
#include "attention_checks.h"

#include "../../kernels/attention/attention_backward.cuh"

template <typename Element, class Tile, bool ForKeys>
static ClosedForm launch(Cases &cases, const BackwardArguments &arguments) {
  const AttentionShape &s = arguments.shape;
  const dim3 grid(((unsigned)s.queries + Tile::Rows - 1) / Tile::Rows, ForKeys ? s.key_heads : s.heads,
                  s.batch);
  cudaFuncSetAttribute(attention_backward<Element, Tile, ForKeys>,
                       cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::SharedBytes);
  attention_backward<Element, Tile, ForKeys><<<grid, Tile::Threads, Tile::SharedBytes>>>(arguments);
  const BackwardCost cost = attention_backward_cost<Element, Tile, ForKeys>(s);
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

template <typename Element, class KeyTile, class QueryTile>
static void check(Cases &cases, const char *what, const AttentionShape &shape) {
  AttentionData<Element> data(shape, KeyTile::Size);
  Array<BackwardRow> rows(data.rows());
  forward(data, data.logsumexp, data.output);
  cases.begin(data.name(what));
  attention_backward_rows<Element, KeyTile::Size><<<(unsigned)((data.rows() + 3) / 4), kBackwardRowsBlock>>>(
      data.output.get(), data.output_gradient.get(), data.logsumexp.get(), rows.get(), (int)data.rows());
  const ClosedForm of_rows = attention_backward_rows_cost<KeyTile::Size>(data.rows());
  cases.expect("attention_backward_rows", of_rows, {{"attention.backward.rows", of_rows}});
  const ClosedForm of_keys =
      launch<Element, KeyTile, true>(cases, {{data.key.get(), data.value.get()},
                                             {data.query.get(), data.output_gradient.get()},
                                             rows.get(),
                                             {data.key_gradient.get(), data.value_gradient.get()},
                                             backward_shape(shape),
                                             data.scale});
  const ClosedForm of_queries =
      launch<Element, QueryTile, false>(cases, {{data.query.get(), data.output_gradient.get()},
                                                {data.key.get(), data.value.get()},
                                                rows.get(),
                                                {data.query_gradient.get()},
                                                shape,
                                                data.scale});
  cases.launched();
  data.compare_backward(cases);
  cases.end(of_rows + of_keys + of_queries);
}

template <typename Element, class KeyTile, class QueryTile> static void check_all(Cases &cases) {
  const int all = kAttentionAll;
  check<Element, KeyTile, QueryTile>(cases, "whole tiles", {1, 1, 1, 128, 128, all, all});
  check<Element, KeyTile, QueryTile>(cases, "odd", {1, 2, 2, 77, 133, all, all});
  check<Element, KeyTile, QueryTile>(cases, "causal", {2, 2, 1, 141, 141, all, 0});
  check<Element, KeyTile, QueryTile>(cases, "causal, more keys", {1, 1, 1, 33, 200, all, 0});
  check<Element, KeyTile, QueryTile>(cases, "causal, more queries", {1, 1, 1, 200, 33, all, 0});
  check<Element, KeyTile, QueryTile>(cases, "grouped queries", {1, 4, 2, 65, 65, all, all});
  check<Element, KeyTile, QueryTile>(cases, "window", {1, 1, 1, 300, 300, 70, 0});
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  check_all<Fp16, BackwardTile<64, 2, 32, 4, 2>, BackwardTile<64, 2, 32, 4, 2>>(cases);
  check_all<Bf16, BackwardTile<128, 1, 32, 8, 1>, BackwardTile<128, 1, 64, 4, 2>>(cases);
  return cases.finish();
}
