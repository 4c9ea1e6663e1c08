// Kernels without loops and branches, as in networks and neuron models. Their machine
// code from ptxas is compared with the hardware check's expectation (machine_code.py).
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

#define KERNEL(name, type, ...)                                                                              \
  extern "C" __global__ void name(type *o, const type *a, const type *b, const type *c, float s, float t) {  \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                     \
    const type x = a[i], y = b[i], z = c[i];                                                                 \
    type r = x;                                                                                              \
    __VA_ARGS__;                                                                                             \
    o[i] = r;                                                                                                \
  }
#define SINGLE(name, ...) KERNEL(name, float, __VA_ARGS__)
#define HALF(name, ...) KERNEL(name, __half, __VA_ARGS__)
#define HALF2(name, ...) KERNEL(name, __half2, __VA_ARGS__)
#define BF162(name, ...) KERNEL(name, __nv_bfloat162, __VA_ARGS__)
#define DOUBLE(name, ...) KERNEL(name, double, __VA_ARGS__)

// Products and sums
SINGLE(stored_product, float e = x * y; o[i + 4096] = e; r = e + z)
SINGLE(twice_used, float e = x * y; r = (e + z) * (e - z))
SINGLE(difference_of_products, r = x * y - z * s)
SINGLE(doubled_product, float e = x * y; r = e + e)
SINGLE(doubled, r = 2.0f * x + y)
SINGLE(minus_two, r = y - 2.0f * x)
SINGLE(polynomial, r = ((x * s + t) * x + s) * x + t)
SINGLE(select_product, r = x > 0 ? x * y : z)
SINGLE(select_leaky, r = x > 0 ? x : x * s)
SINGLE(rotate, o[i + 4096] = x * s - y * t; r = x * t + y * s)
// Powers of two
SINGLE(scaled_after, r = (x * y) * 4.0f)
SINGLE(scaled_before, r = 4.0f * x * y)
SINGLE(quarter_after, r = (x * y) * 0.25f)
SINGLE(eighth_after, r = (x * y) * 0.125f)
SINGLE(sixteenth_after, r = (x * y) * 0.0625f)
SINGLE(scaled_sum, r = (x + y) * 0.5f)
SINGLE(scaled_product_used_twice, float e = x * y; o[i + 4096] = e; r = e * 4.0f)
SINGLE(scaled_both, r = (x * 2.0f) * (y * 4.0f))
SINGLE(scaled_then_added, r = (x * y) * 4.0f + z)
SINGLE(scaled_constant_product, r = (x * 3.0f) * 4.0f)
SINGLE(minus_scaled, r = (x * y) * -4.0f)
SINGLE(scaled_square, r = 2.0f * x * x)
SINGLE(half_of_product, r = 0.5f * x * y)
// Surrogate gradients
SINGLE(sigmoid_gradient, float e = 1.0f / (1.0f + expf(-4.0f * x)); r = y * e * (1.0f - e) * 4.0f)
SINGLE(sigmoid_gradient_fast, float e = 1.0f / (1.0f + __expf(-4.0f * x)); r = 4.0f * (e * (1.0f - e)) * y)
SINGLE(sigmoid_gradient_order, float e = __fdividef(1.0f, 1.0f + __expf(-s * x)); r = (1.0f - e) * e * 4.0f)
SINGLE(arctan_gradient, float u = 3.1415927f * 0.5f * 2.0f * x; r = 2.0f / 2.0f / (1.0f + u * u) * y)
SINGLE(arctan_gradient_scaled, float u = s * x; r = s * 0.5f / (1.0f + u * u) * y)
SINGLE(triangle_gradient, r = fmaxf(0.0f, 1.0f - fabsf(x)) * s)
SINGLE(triangle_gradient_scaled, r = fmaxf(0.0f, 1.0f - fabsf(x * 2.0f)) * 2.0f)
SINGLE(gaussian_gradient, r = 0.3989423f * __expf(-0.5f * x * x) * y)
SINGLE(rectangle_gradient, r = fabsf(x) < 0.5f ? y : 0.0f)
SINGLE(quadratic_gradient, float d = 1.0f + s * fabsf(x); r = y / (d * d))
// Activations
SINGLE(sigmoid, r = 1.0f / (1.0f + expf(-x)))
SINGLE(sigmoid_fast, r = __fdividef(1.0f, 1.0f + __expf(-x)))
SINGLE(silu, r = x / (1.0f + expf(-x)))
SINGLE(swiglu, r = x / (1.0f + __expf(-x)) * y)
SINGLE(gelu_tanh, r = 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x))))
SINGLE(gelu_erf, r = 0.5f * x * (1.0f + erff(x * 0.70710678f)))
SINGLE(gelu_sigmoid, r = x / (1.0f + __expf(-1.702f * x)))
SINGLE(softplus, r = log1pf(expf(x)))
SINGLE(mish, float w = __expf(x); float n = w * (w + 2.0f); r = x * n / (n + 2.0f))
SINGLE(elu, r = x > 0 ? x : expm1f(x))
SINGLE(hardswish, r = x * fminf(fmaxf(x + 3.0f, 0.0f), 6.0f) * (1.0f / 6.0f))
// Norms and softmaxes
SINGLE(rms_norm4, const float v1 = a[i + 512], v2 = a[i + 1024], v3 = a[i + 1536];
       float n = rsqrtf((x * x + v1 * v1 + v2 * v2 + v3 * v3) * 0.25f + 1e-5f); o[i + 512] = v1 * n * y;
       o[i + 1024] = v2 * n * y; o[i + 1536] = v3 * n * y; r = x * n * y)
SINGLE(layer_norm4, const float v1 = a[i + 512], v2 = a[i + 1024], v3 = a[i + 1536];
       float m = (x + v1 + v2 + v3) * 0.25f; float d0 = x - m, d1 = v1 - m, d2 = v2 - m, d3 = v3 - m;
       float n = rsqrtf((d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3) * 0.25f + 1e-5f); o[i + 512] = d1 * n * y + z;
       o[i + 1024] = d2 * n * y + z; o[i + 1536] = d3 * n * y + z; r = d0 * n * y + z)
SINGLE(inverse_root, r = 1.0f / sqrtf(x + 1e-5f))
SINGLE(root_kept, float q = sqrtf(x); o[i + 4096] = q; r = 1.0f / q)
SINGLE(quotient_by_root, r = y / sqrtf(x + 1e-5f))
SINGLE(quotient_by_exact_root, r = y / __fsqrt_rn(x))
SINGLE(inverse_exact_root, r = 1.0f / __fsqrt_rn(x))
SINGLE(softmax4, const float v1 = a[i + 512], v2 = a[i + 1024], v3 = a[i + 1536];
       float m = fmaxf(fmaxf(x, v1), fmaxf(v2, v3));
       float e0 = expf(x - m), e1 = expf(v1 - m), e2 = expf(v2 - m), e3 = expf(v3 - m); o[i + 512] = e1;
       o[i + 1024] = e2; o[i + 1536] = e3; r = e0; o[i + 2048] = e0 + e1 + e2 + e3)
SINGLE(softmax_scaled, float e = __expf(x - y) * s; o[i + 4096] = e; r = z + e)
SINGLE(softmax_normalised, float d = 1.0f / z; o[i + 4096] = expf(x) * d; r = expf(y) * d)
SINGLE(online_softmax, float m = fmaxf(x, y); float k = __expf(x - m); r = z * k + __expf(y - m);
       o[i + 4096] = k)
SINGLE(cross_entropy, float m = fmaxf(x, y); r = logf(expf(x - m) + expf(y - m)) + m - z)
SINGLE(log_softmax_fast, r = x - y - __logf(z))
// Optimisers and neurons
SINGLE(adam, float g = y; float m = s * x + (1.0f - s) * g; float v = t * z + (1.0f - t) * g * g;
       o[i + 4096] = m; o[i + 8192] = v; r = x - 1e-3f * m / (sqrtf(v) + 1e-8f))
SINGLE(adamw_bias, float m = s * x + (1.0f - s) * y; float v = t * z + (1.0f - t) * y * y;
       float mh = m / (1.0f - s), vh = v / (1.0f - t); r = x - 1e-3f * (mh / (sqrtf(vh) + 1e-8f) + 0.01f * x))
SINGLE(sgd_momentum, float v = s * y + z; o[i + 4096] = v; r = x - t * v)
SINGLE(lif, float v = x + (y - x) * s; float k = v >= 1.0f ? 1.0f : 0.0f; o[i + 4096] = k; r = v * (1.0f - k))
SINGLE(lif_subtract, float v = x * s + y; float k = v >= t ? 1.0f : 0.0f; o[i + 4096] = k; r = v - k * t)
SINGLE(izhikevich, float v = x + 0.5f * (0.04f * x * x + 5.0f * x + 140.0f - y + z);
       v = v + 0.5f * (0.04f * v * v + 5.0f * v + 140.0f - y + z); float u = y + s * (t * v - y);
       o[i + 4096] = u; r = v)
SINGLE(rk4, float k1 = -s * x + t, k2 = -s * (x + 0.5f * y * k1) + t, k3 = -s * (x + 0.5f * y * k2) + t,
       k4 = -s * (x + y * k3) + t;
       r = x + y / 6.0f * (k1 + 2.0f * k2 + 2.0f * k3 + k4))
SINGLE(hodgkin_huxley_n, float an = 0.01f * (x + 55.0f) / (1.0f - expf(-(x + 55.0f) / 10.0f));
       float bn = 0.125f * expf(-(x + 65.0f) / 80.0f); r = y + s * (an * (1.0f - y) - bn * y))
SINGLE(adex, r = x + s * (-(x + 70.6f) + 2.0f * __expf((x + 50.4f) / 2.0f) - y + z))
SINGLE(stdp, float tr = x * s + y; o[i + 4096] = tr; r = fminf(fmaxf(z + t * tr * (1.0f - z), 0.0f), 1.0f))
// Halves
HALF(half_divide, r = x / y)
HALF(half_reciprocal, r = hrcp(x))
HALF(half_sigmoid, r = __hdiv(__float2half(1.0f), __hadd(__float2half(1.0f), hexp(__hneg(x)))))
HALF(half_multiply_subtract, r = x * y - z)
HALF(half_multiply_add, r = x * y + z)
HALF(half_silu, float f = __half2float(x); r = __float2half(f / (1.0f + __expf(-f))))
HALF2(half2_multiply_subtract, r = __hsub2(__hmul2(x, y), z))
HALF2(half2_subtract_product, r = __hsub2(z, __hmul2(x, y)))
HALF2(half2_multiply_add, r = __hadd2(__hmul2(x, y), z))
HALF2(half2_stored_product, __half2 e = __hmul2(x, y); o[i + 4096] = e; r = __hadd2(e, z))
HALF2(half2_products, r = __hadd2(__hmul2(x, y), __hmul2(z, y)))
HALF2(half2_divide, r = __h2div(x, y))
HALF2(half2_sigmoid, const __half2 one = __float2half2_rn(1.0f);
      r = __h2div(one, __hadd2(one, h2exp(__hneg2(x)))))
HALF2(half2_sigmoid_gradient, const __half2 one = __float2half2_rn(1.0f);
      __half2 e = __h2div(one, __hadd2(one, h2exp(__hneg2(__hmul2(x, z)))));
      r = __hmul2(__hmul2(__hmul2(y, e), __hsub2(one, e)), z))
HALF2(half2_arctan_gradient, const __half2 one = __float2half2_rn(1.0f); __half2 u = __hmul2(x, z);
      r = __hmul2(__h2div(one, __hfma2(u, u, one)), y))
HALF2(half2_triangle_gradient, const __half2 one = __float2half2_rn(1.0f);
      r = __hmul2(__hmax2(__hsub2(one, __habs2(x)), __float2half2_rn(0.0f)), y))
HALF2(half2_lif, __half2 v = __hadd2(x, __hmul2(__hsub2(y, x), z));
      __half2 k = __hge2(v, __float2half2_rn(1.0f)); o[i + 4096] = k;
      r = __hmul2(v, __hsub2(__float2half2_rn(1.0f), k)))
HALF2(half2_lif_subtract, __half2 v = __hfma2(x, z, y); __half2 k = __hge2(v, z); o[i + 4096] = k;
      r = __hsub2(v, __hmul2(k, z)))
HALF2(half2_recip_root, r = h2rsqrt(x))
HALF2(half2_operators, r = x * y + z * x - y)
BF162(bf162_multiply_add, r = __hadd2(__hmul2(x, y), z))
BF162(bf162_multiply_subtract, r = __hsub2(__hmul2(x, y), z))
BF162(bf162_divide, r = __h2div(x, y))
KERNEL(bf16_divide, __nv_bfloat16, r = x / y)
KERNEL(bf16_silu, __nv_bfloat16, float f = __bfloat162float(x); r = __float2bfloat16(f / (1.0f + __expf(-f))))
// Double precision
DOUBLE(double_sigmoid, r = 1.0 / (1.0 + exp(-x)))
DOUBLE(double_norm, r = x / sqrt(y * y + z * z))
DOUBLE(double_stored_product, double e = x * y; o[i + 4096] = e; r = e + z)
DOUBLE(double_scaled, r = (x * y) * 4.0)
SINGLE(scaled_two_after, r = (x * y) * 2.0f)
SINGLE(half_after, r = (x * y) * 0.5f)
SINGLE(eight_after, r = (x * y) * 8.0f)
SINGLE(scaled_in_the_middle, r = ((x * y) * 4.0f) * z)
SINGLE(scaled_twice, r = ((x * y) * 4.0f) * 0.5f * z)
SINGLE(scaled_fma, r = (x * y + z) * 4.0f)
SINGLE(scaled_squared, float e = x * 4.0f; r = e * e)
SINGLE(scaled_sum_of_products, r = (x * y) * 4.0f + (z * y) * 0.5f)
SINGLE(minus_product, r = -(x * y) * 0.5f)
SINGLE(third_product, r = x * y * z * 0.25f)
SINGLE(scaled_root, r = sqrtf(x) * 0.5f)
HALF2(half2_divide_by_same, r = __h2div(x, __half2half2(__low2half(y))))
HALF2(half2_divide_by_constant, r = __h2div(x, __float2half2_rn(2.5f)))
HALF2(half2_backward, const __half2 one = __float2half2_rn(1.0f); const __half2 tau = __float2half2_rn(1.25f);
      __half2 g = __hmul2(x, y); o[i + 4096] = __h2div(g, tau);
      r = __hsub2(__hmul2(g, __hsub2(one, __h2div(one, tau))), z))
HALF(half_constant, r = x * __float2half(0.3f) + __float2half(0.7f))
HALF2(half2_constant, r = __hfma2(x, __float2half2_rn(0.3f), __float2half2_rn(0.7f)))
HALF2(half2_softmax, __half2 e = h2exp(__hsub2(x, y)); o[i + 4096] = e; r = __hadd2(z, e))
HALF2(half2_gelu, float2 f = __half22float2(x);
      f.x = 0.5f * f.x * (1.0f + tanhf(0.79788456f * (f.x + 0.044715f * f.x * f.x * f.x)));
      r = __floats2half2_rn(f.x, f.y))
HALF2(half2_arctan_full, const __half2 one = __float2half2_rn(1.0f), half_pi = __float2half2_rn(1.5708f);
      __half2 u = __hmul2(__hmul2(half_pi, z), x);
      r = __hmul2(__h2div(__hmul2(z, __float2half2_rn(0.5f)), __hfma2(u, u, one)), y))
// Reductions of a warp, whose result one lane stores
SINGLE(shuffle_sum, float v = x * y;
       _Pragma("unroll") for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
       if (threadIdx.x == 0) o[i + 4096] = v)
SINGLE(shuffle_down_sum, float v = x;
       _Pragma("unroll") for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
       if (threadIdx.x % 32 == 0) o[i + 4096] = v)
SINGLE(group_sum, auto tile = cg::tiled_partition<32>(cg::this_thread_block());
       float v = cg::reduce(tile, x *y, cg::plus<float>()); if (tile.thread_rank() == 0) o[i + 4096] = v)
SINGLE(group_sum_all, auto tile = cg::tiled_partition<32>(cg::this_thread_block());
       r = cg::reduce(tile, x, cg::plus<float>()))
SINGLE(group_maximum, auto tile = cg::tiled_partition<32>(cg::this_thread_block());
       r = x - cg::reduce(tile, x, cg::greater<float>()))
SINGLE(atomic_of_sum, float v = x * y;
       _Pragma("unroll") for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
       if (threadIdx.x % 32 == 0) atomicAdd(o + 9999, v))
SINGLE(stored_by_some, float e = x * y + z; if (x > 1) o[i + 4096] = e)
SINGLE(
    used_by_some, float e = x * y; float f = e + z; if (x > 1) {
      o[i + 4096] = e * f;
      r = f;
    })
SINGLE(
    branch_both, if (x > 1) { r = x * y + z; } else { r = x * z - y; })
SINGLE(mean_of_one, float v = x; _Pragma("unroll") for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
       float m = v * 0.03125f; r = (x - m) * y; o[i] = r; if (threadIdx.x % 32 == 0) {
         o[i / 32 + 4096] = m;
         o[i / 32 + 8192] = r;
       })
SINGLE(sums_of_one, __shared__ float part[256]; part[threadIdx.x] = x; __syncthreads();
       float v = part[0] + part[1] + part[2] + part[5]; __syncthreads(); if (threadIdx.x == 0) {
         o[i + 4096] = v * s;
         o[i + 8192] = v * t;
       })
SINGLE(
    quotients_of_some, float e = x * y; float f = e + z; o[i] = f; if (i < s) {
      o[i + 4096] = e - t;
      o[i + 8192] = e + z;
    })
// Signs: a modifier of arithmetic, an addition of zero for the bits of a number or a value at a join
SINGLE(bits_of_absolute, o[i + 4096] = __int_as_float(__float_as_int(fabsf(x)) >> 3); r = x + y)
SINGLE(bits_of_negative, o[i + 4096] = __int_as_float(__float_as_int(-(x * y)) >> 3))
SINGLE(negative_in_sum, r = y - fabsf(x))
SINGLE(negative_or_sum, float v = x * y; if (z > 1) { o[i] = 2; r = z - v; } else { o[i] = 3; r = -v; })
SINGLE(stored_negative, o[i + 4096] = -(x * y); r = x * y)
DOUBLE(exponential_of_negative, r = exp(-x * y))
DOUBLE(bits_of_negative_double, o[i + 4096] = __longlong_as_double(__double_as_longlong(-(x * y)) >> 3))
HALF(one_sum, __half v = x; _Pragma("unroll") for (int k = 0; k < 4; ++k) v = v + o[i + k + 1]; r = v)
// Loads that ptxas or LLVM joins: three words of four, the same word again past a statement
SINGLE(three_words, __shared__ float tile[256]; tile[threadIdx.x] = x; __syncthreads(); r = tile[0] + tile[1] + tile[2])
SINGLE(three_of_five, __shared__ float tile[256]; tile[threadIdx.x] = x; __syncthreads();
       r = tile[1] + tile[2] + tile[3] + tile[4] + tile[9])
SINGLE(three_words_of_lane, __shared__ float4 tile[64]; ((float *)tile)[threadIdx.x] = x; __syncthreads();
       const float *own = (const float *)(tile + threadIdx.x / 4); r = own[0] + own[2] + own[3])
SINGLE(two_words, __shared__ float tile[256]; tile[threadIdx.x] = x; __syncthreads(); r = tile[1] + tile[2])
SINGLE(word_again, __shared__ float tile[256]; tile[threadIdx.x] = x; __syncthreads(); r = tile[255 - threadIdx.x];
       int lane; asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane)::"memory"); r += tile[255 - threadIdx.x] * lane)
SINGLE(word_after_barrier, __shared__ float tile[256]; tile[threadIdx.x] = x; __syncthreads();
       r = tile[255 - threadIdx.x]; __syncthreads(); r += tile[255 - threadIdx.x] * s)
extern "C" __global__ void three_of_float4(float *o, const float4 *a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 x = a[i];
  o[i] = x.x + x.y * x.z;
}
extern "C" __global__ void ends_of_float4(float *o, const float4 *__restrict__ a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = a[i].x + a[i].y * a[i].w;
}
extern "C" __global__ void half_of_float4(float *o, const float4 *a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = a[i].x + a[i].w;
}
