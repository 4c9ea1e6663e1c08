// Synapses of spiking networks: events pushed and pulled, packed bits, ternary weights, plasticity, encoders
// and spiking convolutions.
#include "corpus.h"

enum { PRE = 150, POST = 90, FAN = 12, STEPS = 6 };

/* A thread a source; spiking ones add their row of a sparse matrix to the targets' currents. */
__global__ void push_global(const unsigned char *spikes, const int *first, const int *target,
                            const float *weight, float *current, int pre) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pre && spikes[i])
    for (int e = first[i]; e < first[i + 1]; e++)
      atomicAdd(&current[target[e]], weight[e]);
}

/* A block an event out of a list. */
__global__ void push_events(const int *events, const int *count, const int *first, const int *target,
                            const float *weight, float *current) {
  for (int event = blockIdx.x; event < *count; event += gridDim.x) {
    int source = events[event];
    for (int e = first[source] + threadIdx.x; e < first[source + 1]; e += blockDim.x)
      atomicAdd(&current[target[e]], weight[e]);
  }
}

/* Currents are gathered in shared memory and added to global memory once. */
__global__ void push_shared(const unsigned char *spikes, const int *first, const int *target,
                            const float *weight, float *current, int pre, int post) {
  extern __shared__ float sum[];
  for (int i = threadIdx.x; i < post; i += blockDim.x)
    sum[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pre; i += gridDim.x * blockDim.x)
    if (spikes[i])
      for (int e = first[i]; e < first[i + 1]; e++)
        atomicAdd(&sum[target[e]], weight[e]);
  __syncthreads();
  for (int i = threadIdx.x; i < post; i += blockDim.x)
    if (sum[i] != 0)
      atomicAdd(&current[i], sum[i]);
}

/* A thread a target: a dense column, added where the source spiked. */
__global__ void pull_dense(const unsigned char *spikes, const float *weight, float *current, int pre,
                           int post) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= post)
    return;
  float sum = 0;
  for (int i = 0; i < pre; i++)
    if (spikes[i])
      sum += weight[i * post + j];
  current[j] = sum;
}

__global__ void pull_multiplied(const float *spikes, const float *weight, float *current, int pre, int post) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, t = blockIdx.y;
  if (j >= post)
    return;
  float sum = 0;
  for (int i = 0; i < pre; i++)
    sum += spikes[t * pre + i] * weight[i * post + j];
  current[t * post + j] = sum;
}

/* 32 sources a word; a warp a target looks through the set bits. */
__global__ void pull_bits(const unsigned *bits, const float *weight, float *current, int words, int post) {
  int j = blockIdx.x, lane = threadIdx.x;
  float sum = 0;
  for (int w = lane; w < words; w += 32)
    for (unsigned left = bits[w]; left; left &= left - 1)
      sum += weight[(w * 32 + __ffs(left) - 1) * post + j];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0)
    current[j] = sum;
}

/* Binary weights: a product is a count of equal bits. */
__global__ void binary_product(const unsigned *a, const unsigned *b, int *out, int rows, int columns,
                               int words) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= columns)
    return;
  int same = 0;
  for (int w = 0; w < words; w++)
    same += __popc(~(a[y * words + w] ^ b[x * words + w]));
  out[y * columns + x] = 2 * same - 32 * words;
}

/* Ternary weights in two masks: sums and differences only. */
__global__ void ternary_product(const unsigned *plus, const unsigned *minus, const float *x, float *y,
                                int rows, int words) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int w = 0; w < words; w++) {
    unsigned p = plus[row * words + w], m = minus[row * words + w];
    for (int b = 0; b < 32; b++) {
      float v = x[w * 32 + b];
      if (p >> b & 1)
        sum += v;
      else if (m >> b & 1)
        sum -= v;
    }
  }
  y[row] = sum;
}

/* Delays: current arrivals were written some steps ago. */
__global__ void delayed(const float *in, float *ring, const unsigned char *delay, float *out, int n, int step,
                        int slots) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  ring[step % slots * n + i] = in[i];
  out[i] = ring[(step + slots - delay[i]) % slots * n + i];
}

__global__ void exponential_traces(float *trace, const unsigned char *spikes, int n, float decay) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    trace[i] = trace[i] * decay + (spikes[i] ? 1.0f : 0.0f);
}

/* Pairs of spikes change the weight, within bounds. */
__global__ void stdp_dense(float *weight, const unsigned char *pre_spike, const unsigned char *post_spike,
                           const float *pre_trace, const float *post_trace, int pre, int post, float up,
                           float down) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= post)
    return;
  float change = 0;
  if (post_spike[j])
    change += up * pre_trace[i];
  if (pre_spike[i])
    change -= down * post_trace[j];
  if (change != 0)
    weight[i * post + j] = fminf(1.0f, fmaxf(-1.0f, weight[i * post + j] + change));
}

__global__ void stdp_events(float *weight, const int *events, int count, const float *trace, int post,
                            float rate) {
  int j = threadIdx.x + blockIdx.x * blockDim.x, e = blockIdx.y;
  if (j < post && e < count)
    weight[events[e] * post + j] -= rate * trace[j];
}

/* Reward-modulated: eligibility is a matrix of its own. */
__global__ void stdp_reward(float *weight, float *eligible, const float *pre, const float *post, int n,
                            int columns, float decay, float reward) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float e = eligible[i] * decay + pre[i / columns] * post[i % columns];
    eligible[i] = e;
    weight[i] += reward * e;
  }
}

__global__ void encode_rate(const float *rate, unsigned *state, unsigned char *spikes, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned s = state[i];
  for (int t = 0; t < steps; t++) {
    s = s * 1664525u + 1013904223u;
    spikes[t * n + i] = (s >> 8) * 0x1p-24f < rate[i];
  }
  state[i] = s;
}

__global__ void encode_latency(const float *value, unsigned char *spikes, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int when = (int)((1.0f - value[i]) * (steps - 1));
  for (int t = 0; t < steps; t++)
    spikes[t * n + i] = t == when;
}

__global__ void encode_bits(const float *v, unsigned *bits, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned word = __ballot_sync(~0u, i < n && v[i] > 0.25f);
  if (threadIdx.x % 32 == 0 && i < n)
    bits[i / 32] = word;
}

/* Indices of spiking neurons, one atomic a warp. */
__global__ void compact_events(const unsigned char *spikes, int *events, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool fires = i < n && spikes[i];
  unsigned word = __ballot_sync(~0u, fires);
  int base = 0;
  if (lane == 0 && word)
    base = atomicAdd(count, __popc(word));
  base = __shfl_sync(~0u, base, 0);
  if (fires)
    events[base + __popc(word & ((1u << lane) - 1))] = i;
}

enum { IN = 3, OUT = 5, SIDE = 14, KERNEL = 3, INSIDE = SIDE - KERNEL + 1 };

__global__ void spiking_convolution(const unsigned char *spikes, const float *weight, float *out) {
  int x = threadIdx.x, y = blockIdx.x, channel = blockIdx.y;
  if (x >= INSIDE)
    return;
  float sum = 0;
  for (int c = 0; c < IN; c++)
    for (int dy = 0; dy < KERNEL; dy++)
      for (int dx = 0; dx < KERNEL; dx++)
        if (spikes[(c * SIDE + y + dy) * SIDE + x + dx])
          sum += weight[((channel * IN + c) * KERNEL + dy) * KERNEL + dx];
  out[(channel * INSIDE + y) * INSIDE + x] = sum;
}

/* Each spike adds its kernel to its surroundings. */
__global__ void scattered_convolution(const unsigned char *spikes, const float *weight, float *out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= IN * SIDE * SIDE || !spikes[at])
    return;
  int x = at % SIDE, y = at / SIDE % SIDE, c = at / SIDE / SIDE;
  for (int channel = 0; channel < OUT; channel++)
    for (int dy = 0; dy < KERNEL; dy++)
      for (int dx = 0; dx < KERNEL; dx++) {
        int to_x = x - dx, to_y = y - dy;
        if (to_x >= 0 && to_x < INSIDE && to_y >= 0 && to_y < INSIDE)
          atomicAdd(&out[(channel * INSIDE + to_y) * INSIDE + to_x],
                    weight[((channel * IN + c) * KERNEL + dy) * KERNEL + dx]);
      }
}

static void currents() {
  Whole<unsigned char> spikes(PRE, 0, 1);
  Whole<int> target(PRE * FAN, 0, POST - 1);
  Whole<float> weight(PRE * FAN, -8, 8), dense(PRE * POST, -8, 8);
  Buffer<int> first(PRE + 1), events(PRE), count(1);
  for (int i = 0; i <= PRE; i++)
    first[i] = i * FAN - i % 3 * (i < PRE); // rows of 11 to 14
  first.up();
  Buffer<float> a(POST), b(POST), c(POST), d(POST), bits_out(POST), multiplied(POST * STEPS), x(POST * STEPS);
  std::vector<double> sparse(POST), full(POST);
  long long fired = 0, edges = 0;
  for (int i = 0; i < PRE; i++) {
    fired += spikes[i];
    for (int e = first[i]; e < first[i + 1] && spikes[i]; e++)
      sparse[target[e]] += weight[e], edges++;
    for (int j = 0; j < POST && spikes[i]; j++)
      full[j] += dense[i * POST + j];
  }
  push_global<<<divided(PRE, 64), 64>>>(spikes.device, first.device, target.device, weight.device, a.device,
                                        PRE);
  check("push_global", a, [&](int i) { return sparse[i]; });
  compact_events<<<divided(PRE, 64), 64>>>(spikes.device, events.device, count.device, PRE);
  check("compact_events", count, [&](int) { return fired; });
  push_events<<<8, 32>>>(events.device, count.device, first.device, target.device, weight.device, b.device);
  check("push_events", b, [&](int i) { return sparse[i]; });
  push_shared<<<2, 64, POST * sizeof(float)>>>(spikes.device, first.device, target.device, weight.device,
                                               c.device, PRE, POST);
  check("push_shared", c, [&](int i) { return sparse[i]; });
  pull_dense<<<divided(POST, 32), 32>>>(spikes.device, dense.device, d.device, PRE, POST);
  check("pull_dense", d, [&](int i) { return full[i]; });

  const int words = divided(PRE, 32);
  Buffer<unsigned> bits(words);
  for (int i = 0; i < PRE; i++)
    bits[i / 32] |= (unsigned)spikes[i] << i % 32;
  bits.up();
  pull_bits<<<POST, 32>>>(bits.device, dense.device, bits_out.device, words, POST);
  check("pull_bits", bits_out, [&](int i) { return full[i]; });
  Whole<float> trains(PRE * STEPS, 0, 1);
  pull_multiplied<<<dim3(divided(POST, 32), STEPS), 32>>>(trains.device, dense.device, multiplied.device, PRE,
                                                          POST);
  check("pull_multiplied", multiplied, [&](int at) {
    double sum = 0;
    for (int i = 0; i < PRE; i++)
      sum += trains[at / POST * PRE + i] * dense[i * POST + at % POST];
    return sum;
  });

  Buffer<float> ring(4 * PRE), late(PRE), now(PRE);
  Whole<unsigned char> delay(PRE, 0, 3);
  for (int t = 0; t < STEPS; t++) {
    for (int i = 0; i < PRE; i++)
      now[i] = t * 1000 + i;
    now.up();
    delayed<<<divided(PRE, 64), 64>>>(now.device, ring.device, delay.device, late.device, PRE, t, 4);
  }
  check("delayed", late, [&](int i) { return (STEPS - 1 - delay[i]) * 1000 + i; });

  // Each source reads its spike; a spiking one the two ends
  // of its row (the second each iteration), and its edges.
  counts("pull_dense", {{"flops.fp32.add", fired * POST},
                        {"bytes.global.load", (long long)PRE * POST + fired * POST * 4},
                        {"bytes.global.store", POST * 4}});
  counts("pull_multiplied", {{"flops.fp32.fma", 2ll * PRE * POST * STEPS},
                             {"bytes.global.load", 8ll * PRE * POST * STEPS},
                             {"bytes.global.store", 4 * POST * STEPS}});
  counts("delayed", {{"bytes.global.load", 9ll * PRE * STEPS}, {"bytes.global.store", 8ll * PRE * STEPS}});
}

static void packed() {
  const int words = 4, rows = 50, columns = 40;
  Buffer<unsigned> a(rows * words), b(columns * words), minus(rows * words);
  Random random;
  for (auto *m : {&a, &b, &minus}) {
    for (size_t i = 0; i < m->size(); i++)
      (*m)[i] = random.next();
    m->up();
  }
  Buffer<int> out(rows * columns);
  binary_product<<<dim3(divided(columns, 32), rows), 32>>>(a.device, b.device, out.device, rows, columns,
                                                           words);
  check("binary_product", out, [&](int i) {
    int sum = 0;
    for (int k = 0; k < 32 * words; k++)
      sum +=
          (a[i / columns * words + k / 32] >> k % 32 & 1) == (b[i % columns * words + k / 32] >> k % 32 & 1)
              ? 1
              : -1;
    return sum;
  });
  Whole<float> x(32 * words, -9, 9);
  Buffer<float> y(rows);
  ternary_product<<<divided(rows, 32), 32>>>(a.device, minus.device, x.device, y.device, rows, words);
  long long used = 0;
  check("ternary_product", y, [&](int row) {
    double sum = 0;
    for (int k = 0; k < 32 * words; k++) {
      bool p = a[row * words + k / 32] >> k % 32 & 1, m = minus[row * words + k / 32] >> k % 32 & 1;
      sum += p ? x[k] : m ? -x[k] : 0;
      used += p || m;
    }
    return sum;
  });
  counts("binary_product",
         {{"bytes.global.load", 8ll * rows * columns * words}, {"bytes.global.store", 4 * rows * columns}});
}

static void plasticity() {
  Whole<unsigned char> pre_spike(PRE, 0, 1), post_spike(POST, 0, 1);
  Floats weight(PRE * POST, 0.9f), pre(PRE, 1, 0), post(POST, 1, 0);
  auto grid = dim3(divided(POST, 32), PRE);
  std::vector<float> w = weight.host, trace = pre.host;
  exponential_traces<<<divided(PRE, 64), 64>>>(pre.device, pre_spike.device, PRE, 0.75f);
  check("exponential_traces", pre, [&](int i) { return trace[i] * 0.75 + pre_spike[i]; });
  stdp_dense<<<grid, 32>>>(weight.device, pre_spike.device, post_spike.device, pre.device, post.device, PRE,
                           POST, 0.125f, 0.25f);
  check("stdp_dense", weight, [&](int at) {
    int i = at / POST, j = at % POST;
    double changed = w[at] + (post_spike[j] ? 0.125 * pre[i] : 0) - (pre_spike[i] ? 0.25 * post[j] : 0);
    return std::fmin(1, std::fmax(-1, changed));
  });
  Buffer<int> events(3);
  events[0] = 4, events[1] = 77, events[2] = 149;
  events.up();
  w = weight.host;
  stdp_events<<<dim3(divided(POST, 64), 4), 64>>>(weight.device, events.device, 3, post.device, POST, 0.5f);
  check("stdp_events", weight, [&](int at) {
    int i = at / POST;
    return w[at] - (i == 4 || i == 77 || i == 149 ? 0.5 * post[at % POST] : 0);
  });
  Floats eligible(PRE * POST);
  w = weight.host;
  std::vector<float> e = eligible.host;
  stdp_reward<<<10, 128>>>(weight.device, eligible.device, pre.device, post.device, PRE * POST, POST, 0.9f,
                           0.1f);
  check("stdp_reward", weight,
        [&](int at) { return w[at] + 0.1 * (e[at] * 0.9 + (double)pre[at / POST] * post[at % POST]); });

  const long long all = PRE * POST;
  counts("exponential_traces",
         {{"flops.fp32.fma", 2 * PRE}, {"bytes.global.load", 5 * PRE}, {"bytes.global.store", 4 * PRE}});
  counts("stdp_events", {{"flops.fp32", 3 * POST * 2},
                         {"bytes.global.load", 3 * POST * 12},
                         {"bytes.global.store", 3 * POST * 4}});
  counts("stdp_reward",
         {{"flops.fp32", all * 5}, {"bytes.global.load", all * 16}, {"bytes.global.store", all * 8}});
}

static void encoders() {
  Floats rate(PRE, 1, 0);
  Buffer<unsigned> state(PRE), bits(divided(PRE, 32));
  Buffer<unsigned char> spikes(PRE * STEPS);
  for (int i = 0; i < PRE; i++)
    state[i] = i * 77 + 5;
  state.up();
  encode_rate<<<divided(PRE, 64), 64>>>(rate.device, state.device, spikes.device, PRE, STEPS);
  check("encode_rate", spikes, [&](int at) {
    unsigned s = at % PRE * 77 + 5;
    for (int t = 0; t <= at / PRE; t++)
      s = s * 1664525u + 1013904223u;
    return (s >> 8) * 0x1p-24f < rate[at % PRE];
  });
  encode_latency<<<divided(PRE, 64), 64>>>(rate.device, spikes.device, PRE, STEPS);
  check("encode_latency", spikes,
        [&](int at) { return (int)((1 - rate[at % PRE]) * (STEPS - 1)) == at / PRE; });
  encode_bits<<<divided(PRE, 64), 64>>>(rate.device, bits.device, PRE);
  bits.down();
  for (int i = 0; i < PRE; i++)
    EXPECT((bits[i / 32] >> i % 32 & 1) == (rate[i] > 0.25f));
  // A step: a conversion, a product with 2^-24 and a compare.
  counts("encode_rate", {{"flops.fp32.mul", PRE * STEPS},
                         {"bytes.global.load", PRE * 4 + PRE * STEPS * 4},
                         {"bytes.global.store", PRE * 4 + PRE * STEPS}});
  counts("encode_latency",
         {{"flops.fp32", PRE * 2}, {"bytes.global.load", PRE * 4}, {"bytes.global.store", PRE * STEPS}});
  counts("encode_bits", {{"bytes.global.load", PRE * 4}, {"bytes.global.store", divided(PRE, 32) * 4}});
}

static void convolutions() {
  Whole<unsigned char> spikes(IN * SIDE * SIDE, 0, 1);
  Whole<float> weight(OUT * IN * KERNEL * KERNEL, -8, 8);
  Buffer<float> gathered(OUT * INSIDE * INSIDE), scattered(OUT * INSIDE * INSIDE);
  long long added = 0;
  std::vector<double> expected(gathered.size());
  for (size_t i = 0; i < expected.size(); i++)
    for (int k = 0; k < IN * KERNEL * KERNEL; k++) {
      int x = i % INSIDE + k % KERNEL, y = i / INSIDE % INSIDE + k / KERNEL % KERNEL, c = k / KERNEL / KERNEL;
      if (spikes[(c * SIDE + y) * SIDE + x]) {
        expected[i] += weight[i / INSIDE / INSIDE * IN * KERNEL * KERNEL + k];
        added++;
      }
    }
  spiking_convolution<<<dim3(INSIDE, OUT), 32>>>(spikes.device, weight.device, gathered.device);
  check("spiking_convolution", gathered, [&](int i) { return expected[i]; });
  scattered_convolution<<<divided(IN * SIDE * SIDE, 96), 96>>>(spikes.device, weight.device,
                                                               scattered.device);
  check("scattered_convolution", scattered, [&](int i) { return expected[i]; });
  const long long outputs = OUT * INSIDE * INSIDE;
  counts("spiking_convolution", {{"flops.fp32.add", added},
                                 {"bytes.global.load", outputs * IN * KERNEL * KERNEL + 4 * added},
                                 {"bytes.global.store", 4 * outputs}});
  counts("scattered_convolution", {{"flops.fp32.accumulate", added},
                                   {"bytes.global.load", IN * SIDE * SIDE + 4 * added},
                                   {"bytes.global.atomic", 4 * added}});
}

int main() {
  currents();
  packed();
  plasticity();
  encoders();
  convolutions();
  return finish();
}
