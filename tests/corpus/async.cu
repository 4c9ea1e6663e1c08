// Copies beside computation, of every size, whole, partial
// and predicated; and loads and stores with hints.
#include "corpus.h"
#include "instructions.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;
enum { N = 1500, BLOCK = 64 };

#define COPY_ASYNC(NAME, TYPE, SIZE, KIND)                                                                   \
  __global__ void NAME(const TYPE *in, TYPE *out, int n) {                                                   \
    __shared__ TYPE tile[BLOCK];                                                                             \
    int i = blockIdx.x * BLOCK + threadIdx.x;                                                                \
    if (i < n)                                                                                               \
      asm volatile("cp.async." KIND ".shared.global [%0], [%1], " SIZE                                       \
                   ";" ::"r"(shared_address(&tile[threadIdx.x])),                                            \
                   "l"(&in[i]));                                                                             \
    cp_async_commit();                                                                                       \
    cp_async_wait<0>();                                                                                      \
    __syncthreads();                                                                                         \
    int other = blockIdx.x * BLOCK + (threadIdx.x ^ 1);                                                      \
    if (other < n)                                                                                           \
      out[other] = tile[threadIdx.x ^ 1];                                                                    \
  }
COPY_ASYNC(async_ca_4, float, "4", "ca")
COPY_ASYNC(async_ca_8, float2, "8", "ca")
COPY_ASYNC(async_ca_16, float4, "16", "ca")
COPY_ASYNC(async_cg_16, float4, "16", "cg")

/* Fewer bytes than the size: the rest is zeros. */
__global__ void async_zero_fill(const float4 *in, float4 *out, int n) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  cp_async_16_or_zero(&tile[threadIdx.x], &in[i < n ? i : 0], i < n);
  cp_async_commit();
  cp_async_wait<0>();
  __syncthreads();
  out[i] = tile[threadIdx.x ^ 1];
}

__global__ void async_partial(const float *in, float *out, int n) {
  __shared__ float4 tile[BLOCK];
  int i = (blockIdx.x * BLOCK + threadIdx.x) * 4, left = max(0, min(16, (n - i) * 4));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(&tile[threadIdx.x])),
               "l"(&in[left ? i : 0]), "r"(left));
  cp_async_commit();
  cp_async_wait<0>();
  __syncthreads();
  float4 v = tile[threadIdx.x ^ 1];
  out[blockIdx.x * BLOCK + threadIdx.x] = v.x + v.y + v.z + v.w;
}

__global__ void async_predicated(const float4 *in, float4 *out, int n) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  tile[threadIdx.x] = make_float4(1, 2, 3, 4);
  cp_async_16_if(&tile[threadIdx.x], &in[i], i < n && i % 3 != 0);
  cp_async_commit();
  cp_async_wait<0>();
  __syncthreads();
  out[i] = tile[threadIdx.x ^ 1];
}

/* A predicated load in PTX, as paged attention and embedding kernels have it. */
__global__ void load_predicated(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v;
  asm volatile(
      "{\n .reg .pred p;\n setp.ne.b32 p, %2, 0;\n mov.f32 %0, 0f3F800000;\n @p ld.global.f32 %0, [%1];\n}"
      : "=f"(v)
      : "l"(&in[i]), "r"((int)(i < n && i % 4 != 0)));
  out[i] = v;
}

__global__ void store_predicated(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] * 2.0f : 0.0f;
  asm volatile(
      "{\n .reg .pred p;\n setp.gt.f32 p, %1, 0f00000000;\n @p st.global.f32 [%0], %1;\n}" ::"l"(&out[i]),
      "f"(v)
      : "memory");
}

/* Two buffers in turns: a sum of the columns of a matrix. */
__global__ void double_buffered(const float *in, float *out, int rows, int columns) {
  __shared__ float tile[2][BLOCK];
  int j = blockIdx.x * BLOCK + threadIdx.x;
  bool mine = j < columns;
  float sum = 0;
  auto fetch = [&](int row) {
    if (mine && row < rows)
      asm volatile(
          "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(&tile[row % 2][threadIdx.x])),
          "l"(&in[row * columns + j]));
    cp_async_commit();
  };
  fetch(0);
  for (int row = 0; row < rows; row++) {
    fetch(row + 1);
    cp_async_wait<1>();
    if (mine)
      sum += tile[row % 2][threadIdx.x];
  }
  if (mine)
    out[j] = sum;
}

__global__ void four_stages(const float4 *in, float *out, int tiles) {
  __shared__ float4 tile[4][BLOCK];
  float sum = 0;
  for (int s = 0; s < 3; s++) {
    if (s < tiles)
      cp_async_16(&tile[s][threadIdx.x], &in[s * BLOCK + threadIdx.x]);
    cp_async_commit();
  }
  for (int t = 0; t < tiles; t++) {
    cp_async_wait<2>();
    __syncthreads();
    float4 v = tile[t % 4][(threadIdx.x + 1) % BLOCK];
    sum += v.x + v.y + v.z + v.w;
    if (t + 3 < tiles)
      cp_async_16(&tile[(t + 3) % 4][threadIdx.x], &in[(t + 3) * BLOCK + threadIdx.x]);
    cp_async_commit();
  }
  out[threadIdx.x] = sum;
}

__global__ void group_copy(const float *in, float *out, int each) {
  extern __shared__ float tile[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * each, sizeof(float) * each);
  cg::wait(block);
  for (int i = threadIdx.x; i < each; i += blockDim.x)
    out[blockIdx.x * each + i] = tile[each - 1 - i];
}

/* ---- hints: those missing in clang's headers are written in PTX ---- */

#define LOAD_HINT(NAME, HINT)                                                                                \
  __device__ float NAME(const float *p) {                                                                    \
    float v;                                                                                                 \
    asm volatile("ld.global." HINT ".f32 %0, [%1];" : "=f"(v) : "l"(p));                                     \
    return v;                                                                                                \
  }
LOAD_HINT(load_ca, "ca")
LOAD_HINT(load_lu, "lu")
__device__ void store_cg(float *p, float v) {
  asm volatile("st.global.cg.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
}
__device__ void store_cs(float4 *p, float4 v) {
  asm volatile("st.global.cs.v4.f32 [%0], {%1,%2,%3,%4};" ::"l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
               : "memory");
}

__global__ void read_only(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __ldg(&in[i]) + __ldg(&in[n - 1 - i]);
}

__global__ void streaming(const float4 *in, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = __ldcs(&in[i]);
    v.x *= 2;
    store_cs(&out[i], v);
  }
}

__global__ void cache_levels(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = load_ca(&in[i]) + __ldcg(&in[i / 2]) + __ldcv(&in[i / 3]) + load_lu(&in[i / 4]);
  if (i % 2)
    store_cg(&out[i], v);
  else
    __stwt(&out[i], v);
}

__global__ void volatile_copy(const volatile float *in, volatile float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + in[i];
}

__global__ void load_vectors_asm(const float *in, float *out, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 >= n)
    return;
  float a, b, c, d;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
               : "l"(in + i));
  asm volatile("st.global.cs.v2.f32 [%0], {%1,%2};" ::"l"(out + i), "f"(d), "f"(c) : "memory");
  asm volatile("st.global.cs.v2.f32 [%0], {%1,%2};" ::"l"(out + i + 2), "f"(b), "f"(a) : "memory");
}

__global__ void unaligned_bytes(const unsigned char *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i + 1] ^ 0x55;
}

/* Adds in the order of threads behind a fence. */
__global__ void last_block(const float *in, float *part, float *out, unsigned *done, int n) {
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
    sum += in[i];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    part[blockIdx.x * (BLOCK / 32) + threadIdx.x / 32] = sum;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float all = 0;
    for (unsigned i = 0; i < gridDim.x * (BLOCK / 32); i++)
      all += *(volatile float *)&part[i];
    *out = all;
  }
}

template <class T> static void copies(const char *name, void (*kernel)(const T *, T *, int)) {
  Buffer<T> in(N), out(N);
  for (int i = 0; i < N; i++)
    *(float *)&in[i] = i * 3 % 101;
  in.up();
  kernel<<<divided(N, BLOCK), BLOCK>>>(in.device, out.device, N);
  out.down();
  for (int i = 0; i < N; i++)
    EXPECT(*(float *)&out[i] == i * 3 % 101);
  const long long size = sizeof(T);
  counts(name, {{"bytes.global.load", size * N},
                {"bytes.shared.store", size * N},
                {"bytes.shared.load", size * N},
                {"bytes.global.store", size * N}});
}

int main() {
  copies<float>("async_ca_4", async_ca_4);
  copies<float2>("async_ca_8", async_ca_8);
  copies<float4>("async_ca_16", async_ca_16);
  copies<float4>("async_cg_16", async_cg_16);

  const int n = 301, blocks = divided(n, BLOCK), all = blocks * BLOCK;
  Floats in(4 * all);
  Buffer<float> out(4 * all), sums(all);
  auto from = [&](int i) { return i / 4 ^ 1; };
  async_zero_fill<<<blocks, BLOCK>>>((float4 *)in.device, (float4 *)out.device, n);
  check("async_zero_fill", out, [&](int i) { return from(i) < n ? in[from(i) * 4 + i % 4] : 0; });
  async_predicated<<<blocks, BLOCK>>>((float4 *)in.device, (float4 *)out.device, n);
  check("async_predicated", out,
        [&](int i) { return from(i) < n && from(i) % 3 ? in[from(i) * 4 + i % 4] : i % 4 + 1; });
  const int odd = 4 * n - 2;
  async_partial<<<blocks, BLOCK>>>(in.device, sums.device, odd);
  check("async_partial", sums, [&](int t) {
    double sum = 0;
    for (int k = 0; k < 4; k++)
      sum += (t ^ 1) * 4 + k < odd ? in[(t ^ 1) * 4 + k] : 0;
    return sum;
  });
  load_predicated<<<blocks, BLOCK>>>(in.device, sums.device, n);
  check("load_predicated", sums, [&](int i) { return i < n && i % 4 ? in[i] : 1; });
  Buffer<float> marked(all, -5);
  store_predicated<<<blocks, BLOCK>>>(in.device, marked.device, n);
  long long stored = 0;
  check("store_predicated", marked, [&](int i) {
    stored += i < n && in[i] > 0;
    return i < n && in[i] > 0 ? 2 * in[i] : -5;
  });

  const int rows = 9, columns = 101;
  Buffer<float> columns_out(columns);
  double_buffered<<<divided(columns, BLOCK), BLOCK>>>(in.device, columns_out.device, rows, columns);
  check("double_buffered", columns_out, [&](int j) {
    double sum = 0;
    for (int r = 0; r < rows; r++)
      sum += in[r * columns + j];
    return sum;
  });
  const int tiles = 5;
  Buffer<float> staged(BLOCK);
  four_stages<<<1, BLOCK>>>((float4 *)in.device, staged.device, tiles);
  check("four_stages", staged, [&](int t) {
    double sum = 0;
    for (int k = 0; k < tiles * 4; k++)
      sum += in[(k / 4 * BLOCK + (t + 1) % BLOCK) * 4 + k % 4];
    return sum;
  });
  const int each = 128;
  Buffer<float> turned(each * 8);
  group_copy<<<8, BLOCK, each * sizeof(float)>>>(in.device, turned.device, each);
  check("group_copy", turned, [&](int i) { return in[i / each * each + each - 1 - i % each]; });

  Buffer<float> hinted(n);
  read_only<<<blocks, BLOCK>>>(in.device, hinted.device, n);
  check("read_only", hinted, [&](int i) { return in[i] + in[n - 1 - i]; });
  cache_levels<<<blocks, BLOCK>>>(in.device, hinted.device, n);
  check("cache_levels", hinted, [&](int i) { return (double)in[i] + in[i / 2] + in[i / 3] + in[i / 4]; });
  volatile_copy<<<blocks, BLOCK>>>(in.device, hinted.device, n);
  check("volatile_copy", hinted, [&](int i) { return 2 * in[i]; });
  streaming<<<blocks, BLOCK>>>((float4 *)in.device, (float4 *)out.device, all);
  check("streaming", out, [&](int i) { return i % 4 ? in[i] : 2 * in[i]; });
  load_vectors_asm<<<blocks, BLOCK>>>(in.device, out.device, 4 * n);
  check("load_vectors_asm", out, [&](int i) { return i < 4 * n ? in[i / 4 * 4 + 3 - i % 4] : out[i]; });
  Whole<unsigned char> bytes(n + 1, 0, 255);
  Buffer<unsigned char> masked(n);
  unaligned_bytes<<<blocks, BLOCK>>>(bytes.device, masked.device, n);
  check("unaligned_bytes", masked, [&](int i) { return bytes[i + 1] ^ 0x55; });
  Whole<float> whole(N, -9, 9);
  Buffer<float> part(8), one(1);
  Buffer<unsigned> done(1);
  last_block<<<4, BLOCK>>>(whole.device, part.device, one.device, done.device, N);
  check("last_block", one, [&](int) {
    double sum = 0;
    for (float x : whole.host)
      sum += x;
    return sum;
  });

  const long long threads = all;
  counts("async_zero_fill", {{"bytes.global.load", 16 * n},
                             {"bytes.shared.store", 16 * threads},
                             {"bytes.shared.load", 16 * threads},
                             {"bytes.global.store", 16 * threads}});
  counts("async_predicated", {{"bytes.global.load", 16ll * (n - divided(n, 3))},
                              {"bytes.shared.store", 16 * threads + 16ll * (n - divided(n, 3))},
                              {"bytes.shared.load", 16 * threads},
                              {"bytes.global.store", 16 * threads}});
  counts("async_partial", {{"flops.fp32.add", 3 * threads},
                           {"bytes.global.load", 4ll * odd},
                           {"bytes.shared.store", 16 * threads},
                           {"bytes.shared.load", 16 * threads},
                           {"bytes.global.store", 4 * threads}});
  counts("load_predicated",
         {{"bytes.global.load", 4ll * (n - divided(n, 4))}, {"bytes.global.store", 4 * threads}});
  counts("store_predicated",
         {{"flops.fp32", n}, {"bytes.global.load", 4ll * n}, {"bytes.global.store", 4 * stored}});
  counts("double_buffered", {{"flops.fp32.add", rows * columns},
                             {"bytes.global.load", 4 * rows * columns},
                             {"bytes.shared.store", 4 * rows * columns},
                             {"bytes.shared.load", 4 * rows * columns},
                             {"bytes.global.store", 4 * columns}});
  counts("four_stages", {{"flops.fp32.add", 4 * tiles * BLOCK},
                         {"bytes.global.load", 16 * tiles * BLOCK},
                         {"bytes.shared.store", 16 * tiles * BLOCK},
                         {"bytes.shared.load", 16 * tiles * BLOCK},
                         {"bytes.global.store", 4 * BLOCK}});
  counts("read_only", {{"flops.fp32.add", n}, {"bytes.global.load", 8 * n}, {"bytes.global.store", 4 * n}});
  counts("cache_levels",
         {{"flops.fp32.add", 3 * n}, {"bytes.global.load", 16 * n}, {"bytes.global.store", 4 * n}});
  counts("volatile_copy",
         {{"flops.fp32.add", n}, {"bytes.global.load", 8 * n}, {"bytes.global.store", 4 * n}});
  counts("load_vectors_asm", {{"bytes.global.load", 16 * n}, {"bytes.global.store", 16 * n}});
  counts("unaligned_bytes", {{"bytes.global.load", n}, {"bytes.global.store", n}});
  return finish();
}
