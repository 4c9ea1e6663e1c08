// Flash attention in fp32: right, and as costly as the formula says, at lengths that fill tiles and at others.
// RUN: %cases
#include "attention_checks.h"

#include "../../kernels/attention/attention_flash_fp32.cuh"

template <int Size> static void check(Cases &cases, const char *what, const AttentionShape &shape) {
  AttentionData<float> data(shape, Size);
  cases.begin(data.name(what));
  if (attention_forward_fp32<Size>({data.query.get(), data.key.get(), data.value.get(), data.output.get(),
                                    data.logsumexp.get(), shape, data.scale},
                                   nullptr))
    cases.fail("no launch");
  cases.launched();
  data.compare_forward(cases);
  const FlashCost cost = attention_flash_fp32_cost<Size>(shape);
  cases.expect("attention_flash_fp32", cost.whole,
               {{"attention.flash_fp32", cost.whole},
                {"attention.scores", cost.scores},
                {"attention.softmax", cost.softmax},
                {"attention.values", cost.values}});
  cases.end(cost.whole);
}

template <int Size> static void check_all(Cases &cases) {
  const int all = kAttentionAll;
  check<Size>(cases, "whole tiles", {1, 1, 1, 128, 128, all, all});
  check<Size>(cases, "odd", {1, 2, 2, 77, 133, all, all});
  check<Size>(cases, "causal", {2, 2, 1, 141, 141, all, 0});
  check<Size>(cases, "causal, more queries", {1, 1, 1, 200, 33, all, 0});
  check<Size>(cases, "window", {1, 1, 1, 300, 300, 70, 0});
  if (!cases.large())
    return;
  check<Size>(cases, "large, causal", {2, 16, 4, 4000, 4096, all, 0});
  check<Size>(cases, "large", {1, 16, 16, 4096, 4096, all, all});
}

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  check_all<64>(cases);
  check_all<128>(cases);
  return cases.finish();
}
