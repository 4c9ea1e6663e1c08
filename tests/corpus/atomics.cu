// Atomics of every kind, in global and shared memory, with and without their result.
#include "corpus.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { N = 1000, SLOTS = 37, THREADS = 128 };

/* One kernel an operation: thread i takes value[i] to slot i % SLOTS. */
#define EACH(NAME, TYPE, STATEMENT)                                                                          \
  __global__ void NAME(const TYPE *value, TYPE *slot, int n) {                                               \
    int i = blockIdx.x * blockDim.x + threadIdx.x, s = i % SLOTS;                                            \
    if (i < n) {                                                                                             \
      STATEMENT;                                                                                             \
    }                                                                                                        \
  }
EACH(add_int, int, atomicAdd(&slot[s], value[i]))
EACH(sub_int, int, atomicSub(&slot[s], value[i]))
EACH(min_int, int, atomicMin(&slot[s], value[i]))
EACH(max_int, int, atomicMax(&slot[s], value[i]))
EACH(and_unsigned, unsigned, atomicAnd(&slot[s], value[i]))
EACH(or_unsigned, unsigned, atomicOr(&slot[s], value[i]))
EACH(xor_unsigned, unsigned, atomicXor(&slot[s], value[i]))
EACH(inc_unsigned, unsigned, atomicInc(&slot[s], value[i]))
EACH(dec_unsigned, unsigned, atomicDec(&slot[s], value[i]))
EACH(add_long, unsigned long long, atomicAdd(&slot[s], value[i]))
EACH(max_long, unsigned long long, atomicMax(&slot[s], value[i]))
EACH(add_float, float, atomicAdd(&slot[s], value[i]))
EACH(add_double, double, atomicAdd(&slot[s], value[i]))
EACH(add_half2, __half2, atomicAdd(&slot[s], value[i]))
EACH(add_bfloat162, __nv_bfloat162, atomicAdd(&slot[s], value[i]))
EACH(add_block, int, atomicAdd_block(&slot[s], value[i]))
EACH(add_system, int, atomicAdd_system(&slot[s], value[i]))
EACH(add_float2, float2,
     asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(&slot[s]), "f"(value[i].x), "f"(value[i].y)
                  : "memory"))
EACH(add_float4, float4,
     asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(&slot[s]), "f"(value[i].x),
                  "f"(value[i].y), "f"(value[i].z), "f"(value[i].w)
                  : "memory"))
EACH(add_float_asm, float,
     asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(&slot[s]), "f"(value[i])
                  : "memory"))

/* Whose result is used. */
__global__ void ticket(int *counter, int *order, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    order[i] = atomicAdd(counter, 1);
}

__global__ void exchange(unsigned *slot, unsigned *got, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    got[i] = atomicExch(&slot[i], i * 3u);
}

__global__ void compare_and_swap(unsigned *slot, unsigned *got, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    got[i] = atomicCAS(&slot[i], i % 2 ? 7u : 8u, 9u);
}

/* The largest of positive floats: their bits are in order. */
__global__ void max_float_bits(const float *value, float *slot, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicMax((int *)&slot[i % SLOTS], __float_as_int(value[i]));
}

/* A sum by compare-and-swap: each lane has a slot of its own, so the loop runs once. */
__global__ void add_by_swapping(const float *value, float *slot, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *at = (int *)&slot[i], old = *at, seen;
  do {
    seen = old;
    old = atomicCAS(at, seen, __float_as_int(__int_as_float(seen) + value[i]));
  } while (old != seen);
}

/* ---- shared memory ---- */

#define IN_SHARED(NAME, TYPE, STATEMENT)                                                                     \
  __global__ void NAME(const TYPE *value, TYPE *out, int n) {                                                \
    __shared__ TYPE slot[SLOTS];                                                                             \
    for (int s = threadIdx.x; s < SLOTS; s += blockDim.x)                                                    \
      slot[s] = (TYPE)0;                                                                                     \
    __syncthreads();                                                                                         \
    for (int i = threadIdx.x; i < n; i += blockDim.x) {                                                      \
      int s = i % SLOTS;                                                                                     \
      STATEMENT;                                                                                             \
    }                                                                                                        \
    __syncthreads();                                                                                         \
    for (int s = threadIdx.x; s < SLOTS; s += blockDim.x)                                                    \
      out[s] = slot[s];                                                                                      \
  }
IN_SHARED(shared_add_int, int, atomicAdd(&slot[s], value[i]))
IN_SHARED(shared_max_int, int, atomicMax(&slot[s], value[i]))
IN_SHARED(shared_or, unsigned, atomicOr(&slot[s], value[i]))
IN_SHARED(shared_add_long, unsigned long long, atomicAdd(&slot[s], value[i]))
IN_SHARED(shared_add_float, float, atomicAdd(&slot[s], value[i]))
IN_SHARED(shared_add_double, double, atomicAdd(&slot[s], value[i]))

/* All lanes of a warp at one address, and each at its own. */
__global__ void shared_add_same(const float *value, float *out) {
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, value[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    *out = sum;
}
__global__ void shared_add_apart(const float *value, float *out) {
  __shared__ float sum[THREADS];
  sum[threadIdx.x] = value[threadIdx.x];
  __syncthreads();
  atomicAdd(&sum[threadIdx.x ^ 1], value[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = sum[threadIdx.x];
}

/* Lanes with one common address join first. */
__global__ void aggregated(const int *key, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool wanted = i < n && key[i] > 0;
  unsigned lanes = __ballot_sync(~0u, wanted);
  if (wanted && threadIdx.x % 32 == (unsigned)__ffs(lanes) - 1)
    atomicAdd(count, __popc(lanes));
}

template <class T> static T of(int i) { return T(i); }
template <> __half2 of<__half2>(int i) { return __floats2half2_rn(i, -i); }
template <> __nv_bfloat162 of<__nv_bfloat162>(int i) { return __floats2bfloat162_rn(i, -i); }
template <> float2 of<float2>(int i) { return make_float2(i, -i); }
template <> float4 of<float4>(int i) { return make_float4(i, -i, 2 * i, 1); }
static bool same(float2 a, float2 b) { return a.x == b.x && a.y == b.y; }
static bool same(float4 a, float4 b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }
static bool same(__half2 a, __half2 b) { return same(__half22float2(a), __half22float2(b)); }
static bool same(__nv_bfloat162 a, __nv_bfloat162 b) {
  return same(__bfloat1622float2(a), __bfloat1622float2(b));
}
template <class T> static bool same(T a, T b) { return a == b; }

/* The count of one atomic of a type: sums of floats accumulate, by element, all others are operations. */
template <class T> struct Work {
  static constexpr const char *key = "atomic_ops";
  static constexpr int each = 1;
};
#define ACCUMULATES(TYPE, PRECISION, EACH_ONE)                                                               \
  template <> struct Work<TYPE> {                                                                            \
    static constexpr const char *key = "flops." PRECISION ".accumulate";                                     \
    static constexpr int each = EACH_ONE;                                                                    \
  };
ACCUMULATES(float, "fp32", 1)
ACCUMULATES(float2, "fp32", 2)
ACCUMULATES(float4, "fp32", 4)
ACCUMULATES(double, "fp64", 1)
ACCUMULATES(__half2, "fp16", 2)
ACCUMULATES(__nv_bfloat162, "bf16", 2)

/* Runs a kernel on small whole numbers, and compares each slot with `fold`
 * over its operands, in the order of the threads (any order gives the same). */
template <class T, class Fold>
static void each(const char *name, void (*kernel)(const T *, T *, int), T first, Fold fold,
                 bool shared = false) {
  Buffer<T> value(N), slot(SLOTS, first);
  std::vector<T> expected(SLOTS, first);
  for (int i = 0; i < N; i++) {
    value[i] = of<T>(i * 7 % 10);
    expected[i % SLOTS] = fold(expected[i % SLOTS], value[i]);
  }
  value.up();
  kernel<<<shared ? 1 : divided(N, THREADS), THREADS>>>(value.device, slot.device, N);
  slot.down();
  for (int s = 0; s < SLOTS; s++)
    if (!same(slot[s], expected[s]) && failures++ < 10)
      std::printf("%s: slot %d is wrong\n", name, s);
  const long long size = sizeof(T), work = (long long)N * Work<T>::each;
  if (shared)
    counts(name, {{Work<T>::key, work},
                  {"bytes.global.load", size * N},
                  {"bytes.global.store", size * SLOTS},
                  {"bytes.shared.store", size * SLOTS},
                  {"bytes.shared.load", size * SLOTS},
                  {"bytes.shared.atomic", size * N}});
  else
    counts(name, {{Work<T>::key, work}, {"bytes.global.load", size * N}, {"bytes.global.atomic", size * N}});
}

int main() {
  using Long = unsigned long long;
  auto sum = [](auto a, auto b) { return a + b; };
  auto larger = [](auto a, auto b) { return a > b ? a : b; };
  each<int>("add_int", add_int, 5, sum);
  each<int>("sub_int", sub_int, 5, [](int a, int b) { return a - b; });
  each<int>("min_int", min_int, 5, [](int a, int b) { return a < b ? a : b; });
  each<int>("max_int", max_int, 5, larger);
  each<unsigned>("and_unsigned", and_unsigned, ~0u, [](unsigned a, unsigned b) { return a & b; });
  each<unsigned>("or_unsigned", or_unsigned, 0, [](unsigned a, unsigned b) { return a | b; });
  each<unsigned>("xor_unsigned", xor_unsigned, 0, [](unsigned a, unsigned b) { return a ^ b; });
  each<Long>("add_long", add_long, 1ull << 40, sum);
  each<Long>("max_long", max_long, 3, larger);
  each<float>("add_float", add_float, 1, sum);
  each<double>("add_double", add_double, 1, sum);
  each<int>("add_block", add_block, 5, sum);
  each<int>("add_system", add_system, 5, sum);
  each<float>("add_float_asm", add_float_asm, 1, sum);
  each<__half2>("add_half2", add_half2, of<__half2>(1), [](__half2 a, __half2 b) {
    float2 x = __half22float2(a), y = __half22float2(b);
    return __floats2half2_rn(x.x + y.x, x.y + y.y);
  });
  each<__nv_bfloat162>("add_bfloat162", add_bfloat162, of<__nv_bfloat162>(1),
                       [](__nv_bfloat162 a, __nv_bfloat162 b) {
                         float2 x = __bfloat1622float2(a), y = __bfloat1622float2(b);
                         return __floats2bfloat162_rn(x.x + y.x, x.y + y.y);
                       });
  each<float2>("add_float2", add_float2, of<float2>(1),
               [](float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); });
  each<float4>("add_float4", add_float4, of<float4>(1),
               [](float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); });
  each<int>("shared_add_int", shared_add_int, 0, sum, true);
  each<int>("shared_max_int", shared_max_int, 0, larger, true);
  each<unsigned>(
      "shared_or", shared_or, 0, [](unsigned a, unsigned b) { return a | b; }, true);
  each<Long>("shared_add_long", shared_add_long, 0, sum, true);
  each<float>("shared_add_float", shared_add_float, 0, sum, true);
  each<double>("shared_add_double", shared_add_double, 0, sum, true);

  // The results of inc and dec depend on the order; with one limit for all they do not.
  Buffer<unsigned> limit(N, 9), up(SLOTS), down(SLOTS);
  inc_unsigned<<<divided(N, THREADS), THREADS>>>(limit.device, up.device, N);
  check("inc_unsigned", up, [](int s) { return (N / SLOTS + (s < N % SLOTS)) % 10; });
  dec_unsigned<<<divided(N, THREADS), THREADS>>>(limit.device, down.device, N);
  check("dec_unsigned", down, [](int s) { return (1000 - (N / SLOTS + (s < N % SLOTS))) % 10; });
  counts("inc_unsigned", {{"atomic_ops", N}, {"bytes.global.load", 4 * N}, {"bytes.global.atomic", 4 * N}});
  counts("dec_unsigned", {{"atomic_ops", N}, {"bytes.global.load", 4 * N}, {"bytes.global.atomic", 4 * N}});

  Buffer<int> counter(1), order(N);
  ticket<<<divided(N, THREADS), THREADS>>>(counter.device, order.device, N);
  order.down();
  long long total = 0;
  for (int i = 0; i < N; i++)
    total += order[i];
  EXPECT(total == (long long)N * (N - 1) / 2);
  Buffer<unsigned> slots(N, 7), got(N);
  exchange<<<divided(N, THREADS), THREADS>>>(slots.device, got.device, N);
  check("exchange", got, [](int) { return 7; });
  compare_and_swap<<<divided(N, THREADS), THREADS>>>(slots.device, got.device, N);
  check("compare_and_swap", slots, [](int i) {
    return i % 2 && i * 3 == 7 ? 9 : i % 2 == 0 && i * 3 == 8 ? 9 : i * 3;
  });
  Floats value(N, 1, 0), base(N);
  Buffer<float> most(SLOTS), sums(N), one(1), apart(THREADS);
  max_float_bits<<<3, THREADS>>>(value.device, most.device, N);
  check("max_float_bits", most, [&](int s) {
    float m = 0;
    for (int i = s; i < N; i += SLOTS)
      m = std::fmax(m, value[i]);
    return m;
  });
  add_by_swapping<<<divided(N, THREADS), THREADS>>>(value.device, sums.device, N);
  check("add_by_swapping", sums, [&](int i) { return value[i]; });
  shared_add_same<<<1, THREADS>>>(value.device, one.device);
  check("shared_add_same", one, [&](int) {
    double s = 0;
    for (int i = 0; i < THREADS; i++)
      s += value[i];
    return s;
  });
  shared_add_apart<<<1, THREADS>>>(value.device, apart.device);
  check("shared_add_apart", apart, [&](int i) { return (double)value[i] + value[i ^ 1]; });
  Whole<int> keys(N, -3, 3);
  Buffer<int> positive(1);
  long long expected = 0, warps = 0;
  for (int i = 0; i < N; i += 32) {
    int in_warp = 0;
    for (int j = i; j < i + 32 && j < N; j++)
      in_warp += keys[j] > 0;
    expected += in_warp;
    warps += in_warp > 0;
  }
  aggregated<<<divided(N, THREADS), THREADS>>>(keys.device, positive.device, N);
  check("aggregated", positive, [&](int) { return expected; });

  counts("ticket", {{"atomic_ops", N}, {"bytes.global.atomic", 4 * N}, {"bytes.global.store", 4 * N}});
  counts("exchange", {{"atomic_ops", N}, {"bytes.global.atomic", 4 * N}, {"bytes.global.store", 4 * N}});
  counts("compare_and_swap",
         {{"atomic_ops", N}, {"bytes.global.atomic", 4 * N}, {"bytes.global.store", 4 * N}});
  counts("add_by_swapping", {{"atomic_ops", N},
                             {"flops.fp32.add", N},
                             {"bytes.global.load", 8 * N},
                             {"bytes.global.atomic", 4 * N}});
  counts("aggregated",
         {{"atomic_ops", warps}, {"bytes.global.load", 4 * N}, {"bytes.global.atomic", 4 * warps}});
  return finish();
}
