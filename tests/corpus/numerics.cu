// Numerical kernels: particles, sparse matrices, Fourier transforms, random walks, fractals, solvers, ODE
// steps.
#include "corpus.h"

enum { BODIES = 150, TILE = 64, ROWS = 200, ELL = 6, POINTS = 256 };

__global__ void n_body(const float4 *body, float3 *force, int n) {
  __shared__ float4 tile[TILE];
  int i = blockIdx.x * TILE + threadIdx.x;
  float4 own = i < n ? body[i] : make_float4(0, 0, 0, 0);
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += TILE) {
    tile[threadIdx.x] = first + threadIdx.x < n ? body[first + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < TILE; j++) {
      float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f),
            s = tile[j].w * inverse * inverse * inverse;
      sum.x += dx * s;
      sum.y += dy * s;
      sum.z += dz * s;
    }
    __syncthreads();
  }
  if (i < n)
    force[i] = sum;
}

__global__ void leap_frog(float4 *body, float3 *speed, const float3 *force, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 v = speed[i], f = force[i];
  float4 p = body[i];
  v = make_float3(v.x + dt * f.x, v.y + dt * f.y, v.z + dt * f.z);
  body[i] = make_float4(p.x + dt * v.x, p.y + dt * v.y, p.z + dt * v.z, p.w);
  speed[i] = v;
}

/* Potential of charges, in double. */
__global__ void coulomb(const double *x, const double *q, double *potential, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
  for (int j = 0; j < n; j++)
    if (j != i)
      sum += q[j] / fabs(x[i] - x[j]);
  potential[i] = sum;
}

__global__ void sparse_rows(const int *first, const int *column, const float *value, const float *x, float *y,
                            int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int e = first[row]; e < first[row + 1]; e++)
    sum += value[e] * x[column[e]];
  y[row] = sum;
}

/* Eight lanes a row. */
__global__ void sparse_vector(const int *first, const int *column, const float *value, const float *x,
                              float *y, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
  float sum = 0;
  if (row < n)
    for (int e = first[row] + lane; e < first[row + 1]; e += 8)
      sum += value[e] * x[column[e]];
  for (int d = 4; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d, 8);
  if (row < n && lane == 0)
    y[row] = sum;
}

__global__ void sparse_ell(const int *column, const float *value, const float *x, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  float sum = 0;
  for (int k = 0; k < ELL; k++) {
    int c = column[k * n + row];
    if (c >= 0)
      sum += value[k * n + row] * x[c];
  }
  y[row] = sum;
}

__global__ void sparse_coordinates(const int *row, const int *column, const float *value, const float *x,
                                   float *y, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < edges)
    atomicAdd(&y[row[e]], value[e] * x[column[e]]);
}

/* A stage of a transform of many rows; all twiddles come from a table. */
__global__ void fourier_stage(const float2 *in, float2 *out, const float2 *twiddle, int half, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= POINTS / 2)
    return;
  int k = i % stride, at = (i - k) * 2 + k;
  float2 a = in[i], b = in[i + half], w = twiddle[(i - k) / stride * stride];
  out[at] = make_float2(a.x + b.x, a.y + b.y);
  float dx = a.x - b.x, dy = a.y - b.y;
  out[at + stride] = make_float2(dx * w.x - dy * w.y, dx * w.y + dy * w.x);
}

__global__ void fourier_shared(const float2 *in, float2 *out) {
  __shared__ float2 line[POINTS];
  int t = threadIdx.x; // half as many threads as points
  for (int i = t; i < POINTS; i += POINTS / 2)
    line[__brev(i) >> 24] = in[blockIdx.x * POINTS + i];
  for (int half = 1; half < POINTS; half *= 2) {
    __syncthreads();
    int k = t % half, at = t / half * half * 2 + k;
    float s, c;
    sincospif(-(float)k / half, &s, &c);
    float2 a = line[at], b = line[at + half];
    float2 turned = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    line[at] = make_float2(a.x + turned.x, a.y + turned.y);
    line[at + half] = make_float2(a.x - turned.x, a.y - turned.y);
  }
  __syncthreads();
  for (int i = t; i < POINTS; i += POINTS / 2)
    out[blockIdx.x * POINTS + i] = line[i];
}

__global__ void complex_product(const float2 *a, const float2 *b, float2 *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = make_float2(a[i].x * b[i].x - a[i].y * b[i].y, a[i].x * b[i].y + a[i].y * b[i].x);
}

/* Points in a quarter of a circle, of whole numbers: no rounding decides. */
__global__ void monte_carlo(unsigned *inside, int turns) {
  unsigned s = blockIdx.x * blockDim.x + threadIdx.x + 1, hits = 0;
  for (int i = 0; i < turns; i++) {
    s = s * 1664525u + 1013904223u;
    unsigned x = s >> 20;
    s = s * 1664525u + 1013904223u;
    unsigned y = s >> 20;
    hits += x * x + y * y < 4096u * 4096u;
  }
  hits = __reduce_add_sync(~0u, hits);
  if (threadIdx.x % 32 == 0)
    atomicAdd(inside, hits);
}

/* How often each point turns depends on the data, and near the edge of the set on rounding. */
__global__ void mandelbrot(int *turns, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w)
    return;
  float cx = -2.0f + x * 0.0625f, cy = -1.25f + y * 0.125f, zx = 0, zy = 0;
  int n = 0;
  while (n < most && zx * zx + zy * zy < 4.0f) {
    float t = zx * zx - zy * zy + cx;
    zy = 2.0f * zx * zy + cy;
    zx = t;
    n++;
  }
  turns[y * w + x] = n;
}

__global__ void collatz(const int *start, int *steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = start[i];
  int count = 0;
  for (; x != 1; count++)
    x = x % 2 ? 3 * x + 1 : x / 2;
  steps[i] = count;
}

__global__ void black_scholes(const float *price, const float *strike, const float *years, float *call, int n,
                              float rate, float volatility) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float root = sqrtf(years[i]);
  float d1 =
      (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
  float d2 = d1 - volatility * root;
  call[i] = price[i] * normcdff(d1) - strike[i] * expf(-rate * years[i]) * normcdff(d2);
}

__global__ void polynomial(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i], sum = 1.0 / 120;
  sum = sum * v + 1.0 / 24;
  sum = sum * v + 1.0 / 6;
  sum = sum * v + 0.5;
  sum = sum * v + 1.0;
  y[i] = sum * v + 1.0;
}

struct State {
  float x, y, z;
};
__host__ __device__ inline State lorenz(State s) {
  return {10.0f * (s.y - s.x), s.x * (28.0f - s.z) - s.y, s.x * s.y - 8.0f / 3 * s.z};
}
__host__ __device__ inline State moved(State s, State d, float h) {
  return {s.x + h * d.x, s.y + h * d.y, s.z + h * d.z};
}
__global__ void lorenz_rk4(State *state, int n, int steps, float h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  State s = state[i];
  for (int t = 0; t < steps; t++) {
    State a = lorenz(s), b = lorenz(moved(s, a, h / 2)), c = lorenz(moved(s, b, h / 2)),
          d = lorenz(moved(s, c, h));
    s.x += h / 6 * (a.x + 2 * (b.x + c.x) + d.x);
    s.y += h / 6 * (a.y + 2 * (b.y + c.y) + d.y);
    s.z += h / 6 * (a.z + 2 * (b.z + c.z) + d.z);
  }
  state[i] = s;
}

__global__ void oscillator_rk2(double *x, double *v, int n, int steps, double h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = x[i], b = v[i];
  for (int t = 0; t < steps; t++) {
    double xm = a + 0.5 * h * b, vm = b - 0.5 * h * a;
    a += h * vm;
    b -= h * xm;
  }
  x[i] = a;
  v[i] = b;
}

/* A small system a thread. */
__global__ void tridiagonal(const float *low, const float *diagonal, const float *high, float *right, int n,
                            int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float c[16];
  float beta = diagonal[i];
  right[i] /= beta;
  for (int k = 1; k < size; k++) {
    c[k] = high[(k - 1) * n + i] / beta;
    beta = diagonal[k * n + i] - low[k * n + i] * c[k];
    right[k * n + i] = (right[k * n + i] - low[k * n + i] * right[(k - 1) * n + i]) / beta;
  }
  for (int k = size - 2; k >= 0; k--)
    right[k * n + i] -= c[k + 1] * right[(k + 1) * n + i];
}

__global__ void lower_upper(float *a, int n) {
  extern __shared__ float m[];
  for (int i = threadIdx.x; i < n * n; i += blockDim.x)
    m[i] = a[i];
  __syncthreads();
  for (int k = 0; k < n - 1; k++) {
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x)
      m[i * n + k] /= m[k * n + k];
    __syncthreads();
    int side = n - k - 1;
    for (int e = threadIdx.x; e < side * side; e += blockDim.x) {
      int i = k + 1 + e / side, j = k + 1 + e % side;
      m[i * n + j] -= m[i * n + k] * m[k * n + j];
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n * n; i += blockDim.x)
    a[i] = m[i];
}

__global__ void floyd_warshall(int *distance, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j < n)
    distance[i * n + j] = min(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
}

__global__ void conjugate_update(const float *alpha, float *x, float *r, const float *p, const float *ap,
                                 int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += *alpha * p[i];
    r[i] -= *alpha * ap[i];
  }
}

__global__ void k_means(const float2 *point, const float2 *center, int *nearest, float2 *sum, int *count,
                        int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 p = point[i];
  float least = INFINITY;
  int best = 0;
  for (int c = 0; c < k; c++) {
    float dx = p.x - center[c].x, dy = p.y - center[c].y, d = dx * dx + dy * dy;
    if (d < least)
      least = d, best = c;
  }
  nearest[i] = best;
  atomicAdd(&sum[best].x, p.x);
  atomicAdd(&sum[best].y, p.y);
  atomicAdd(&count[best], 1);
}

static void particles() {
  Buffer<float4> body(BODIES);
  Buffer<float3> force(BODIES), speed(BODIES);
  Random random;
  for (auto &b : body.host)
    b = make_float4(random.symmetric(), random.symmetric(), random.symmetric(), random.unit());
  body.up();
  n_body<<<divided(BODIES, TILE), TILE>>>(body.device, force.device, BODIES);
  force.down();
  for (int i = 0; i < BODIES; i++) {
    double x = 0, y = 0, z = 0;
    for (auto &b : body.host) {
      double dx = b.x - body[i].x, dy = b.y - body[i].y, dz = b.z - body[i].z;
      double s = b.w * std::pow(dx * dx + dy * dy + dz * dz + 0.01, -1.5);
      x += dx * s, y += dy * s, z += dz * s;
    }
    EXPECT(near(force[i].x, x, 1e-4) && near(force[i].y, y, 1e-4) && near(force[i].z, z, 1e-4));
  }
  leap_frog<<<divided(BODIES, 64), 64>>>(body.device, speed.device, force.device, BODIES, 0.125f);
  speed.down();
  for (int i = 0; i < BODIES; i++)
    EXPECT(near(speed[i].y, 0.125 * force[i].y));
  Buffer<double> x(90), q(90), potential(90);
  for (int i = 0; i < 90; i++)
    x[i] = i * 0.7 + 1, q[i] = i % 5 - 2;
  x.up(), q.up();
  coulomb<<<2, 64>>>(x.device, q.device, potential.device, 90);
  check("coulomb", potential, [&](int i) {
    double s = 0;
    for (int j = 0; j < 90; j++)
      s += j == i ? 0 : q[j] / std::fabs(x[i] - x[j]);
    return s;
  });
  // A pair: 3 differences, 6 of the distance and its softening, 3 of the factor, 6 of the sum; a body's own
  // mass is not loaded.
  const long long slots = divided(BODIES, TILE) * TILE, pairs = slots * slots;
  counts("n_body", {{"flops.fp32", pairs * 18},
                    {"special_functions", pairs},
                    {"bytes.global.load", 12 * BODIES + 16 * BODIES * (slots / TILE)},
                    {"bytes.global.store", 12 * BODIES},
                    {"bytes.shared.store", 16 * slots * (slots / TILE)},
                    {"bytes.shared.load", 16 * pairs}});
  // The mass is not changed: neither loaded nor stored.
  counts("leap_frog", {{"flops.fp32.fma", 12 * BODIES},
                       {"bytes.global.load", 36 * BODIES},
                       {"bytes.global.store", 24 * BODIES}});
  counts("coulomb",
         {{"flops.fp64", 90 * 89 * 3}, {"bytes.global.load", 90 * 89 * 24}, {"bytes.global.store", 90 * 8}});
}

static void sparse() {
  Buffer<int> first(ROWS + 1), column(ROWS * ELL), row(ROWS * ELL), ell_column(ROWS * ELL, -1);
  Whole<float> value(ROWS * ELL, -5, 5), x(ROWS, -5, 5);
  Buffer<float> ell_value(ROWS * ELL), a(ROWS), b(ROWS), c(ROWS), d(ROWS);
  Random random;
  int edges = 0;
  std::vector<double> expected(ROWS);
  for (int r = 0; r < ROWS; r++) {
    first[r] = edges;
    for (int k = 0; k < r % (ELL + 1); k++, edges++) {
      row[edges] = r;
      column[edges] = ell_column[k * ROWS + r] = random.below(ROWS);
      ell_value[k * ROWS + r] = value[edges];
      expected[r] += value[edges] * x[column[edges]];
    }
  }
  first[ROWS] = edges;
  first.up(), column.up(), row.up(), ell_column.up(), ell_value.up();
  auto is = [&](int i) { return expected[i]; };
  sparse_rows<<<divided(ROWS, 64), 64>>>(first.device, column.device, value.device, x.device, a.device, ROWS);
  check("sparse_rows", a, is);
  sparse_vector<<<divided(ROWS * 8, 64), 64>>>(first.device, column.device, value.device, x.device, b.device,
                                               ROWS);
  check("sparse_vector", b, is);
  sparse_ell<<<divided(ROWS, 64), 64>>>(ell_column.device, ell_value.device, x.device, c.device, ROWS);
  check("sparse_ell", c, is);
  sparse_coordinates<<<divided(edges, 64), 64>>>(row.device, column.device, value.device, x.device, d.device,
                                                 edges);
  check("sparse_coordinates", d, is);
  counts("sparse_rows", {{"flops.fp32.fma", 2 * edges},
                         {"bytes.global.load", 8 * ROWS + 12 * edges},
                         {"bytes.global.store", 4 * ROWS}});
  counts("sparse_ell", {{"flops.fp32.fma", 2 * edges},
                        {"bytes.global.load", 4 * ROWS * ELL + 8 * edges},
                        {"bytes.global.store", 4 * ROWS}});
  counts("sparse_coordinates", {{"flops.fp32.mul", edges},
                                {"flops.fp32.accumulate", edges},
                                {"bytes.global.load", 16 * edges},
                                {"bytes.global.atomic", 4 * edges}});
}

static void transforms() {
  Buffer<float2> in(POINTS), other(POINTS), out(POINTS), twiddle(POINTS / 2);
  Random random;
  for (int i = 0; i < POINTS; i++)
    in[i] = make_float2(random.symmetric(), random.symmetric());
  for (int i = 0; i < POINTS / 2; i++)
    twiddle[i] = make_float2(std::cos(2 * M_PI * i / POINTS), -std::sin(2 * M_PI * i / POINTS));
  in.up(), twiddle.up();
  auto transformed = [&](Buffer<float2> &got) {
    got.down();
    for (int k = 0; k < POINTS; k += 17) {
      double re = 0, im = 0;
      for (int i = 0; i < POINTS; i++) {
        double angle = -2 * M_PI * k * i / POINTS;
        re += in[i].x * std::cos(angle) - in[i].y * std::sin(angle);
        im += in[i].x * std::sin(angle) + in[i].y * std::cos(angle);
      }
      EXPECT(near(got[k].x, re, 1e-4) && near(got[k].y, im, 1e-4));
    }
  };
  fourier_shared<<<1, POINTS / 2>>>(in.device, out.device);
  transformed(out);
  float2 *from = in.device, *to = other.device;
  for (int stride = 1; stride < POINTS; stride *= 2) {
    fourier_stage<<<2, 64>>>(from, to, twiddle.device, POINTS / 2, stride);
    std::swap(from, to);
  }
  Buffer<float2> product(POINTS);
  std::vector<float2> saved = in.host;
  in.down(); // eight stages: back where it began
  std::vector<float2> result = in.host;
  in.host = saved;
  other.host = result;
  other.up();
  transformed(other);
  in.up();
  complex_product<<<2, 128>>>(in.device, other.device, product.device, POINTS);
  product.down();
  for (int i = 0; i < POINTS; i++)
    EXPECT(near(product[i].x, (double)in[i].x * other[i].x - (double)in[i].y * other[i].y, 1e-4));
  const long long butterflies = 8 * POINTS / 2;
  counts("fourier_stage", {{"flops.fp32", butterflies * 10},
                           {"bytes.global.load", butterflies * 24},
                           {"bytes.global.store", butterflies * 16}});
  counts(
      "complex_product",
      {{"flops.fp32", POINTS * 6}, {"bytes.global.load", POINTS * 16}, {"bytes.global.store", POINTS * 8}});
}

static void loops() {
  Buffer<unsigned> inside(1);
  monte_carlo<<<3, 64>>>(inside.device, 50);
  check("monte_carlo", inside, [](int) {
    unsigned hits = 0;
    for (unsigned thread = 1; thread <= 192; thread++) {
      unsigned s = thread;
      for (int i = 0; i < 50; i++) {
        s = s * 1664525u + 1013904223u;
        unsigned x = s >> 20;
        s = s * 1664525u + 1013904223u;
        unsigned y = s >> 20;
        hits += x * x + y * y < 4096u * 4096u;
      }
    }
    return hits;
  });
  const int w = 40, h = 20;
  Buffer<int> turns(w * h);
  mandelbrot<<<dim3(1, h), 64>>>(turns.device, w, h, 50);
  turns.down();
  int differ = 0;
  for (int i = 0; i < w * h; i++) {
    double cx = -2 + i % w * 0.0625, cy = -1.25 + i / w * 0.125, zx = 0, zy = 0;
    int n = 0;
    for (; n < 50 && zx * zx + zy * zy < 4; n++) {
      double t = zx * zx - zy * zy + cx;
      zy = 2 * zx * zy + cy;
      zx = t;
    }
    differ += n != turns[i];
  }
  EXPECT(differ < w * h / 20); // points at the edge of the set, where rounding decides
  Buffer<int> start(100), steps(100);
  for (int i = 0; i < 100; i++)
    start[i] = i + 1;
  start.up();
  collatz<<<2, 64>>>(start.device, steps.device, 100);
  check("collatz", steps, [](int i) {
    int n = 0;
    for (unsigned x = i + 1; x != 1; n++)
      x = x % 2 ? 3 * x + 1 : x / 2;
    return n;
  });
  counts("collatz", {{"bytes.global.load", 400}, {"bytes.global.store", 400}});
  counts("monte_carlo", {{"atomic_ops", 6}, {"bytes.global.atomic", 6 * 4}});
}

static void functions() {
  const int n = 500;
  Floats price(n, 50, 0.2f), strike(n, 50, 0.2f), years(n, 2, 0.1f);
  Buffer<float> call(n);
  black_scholes<<<4, 128>>>(price.device, strike.device, years.device, call.device, n, 0.02f, 0.3f);
  check(
      "black_scholes", call,
      [&](int i) {
        auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
        double root = std::sqrt(years[i]),
               d = (std::log((double)price[i] / strike[i]) + 0.065 * years[i]) / (0.3 * root);
        return price[i] * normal(d) - strike[i] * std::exp(-0.02 * years[i]) * normal(d - 0.3 * root);
      },
      1e-4);
  Buffer<double> x(n), y(n);
  for (int i = 0; i < n; i++)
    x[i] = i * 0.001;
  x.up();
  polynomial<<<4, 128>>>(x.device, y.device, n);
  check(
      "polynomial", y, [&](int i) { return std::exp(x[i]); }, 1e-4);
  Buffer<State> state(n);
  for (int i = 0; i < n; i++)
    state[i] = {1 + i * 0.01f, 2, 20};
  std::vector<State> before = state.host;
  state.up();
  lorenz_rk4<<<4, 128>>>(state.device, n, 3, 0.01f);
  state.down();
  for (int i = 0; i < n; i += 11) {
    double s[3] = {before[i].x, before[i].y, before[i].z};
    for (int t = 0; t < 3000; t++) {
      double d[3] = {10 * (s[1] - s[0]), s[0] * (28 - s[2]) - s[1], s[0] * s[1] - 8.0 / 3 * s[2]};
      for (int k = 0; k < 3; k++)
        s[k] += 1e-5 * d[k];
    }
    EXPECT(near(state[i].x, s[0], 1e-3) && near(state[i].y, s[1], 1e-3) && near(state[i].z, s[2], 1e-3));
  }
  Buffer<double> place(n, 1), speed(n);
  oscillator_rk2<<<4, 128>>>(place.device, speed.device, n, 10, 0.01);
  check("oscillator_rk2", place, [](int) { return std::cos(0.1); });
  counts("polynomial",
         {{"flops.fp64.fma", 10 * n}, {"bytes.global.load", 8 * n}, {"bytes.global.store", 8 * n}});
}

static void solvers() {
  const int n = 70, size = 12;
  Floats low(n * size), high(n * size), right(n * size);
  Buffer<float> diagonal(n * size, 4);
  std::vector<float> before = right.host;
  tridiagonal<<<2, 64>>>(low.device, diagonal.device, high.device, right.device, n, size);
  right.down();
  for (int i = 0; i < n; i++)
    for (int k = 0; k < size; k++) {
      double s = 4.0 * right[k * n + i];
      s += k ? (double)low[k * n + i] * right[(k - 1) * n + i] : 0;
      s += k + 1 < size ? (double)high[k * n + i] * right[(k + 1) * n + i] : 0;
      EXPECT(near(s, before[k * n + i]));
    }
  const int side = 20;
  Floats matrix(side * side);
  for (int i = 0; i < side; i++)
    matrix[i * side + i] = 10;
  matrix.up();
  std::vector<float> whole = matrix.host;
  lower_upper<<<1, 64, side * side * sizeof(float)>>>(matrix.device, side);
  matrix.down();
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++) {
      double s = 0;
      for (int k = 0; k <= std::min(i, j); k++)
        s += (k == i ? 1.0 : matrix[i * side + k]) * matrix[k * side + j];
      EXPECT(near(s, whole[i * side + j]));
    }
  Whole<int> distance(side * side, 1, 99);
  std::vector<int> shortest = distance.host;
  for (int k = 0; k < side; k++) {
    floyd_warshall<<<dim3(1, side), 32>>>(distance.device, side, k);
    for (int i = 0; i < side * side; i++)
      shortest[i] = std::min(shortest[i], shortest[i / side * side + k] + shortest[k * side + i % side]);
  }
  check("floyd_warshall", distance, [&](int i) { return shortest[i]; });
  Floats x(n), r(n), p(n), ap(n);
  Buffer<float> alpha(1, 0.25f);
  std::vector<float> x0 = x.host, r0 = r.host;
  conjugate_update<<<1, 96>>>(alpha.device, x.device, r.device, p.device, ap.device, n);
  check("conjugate_update", x, [&](int i) { return x0[i] + 0.25 * p[i]; });
  check("conjugate_update", r, [&](int i) { return r0[i] - 0.25 * ap[i]; });
  Buffer<float2> point(n), center(3), sum(3);
  Buffer<int> nearest(n), count(3);
  for (int i = 0; i < n; i++)
    point[i] = make_float2(i % 3 * 100 + i % 7, i % 3 * 50 - i % 5);
  for (int c = 0; c < 3; c++)
    center[c] = make_float2(c * 100 + 3, c * 50 - 2);
  point.up(), center.up();
  k_means<<<2, 64>>>(point.device, center.device, nearest.device, sum.device, count.device, n, 3);
  check("k_means", nearest, [](int i) { return i % 3; });
  // Row k of the elimination: n - k - 1 quotients, and an fma for each element behind it.
  long long quotients = 0, products = 0;
  for (int k = 1; k < side; k++)
    quotients += k, products += k * k;
  counts("lower_upper", {{"flops.fp32.div", quotients},
                         {"flops.fp32.fma", 2 * products},
                         {"bytes.global.load", 4 * side * side},
                         {"bytes.global.store", 4 * side * side},
                         {"bytes.shared.load", 8 * quotients + 12 * products + 4 * side * side},
                         {"bytes.shared.store", 4 * (quotients + products) + 4 * side * side}});
  counts("floyd_warshall",
         {{"bytes.global.load", 12 * side * side * side}, {"bytes.global.store", 4 * side * side * side}});
  counts("conjugate_update",
         {{"flops.fp32.fma", 4 * n}, {"bytes.global.load", 24 * n}, {"bytes.global.store", 8 * n}});
}

int main() {
  particles();
  sparse();
  transforms();
  loops();
  functions();
  solvers();
  return finish();
}
