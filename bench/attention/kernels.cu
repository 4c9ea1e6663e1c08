/* The attention kernels of kernels/attention as functions called by attention.py, each on a stream of the caller's, and the
 * tensor cores' roof in this run. Built plainly, without gpuprof. Without ATTENTION_HOPPER it has no kernel for sm_90a.
 */
#include "../../kernels/attention/attention.cuh"
#include "../../kernels/attention/attention_coalesced.cuh"
#include "../../kernels/attention/attention_flash_fp32.cuh"
#ifdef ATTENTION_HOPPER
#include "../../kernels/attention/attention_hopper.cuh"
#endif

#include <cuda_runtime.h>

struct Call {
  const void *query, *key, *value, *output_gradient;
  void *output;
  float *logsumexp;
  BackwardRow *rows;
  void *query_gradient, *key_gradient, *value_gradient;
  AttentionShape shape;
  float scale;
  int size, fp16;
};

enum { kSoftmaxColumns = 8 /* of a thread */, kSoftmaxBlocks = 4096 };

static FlashArguments forward_of(const Call &c) {
  return {c.query, c.key, c.value, c.output, c.logsumexp, c.shape, c.scale};
}
static AttentionGradients backward_of(const Call &c) {
  return {c.query,     c.key,  c.value,          c.output,       c.output_gradient,
          c.logsumexp, c.rows, c.query_gradient, c.key_gradient, c.value_gradient,
          c.shape,     c.scale};
}

extern "C" int flash_forward(const Call *c, cudaStream_t stream) {
  if (c->size == 64)
    return c->fp16 ? attention_forward<Fp16, 64>(forward_of(*c), stream)
                   : attention_forward<Bf16, 64>(forward_of(*c), stream);
  return c->fp16 ? attention_forward<Fp16, 128>(forward_of(*c), stream)
                 : attention_forward<Bf16, 128>(forward_of(*c), stream);
}

/* Of floats. */
extern "C" int fp32_forward(const Call *c, cudaStream_t stream) {
  return c->size == 64 ? attention_forward_fp32<64>(forward_of(*c), stream)
                       : attention_forward_fp32<128>(forward_of(*c), stream);
}

/* Of floats, as three kernels. Lengths are multiples of 4; masked weights are written as zeros. */
template <bool Causal> static int coalesced(const Call &c, float *scores, float *weights, cudaStream_t stream) {
  const AttentionShape &s = c.shape;
  const unsigned heads = s.batch * s.heads, rows = (unsigned)ceil_div(s.queries, kCoalescedTile),
                 columns = (unsigned)ceil_div(c.size, kProductColumns);
  const size_t lines = (size_t)heads * s.queries;
  const SoftmaxShape shape = softmax_shape(lines, s.keys, s.keys, c.scale, Causal ? s.queries : 0);
  attention_coalesced_scores<Causal, float><<<dim3(rows, rows, heads), kProductThreads, 0, stream>>>(
      (const float *)c.query, (const float *)c.key, scores, s.queries, c.size);
  const unsigned threads = 32 * (unsigned)ceil_div(s.keys, 32 * kSoftmaxColumns);
  const unsigned blocks = (unsigned)(lines < kSoftmaxBlocks ? lines : kSoftmaxBlocks);
  if (threads <= kRowThreads)
    softmax_forward<RowAligned, kSoftmaxColumns / 4, float>
        <<<blocks, dim3(threads, 1), 0, stream>>>(scores, weights, shape);
  else
    softmax_forward_long<false, RowAligned, float><<<blocks, kRowThreads, 0, stream>>>(scores, weights, shape);
  attention_coalesced_values<Causal, float><<<dim3(columns, rows, heads), kProductThreads, 0, stream>>>(
      weights, (const float *)c.value, (float *)c.output, s.queries, c.size);
  return (int)cudaGetLastError();
}
/* `scores` and `weights`: a matrix a head, queries × keys. */
extern "C" int coalesced_forward(const Call *c, float *scores, float *weights, cudaStream_t stream) {
  return c->shape.right ? coalesced<false>(*c, scores, weights, stream) : coalesced<true>(*c, scores, weights, stream);
}

extern "C" int flash_backward(const Call *c, cudaStream_t stream) {
  if (c->size == 64)
    return c->fp16 ? attention_gradients<Fp16, 64>(backward_of(*c), stream)
                   : attention_gradients<Bf16, 64>(backward_of(*c), stream);
  return c->fp16 ? attention_gradients<Fp16, 128>(backward_of(*c), stream)
                 : attention_gradients<Bf16, 128>(backward_of(*c), stream);
}

/* ---- The roof: products and nothing else ---- */

enum { kRoofThreads = 256, kRoofTurns = 1024, kRoofTiles = 16, kRoofBlocks = 8 /* of a multiprocessor */ };

static int multiprocessors() {
  int device = 0, count = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

/* `words` are elements between −1 and 1: products of zeroes would take less power, and run faster. */
__global__ void __launch_bounds__(kRoofThreads) roof(const unsigned *words, float *out) {
  const int thread = blockIdx.x * kRoofThreads + threadIdx.x;
  unsigned a[4], b[2];
  for (int i = 0; i < 4; ++i)
    a[i] = words[(threadIdx.x + 32 * i) % 256];
  for (int i = 0; i < 2; ++i)
    b[i] = words[(threadIdx.x + 32 * i + 7) % 256];
  float sum[kRoofTiles][4] = {};
  for (int turn = 0; turn < kRoofTurns; ++turn)
#pragma unroll
    for (int i = 0; i < kRoofTiles; ++i)
      tensor_product<Bf16>(sum[i], a, b[0], b[1]);
  float all = 0;
#pragma unroll
  for (int i = 0; i < kRoofTiles; ++i)
    all += sum[i][0] + sum[i][1] + sum[i][2] + sum[i][3];
  out[thread] = all;
}

/* `out` has room for roof_threads() floats. Operations of a launch, 0 where it failed. */
extern "C" int roof_threads() { return multiprocessors() * kRoofBlocks * kRoofThreads; }
extern "C" double flash_roof(const unsigned *words, float *out, cudaStream_t stream) {
  roof<<<multiprocessors() * kRoofBlocks, kRoofThreads, 0, stream>>>(words, out);
  return cudaGetLastError() ? 0 : roof_threads() / 32.0 * kRoofTurns * kRoofTiles * 4096;
}

#ifdef ATTENTION_HOPPER
static TensorEncode encode() {
  static TensorEncode found;
  cudaDriverEntryPointQueryResult result;
  if (!found)
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&found, 12000, cudaEnableDefault,
                                     &result);
  return found;
}

extern "C" int hopper_forward(const Call *c, cudaStream_t stream) {
  const FlashArguments a = forward_of(*c);
  const int count = multiprocessors();
  if (c->size == 64)
    return c->fp16 ? attention_hopper_forward<Fp16, 64>(encode(), a, count, stream)
                   : attention_hopper_forward<Bf16, 64>(encode(), a, count, stream);
  return c->fp16 ? attention_hopper_forward<Fp16, 128>(encode(), a, count, stream)
                 : attention_hopper_forward<Bf16, 128>(encode(), a, count, stream);
}

/* Two warp groups; their matrices lie in shared memory, in any order: only the rate counts. */
__global__ void __launch_bounds__(kRoofThreads, 1) group_roof(const unsigned *words, float *out) {
  __shared__ __align__(1024) unsigned matrices[8 * 1024];
  for (int i = threadIdx.x; i < 8 * 1024; i += kRoofThreads)
    matrices[i] = words[i % 256];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const unsigned memory = shared_address(matrices);
  float sum[64] = {};
  for (int turn = 0; turn < kRoofTurns; ++turn) {
    group_fence(sum);
    group_begin();
#pragma unroll
    for (int k = 0; k < 4; ++k)
      group_product<Bf16>(sum, group_matrix(memory + 32 * k, 16), group_matrix(memory + 16384 + 32 * k, 16),
                          true);
    group_commit();
    group_wait<0>();
    group_fence(sum);
  }
  float all = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i)
    all += sum[i];
  out[blockIdx.x * kRoofThreads + threadIdx.x] = all;
}
extern "C" double hopper_roof(const unsigned *words, float *out, cudaStream_t stream) {
  const int blocks = multiprocessors() * kRoofBlocks;
  group_roof<<<blocks, kRoofThreads, 0, stream>>>(words, out);
  return cudaGetLastError() ? 0 : blocks * (kRoofThreads / 128.0) * kRoofTurns * 4 * (2.0 * 64 * 128 * 16);
}
#endif
