// Cross-entropy with its gradients against the reference in double: ignored rows, rows staged in shared memory or read
// twice, rows that begin anywhere, any number of threads and blocks.
// RUN: %cases
#include "row_checks.h"

#include "../../kernels/transformer/cross_entropy.cuh"
#include "../../kernels/transformer/softmax_reference.h"

namespace {

struct Size {
  size_t rows, columns, stride;
  unsigned threads, blocks;
};

template <bool Staged, RowLayout Layout, typename Element, bool Ignores = true> void check(Cases &cases, Random &random, Size s) {
  const CrossEntropyShape shape = {s.rows, s.stride, (unsigned)s.columns, -100, 1.0f / (float)s.rows};
  const std::vector<Element> logits = random_elements<Element>(random, s.rows * s.stride, -9, 9);
  std::vector<int> targets;
  for (size_t r = 0; r < s.rows; ++r)
    targets.push_back(Ignores && r % 3 == 1 ? -100 : (int)(random.bits() % s.columns));
  Array<Element> d_logits(logits), d_dlogits(logits.size());
  Array<int> d_targets(targets);
  Array<float> d_losses(s.rows);
  cases.begin(format("cross-entropy%s%s, %s, %s, %zu rows of %zu of %zu, %u threads, %u blocks", Staged ? ", staged" : "",
                     Ignores ? "" : ", no row ignored",
                     Layout == RowAligned ? "aligned" : "unaligned", ElementOf<Element>::name, s.rows, s.columns, s.stride,
                     s.threads, s.blocks));
  const size_t units = ceil_div(s.columns, Layout == RowAligned ? 16 / sizeof(Element) : 1);
  cross_entropy<Staged, Layout, Element, Ignores><<<s.blocks, s.threads, Staged ? 16 * units : 0>>>(
      d_logits.get(), d_targets.get(), d_losses.get(), d_dlogits.get(), shape);
  cases.launched();
  const std::vector<float> x = to_values(logits), dx = to_values(d_dlogits.read()), losses = d_losses.read();
  Difference loss, gradient;
  for (size_t r = 0; r < s.rows; ++r) {
    const float *row = &x[r * s.stride];
    const bool counts = targets[r] >= 0;
    const double logarithm = log_sum_exp_reference(row, s.columns, 1);
    loss.add(losses[r], counts ? logarithm - row[targets[r]] : 0);
    for (size_t c = 0; c < s.columns; ++c)
      gradient.add(dx[r * s.stride + c],
                   counts ? shape.weight * (exp(row[c] - logarithm) - ((int)c == targets[r])) : 0);
  }
  loss.expect(cases, "losses", SOFTMAX_BOUND);
  gradient.expect(cases, "gradients", SOFTMAX_BOUND + ElementOf<Element>::rounding);
  cases.end(cross_entropy_cost(Staged, Layout, shape, targets.data(), s.threads, s.blocks, sizeof(Element), Ignores));
}

template <typename Element> void check_element(Cases &cases, Random &random) {
  check<true, RowAligned, Element>(cases, random, {5, 1000, 1000, 64, 2});
  check<false, RowAligned, Element>(cases, random, {4, 333, 336, 96, 9});
  check<false, RowUnaligned, Element>(cases, random, {3, 257, 257, 32, 1});
  check<false, RowAligned, Element, false>(cases, random, {3, 100, 104, 32, 2});
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(10);
  check_element<float>(cases, random);
  check_element<Fp16>(cases, random);
  check_element<Bf16>(cases, random);
  return cases.finish();
}
