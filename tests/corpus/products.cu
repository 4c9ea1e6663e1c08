// Products of matrices and vectors on the ordinary cores, and transposes.
#include "corpus.h"
#include <cuda_fp16.h>

enum { M = 70, N = 52, K = 45 };     // no multiples of the tiles
enum { LM = 64, LN = 128, LK = 64 }; // multiples of them

__global__ void gemm_naive(const float *a, const float *b, float *c, int m, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && column < n) {
    float sum = 0;
    for (int i = 0; i < k; i++)
      sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
  }
}

template <int TILE> __device__ void tiled(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    ta[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tb[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++)
      sum += ta[y][i] * tb[i][x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}
__global__ void gemm_tiled16(const float *a, const float *b, float *c, int m, int n, int k) {
  tiled<16>(a, b, c, m, n, k);
}
__global__ void gemm_tiled32(const float *a, const float *b, float *c, int m, int n, int k) {
  tiled<32>(a, b, c, m, n, k);
}

/* 64 by 64 results a block of 256 threads, 4 by 4 a thread; a is stored transposed. */
__global__ void __launch_bounds__(256)
    gemm_register_blocked(const float *a, const float *b, float *c, int n, int k) {
  __shared__ float ta[16][64 + 4], tb[16][64];
  int t = threadIdx.x, x = t % 16, y = t / 16;
  a += blockIdx.y * 64 * k;
  b += blockIdx.x * 64;
  float sum[4][4] = {};
  for (int first = 0; first < k; first += 16) {
    float4 fa = *(const float4 *)&a[(t / 4) * k + first + t % 4 * 4];
    ta[t % 4 * 4 + 0][t / 4] = fa.x;
    ta[t % 4 * 4 + 1][t / 4] = fa.y;
    ta[t % 4 * 4 + 2][t / 4] = fa.z;
    ta[t % 4 * 4 + 3][t / 4] = fa.w;
    *(float4 *)&tb[t / 16][t % 16 * 4] = *(const float4 *)&b[(first + t / 16) * n + t % 16 * 4];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; i++) {
      float4 ra = *(float4 *)&ta[i][y * 4], rb = *(float4 *)&tb[i][x * 4];
      float va[4] = {ra.x, ra.y, ra.z, ra.w}, vb[4] = {rb.x, rb.y, rb.z, rb.w};
#pragma unroll
      for (int u = 0; u < 4; u++)
#pragma unroll
        for (int v = 0; v < 4; v++)
          sum[u][v] += va[u] * vb[v];
    }
    __syncthreads();
  }
#pragma unroll
  for (int u = 0; u < 4; u++)
    *(float4 *)&c[(blockIdx.y * 64 + y * 4 + u) * n + blockIdx.x * 64 + x * 4] =
        make_float4(sum[u][0], sum[u][1], sum[u][2], sum[u][3]);
}

__global__ void gemm_split_k(const float *a, const float *b, float *c, int m, int n, int k, int part) {
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y, first = blockIdx.z * part;
  if (row >= m || column >= n)
    return;
  float sum = 0;
  for (int i = first; i < min(first + part, k); i++)
    sum = fmaf(a[row * k + i], b[i * n + column], sum);
  atomicAdd(&c[row * n + column], sum);
}

/* c = alpha a b^T + beta c */
__global__ void gemm_transposed(const float *a, const float *b, float *c, int m, int n, int k, float alpha,
                                float beta) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; i++)
    sum += a[row * k + i] * b[column * k + i];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

__global__ void gemm_batched(const float *const *a, const float *const *b, float *const *c, int m, int n,
                             int k) {
  const float *pa = a[blockIdx.z], *pb = b[blockIdx.z];
  for (int i = threadIdx.x; i < m * n; i += blockDim.x) {
    float sum = 0;
    for (int j = 0; j < k; j++)
      sum += pa[i / n * k + j] * pb[j * n + i % n];
    c[blockIdx.z][i] = sum;
  }
}

__global__ void gemm_double(const double *a, const double *b, double *c, int m, int n, int k) {
  __shared__ double tb[8][32];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  double sum = 0;
  for (int first = 0; first < k; first += 8) {
    tb[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < 8; i++)
      sum += a[row * k + first + i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void gemm_half2(const __half *a, const __half2 *b, __half2 *c, int n, int k) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  __half2 sum = __float2half2_rn(0);
  for (int i = 0; i < k; i++)
    sum = __hfma2(__half2half2(a[row * k + i]), b[i * (n / 2) + pair], sum);
  c[row * (n / 2) + pair] = sum;
}

__global__ void gemv_warp(const float *a, const float *x, float *y, int m, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= m)
    return;
  float sum = 0;
  for (int j = lane; j < n; j += 32)
    sum += a[row * n + j] * x[j];
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0)
    y[row] = sum;
}

__global__ void gemv_float4(const float4 *__restrict__ a, const float4 *__restrict__ x, float *__restrict__ y,
                            int quarters) {
  __shared__ float part[4];
  int row = blockIdx.x;
  float sum = 0;
  for (int j = threadIdx.x; j < quarters; j += blockDim.x) {
    float4 u = a[row * quarters + j], v = x[j];
    sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    y[row] = part[0] + part[1];
}

__global__ void gemv_columns(const float *a, const float *x, float *y, int m, int n, int part) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * part;
  if (row >= m)
    return;
  float sum = 0;
  for (int j = first; j < first + part && j < n; j++)
    sum += a[j * m + row] * x[j];
  atomicAdd(&y[row], sum);
}

__global__ void outer_product(const float *x, const float *y, float *c, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m * n)
    c[i] += x[i / n] * y[i % n];
}

__global__ void transpose_naive(const float *in, float *out, int rows, int columns) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows)
    out[x * rows + y] = in[y * columns + x];
}

__global__ void transpose_shared(const float *in, float *out, int rows, int columns) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (x < columns && y + k < rows)
      tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (x < rows && y + k < columns)
      out[(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void permute_heads(const float *in, float *out, int tokens, int heads, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tokens * heads * width)
    return;
  int d = i % width, head = i / width % heads, token = i / width / heads;
  out[(head * tokens + token) * width + d] = in[i];
}

static std::vector<double> product(const std::vector<float> &a, const std::vector<float> &b, int m, int n,
                                   int k) {
  std::vector<double> c(m * n);
  for (int i = 0; i < m; i++)
    for (int l = 0; l < k; l++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += (double)a[i * k + l] * b[l * n + j];
  return c;
}

static void odd_sizes() {
  Floats a(M * K), b(K * N), bt(N * K);
  Buffer<float> c(M * N), zero(M * N);
  auto expected = product(a.host, b.host, M, N, K);
  auto is = [&](int i) { return expected[i]; };
  gemm_naive<<<dim3(divided(N, 16), divided(M, 16)), dim3(16, 16)>>>(a.device, b.device, c.device, M, N, K);
  check("gemm_naive", c, is);
  gemm_tiled16<<<dim3(divided(N, 16), divided(M, 16)), dim3(16, 16)>>>(a.device, b.device, c.device, M, N, K);
  check("gemm_tiled16", c, is);
  gemm_tiled32<<<dim3(divided(N, 32), divided(M, 32)), dim3(32, 32)>>>(a.device, b.device, c.device, M, N, K);
  check("gemm_tiled32", c, is);
  gemm_split_k<<<dim3(divided(N, 16), divided(M, 16), 4), dim3(16, 16)>>>(a.device, b.device, zero.device, M,
                                                                          N, K, 12);
  check("gemm_split_k", zero, is);
  std::vector<float> turned(K * N);
  for (int i = 0; i < N * K; i++)
    turned[i % K * N + i / K] = bt[i];
  auto by_turned = product(a.host, turned, M, N, K);
  gemm_transposed<<<dim3(divided(N, 32), M), 32>>>(a.device, bt.device, c.device, M, N, K, 0.5f, 2.0f);
  check("gemm_transposed", c, [&](int i) { return 0.5 * by_turned[i] + 2 * expected[i]; });

  const float *as[2] = {a.device, a.device}, *bs[2] = {b.device, b.device};
  float *cs[2] = {c.device, zero.device};
  auto da = to_device(as, 2), db = to_device(bs, 2);
  auto dc = to_device(cs, 2);
  gemm_batched<<<dim3(1, 1, 2), 192>>>(da, db, dc, M, N, K);
  check("gemm_batched", c, is);
  check("gemm_batched", zero, is);

  transpose_naive<<<dim3(divided(K, 16), divided(M, 16)), dim3(16, 16)>>>(a.device, c.device, M, K);
  check("transpose_naive", c, [&](int i) { return i < M * K ? a[i % M * K + i / M] : c[i]; });
  transpose_shared<<<dim3(divided(K, 32), divided(M, 32)), dim3(32, 8)>>>(a.device, zero.device, M, K);
  check("transpose_shared", zero, [&](int i) { return i < M * K ? a[i % M * K + i / M] : zero[i]; });
  permute_heads<<<divided(M * K, 128), 128>>>(a.device, c.device, M, 5, 9);
  check("permute_heads", c,
        [&](int i) { return i < M * K ? a[i / 9 % M * K + i / 9 / M * 9 + i % 9] : c[i]; });
  outer_product<<<divided(M * N, 128), 128>>>(a.device, b.device, c.device, M, N);
  for (auto *p : {(void *)da, (void *)db, (void *)dc})
    OK(cudaFree(p));

  const long long all = (long long)M * N, products = all * K;
  counts("gemm_naive", {{"flops.fp32.fma", 2 * products},
                        {"bytes.global.load", 8 * products},
                        {"bytes.global.store", 4 * all}});
  // Tiles are padded with zeros: all threads multiply, but only existing places are loaded, once a tile.
  for (int tile : {16, 32}) {
    long long across = divided(N, tile), down = divided(M, tile), deep = divided(K, tile);
    long long slots = across * down * deep * tile * tile;
    counts(tile == 16 ? "gemm_tiled16" : "gemm_tiled32",
           {{"flops.fp32.fma", 2 * slots * tile},
            {"bytes.shared.load", 8 * slots * tile},
            {"bytes.shared.store", 8 * slots},
            {"bytes.global.load", 4 * (across * M * K + down * K * N)},
            {"bytes.global.store", 4 * all}});
  }
  counts("gemm_transposed", {{"flops.fp32", 2 * products + 3 * all},
                             {"bytes.global.load", 8 * products + 4 * all},
                             {"bytes.global.store", 4 * all}});
  counts("transpose_naive", {{"bytes.global.load", 4 * M * K}, {"bytes.global.store", 4 * M * K}});
  counts("transpose_shared", {{"bytes.global.load", 4 * M * K},
                              {"bytes.global.store", 4 * M * K},
                              {"bytes.shared.load", 4 * M * K},
                              {"bytes.shared.store", 4 * M * K}});
  counts("permute_heads", {{"bytes.global.load", 4 * M * K}, {"bytes.global.store", 4 * M * K}});
  counts("outer_product",
         {{"flops.fp32.fma", 2 * all}, {"bytes.global.load", 12 * all}, {"bytes.global.store", 4 * all}});
}

static void whole_tiles() {
  Floats a(LM * LK), b(LK * LN), x(LN);
  Buffer<float> c(LM * LN), y(LK), sums(LN);
  auto expected = product(a.host, b.host, LM, LN, LK);
  gemm_register_blocked<<<dim3(LN / 64, LM / 64), 256>>>(a.device, b.device, c.device, LN, LK);
  check("gemm_register_blocked", c, [&](int i) { return expected[i]; });

  Buffer<double> ad(LM * LK), bd(LK * LN), cd(LM * LN);
  Buffer<__half> ah(LM * LK), bh(LK * LN), ch(LM * LN);
  for (int i = 0; i < LM * LK; i++)
    ad[i] = a[i], ah[i] = __float2half((float)(i % 5 - 2)); // whole numbers: sums below 2048 are exact
  for (int i = 0; i < LK * LN; i++)
    bd[i] = b[i], bh[i] = __float2half((float)(i % 7 - 3));
  ad.up(), bd.up(), ah.up(), bh.up();
  gemm_double<<<dim3(LN / 32, LM / 8), dim3(32, 8)>>>(ad.device, bd.device, cd.device, LM, LN, LK);
  cd.down();
  for (int i = 0; i < LM * LN; i++)
    EXPECT(near(cd[i], expected[i], 1e-12));
  gemm_half2<<<dim3(1, LM), LN / 2>>>(ah.device, (__half2 *)bh.device, (__half2 *)ch.device, LN, LK);
  check("gemm_half2", ch, [&](int i) {
    double sum = 0;
    for (int l = 0; l < LK; l++)
      sum += (i / LN * LK + l) % 5 * 1.0 * ((l * LN + i % LN) % 7 - 3) - 2 * ((l * LN + i % LN) % 7 - 3);
    return sum;
  });

  auto by = product(b.host, x.host, LK, 1, LN);
  gemv_warp<<<LK / 4, 128>>>(b.device, x.device, y.device, LK, LN);
  check("gemv_warp", y, [&](int i) { return by[i]; });
  gemv_float4<<<LK, 64>>>((float4 *)b.device, (float4 *)x.device, y.device, LN / 4);
  check("gemv_float4", y, [&](int i) { return by[i]; });
  gemv_columns<<<dim3(2, 3), 64>>>(b.device, x.device, sums.device, LN, LK, 22);
  check("gemv_columns", sums, [&](int i) {
    double sum = 0;
    for (int j = 0; j < LK; j++)
      sum += (double)b[j * LN + i] * x[j];
    return sum;
  });

  const long long products = (long long)LM * LN * LK;
  // A block loads 64 rows of a and 64 columns of b, and reads 8 numbers for 16 products.
  counts("gemm_register_blocked", {{"flops.fp32.fma", 2 * products},
                                   {"bytes.global.load", 4 * 2 * LM * LK * (LN / 64)},
                                   {"bytes.global.store", 4 * LM * LN},
                                   {"bytes.shared.store", 4 * 2 * LM * LK * (LN / 64)},
                                   {"bytes.shared.load", products / 16 * 32}});
  counts("gemm_double", {{"flops.fp64.fma", 2 * products},
                         {"bytes.global.load", 8 * products + 8 * products / 8},
                         {"bytes.global.store", 8 * LM * LN},
                         {"bytes.shared.load", 8 * products},
                         {"bytes.shared.store", products}});
  counts("gemm_half2", {{"flops.fp16.fma", 2 * products},
                        {"bytes.global.load", products / 2 * 6},
                        {"bytes.global.store", 2 * LM * LN}});
  // Lane 0 alone wants the last of the five sums, and the compiler adds it there.
  counts("gemv_warp", {{"flops.fp32.fma", 2 * LK * LN},
                       {"flops.fp32.add", LK * (4 * 32 + 1)},
                       {"bytes.global.load", 8 * LK * LN},
                       {"bytes.global.store", 4 * LK}});
}

int main() {
  odd_sizes();
  whole_tiles();
  return finish();
}
