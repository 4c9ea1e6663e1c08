// Attention by wgmma and tensor maps: right, and as costly as the formula says, at lengths that fill tiles and at others.
// RUN: %cases
// On a GPU: sm_90a
#include "attention_checks.h"

#include "../../kernels/attention/attention_hopper.cuh"

extern "C" int encode_tiled(TensorMap *, int type, unsigned rank, void *address,
                            const unsigned long long *dimensions, const unsigned long long *strides,
                            const unsigned *box, const unsigned *steps, int interleave, int swizzle,
                            int promotion, int fill) __asm__("cuTensorMapEncodeTiled");

template <typename Element, class Tile>
static void check(Cases &cases, const char *what, const AttentionShape &shape, int grid) {
  AttentionData<Element> data(shape, Tile::Size);
  HopperMaps maps;
  HopperArguments arguments;
  cases.begin(data.name(what));
  if (hopper_prepare<Element, Tile>(encode_tiled,
                                    {data.query.get(), data.key.get(), data.value.get(), data.output.get(),
                                     data.logsumexp.get(), shape, data.scale},
                                    &maps, &arguments))
    cases.fail("no tensor map");
  cudaFuncSetAttribute(attention_hopper<Element, Tile>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       Tile::SharedBytes);
  attention_hopper<Element, Tile><<<grid, Tile::Threads, Tile::SharedBytes>>>(maps, arguments);
  cases.launched();
  data.compare_forward(cases);
  const FlashCost cost = attention_hopper_cost<Element, Tile>(shape, grid);
  cases.expect("attention_hopper", cost.whole,
               {{"attention.hopper", cost.whole},
                {"attention.scores", cost.scores},
                {"attention.softmax", cost.softmax},
                {"attention.values", cost.values}});
  cases.end(cost.whole);
}

template <typename Element, class Tile> static void check_all(Cases &cases) {
  const int all = kAttentionAll;
  check<Element, Tile>(cases, "whole tiles", {1, 1, 1, Tile::Rows, 256, all, all}, 1);
  check<Element, Tile>(cases, "odd", {1, 2, 2, 77, 133, all, all}, 2);
  check<Element, Tile>(cases, "causal", {2, 2, 1, 269, 269, all, 0}, 3);
  check<Element, Tile>(cases, "causal, more keys", {1, 1, 1, 33, 200, all, 0}, 2);
  check<Element, Tile>(cases, "causal, more queries", {1, 1, 1, 400, 33, all, 0}, 2);
  check<Element, Tile>(cases, "grouped queries", {1, 4, 2, 65, 65, all, all}, 3);
  check<Element, Tile>(cases, "window", {1, 1, 1, 600, 600, 70, 0}, 2);
  if (!cases.large())
    return;
  check<Element, Tile>(cases, "large, causal", {2, 16, 4, 4000, 4096, all, 0}, 66);
  check<Element, Tile>(cases, "large", {1, 16, 16, 4096, 4096, all, all}, 66);
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  check_all<Bf16, HopperTile<128, 128, 2, 2, true>>(cases);
  check_all<Fp16, HopperTile<64, 128, 3, 2, false>>(cases);
  return cases.finish();
}
