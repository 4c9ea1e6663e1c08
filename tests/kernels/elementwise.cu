// Residual addition, GELU, SwiGLU and AdamW against the reference in double: arrays that fill no pack, one element, few
// and many blocks; AdamW with and without master weights.
// RUN: %cases
#include "row_checks.h"

#include "../../kernels/transformer/adamw.cuh"
#include "../../kernels/transformer/adamw_reference.h"
#include "../../kernels/transformer/elementwise.cuh"
#include "../../kernels/transformer/elementwise_reference.h"

namespace {

template <typename Element>
void check_activations(Cases &cases, Random &random, size_t n, unsigned blocks, unsigned threads) {
  const std::vector<Element> a = random_elements<Element>(random, n, -6, 6),
                             b = random_elements<Element>(random, n, -2, 2),
                             d = random_elements<Element>(random, n, -1, 1);
  Array<Element> d_a(a), d_b(b), d_d(d), sum(n), gelu(n), gelu_d(n), swiglu(n), dgate(n), dvalue(n);
  cases.begin(
      format("activations, %s, %zu elements, %u blocks of %u", ElementOf<Element>::name, n, blocks, threads));
  residual_add<Element><<<blocks, threads>>>(d_a.get(), d_b.get(), sum.get(), n);
  gelu_forward<Element><<<blocks, threads>>>(d_a.get(), gelu.get(), n);
  gelu_backward<Element><<<blocks, threads>>>(d_d.get(), d_a.get(), gelu_d.get(), n);
  swiglu_forward<Element><<<blocks, threads>>>(d_a.get(), d_b.get(), swiglu.get(), n);
  swiglu_backward<Element>
      <<<blocks, threads>>>(d_d.get(), d_a.get(), d_b.get(), dgate.get(), dvalue.get(), n);
  cases.launched();
  const std::vector<float> x = to_values(a), y = to_values(b), g = to_values(d), sums = to_values(sum.read()),
                           gelus = to_values(gelu.read()), gelu_ds = to_values(gelu_d.read()),
                           swiglus = to_values(swiglu.read()), dgates = to_values(dgate.read()),
                           dvalues = to_values(dvalue.read());
  Difference errors[6];
  for (size_t i = 0; i < n; ++i) {
    errors[0].add(sums[i], (double)x[i] + y[i]);
    errors[1].add(gelus[i], gelu_reference(x[i]));
    errors[2].add(gelu_ds[i], g[i] * gelu_slope_reference(x[i]));
    errors[3].add(swiglus[i], silu_reference(x[i]) * y[i]);
    errors[4].add(dgates[i], g[i] * y[i] * silu_slope_reference(x[i]));
    errors[5].add(dvalues[i], g[i] * silu_reference(x[i]));
  }
  const char *const names[] = {"sums",        "GELU", "GELU's gradients", "SwiGLU", "gradients of the gate",
                               "of the value"};
  for (int i = 0; i < 6; ++i)
    errors[i].expect(cases, names[i], ELEMENTWISE_BOUND + ElementOf<Element>::rounding);
  const uint64_t all = (uint64_t)blocks * threads, bytes = sizeof(Element);
  cases.end(residual_add_cost(n, bytes, all) + gelu_forward_cost(n, bytes, all) +
            gelu_backward_cost(n, bytes, all) + swiglu_forward_cost(n, bytes, all) +
            swiglu_backward_cost(n, bytes, all));
}

template <bool Master, typename Element, typename Gradient = Element>
void check_adamw(Cases &cases, Random &random, size_t n, unsigned blocks, unsigned threads) {
  const AdamWReference p = {0.01, 0.9, 0.999, 1e-8, 0.1, 3, 0.5};
  const std::vector<float> master = random_values(random, n, -1, 1), m = random_values(random, n, -1, 1),
                           v = random_values(random, n, 0.1f, 1);
  const std::vector<Element> w = to_elements<Element>(master);
  const std::vector<Gradient> g = random_elements<Gradient>(random, n, -1, 1);
  Array<Element> d_w(w);
  Array<Gradient> d_g(g);
  Array<float> d_master(master), d_m(m), d_v(v);
  cases.begin(format("AdamW, %s, gradients in %s%s, %zu elements, %u blocks of %u", ElementOf<Element>::name,
                     ElementOf<Gradient>::name, Master ? " and master weights" : "", n, blocks, threads));
  adamw_step<Master, Element, Gradient>
      <<<blocks, threads>>>(d_w.get(), d_master.get(), d_g.get(), d_m.get(), d_v.get(), n,
                            adamw(p.rate, p.beta1, p.beta2, p.epsilon, p.decay, p.step, p.gradient_scale));
  cases.launched();
  const std::vector<float> old = to_values(w), gradient = to_values(g), weights = to_values(d_w.read()),
                           masters = d_master.read(), firsts = d_m.read(), seconds = d_v.read();
  Difference weight, kept, first, second;
  for (size_t i = 0; i < n; ++i) {
    double ww = Master ? master[i] : old[i], mm = m[i], vv = v[i];
    adamw_reference(p, gradient[i], &ww, &mm, &vv);
    weight.add(weights[i], ww);
    first.add(firsts[i], mm);
    second.add(seconds[i], vv);
    if (Master)
      kept.add(masters[i], ww);
  }
  weight.expect(cases, "weights", ADAMW_BOUND + ElementOf<Element>::rounding);
  kept.expect(cases, "master weights", ADAMW_BOUND);
  first.expect(cases, "first moments", ADAMW_BOUND);
  second.expect(cases, "second moments", ADAMW_BOUND);
  cases.end(adamw_cost(Master, n, sizeof(Element), (uint64_t)blocks * threads, sizeof(Gradient)));
}

template <typename Element> void check_element(Cases &cases, Random &random) {
  check_activations<Element>(cases, random, 1, 1, 1);
  check_activations<Element>(cases, random, 1003, 2, 33);
  check_activations<Element>(cases, random, 4096, 5, 256);
  check_adamw<true, Element>(cases, random, 1003, 2, 33);
  check_adamw<false, Element>(cases, random, 4099, 40, 128);
}

} // namespace

int main(int count, char **arguments) {
  Cases cases(count, arguments);
  Random random(9);
  check_element<float>(cases, random);
  check_element<Fp16>(cases, random);
  check_element<Bf16>(cases, random);
  check_adamw<true, Bf16, float>(cases, random, 517, 3, 64);
  return cases.finish();
}
