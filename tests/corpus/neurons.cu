// Spiking neurons over time: integrate-and-fire of many kinds, and conductance models by Euler, RK2 and RK4
// steps.
#include "corpus.h"
#include <cuda_fp16.h>

enum { N = 701, STEPS = 12 };

/* Sums are of eighths and halves, so host and device spike alike. */

__global__ void lif_step(float *v, const float *x, float *s, int n, float leak, float threshold) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float h = v[i] * leak + x[i];
  bool fires = h >= threshold;
  s[i] = fires ? 1.0f : 0.0f;
  v[i] = fires ? 0.0f : h;
}

__global__ void lif_steps(const float *x, float *s, float *v_out, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = 0;
  for (int t = 0; t < steps; t++) {
    v = v * 0.5f + x[t * n + i];
    float fires = v >= 1.0f;
    s[t * n + i] = fires;
    v -= fires; // soft reset
  }
  v_out[i] = v;
}

__global__ void if_hard_reset(const float *x, unsigned char *s, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  if (i < n)
    for (int t = 0; t < steps; t++) {
      v += x[t * n + i];
      s[t * n + i] = v >= 1.0f;
      if (v >= 1.0f)
        v = 0;
    }
}

/* A learned leak: a sigmoid of a parameter. */
__global__ void plif_steps(const float *x, const float *w, float *s, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float tau = 1.0f / (1.0f + expf(-*w)), v = 0;
  for (int t = 0; t < steps; t++) {
    v += (x[t * n + i] - v) * tau;
    s[t * n + i] = v;
    if (v > 0.25f)
      v = 0;
  }
}

__global__ void lif_refractory(const float *x, float *s, int n, int steps, int refractory) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = 0;
  int rest = 0;
  for (int t = 0; t < steps; t++) {
    float fires = 0;
    if (rest > 0)
      rest--;
    else {
      v = 0.5f * v + x[t * n + i];
      if (v >= 0.75f) {
        fires = 1;
        v = 0;
        rest = refractory;
      }
    }
    s[t * n + i] = fires;
  }
}

/* Bipolar spikes bounded by a trace of the earlier ones. */
__global__ void st_bif(const float *x, float *s, float *trace_out, int n, int steps, float theta, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = 0.5f * theta;
  int trace = 0;
  for (int t = 0; t < steps; t++) {
    v += x[t * n + i];
    int fires = v >= theta && trace < most ? 1 : v < 0 && trace > 0 ? -1 : 0;
    v -= theta * fires;
    trace += fires;
    s[t * n + i] = theta * fires;
  }
  trace_out[i] = trace;
}

__global__ void lif_adaptive(const float *x, float *s, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = 0, raised = 0;
  for (int t = 0; t < steps; t++) {
    v = 0.5f * v + x[t * n + i];
    float threshold = 0.5f + 0.25f * raised;
    float fires = v >= threshold ? 1.0f : 0.0f;
    v -= fires * threshold;
    raised = 0.5f * raised + fires;
    s[t * n + i] = fires;
  }
}

__global__ void synaptic_current(const float *x, float *current, float *v, float *s, int n, float decay,
                                 float leak) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float c = current[i] = current[i] * decay + x[i];
    float h = v[i] * leak + c;
    s[i] = h > 1.0f;
    v[i] = h > 1.0f ? h - 1.0f : h;
  }
}

__global__ void lif_half2(__half2 *v, const __half2 *x, __half2 *s, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  __half2 h = __hfma2(v[i], __float2half2_rn(0.5f), x[i]);
  __half2 fires = __hge2(h, __float2half2_rn(1.0f));
  s[i] = fires;
  v[i] = __hsub2(h, fires);
}

/* Time steps by bits of a word. */
__global__ void lif_packed(const float *x, unsigned *s, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = 0;
  unsigned bits = 0;
  for (int t = 0; t < steps; t++) {
    v = 0.5f * v + x[t * n + i];
    if (v >= 1.0f) {
      bits |= 1u << t;
      v -= 1.0f;
    }
  }
  s[i] = bits;
}

__global__ void izhikevich(float *v, float *u, const float *current, int *spikes, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = v[i], b = u[i], in = current[i];
  int fired = 0;
  for (int t = 0; t < steps; t++) {
    a += 0.5f * (0.04f * a * a + 5.0f * a + 140.0f - b + in);
    a += 0.5f * (0.04f * a * a + 5.0f * a + 140.0f - b + in);
    b += 0.02f * (0.2f * a - b);
    if (a >= 30.0f) {
      a = -65.0f;
      b += 8.0f;
      fired++;
    }
  }
  v[i] = a;
  u[i] = b;
  spikes[i] = fired;
}

__global__ void adaptive_exponential(float *v, float *w, const float *current, int n, int steps, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = v[i], b = w[i];
  for (int t = 0; t < steps; t++) {
    float dv = (-(a + 70.0f) + 2.0f * __expf((a + 50.0f) / 2.0f) - b + current[i]) * dt;
    b += (0.5f * (a + 70.0f) - b) * (dt * 0.01f);
    a += dv;
    if (a > 0.0f) {
      a = -58.0f;
      b += 7.0f;
    }
  }
  v[i] = a;
  w[i] = b;
}

struct Gates {
  float v, m, h, n;
};
__global__ void hodgkin_huxley(Gates *state, const float *current, int n, int steps, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Gates g = state[i];
  float in = current[i];
  for (int t = 0; t < steps; t++) {
    float am = 0.1f * (g.v + 40.0f) / (1.0f - expf(-(g.v + 40.0f) / 10.0f)),
          bm = 4.0f * expf(-(g.v + 65.0f) / 18.0f);
    float ah = 0.07f * expf(-(g.v + 65.0f) / 20.0f), bh = 1.0f / (1.0f + expf(-(g.v + 35.0f) / 10.0f));
    float an = 0.01f * (g.v + 55.0f) / (1.0f - expf(-(g.v + 55.0f) / 10.0f)),
          bn = 0.125f * expf(-(g.v + 65.0f) / 80.0f);
    float sodium = 120.0f * g.m * g.m * g.m * g.h * (g.v - 50.0f), square = g.n * g.n;
    float potassium = 36.0f * square * square * (g.v + 77.0f), leak = 0.3f * (g.v + 54.387f);
    g.m += dt * (am * (1.0f - g.m) - bm * g.m);
    g.h += dt * (ah * (1.0f - g.h) - bh * g.h);
    g.n += dt * (an * (1.0f - g.n) - bn * g.n);
    g.v += dt * (in - sodium - potassium - leak);
  }
  state[i] = g;
}

__host__ __device__ inline float2 fitz_hugh(float2 s, float in) {
  return make_float2(s.x - s.x * s.x * s.x * (1.0f / 3) - s.y + in, 0.08f * (s.x + 0.7f - 0.8f * s.y));
}

__global__ void fitz_hugh_rk4(float2 *state, const float *current, int n, int steps, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 s = state[i];
  for (int t = 0; t < steps; t++) {
    float2 a = fitz_hugh(s, current[i]);
    float2 b = fitz_hugh(make_float2(s.x + 0.5f * dt * a.x, s.y + 0.5f * dt * a.y), current[i]);
    float2 c = fitz_hugh(make_float2(s.x + 0.5f * dt * b.x, s.y + 0.5f * dt * b.y), current[i]);
    float2 d = fitz_hugh(make_float2(s.x + dt * c.x, s.y + dt * c.y), current[i]);
    s.x += dt / 6 * (a.x + 2 * b.x + 2 * c.x + d.x);
    s.y += dt / 6 * (a.y + 2 * b.y + 2 * c.y + d.y);
  }
  state[i] = s;
}

__global__ void lif_rk2(float *v, const float *current, int n, int steps, float dt, float tau) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = v[i], in = current[i];
  for (int t = 0; t < steps; t++) {
    float k1 = (in - a) / tau, k2 = (in - (a + dt * k1)) / tau;
    a += 0.5f * dt * (k1 + k2);
  }
  v[i] = a;
}

__global__ void morris_lecar(float *v, float *w, const float *current, int n, int steps, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = v[i], b = w[i], in = current[i];
  for (int t = 0; t < steps; t++) {
    float m = 0.5f * (1.0f + tanhf((a + 1.2f) / 18.0f)), r = 0.5f * (1.0f + tanhf((a - 2.0f) / 30.0f));
    float rate = 0.04f * coshf((a - 2.0f) / 60.0f);
    a += dt / 20.0f * (in - 4.4f * m * (a - 120.0f) - 8.0f * b * (a + 84.0f) - 2.0f * (a + 60.0f));
    b += dt * rate * (r - b);
  }
  v[i] = a;
  w[i] = b;
}

/* Gradients through time of a neuron with soft reset. */
__global__ void lif_backward(const float *v, const float *gradient_s, float *gradient_x, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float g = 0;
  for (int t = steps - 1; t >= 0; t--) {
    float d = v[t * n + i] - 1.0f, local = 1.0f / (1.0f + d * d * 4.0f);
    g = g * 0.5f * (1.0f - local) + gradient_s[t * n + i] * local;
    gradient_x[t * n + i] = g;
  }
}

/* Inputs of eighths; each step halves the sum: exact for 12 steps. */
struct Eighths : Buffer<float> {
  Eighths(int n, int least, int most) : Buffer<float>(n) {
    Random random;
    for (float &x : host)
      x = (least + random.below(most - least + 1)) * 0.125f;
    up();
  }
};

static void spiking() {
  const int blocks = divided(N, 128), all = N * STEPS;
  Eighths x(all, -3, 9), one(N, -3, 9);
  Buffer<float> v(N), s(all), trace(N), current(N), w(1, 0.5f);
  Buffer<unsigned char> bytes(all);
  Buffer<unsigned> bits(N);
  auto each = [&](auto step) { // a neuron's work on the host, in floats, step by step
    std::vector<float> out(all);
    for (int i = 0; i < N; i++) {
      float state[3] = {};
      for (int t = 0; t < STEPS; t++)
        out[t * N + i] = step(state, x[t * N + i]);
    }
    return out;
  };
  auto soft = each([](float *v, float in) {
    v[0] = v[0] * 0.5f + in;
    float fires = v[0] >= 1;
    v[0] -= fires;
    return fires;
  });
  auto is = [](const std::vector<float> &expected) { return [&](int i) { return expected[i]; }; };

  lif_step<<<blocks, 128>>>(v.device, one.device, s.device, N, 0.5f, 0.75f);
  s.down();
  for (int i = 0; i < N; i++)
    EXPECT(s[i] == (one[i] >= 0.75f));
  check("lif_step", v, [&](int i) { return one[i] >= 0.75f ? 0 : one[i]; });
  lif_steps<<<blocks, 128>>>(x.device, s.device, v.device, N, STEPS);
  check("lif_steps", s, is(soft));
  lif_packed<<<blocks, 128>>>(x.device, bits.device, N, STEPS);
  bits.down();
  for (int i = 0; i < all; i++)
    EXPECT((bits[i % N] >> i / N & 1) == (unsigned)soft[i]);
  if_hard_reset<<<blocks, 128>>>(x.device, bytes.device, N, STEPS);
  check("if_hard_reset", bytes, is(each([](float *v, float in) {
          v[0] += in;
          float fires = v[0] >= 1;
          v[0] = fires ? 0 : v[0];
          return fires;
        })));
  lif_refractory<<<blocks, 128>>>(x.device, s.device, N, STEPS, 2);
  check("lif_refractory", s, is(each([](float *v, float in) {
          if (v[1] > 0) {
            v[1]--;
            return 0.0f;
          }
          v[0] = 0.5f * v[0] + in;
          bool fires = v[0] >= 0.75f;
          if (fires)
            v[0] = 0, v[1] = 2;
          return (float)fires;
        })));
  lif_adaptive<<<blocks, 128>>>(x.device, s.device, N, STEPS);
  check("lif_adaptive", s, is(each([](float *v, float in) {
          v[0] = 0.5f * v[0] + in;
          float threshold = 0.5f + 0.25f * v[1], fires = v[0] >= threshold;
          v[0] -= fires * threshold;
          v[1] = 0.5f * v[1] + fires;
          return fires;
        })));
  st_bif<<<blocks, 128>>>(x.device, s.device, trace.device, N, STEPS, 0.5f, 4);
  std::vector<float> traces(N);
  auto bipolar = each([](float *v, float in) {
    v[0] += in + (v[2]++ == 0 ? 0.25f : 0);
    int fires = v[0] >= 0.5f && v[1] < 4 ? 1 : v[0] < 0 && v[1] > 0 ? -1 : 0;
    v[0] -= 0.5f * fires;
    v[1] += fires;
    return 0.5f * fires;
  });
  for (int i = 0; i < all; i++)
    traces[i % N] += 2 * bipolar[i];
  check("st_bif", s, is(bipolar));
  check("st_bif", trace, [&](int i) { return traces[i]; });
  synaptic_current<<<3, 128>>>(one.device, current.device, v.device, s.device, N, 0.5f, 0.5f);
  check("synaptic_current", current, [&](int i) { return one[i]; });
  plif_steps<<<blocks, 128>>>(x.device, w.device, s.device, N, STEPS);
  s.down();
  for (int i = 0; i < N; i++) // the first step; later ones depend on the sums above the threshold
    EXPECT(near(s[i], x[i] / (1 + std::exp(-0.5))));

  Buffer<__half> hv(2 * (N / 2)), hx(2 * (N / 2)), hs(2 * (N / 2));
  for (int i = 0; i < N / 2 * 2; i++)
    hv[i] = __float2half(one[(i + 1) % N]), hx[i] = __float2half(one[i]);
  hv.up(), hx.up();
  lif_half2<<<blocks, 64>>>((__half2 *)hv.device, (__half2 *)hx.device, (__half2 *)hs.device, N / 2);
  check("lif_half2", hs, [&](int i) { return one[(i + 1) % N] * 0.5f + one[i] >= 1; });

  counts("lif_step",
         {{"flops.fp32.fma", 2 * N}, {"bytes.global.load", 8 * N}, {"bytes.global.store", 8 * N}});
  counts("lif_steps",
         {{"flops.fp32", 3 * all}, {"bytes.global.load", 4 * all}, {"bytes.global.store", 4 * all + 4 * N}});
  counts("if_hard_reset",
         {{"flops.fp32.add", all}, {"bytes.global.load", 4 * all}, {"bytes.global.store", all}});
  counts("lif_half2", {{"flops.fp16.fma", N / 2 * 4},
                       {"flops.fp16.add", N / 2 * 2},
                       {"bytes.global.load", N / 2 * 8},
                       {"bytes.global.store", N / 2 * 8}});
}

static void conductances() {
  const int blocks = divided(N, 64);
  Floats current(N, 10, 0), small(N, 0.5f, 0);
  Buffer<float> v(N, -65), u(N, -13), w(N), lv(N);
  Buffer<int> spikes(N);
  for (int i = 0; i < N; i += 3)
    v[i] = 25; // fires in the first step, and no other does
  v.up();
  std::vector<double> ev(N), eu(N, -13);
  for (int i = 0; i < N; i++) {
    ev[i] = v[i];
    for (int t = 0; t < 5; t++) {
      for (int half = 0; half < 2; half++)
        ev[i] += 0.5 * (0.04 * ev[i] * ev[i] + 5 * ev[i] + 140 - eu[i] + small[i]);
      eu[i] += 0.02 * (0.2 * ev[i] - eu[i]);
      if (ev[i] >= 30)
        ev[i] = -65, eu[i] += 8;
    }
  }
  izhikevich<<<blocks, 64>>>(v.device, u.device, small.device, spikes.device, N, 5);
  check(
      "izhikevich", v, [&](int i) { return ev[i]; }, 1e-3);
  check(
      "izhikevich", u, [&](int i) { return eu[i]; }, 1e-3);
  check("izhikevich", spikes, [](int i) { return i % 3 == 0; });

  Buffer<float> av(N, -65), aw(N);
  adaptive_exponential<<<blocks, 64>>>(av.device, aw.device, current.device, N, 20, 0.05f);
  check(
      "adaptive_exponential", av,
      [&](int i) {
        double a = -65, b = 0;
        for (int t = 0; t < 20; t++) {
          double dv = (-(a + 70) + 2 * std::exp((a + 50) / 2) - b + current[i]) * 0.05;
          b += (0.5 * (a + 70) - b) * 0.0005;
          a += dv;
        }
        return a;
      },
      1e-4);

  Buffer<Gates> gates(N, Gates{-65.0f, 0.05f, 0.6f, 0.32f});
  hodgkin_huxley<<<blocks, 64>>>(gates.device, current.device, N, 20, 0.01f);
  gates.down();
  for (int i = 0; i < N; i += 5) {
    double v = -65, m = 0.05f, h = 0.6f, n = 0.32f;
    for (int t = 0; t < 20; t++) {
      double am = 0.1 * (v + 40) / (1 - std::exp(-(v + 40) / 10)), bm = 4 * std::exp(-(v + 65) / 18);
      double ah = 0.07 * std::exp(-(v + 65) / 20), bh = 1 / (1 + std::exp(-(v + 35) / 10));
      double an = 0.01 * (v + 55) / (1 - std::exp(-(v + 55) / 10)), bn = 0.125 * std::exp(-(v + 65) / 80);
      double flow =
          current[i] - 120 * m * m * m * h * (v - 50) - 36 * n * n * n * n * (v + 77) - 0.3 * (v + 54.387);
      m += 0.01 * (am * (1 - m) - bm * m);
      h += 0.01 * (ah * (1 - h) - bh * h);
      n += 0.01 * (an * (1 - n) - bn * n);
      v += 0.01 * flow;
    }
    EXPECT(near(gates[i].v, v, 1e-4) && near(gates[i].m, m, 1e-4) && near(gates[i].h, h, 1e-4));
  }

  Buffer<float2> fh(N, make_float2(-1, 1));
  fitz_hugh_rk4<<<blocks, 64>>>(fh.device, small.device, N, 10, 0.1f);
  fh.down();
  for (int i = 0; i < N; i += 3) { // Euler by steps a thousand times as small
    double a = -1, b = 1;
    for (int t = 0; t < 10000; t++) {
      double da = a - a * a * a / 3 - b + small[i], db = 0.08 * (a + 0.7 - 0.8 * b);
      a += 1e-4 * da;
      b += 1e-4 * db;
    }
    EXPECT(near(fh[i].x, a, 1e-3) && near(fh[i].y, b, 1e-3));
  }

  lif_rk2<<<blocks, 64>>>(lv.device, current.device, N, 10, 0.1f, 2.0f);
  check(
      "lif_rk2", lv, [&](int i) { return current[i] * (1 - std::pow(1 - 0.05 + 0.00125, 10)); }, 1e-4);
  Buffer<float> mv(N, -60), mw(N, 0.01f);
  morris_lecar<<<blocks, 64>>>(mv.device, mw.device, current.device, N, 10, 0.1f);
  check(
      "morris_lecar", mv,
      [&](int i) {
        double a = -60, b = 0.01f;
        for (int t = 0; t < 10; t++) {
          double m = 0.5 * (1 + std::tanh((a + 1.2) / 18)), r = 0.5 * (1 + std::tanh((a - 2) / 30));
          double rate = 0.04 * std::cosh((a - 2) / 60);
          a += 0.1 / 20 * (current[i] - 4.4 * m * (a - 120) - 8 * b * (a + 84) - 2 * (a + 60));
          b += 0.1 * rate * (r - b);
        }
        return a;
      },
      1e-4);

  Floats potential(N * STEPS, 2), gradient(N * STEPS);
  Buffer<float> back(N * STEPS);
  lif_backward<<<blocks, 64>>>(potential.device, gradient.device, back.device, N, STEPS);
  std::vector<double> expected(N * STEPS);
  for (int i = 0; i < N; i++) {
    double g = 0;
    for (int t = STEPS - 1; t >= 0; t--) {
      double d = potential[t * N + i] - 1, local = 1 / (1 + 4 * d * d);
      expected[t * N + i] = g = g * 0.5 * (1 - local) + gradient[t * N + i] * local;
    }
  }
  check("lif_backward", back, [&](int i) { return expected[i]; });

  // A step: two quotients; a difference, a product and an fma before the second; a sum and an fma after it,
  // and 0.5 dt once.
  counts("lif_rk2", {{"flops.fp32", (long long)N * (10 * (2 + 1 + 2 + 1 + 1 + 2) + 1)},
                     {"bytes.global.load", 8 * N},
                     {"bytes.global.store", 4 * N}});
}

int main() {
  spiking();
  conductances();
  return finish();
}
