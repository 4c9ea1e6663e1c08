// Attention on tensor cores: right, and as costly as the formula says, at lengths that fill tiles and at others.
// RUN: %cases
#include "attention_checks.h"

#include "../../kernels/attention/attention.cuh"

template <typename Element, int Size>
static void check(Cases &cases, const char *what, const AttentionShape &shape) {
  typedef typename AttentionTiles<Size>::Forward Tile;
  AttentionData<Element> data(shape, Size);
  cases.begin(data.name(what));
  if (attention_forward<Element, Size>({data.query.get(), data.key.get(), data.value.get(), data.output.get(),
                                        data.logsumexp.get(), shape, data.scale},
                                       nullptr))
    cases.fail("no launch");
  cases.launched();
  data.compare_forward(cases);
  const FlashCost cost = attention_flash_cost<Element, Tile>(shape);
  cases.expect("attention_flash", cost.whole,
               {{"attention.flash", cost.whole},
                {"attention.scores", cost.scores},
                {"attention.softmax", cost.softmax},
                {"attention.values", cost.values}});
  cases.end(cost.whole);
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
  check<Element, Size>(cases, "window to both sides", {1, 1, 1, 200, 180, 20, 30});
  check<Element, Size>(cases, "one query", {1, 2, 1, 1, 150, all, 0});
  if (!cases.large())
    return;
  check<Element, Size>(cases, "large, causal", {2, 16, 4, 4000, 4096, all, 0});
  check<Element, Size>(cases, "large", {1, 16, 16, 4096, 4096, all, all});
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  check_all<Fp16, 64>(cases);
  check_all<Bf16, 128>(cases);
  return cases.finish();
}
