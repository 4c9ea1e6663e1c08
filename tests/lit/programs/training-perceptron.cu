// Training a perceptron with one hidden layer: forward, backward and stochastic gradient descent, in
// phases.
// RUN: %program
#include "program.h"

enum { BATCH = 16, IN = 12, HIDDEN = 20, OUT = 4, STEPS = 3 };
static constexpr float RATE = 0.25f;

// c[m][n] = sum over k of a b, where a is m x k or, transposed, k x m, and b alike; one element a thread.
template <bool TA, bool TB>
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / n, column = i % n;
  if (i >= m * n)
    return;
  float sum = 0;
  for (int x = 0; x < k; x++)
    sum += (TA ? a[x * m + row] : a[row * k + x]) * (TB ? b[column * k + x] : b[x * n + column]);
  c[i] = sum;
}

__global__ void rectify(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = fmaxf(x[i], 0.0f);
}

__global__ void rectify_backward(const float *x, float *gradient, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] <= 0)
    gradient[i] = 0;
}

__global__ void difference(const float *y, const float *wanted, float *gradient, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    gradient[i] = (y[i] - wanted[i]) * (2.0f / BATCH);
}

__global__ void descend(float *weight, const float *gradient, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    weight[i] -= RATE * gradient[i];
}

static int grid(int n) { return (n + 63) / 64; }

template <bool TA, bool TB>
static std::vector<double> host_product(const std::vector<double> &a, const std::vector<double> &b, int m,
                                        int n, int k) {
  std::vector<double> c(m * n);
  for (int i = 0; i < m * n; i++)
    for (int x = 0; x < k; x++)
      c[i] += (TA ? a[x * m + i / n] : a[i / n * k + x]) * (TB ? b[i % n * k + x] : b[x * n + i % n]);
  return c;
}

int main() {
  Buffer<float> x(BATCH * IN), wanted(BATCH * OUT), w1(IN * HIDDEN), w2(HIDDEN * OUT);
  Buffer<float> h(BATCH * HIDDEN), y(BATCH * OUT), gy(BATCH * OUT), gh(BATCH * HIDDEN), g1(IN * HIDDEN),
      g2(HIDDEN * OUT);
  Random random;
  for (auto *values : {&x, &wanted, &w1, &w2}) {
    for (float &value : values->host)
      value = 0.5f * random.symmetric();
    values->up();
  }
  std::vector<double> dx(x.host.begin(), x.host.end()), d1(w1.host.begin(), w1.host.end()),
      d2(w2.host.begin(), w2.host.end());
  long long silenced = 0;
  double first = 0, loss = 0;
  for (int step = 0; step < STEPS; step++) {
#pragma gpuprof region("step.forward") phase(forward)
    {
      product<false, false><<<grid(BATCH * HIDDEN), 64>>>(x.device, w1.device, h.device, BATCH, HIDDEN, IN);
      rectify<<<grid(BATCH * HIDDEN), 64>>>(h.device, BATCH * HIDDEN);
      product<false, false><<<grid(BATCH * OUT), 64>>>(h.device, w2.device, y.device, BATCH, OUT, HIDDEN);
    }
#pragma gpuprof region("step.backward") phase(backward)
    {
      difference<<<grid(BATCH * OUT), 64>>>(y.device, wanted.device, gy.device, BATCH * OUT);
      product<true, false><<<grid(HIDDEN * OUT), 64>>>(h.device, gy.device, g2.device, HIDDEN, OUT, BATCH);
      product<false, true><<<grid(BATCH * HIDDEN), 64>>>(gy.device, w2.device, gh.device, BATCH, HIDDEN, OUT);
      rectify_backward<<<grid(BATCH * HIDDEN), 64>>>(h.device, gh.device, BATCH * HIDDEN);
      product<true, false><<<grid(IN * HIDDEN), 64>>>(x.device, gh.device, g1.device, IN, HIDDEN, BATCH);
    }
#pragma gpuprof region("step.descent") phase(optimizer)
    {
      descend<<<grid(IN * HIDDEN), 64>>>(w1.device, g1.device, IN * HIDDEN);
      descend<<<grid(HIDDEN * OUT), 64>>>(w2.device, g2.device, HIDDEN * OUT);
    }

    auto dh = host_product<false, false>(dx, d1, BATCH, HIDDEN, IN);
    for (double &value : dh)
      value = value > 0 ? value : 0;
    auto dy = host_product<false, false>(dh, d2, BATCH, OUT, HIDDEN);
    loss = 0;
    for (int i = 0; i < BATCH * OUT; i++) {
      dy[i] -= wanted[i];
      loss += dy[i] * dy[i] / BATCH;
      dy[i] *= 2.0 / BATCH;
    }
    auto dg2 = host_product<true, false>(dh, dy, HIDDEN, OUT, BATCH);
    auto dgh = host_product<false, true>(dy, d2, BATCH, HIDDEN, OUT);
    for (int i = 0; i < BATCH * HIDDEN; i++)
      if (dh[i] <= 0) {
        dgh[i] = 0;
        silenced++;
      }
    auto dg1 = host_product<true, false>(dx, dgh, IN, HIDDEN, BATCH);
    for (int i = 0; i < IN * HIDDEN; i++)
      d1[i] -= RATE * dg1[i];
    for (int i = 0; i < HIDDEN * OUT; i++)
      d2[i] -= RATE * dg2[i];
    if (step == 0)
      first = loss;
  }
  w1.down();
  w2.down();
  for (int i = 0; i < IN * HIDDEN; i++)
    EXPECT(near(w1[i], d1[i]));
  for (int i = 0; i < HIDDEN * OUT; i++)
    EXPECT(near(w2[i], d2[i]));
  EXPECT(loss < first && silenced > 0);

  const long long both = BATCH * (IN * HIDDEN + HIDDEN * OUT), weights = IN * HIDDEN + HIDDEN * OUT,
                  activations = BATCH * HIDDEN, results = BATCH * OUT;
  counts("region:step.forward", {{"flops.fp32.fma", STEPS * 2 * both},
                                 {"bytes.global.load", 4 * STEPS * (2 * both + activations)},
                                 {"bytes.global.store", 4 * STEPS * (2 * activations + results)}});
  const long long back =
      both + BATCH * HIDDEN * OUT; // gradients of both weights, and of the hidden layer
  counts("region:step.backward",
         {{"flops.fp32.fma", STEPS * 2 * back},
          {"flops.fp32.add", STEPS * results},
          {"flops.fp32.mul", STEPS * results},
          {"bytes.global.load", 4 * STEPS * (2 * back + 2 * results + activations)},
          {"bytes.global.store", 4 * (STEPS * (results + weights + activations) + silenced)}});
  counts("region:step.descent", {{"flops.fp32.fma", STEPS * 2 * weights},
                                 {"bytes.global.load", 8 * STEPS * weights},
                                 {"bytes.global.store", 4 * STEPS * weights}});
  return finish();
}
