// Products on tensor cores: wmma of every type, mma.sync of every type, and pipelines of asynchronous copies.
#include "corpus.h"
#include "instructions.h"
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <mma.h>

using namespace nvcuda;

enum { M = 64, N = 64, K = 96 };

/* A warp a tile of 16 by 16. */
template <class In, class Fragment, int DEPTH, class Sum>
__device__ void wmma_tiles(const In *a, const In *b, Sum *c, int n, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, DEPTH, Fragment, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, DEPTH, Fragment, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, DEPTH, Sum> fc;
  wmma::fill_fragment(fc, Sum(0));
  int row = blockIdx.y * 16, column = (blockIdx.x * blockDim.y + threadIdx.y) * 16;
  for (int i = 0; i < k; i += DEPTH) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + column * k + i, k);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}
__global__ void wmma_fp16(const __half *a, const __half *b, float *c, int n, int k) {
  wmma_tiles<__half, __half, 16>(a, b, c, n, k);
}
__global__ void wmma_fp16_sums(const __half *a, const __half *b, __half *c, int n, int k) {
  wmma_tiles<__half, __half, 16>(a, b, c, n, k);
}
__global__ void wmma_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int n, int k) {
  wmma_tiles<__nv_bfloat16, __nv_bfloat16, 16>(a, b, c, n, k);
}
__global__ void wmma_tf32(const float *a, const float *b, float *c, int n, int k) {
  wmma_tiles<float, wmma::precision::tf32, 8>(a, b, c, n, k);
}
__global__ void wmma_int8(const signed char *a, const signed char *b, int *c, int n, int k) {
  wmma_tiles<signed char, signed char, 16>(a, b, c, n, k);
}

/* Fragments from shared memory. */
__global__ void wmma_shared(const __half *a, const __half *b, float *c, int n, int k) {
  __shared__ __half ta[16 * 16], tb[16 * 16];
  __shared__ float tc[16 * 16];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int first = 0; first < k; first += 16) {
    for (int i = threadIdx.x; i < 256; i += 32) {
      ta[i] = a[(blockIdx.y * 16 + i / 16) * k + first + i % 16];
      tb[i] = b[(blockIdx.x * 16 + i / 16) * k + first + i % 16];
    }
    __syncwarp();
    wmma::load_matrix_sync(fa, ta, 16);
    wmma::load_matrix_sync(fb, tb, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    __syncwarp();
  }
  for (int i = 0; i < fc.num_elements; i++)
    fc.x[i] *= 0.5f;
  wmma::store_matrix_sync(tc, fc, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32)
    c[(blockIdx.y * 16 + i / 16) * n + blockIdx.x * 16 + i % 16] = tc[i];
}

/* mma.sync with fragments loaded by hand, 32 bits at a time: a is M by K, b is N by K, a warp has 16 by 8
 * results. */
__device__ unsigned word(const void *p, int bytes) { return *(const unsigned *)((const char *)p + bytes); }

#define MMA_BY_HAND(NAME, IN, SUM, SIZE, DEPTH, INSTRUCTION, CONSTRAINT)                                     \
  __global__ void NAME(const IN *a, const IN *b, SUM *c, int n, int k) {                                     \
    int lane = threadIdx.x, g = lane / 4, t = lane % 4, row = blockIdx.y * 16, column = blockIdx.x * 8;      \
    SUM s[4] = {};                                                                                           \
    for (int first = 0; first < k; first += DEPTH) {                                                         \
      int low = first * SIZE + t * 4, half = DEPTH * SIZE / 2;                                               \
      unsigned a0 = word(a + (row + g) * k, low), a1 = word(a + (row + g + 8) * k, low);                     \
      unsigned a2 = word(a + (row + g) * k, low + half), a3 = word(a + (row + g + 8) * k, low + half);       \
      unsigned b0 = word(b + (column + g) * k, low), b1 = word(b + (column + g) * k, low + half);            \
      asm volatile(INSTRUCTION " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                      \
                   : "+" CONSTRAINT(s[0]), "+" CONSTRAINT(s[1]), "+" CONSTRAINT(s[2]), "+" CONSTRAINT(s[3])  \
                   : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));                                  \
    }                                                                                                        \
    c[(row + g) * n + column + 2 * t] = s[0];                                                                \
    c[(row + g) * n + column + 2 * t + 1] = s[1];                                                            \
    c[(row + g + 8) * n + column + 2 * t] = s[2];                                                            \
    c[(row + g + 8) * n + column + 2 * t + 1] = s[3];                                                        \
  }
MMA_BY_HAND(mma_fp16, __half, float, 2, 16, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "f")
MMA_BY_HAND(mma_bf16, __nv_bfloat16, float, 2, 16, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "f")
MMA_BY_HAND(mma_tf32, float, float, 4, 8, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "f")
MMA_BY_HAND(mma_int8, signed char, int, 1, 32, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "r")
MMA_BY_HAND(mma_fp8, __nv_fp8_e4m3, float, 1, 32, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "f")

__global__ void mma_fp64(const double *a, const double *b, double *c, int n, int k) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4, row = blockIdx.y * 8, column = blockIdx.x * 8;
  double s0 = 0, s1 = 0;
  for (int i = 0; i < k; i += 4)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(s0), "+d"(s1)
        : "d"(a[(row + g) * k + i + t]), "d"(b[(column + g) * k + i + t]));
  c[(row + g) * n + column + 2 * t] = s0;
  c[(row + g) * n + column + 2 * t + 1] = s1;
}

/* ldmatrix from a tile copied by the block; 16 by 16 results a warp. b is K by N. */
__global__ void mma_ldmatrix(const __half *a, const __half *b, float *c, int n, int k) {
  __shared__ alignas(16) __half ta[16][24], tb[16][24];
  int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 16;
  float s[2][4] = {};
  for (int first = 0; first < k; first += 16) {
    int r = lane / 2, q = lane % 2 * 8;
    *(uint4 *)&ta[r][q] = *(const uint4 *)&a[(row + r) * k + first + q];
    *(uint4 *)&tb[r][q] = *(const uint4 *)&b[(first + r) * n + column + q];
    __syncwarp();
    unsigned fa[4], fb[4];
    ldmatrix_x4(fa, &ta[lane % 16][lane / 16 * 8]);
    ldmatrix_x4_trans(fb, &tb[lane % 16][lane / 16 * 8]);
    mma_f16(s[0], fa, fb[0], fb[1]);
    mma_f16(s[1], fa, fb[2], fb[3]);
    __syncwarp();
  }
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < 4; i++)
      c[(row + lane / 4 + i / 2 * 8) * n + column + h * 8 + lane % 4 * 2 + i % 2] = s[h][i];
}

/* Tiles of 64 by 64 by 32 in STAGES buffers filled by cp.async; four warps of 32 by 32. */
template <int STAGES> __device__ void pipelined(const __half *a, const __half *b, __half *c, int n, int k) {
  __shared__ alignas(16) __half ta[STAGES][64][40], tb[STAGES][32][72];
  int t = threadIdx.x, lane = t % 32, wy = t / 64 * 32, wx = t / 32 % 2 * 32;
  int row = blockIdx.y * 64, column = blockIdx.x * 64, tiles = k / 32;
  auto fetch = [&](int tile) {
    if (tile < tiles)
      for (int i = t; i < 256; i += 128) {
        cp_async_16(&ta[tile % STAGES][i / 4][i % 4 * 8], &a[(row + i / 4) * k + tile * 32 + i % 4 * 8]);
        cp_async_16(&tb[tile % STAGES][i / 8][i % 8 * 8], &b[(tile * 32 + i / 8) * n + column + i % 8 * 8]);
      }
    cp_async_commit();
  };
  float s[2][4][4] = {};
  for (int i = 0; i < STAGES - 1; i++)
    fetch(i);
  for (int tile = 0; tile < tiles; tile++) {
    cp_async_wait<STAGES - 2>();
    __syncthreads();
    fetch(tile + STAGES - 1);
    int at = tile % STAGES;
#pragma unroll
    for (int d = 0; d < 32; d += 16) {
      unsigned fa[2][4], fb[2][4];
      for (int i = 0; i < 2; i++)
        ldmatrix_x4(fa[i], &ta[at][wy + i * 16 + lane % 16][d + lane / 16 * 8]);
      for (int j = 0; j < 2; j++)
        ldmatrix_x4_trans(fb[j], &tb[at][d + lane % 16][wx + j * 16 + lane / 16 * 8]);
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
          mma_f16(s[i][j], fa[i], fb[j / 2][j % 2 * 2], fb[j / 2][j % 2 * 2 + 1]);
    }
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++)
      for (int h = 0; h < 2; h++)
        *(__half2 *)&c[(row + wy + i * 16 + lane / 4 + h * 8) * n + column + wx + j * 8 + lane % 4 * 2] =
            __floats2half2_rn(s[i][j][2 * h], s[i][j][2 * h + 1]);
}
__global__ void gemm_double_buffered(const __half *a, const __half *b, __half *c, int n, int k) {
  pipelined<2>(a, b, c, n, k);
}
__global__ void gemm_three_stages(const __half *a, const __half *b, __half *c, int n, int k) {
  pipelined<3>(a, b, c, n, k);
}

/* Rows, columns and depth ending within tiles: copies are predicated, missing places are zeros. */
__global__ void gemm_tensor_predicated(const __half *a, const __half *b, float *c, int m, int n, int k) {
  __shared__ alignas(16) __half ta[16][24], tb[16][24];
  int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 16, r = lane / 2, q = lane % 2 * 8;
  float s[2][4] = {};
  for (int first = 0; first < k; first += 16) {
    bool in_a = row + r < m && first + q < k, in_b = first + r < k && column + q < n;
    cp_async_16_or_zero(&ta[r][q], &a[in_a ? (row + r) * k + first + q : 0], in_a);
    cp_async_16_or_zero(&tb[r][q], &b[in_b ? (first + r) * n + column + q : 0], in_b);
    cp_async_commit();
    cp_async_wait<0>();
    __syncwarp();
    unsigned fa[4], fb[4];
    ldmatrix_x4(fa, &ta[lane % 16][lane / 16 * 8]);
    ldmatrix_x4_trans(fb, &tb[lane % 16][lane / 16 * 8]);
    mma_f16(s[0], fa, fb[0], fb[1]);
    mma_f16(s[1], fa, fb[2], fb[3]);
    __syncwarp();
  }
  for (int h = 0; h < 2; h++)
    for (int i = 0; i < 4; i++) {
      int y = row + lane / 4 + i / 2 * 8, x = column + h * 8 + lane % 4 * 2 + i % 2;
      if (y < m && x < n)
        c[y * n + x] = s[h][i];
    }
}

/* Whole numbers, exact in every type. b is kept both ways. */
static std::vector<float> ia(M *K), ib(N *K), turned(K *N);
template <class T> struct As : Buffer<T> {
  explicit As(const std::vector<float> &from) : Buffer<T>(from.size()) {
    for (size_t i = 0; i < from.size(); i++)
      this->host[i] = T(from[i]);
    this->up();
  }
};

int main() {
  Random random;
  for (int i = 0; i < M * K; i++)
    ia[i] = random.below(5) - 2;
  for (int i = 0; i < N * K; i++)
    turned[i % K * N + i / K] = ib[i] = random.below(7) - 3;
  std::vector<double> expected(M * N);
  auto multiply = [&](int m, int n, int k) {
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        expected[i * n + j] = 0;
        for (int l = 0; l < k; l++)
          expected[i * n + j] += ia[i * k + l] * turned[l * n + j];
      }
  };
  multiply(M, N, K);
  auto is = [&](int i) { return expected[i]; };
  As<__half> ha(ia), hb(ib), ht(turned);
  As<__nv_bfloat16> ba(ia), bb(ib);
  As<float> fa(ia), fb(ib);
  As<double> da(ia), db(ib);
  As<signed char> ca(ia), cb(ib);
  As<__nv_fp8_e4m3> ea(ia), eb(ib);
  Buffer<float> c(M * N);
  Buffer<int> ci(M * N);
  Buffer<double> cd(M * N);
  Buffer<__half> ch(M * N);

  const dim3 two(N / 32, M / 16), pair(32, 2), tiles(N / 16, M / 16), narrow(N / 8, M / 16);
  wmma_fp16<<<two, pair>>>(ha.device, hb.device, c.device, N, K);
  check("wmma_fp16", c, is);
  wmma_fp16_sums<<<two, pair>>>(ha.device, hb.device, ch.device, N, K);
  check("wmma_fp16_sums", ch, is);
  wmma_bf16<<<two, pair>>>(ba.device, bb.device, c.device, N, K);
  check("wmma_bf16", c, is);
  wmma_tf32<<<two, pair>>>(fa.device, fb.device, c.device, N, K);
  check("wmma_tf32", c, is);
  wmma_int8<<<two, pair>>>(ca.device, cb.device, ci.device, N, K);
  check("wmma_int8", ci, is);
  wmma_shared<<<tiles, 32>>>(ha.device, hb.device, c.device, N, K);
  check("wmma_shared", c, [&](int i) { return expected[i] / 2; });
  mma_fp16<<<narrow, 32>>>(ha.device, hb.device, c.device, N, K);
  check("mma_fp16", c, is);
  mma_bf16<<<narrow, 32>>>(ba.device, bb.device, c.device, N, K);
  check("mma_bf16", c, is);
  mma_tf32<<<narrow, 32>>>(fa.device, fb.device, c.device, N, K);
  check("mma_tf32", c, is);
  mma_int8<<<narrow, 32>>>(ca.device, cb.device, ci.device, N, K);
  check("mma_int8", ci, is);
  mma_fp8<<<narrow, 32>>>(ea.device, eb.device, c.device, N, K);
  check("mma_fp8", c, is);
  mma_fp64<<<dim3(N / 8, M / 8), 32>>>(da.device, db.device, cd.device, N, K);
  check("mma_fp64", cd, is);
  mma_ldmatrix<<<tiles, 32>>>(ha.device, ht.device, c.device, N, K);
  check("mma_ldmatrix", c, is);
  gemm_double_buffered<<<dim3(N / 64, M / 64), 128>>>(ha.device, ht.device, ch.device, N, K);
  check("gemm_double_buffered", ch, is);
  gemm_three_stages<<<dim3(N / 64, M / 64), 128>>>(ha.device, ht.device, ch.device, N, K);
  check("gemm_three_stages", ch, is);

  // 50 by 40 by 72 of the same numbers, read as smaller matrices.
  const int m = 50, n = 40, k = 72;
  multiply(m, n, k);
  gemm_tensor_predicated<<<dim3(divided(n, 16), divided(m, 16)), 32>>>(ha.device, ht.device, c.device, m, n,
                                                                       k);
  c.down();
  for (int i = 0; i < m * n; i++)
    EXPECT(c[i] == expected[i]);

  const long long flops = 2ll * M * N * K, results = M * N;
  // A warp loads 16 by 16 of each factor for 16 by 16 results.
  counts("wmma_fp16", {{"flops.tensor.fp16", flops},
                       {"bytes.global.load", flops / 2 / 16 * 4},
                       {"bytes.global.store", results * 4}});
  counts("wmma_bf16", {{"flops.tensor.bf16", flops},
                       {"bytes.global.load", flops / 2 / 16 * 4},
                       {"bytes.global.store", results * 4}});
  counts("wmma_tf32", {{"flops.tensor.tf32", flops},
                       {"bytes.global.load", flops / 2 / 16 * 8},
                       {"bytes.global.store", results * 4}});
  counts("wmma_int8", {{"flops.tensor.int8", flops},
                       {"bytes.global.load", flops / 2 / 16 * 2},
                       {"bytes.global.store", results * 4}});
  // 16 by 8 results: 16 rows and 8 columns of the factors.
  counts("mma_fp16", {{"flops.tensor.fp16", flops},
                      {"bytes.global.load", results / 128 * K * 24 * 2},
                      {"bytes.global.store", results * 4}});
  counts("mma_bf16", {{"flops.tensor.bf16", flops},
                      {"bytes.global.load", results / 128 * K * 24 * 2},
                      {"bytes.global.store", results * 4}});
  counts("mma_tf32", {{"flops.tensor.tf32", flops},
                      {"bytes.global.load", results / 128 * K * 24 * 4},
                      {"bytes.global.store", results * 4}});
  counts("mma_int8", {{"flops.tensor.int8", flops},
                      {"bytes.global.load", results / 128 * K * 24},
                      {"bytes.global.store", results * 4}});
  counts("mma_fp8", {{"flops.tensor.fp8", flops},
                     {"bytes.global.load", results / 128 * K * 24},
                     {"bytes.global.store", results * 4}});
  counts("mma_fp64", {{"flops.tensor.fp64", flops},
                      {"bytes.global.load", results / 64 * K * 16 * 8},
                      {"bytes.global.store", results * 8}});
  const long long copied = results / 256 * K * 32 * 2;
  counts("mma_ldmatrix", {{"flops.tensor.fp16", flops},
                          {"bytes.global.load", copied},
                          {"bytes.shared.store", copied},
                          {"bytes.shared.load", copied},
                          {"bytes.global.store", results * 4}});
  // 64 rows and columns a block are copied once, and read by two of the four warps each.
  for (const char *name : {"gemm_double_buffered", "gemm_three_stages"})
    counts(name, {{"flops.tensor.fp16", flops},
                  {"bytes.global.load", results / 4096 * K * 128 * 2},
                  {"bytes.shared.store", results / 4096 * K * 128 * 2},
                  {"bytes.shared.load", results / 4096 * K * 128 * 2 * 2},
                  {"bytes.global.store", results * 2}});
  // Padded to 64 by 48 by 80: each block of 16 by 16 copies the existing part of 16 rows and 16 columns, in eights.
  const long long across = divided(n, 16), down = divided(m, 16), deep = divided(k, 16);
  counts("gemm_tensor_predicated", {{"flops.tensor.fp16", 2 * across * down * deep * 4096},
                                    {"bytes.global.load", 2 * (across * m * k + down * k * n)},
                                    {"bytes.shared.store", across * down * deep * 1024},
                                    {"bytes.shared.load", across * down * deep * 1024},
                                    {"bytes.global.store", 4 * m * n}});
  return finish();
}
