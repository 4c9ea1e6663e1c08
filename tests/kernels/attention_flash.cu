// Attention on tensor cores: right, and as costly as the formula says, at lengths that fill tiles and at others.
// RUN: %cases
#include "attention_checks.h"

#include "../../kernels/attention/attention_flash.cuh"

template <typename Element, class Tile> static void launch(const FlashArguments &arguments) {
  const AttentionShape &s = arguments.shape;
  const dim3 grid(((unsigned)s.queries + Tile::Rows - 1) / Tile::Rows, s.heads, s.batch);
  cudaFuncSetAttribute(attention_flash<Element, Tile>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       Tile::SharedBytes);
  attention_flash<Element, Tile><<<grid, Tile::Threads, Tile::SharedBytes>>>(arguments);
}

template <typename Element, class Tile>
static void check(Cases &cases, const char *what, const AttentionShape &shape) {
  AttentionData<Element> data(shape, Tile::Size);
  cases.begin(data.name(what));
  launch<Element, Tile>({data.query.get(), data.key.get(), data.value.get(), data.output.get(),
                         data.logsumexp.get(), shape, data.scale});
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

template <typename Element, class Tile> static void check_all(Cases &cases) {
  const int all = kAttentionAll;
  check<Element, Tile>(cases, "whole tiles", {1, 1, 1, 128, 128, all, all});
  check<Element, Tile>(cases, "odd", {1, 2, 2, 77, 133, all, all});
  check<Element, Tile>(cases, "causal", {2, 2, 1, 141, 141, all, 0});
  check<Element, Tile>(cases, "causal, more keys", {1, 1, 1, 33, 200, all, 0});
  check<Element, Tile>(cases, "causal, more queries", {1, 1, 1, 200, 33, all, 0});
  check<Element, Tile>(cases, "grouped queries", {1, 4, 2, 65, 65, all, all});
  check<Element, Tile>(cases, "window", {1, 1, 1, 300, 300, 70, 0});
  check<Element, Tile>(cases, "window to both sides", {1, 1, 1, 200, 180, 20, 30});
  check<Element, Tile>(cases, "one query", {1, 2, 1, 1, 150, all, 0});
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  check_all<Fp16, FlashTile<64, 64, 4, 2, true>>(cases);
  check_all<Bf16, FlashTile<128, 64, 4, 2, false>>(cases);
  return cases.finish();
}
