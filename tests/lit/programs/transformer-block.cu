// A transformer block forwards: layer norm, queries, keys and values, causal attention,
// and a gated network of two layers, with a residual addition behind each half.
// RUN: %program
#include "attention.h"

enum { N = 12, D = 16, WIDE = 32 };
static constexpr float SCALE = 0.25f, LOG2_E = 1.44269504f, EPSILON = 1e-5f;

#pragma gpuprof region("block.norm")
__global__ void norm(const float *in, float *out) { // a thread a token
  int i = threadIdx.x;
  float mean = 0, variance = 0;
#pragma unroll 1 // here and below: unrolled, compilers differ in saved loads and first additions
  for (int d = 0; d < D; d++)
    mean += in[i * D + d];
  mean *= 1.0f / D;
#pragma unroll 1
  for (int d = 0; d < D; d++) {
    float x = in[i * D + d] - mean;
    variance += x * x;
  }
  float r = rsqrtf(variance * (1.0f / D) + EPSILON);
#pragma unroll 1
  for (int d = 0; d < D; d++)
    out[i * D + d] = (in[i * D + d] - mean) * r;
}

enum Finish { PLAIN, ADD, GATE };

#pragma gpuprof region("block.linear")
template <Finish F> __global__ void linear(const float *in, const float *weight, float *out, int inputs) {
  int o = threadIdx.x, i = blockIdx.x, outputs = blockDim.x;
  float sum = 0;
  for (int x = 0; x < inputs; x++)
    sum += in[i * inputs + x] * weight[x * outputs + o];
  if (F == ADD)
    sum += out[i * outputs + o];
  if (F == GATE) // x sigmoid(x)
    sum = sum / (1.0f + exp2f(sum * -LOG2_E));
  out[i * outputs + o] = sum;
}

#pragma gpuprof region("block.attention")
__global__ void attend(const float *q, const float *k, const float *v,
                       float *out) { // a thread a query and column
  int i = blockIdx.x, d = threadIdx.x;
  float total = 0, sum = 0;
#pragma unroll 1 // else the compiler drops the first addition to 0
  for (int j = 0; j <= i; j++) {
    float score = 0;
    for (int x = 0; x < D; x++)
      score += q[i * D + x] * k[j * D + x];
    float p = exp2f(score * (SCALE * LOG2_E)); // normalised inputs: no maximum needs to be taken off
    total += p;
    sum += p * v[j * D + d];
  }
  out[i * D + d] = sum / total;
}

static std::vector<double> host_norm(const std::vector<double> &in) {
  std::vector<double> out(in.size());
  for (int i = 0; i < N; i++) {
    double mean = 0, variance = 0;
    for (int d = 0; d < D; d++)
      mean += in[i * D + d] / D;
    for (int d = 0; d < D; d++)
      variance += (in[i * D + d] - mean) * (in[i * D + d] - mean) / D;
    for (int d = 0; d < D; d++)
      out[i * D + d] = (in[i * D + d] - mean) / std::sqrt(variance + EPSILON);
  }
  return out;
}
static std::vector<double> host_linear(const std::vector<double> &in, const Buffer<float> &w, int inputs,
                                       int outputs) {
  std::vector<double> out(N * outputs);
  for (int i = 0; i < N * outputs; i++)
    for (int x = 0; x < inputs; x++)
      out[i] += in[i / outputs * inputs + x] * w.host[x * outputs + i % outputs];
  return out;
}

int main() {
  Buffer<float> x(N * D), wq(D * D), wk(D * D), wv(D * D), wo(D * D), up(D * WIDE), down(WIDE * D);
  Buffer<float> normed(N * D), q(N * D), k(N * D), v(N * D), mixed(N * D), wide(N * WIDE);
  Random random;
  for (auto *values : {&x, &wq, &wk, &wv, &wo, &up, &down}) {
    for (float &value : values->host)
      value = 0.5f * random.symmetric();
    values->up();
  }
  std::vector<double> stream(x.host.begin(), x.host.end());
#pragma gpuprof region("block") phase(forward)
  {
    norm<<<1, N>>>(x.device, normed.device);
    linear<PLAIN><<<N, D>>>(normed.device, wq.device, q.device, D);
    linear<PLAIN><<<N, D>>>(normed.device, wk.device, k.device, D);
    linear<PLAIN><<<N, D>>>(normed.device, wv.device, v.device, D);
    attend<<<N, D>>>(q.device, k.device, v.device, mixed.device);
    linear<ADD><<<N, D>>>(mixed.device, wo.device, x.device, D);
    norm<<<1, N>>>(x.device, normed.device);
    linear<GATE><<<N, WIDE>>>(normed.device, up.device, wide.device, D);
    linear<ADD><<<N, D>>>(wide.device, down.device, x.device, WIDE);
  }
  x.down();

  auto hn = host_norm(stream), hq = host_linear(hn, wq, D, D), hk = host_linear(hn, wk, D, D),
       hv = host_linear(hn, wv, D, D);
  std::vector<float> fq(hq.begin(), hq.end()), fk(hk.begin(), hk.end()), fv(hv.begin(), hv.end());
  auto attended = host_linear(
      host_attention(&fq[0], &fk[0], &fv[0], N, N, D, SCALE, [](int i, int j) { return j <= i; }), wo, D, D);
  for (int i = 0; i < N * D; i++)
    stream[i] += attended[i];
  auto hidden = host_linear(host_norm(stream), up, D, WIDE);
  for (double &h : hidden)
    h /= 1 + std::exp(-h);
  auto result = host_linear(hidden, down, WIDE, D);
  for (int i = 0; i < N * D; i++)
    EXPECT(near(x[i], stream[i] + result[i], 1e-4));

  const long long elements = N * D, pairs = N * (N + 1) / 2 * D; // of queries, keys and columns
  const long long products = 4 * elements * D + 2 * elements * WIDE, gates = N * WIDE;
  counts("norm", {{"flops.fp32.add", 2 * 3 * elements},
                  {"flops.fp32.mul", 2 * (elements + N)},
                  {"flops.fp32.fma", 2 * 2 * (elements + N)},
                  {"special_functions", 2 * N},
                  {"bytes.global.load", 2 * 12 * elements},
                  {"bytes.global.store", 2 * 4 * elements}});
  counts("linear", {{"flops.fp32.fma", 2 * products},
                    {"flops.fp32.add", 2 * elements + gates},
                    {"flops.fp32.mul", gates},
                    {"flops.fp32.div", gates},
                    {"special_functions", gates},
                    {"bytes.global.load", 8 * products + 8 * elements},
                    {"bytes.global.store", 4 * (5 * elements + gates)}});
  counts("attend", {{"flops.fp32.fma", 2 * pairs * (D + 1)},
                    {"flops.fp32.mul", pairs},
                    {"flops.fp32.add", pairs},
                    {"flops.fp32.div", elements},
                    {"special_functions", pairs},
                    {"bytes.global.load", 4 * pairs * (2 * D + 1)},
                    {"bytes.global.store", 4 * elements}});
  return finish();
}
