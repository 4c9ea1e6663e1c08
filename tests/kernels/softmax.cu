// Softmax forward and backward, causal and not, against the reference in double: rows in registers and long rows, staged
// in shared memory or read twice; rows that begin anywhere; any number of threads and blocks.
// RUN: %cases
#include "row_checks.h"

#include "../../kernels/transformer/softmax.cuh"
#include "../../kernels/transformer/softmax_reference.h"

namespace {

struct Size {
  size_t matrices, queries, columns, stride;
  bool causal;
  unsigned threads, teams, blocks;
};

template <typename Element>
void compare(Cases &cases, const SoftmaxShape &shape, const std::vector<Element> &x,
             const std::vector<Element> &y) {
  const std::vector<float> in = to_values(x), out = to_values(y);
  std::vector<double> expected(shape.columns);
  Difference error;
  for (size_t r = 0; r < shape.rows; ++r) {
    softmax_reference(&in[r * shape.stride], shape.seen(r), shape.columns, shape.scale, expected.data());
    for (size_t c = 0; c < shape.columns; ++c)
      error.add(out[r * shape.stride + c], expected[c]);
  }
  error.expect(cases, "results", SOFTMAX_BOUND + ElementOf<Element>::rounding);
}

/* softmax_causal_backward must not read what its rows do not see; to softmax_backward it must be finite. */
template <typename Element> void spoil_unseen(std::vector<Element> &dy, const SoftmaxShape &shape) {
  const Element nan = to_elements<Element>({NAN})[0];
  for (size_t r = 0; r < shape.rows; ++r)
    for (size_t c = shape.seen(r); c < shape.columns; ++c)
      dy[r * shape.stride + c] = nan;
}

template <typename Element> std::string title(const char *what, const Size &s, RowLayout layout) {
  return format("%s%s, %s, %s, %zu x %zu rows of %zu of %zu, %u x %u threads, %u blocks", what,
                s.causal ? ", causal" : "", layout == RowAligned ? "aligned" : "unaligned",
                ElementOf<Element>::name, s.matrices, s.queries, s.columns, s.stride, s.threads, s.teams,
                s.blocks);
}

SoftmaxShape shape_of(const Size &s) {
  return softmax_shape(s.matrices * s.queries, s.columns, s.stride, 0.35f, s.causal ? s.queries : 0);
}

template <RowLayout Layout, int Packs, typename Element, bool Causal = false>
void check(Cases &cases, Random &random, Size s) {
  const SoftmaxShape shape = shape_of(s);
  const size_t count = shape.rows * s.stride;
  const RowTeams t = {s.threads, s.teams, Packs, s.blocks};
  const std::vector<Element> x = random_elements<Element>(random, count, -9, 9);
  std::vector<Element> dy = random_elements<Element>(random, count, -1, 1);
  if (Causal)
    spoil_unseen(dy, shape);
  Array<Element> d_x(x), d_y(count), d_dy(dy), d_dx(count);
  cases.begin(title<Element>(Causal ? "softmax of what is seen" : "softmax", s, Layout));
  const dim3 block(t.threads, t.teams);
  if constexpr (Causal) {
    softmax_causal_forward<Packs, Element, 3>
        <<<t.blocks, block, softmax_causal_shared(t, 1, 3)>>>(d_x.get(), d_y.get(), shape);
    softmax_causal_backward<Packs, Element, 1>
        <<<t.blocks, block, softmax_causal_shared(t, 2, 1)>>>(d_dy.get(), d_y.get(), d_dx.get(), shape);
  } else {
    softmax_forward<Layout, Packs, Element><<<t.blocks, block>>>(d_x.get(), d_y.get(), shape);
    softmax_backward<Layout, Packs, Element><<<t.blocks, block>>>(d_dy.get(), d_y.get(), d_dx.get(), shape);
  }
  cases.launched();
  const std::vector<Element> results = d_y.read();
  compare(cases, shape, x, results);
  const std::vector<float> y = to_values(results), grad = to_values(dy), dx = to_values(d_dx.read());
  std::vector<double> expected(shape.columns);
  Difference error;
  for (size_t r = 0; r < shape.rows; ++r) {
    const size_t at = r * s.stride;
    softmax_backward_reference(&grad[at], &y[at], shape.seen(r), shape.columns, shape.scale, expected.data());
    for (size_t c = 0; c < shape.columns; ++c)
      error.add(dx[at + c], expected[c]);
  }
  error.expect(cases, "input gradients", SOFTMAX_BOUND + ElementOf<Element>::rounding);
  cases.end(Causal ? softmax_causal_cost(false, shape, t, sizeof(Element)) +
                         softmax_causal_cost(true, shape, t, sizeof(Element))
                   : softmax_forward_cost(Layout, shape, t, sizeof(Element)) +
                         softmax_backward_cost(Layout, shape, t, sizeof(Element)));
}

template <bool Staged, RowLayout Layout, typename Element>
void check_long(Cases &cases, Random &random, Size s) {
  const SoftmaxShape shape = shape_of(s);
  const std::vector<Element> x = random_elements<Element>(random, shape.rows * s.stride, -9, 9);
  Array<Element> d_x(x), d_y(x.size());
  cases.begin(title<Element>(Staged ? "long, staged" : "long", s, Layout));
  const size_t units = ceil_div(s.columns, Layout == RowAligned ? 16 / sizeof(Element) : 1);
  softmax_forward_long<Staged, Layout, Element>
      <<<s.blocks, s.threads, Staged ? 16 * units : 0>>>(d_x.get(), d_y.get(), shape);
  cases.launched();
  compare(cases, shape, x, d_y.read());
  cases.end(softmax_forward_long_cost(Staged, Layout, shape, s.threads, s.blocks, sizeof(Element)));
}

/* All ways through the kernels. */
template <typename Element> void check_element(Cases &cases, Random &random) {
  check<RowAligned, 1, Element>(cases, random, {1, 5, 40, 40, false, 32, 4, 1});
  check<RowAligned, 1, Element>(cases, random, {2, 33, 66, 72, true, 64, 1, 7});
  check<RowAligned, 2, Element, true>(cases, random, {2, 150, 520, 528, true, 96, 1, 5});
  check<RowAligned, 4, Element, true>(cases, random, {1, 65, 264, 264, true, 32, 2, 3});
  check<RowAligned, 4, Element>(cases, random, {2, 3, 512, 512, false, 32, 1, 9});
  check<RowUnaligned, 1, Element>(cases, random, {3, 17, 17, 17, true, 32, 2, 4});
  check<RowUnaligned, 2, Element>(cases, random, {1, 4, 371, 373, false, 96, 1, 2});
  check_long<true, RowAligned, Element>(cases, random, {1, 3, 1000, 1000, false, 32, 1, 2});
  check_long<true, RowAligned, Element>(cases, random, {2, 70, 600, 600, true, 32, 1, 3});
  check_long<false, RowAligned, Element>(cases, random, {2, 70, 77, 80, true, 96, 1, 3});
  check_long<false, RowUnaligned, Element>(cases, random, {1, 3, 501, 501, true, 64, 1, 4});
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(8);
  check_element<float>(cases, random);
  /* The other two bytes: as Bf16, but for the conversion. */
  check<RowAligned, 1, Fp16>(cases, random, {2, 33, 66, 72, true, 64, 1, 7});
  check_long<true, RowAligned, Fp16>(cases, random, {1, 3, 1000, 1000, false, 32, 1, 2});
  check_element<Bf16>(cases, random);
  return cases.finish();
}
