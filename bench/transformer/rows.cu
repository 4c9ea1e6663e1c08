/* Times the kernels of kernels/transformer that memory limits, beside copies: see run. */
#include "../snn/timing.h"

#include "transformer/adamw.cuh"
#include "transformer/cross_entropy.cuh"
#include "transformer/elementwise.cuh"
#include "transformer/heads.cuh"
#include "transformer/norm.cuh"
#include "transformer/rotary.cuh"
#include "transformer/softmax.cuh"
#include "transformer/token_embedding.cuh"

namespace {

enum { kArrays = 4, kThreads = 256 };
const size_t kBytes = (size_t)1 << 28;     // of an array: five times the second level of cache
const size_t kLongBytes = (size_t)1 << 29; // of a matrix of long rows: many for each multiprocessor
void *arrays[kArrays], *long_arrays[2];
float *vectors[4]; // of 1 M floats each
float *state;      // of the optimizer: three floats a parameter, 0 at first
int *targets;      // of cross-entropy: classes 0
int multiprocessors;
std::vector<Row> rows;

template <typename Element> Element *array(int i) { return (Element *)arrays[i]; }
template <typename Element> Element *vector_of(int i) { return (Element *)vectors[i]; }
template <typename Element> Element *long_array(int i) { return (Element *)long_arrays[i]; }
template <typename Element> const char *name_of();
template <> const char *name_of<float>() { return "fp32"; }
template <> const char *name_of<Bf16>() { return "bf16"; }

/* Values in [-1, 1) from a hash of the index. */
template <typename Element> __global__ void fill(Element *to, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned hash = ((unsigned)i * 2654435761u) ^ ((unsigned)i >> 7) * 40503u;
  if (i < count)
    to[i] = snn_element<Element>((float)(hash >> 8) * 0x1p-23f - 1.0f);
}
template <typename Element> void fill_array(void *array, size_t bytes) {
  const size_t count = bytes / sizeof(Element);
  fill<Element><<<(unsigned)(count / kThreads), kThreads>>>((Element *)array, count);
}
template <typename Element> void fill_all() {
  for (void *one : arrays)
    fill_array<Element>(one, kBytes);
  for (void *one : long_arrays)
    fill_array<Element>(one, kLongBytes);
  for (float *one : vectors)
    fill<Element><<<(1 << 20) / kThreads, kThreads>>>((Element *)one, 1 << 20);
}

/* Blocks of a kernel that the GPU holds at once; resident_with() also allows the kernel that much shared memory. */
unsigned resident(const void *kernel, unsigned threads, size_t shared = 0) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, (int)threads, shared), "occupancy");
  return (unsigned)(blocks * multiprocessors);
}

template <typename Kernel> unsigned resident_with(Kernel kernel, unsigned threads, size_t shared) {
  check(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
        "shared");
  return resident((const void *)kernel, threads, shared);
}

void check_packs(const RowTeams &t, unsigned packs, size_t columns) {
  if (t.packs != packs)
    fprintf(stderr, "bench/transformer: rows of %zu need %u packs\n", columns, t.packs), exit(1);
}

template <typename Element> std::string title(const char *what, size_t columns = 0) {
  return std::string(what) + (columns ? ", " + std::to_string(columns) : "") + ", " + name_of<Element>();
}
void add(const std::string &name, double bytes, std::function<void()> launch) {
  rows.push_back({name, bytes, launch});
}

template <NormKind Kind, bool Residual, int Packs, typename Element>
void add_norm(const char *what, size_t columns) {
  const NormShape shape = norm_shape(kBytes / sizeof(Element) / 2 / columns, columns, columns, 1e-5f);
  RowTeams t = row_teams(shape.rows, columns, sizeof(Element), 1, 4);
  check_packs(t, Packs, columns);
  const auto kernel = norm_forward<Kind, Residual, RowAligned, Packs, Element>;
  t.blocks = resident((const void *)kernel, t.threads * t.teams);
  add(title<Element>((std::string(what) + " forward").c_str(), columns),
      (Residual ? 4.0 : 2.0) * (double)(shape.rows * columns * sizeof(Element)), [=] {
        kernel<<<t.blocks, dim3(t.threads, t.teams)>>>(
            array<Element>(0), array<Element>(1), vector_of<Element>(0), vector_of<Element>(1),
            array<Element>(2), array<Element>(3), vectors[2], vectors[3], shape);
      });
}

template <NormKind Kind, bool Residual, int Packs, typename Element, int Threads = 0>
void add_norm_backward(const char *what, size_t columns) {
  const NormShape shape = norm_shape(kBytes / sizeof(Element) / 2 / columns, columns, columns, 1e-5f);
  RowTeams t = norm_staged_teams(shape.rows, columns, sizeof(Element), 1);
  check_packs(t, Packs, columns);
  const auto kernel = norm_backward_staged<Kind, Residual, Packs, Element, Threads>;
  const size_t shared = norm_staged_shared(Kind, Residual, shape, t);
  if (Threads && t.threads != Threads)
    fprintf(stderr, "bench/transformer: rows of %zu need %u threads\n", columns, t.threads), exit(1);
  t.blocks = resident_with(kernel, t.threads * t.teams, shared);
  float *partials = (float *)((char *)arrays[3] + kBytes / 2);
  const unsigned kinds = Kind == LayerNorm ? 2 : 1;
  const std::string name = std::string(what) + " backward";
  add(title<Element>(name.c_str(), columns),
      (Residual ? 4.0 : 3.0) * (double)(shape.rows * columns * sizeof(Element)), [=] {
        kernel<<<t.blocks, dim3(t.threads, t.teams), shared>>>(
            array<Element>(0), array<Element>(1), array<Element>(2), vector_of<Element>(0), vectors[2],
            vectors[3], array<Element>(3), partials, shape);
        column_sums<Element><<<dim3((unsigned)ceil_div(columns, 32), kinds), dim3(32, 32)>>>(
            partials, vector_of<Element>(1), vector_of<Element>(1) + columns, t.blocks, (unsigned)columns);
      });
}

/* The second stage of dγ and dβ alone: it is part of the rows above. */
void add_column_sums(size_t count, size_t columns) {
  add("column sums of " + std::to_string(count) + " blocks, " + std::to_string(columns),
      8.0 * (double)(count * columns), [=] {
        column_sums<Bf16><<<dim3((unsigned)ceil_div(columns, 32), 2), dim3(32, 32)>>>(
            array<float>(0), vector_of<Bf16>(1), vector_of<Bf16>(1) + columns, count, (unsigned)columns);
      });
}

template <int Packs, typename Element> void add_softmax(size_t columns) {
  const size_t count = kBytes / sizeof(Element) / 2;
  const SoftmaxShape shape = softmax_shape(count / columns, columns, columns, 0.1f, 0);
  const RowTeams t = row_teams(shape.rows, columns, sizeof(Element), 1, 4);
  check_packs(t, Packs, columns);
  const auto forward = softmax_forward<RowAligned, Packs, Element>;
  const auto backward = softmax_backward<RowAligned, Packs, Element>;
  const double matrix = (double)shape.rows * columns * sizeof(Element);
  const unsigned blocks = resident((const void *)forward, t.threads * t.teams);
  add(title<Element>("softmax forward", columns), 2 * matrix,
      [=] { forward<<<blocks, dim3(t.threads, t.teams)>>>(array<Element>(0), array<Element>(1), shape); });
  const unsigned back_blocks = resident((const void *)backward, t.threads * t.teams);
  add(title<Element>("softmax backward", columns), 3 * matrix, [=] {
    backward<<<back_blocks, dim3(t.threads, t.teams)>>>(array<Element>(0), array<Element>(1),
                                                        array<Element>(2), shape);
  });
}

/* Square matrices. The bytes read are those of the columns that a row sees; all are written. */
template <typename Element> void add_causal_softmax(size_t columns) {
  enum { kPacks = 4, kForwardStages = 2, kBackwardStages = 1 };
  const size_t count = kBytes / sizeof(Element) / 2;
  const SoftmaxShape shape = softmax_shape(count / columns, columns, columns, 0.1f, columns);
  const RowTeams t = softmax_causal_teams(shape.rows, columns, sizeof(Element), 1);
  check_packs(t, kPacks, columns);
  const auto forward = softmax_causal_forward<kPacks, Element, kForwardStages>;
  const auto backward = softmax_causal_backward<kPacks, Element, kBackwardStages>;
  const double matrix = (double)shape.rows * columns * sizeof(Element),
               read = (double)shape.rows * (columns + 1) / 2 * sizeof(Element);
  const size_t shared = softmax_causal_shared(t, 1, kForwardStages),
               back_shared = softmax_causal_shared(t, 2, kBackwardStages);
  const dim3 block(t.threads, t.teams);
  const unsigned blocks = resident_with(forward, t.threads * t.teams, shared),
                 back_blocks = resident_with(backward, t.threads * t.teams, back_shared);
  add(title<Element>("causal softmax forward", columns), read + matrix,
      [=] { forward<<<blocks, block, shared>>>(array<Element>(0), array<Element>(1), shape); });
  add(title<Element>("causal softmax backward", columns), 2 * read + matrix, [=] {
    backward<<<back_blocks, block, back_shared>>>(array<Element>(0), array<Element>(1), array<Element>(2),
                                                  shape);
  });
}

template <typename Element> size_t long_shared(bool staged, size_t columns) {
  return staged ? ceil_div(columns * sizeof(Element), 16) * 16 : 0;
}
template <bool Staged, typename Element> void add_softmax_long(size_t columns, unsigned threads) {
  const SoftmaxShape shape = softmax_shape(kLongBytes / sizeof(Element) / columns, columns, columns, 0.1f, 0);
  const auto forward = softmax_forward_long<Staged, RowAligned, Element>;
  const size_t shared = long_shared<Element>(Staged, columns);
  const unsigned blocks = resident_with(forward, threads, shared);
  add(title<Element>(Staged ? "softmax forward" : "softmax forward, two reads", columns),
      2.0 * (double)shape.rows * columns * sizeof(Element),
      [=] { forward<<<blocks, threads, shared>>>(long_array<Element>(0), long_array<Element>(1), shape); });
}

template <bool Staged, typename Element> void add_cross_entropy(size_t columns, unsigned threads) {
  const size_t count = kLongBytes / sizeof(Element) / columns;
  const CrossEntropyShape shape = {count, columns, (unsigned)columns, -100, 1.0f / (float)count};
  const auto kernel = cross_entropy<Staged, RowAligned, Element>;
  const size_t shared = long_shared<Element>(Staged, columns);
  const unsigned blocks = resident_with(kernel, threads, shared);
  add(title<Element>(Staged ? "cross-entropy" : "cross-entropy, two reads", columns),
      2.0 * (double)count * columns * sizeof(Element), [=] {
        kernel<<<blocks, threads, shared>>>(long_array<Element>(0), targets, vectors[3],
                                            long_array<Element>(1), shape);
      });
}

/* One pack a thread: a grid as large as the array is. */
template <typename Element> unsigned grid(size_t count) {
  return (unsigned)ceil_div(count / SnnPack<Element>::kLanes, kThreads);
}

template <typename Element> void add_elementwise() {
  const size_t n = kBytes / sizeof(Element) / 2;
  const double bytes = (double)n * sizeof(Element);
  const unsigned blocks = grid<Element>(n);
  add(title<Element>("residual add"), 3 * bytes, [=] {
    residual_add<Element><<<blocks, kThreads>>>(array<Element>(0), array<Element>(1), array<Element>(2), n);
  });
  add(title<Element>("GELU forward"), 2 * bytes,
      [=] { gelu_forward<Element><<<blocks, kThreads>>>(array<Element>(0), array<Element>(1), n); });
  add(title<Element>("GELU backward"), 3 * bytes, [=] {
    gelu_backward<Element><<<blocks, kThreads>>>(array<Element>(0), array<Element>(1), array<Element>(2), n);
  });
  add(title<Element>("SwiGLU forward"), 3 * bytes, [=] {
    swiglu_forward<Element><<<blocks, kThreads>>>(array<Element>(0), array<Element>(1), array<Element>(2), n);
  });
  add(title<Element>("SwiGLU backward"), 5 * bytes, [=] {
    swiglu_backward<Element><<<blocks, kThreads>>>(array<Element>(0), array<Element>(1), array<Element>(2),
                                                   array<Element>(3), array<Element>(3) + n, n);
  });
}

/* Heads of 128 elements, 32 of them, 4096 positions: an eighth of the tables' bytes, which come out of a cache. */
template <typename Element> void add_rotary() {
  const size_t n = kBytes / sizeof(Element) / 2;
  const RotaryShape shape = {n / 4096, 32, 128, 4096, 0};
  const unsigned blocks = (unsigned)ceil_div(shape.tokens * 64 / SnnPack<Element>::kLanes, kThreads);
  const float *tables = (const float *)arrays[2];
  add(title<Element>("rotary, halves"), 2.0 * (double)n * sizeof(Element), [=] {
    rotary<false, RotaryHalves, Element><<<dim3(blocks, 4), kThreads>>>(
        array<Element>(0), tables, tables + 4096 * 64, array<Element>(1), shape);
  });
}

/* Queries, keys and values of 32 heads of 128 elements, 4096 positions; the first two are rotated. */
template <HeadsDirection Direction, typename Element> void add_heads(const char *what) {
  const HeadsShape shape = {1, 4096, 32, 128, 3, 2};
  const size_t part = (size_t)shape.length * shape.heads * shape.size;
  const HeadsArrays<Element> of = {
      array<Element>(0),
      {array<Element>(1), array<Element>(1) + part, array<Element>(1) + 2 * part},
      array<float2>(2)};
  add(title<Element>(what), 6.0 * (double)part * sizeof(Element),
      [=] { move_heads<Direction, Element><<<heads_grid(shape), kHeadsBlock>>>(of, shape); });
}

/* Tokens in order: each row of the table is read once. */
template <typename Element> void add_embedding() {
  const size_t n = kBytes / sizeof(Element) / 2;
  const TokenEmbeddingShape shape = {n / 1024, 1024, 1024};
  std::vector<int> tokens(shape.count);
  for (size_t t = 0; t < tokens.size(); ++t)
    tokens[t] = (int)t;
  int *device;
  check(cudaMalloc((void **)&device, tokens.size() * 4), "memory");
  check(cudaMemcpy(device, tokens.data(), tokens.size() * 4, cudaMemcpyHostToDevice), "copy");
  const dim3 block(128, 2);
  const unsigned blocks = (unsigned)shape.count / 2, forward_blocks = blocks / kEmbeddingTokens;
  add(title<Element>("embedding forward, 1024"), 2.0 * (double)n * sizeof(Element), [=] {
    token_embedding_forward<true, RowAligned, Element>
        <<<forward_blocks, block>>>(device, array<Element>(0), array<Element>(2), array<Element>(1), shape);
  });
  add(title<Element>("embedding backward, 1024"), (double)n * (sizeof(Element) + 8.0), [=] {
    token_embedding_backward<Element><<<blocks, block>>>(device, array<Element>(0), array<float>(2), shape);
  });
}

template <bool Master, typename Element> void add_adamw(const char *what) {
  const size_t n = kBytes / 4 / 2;
  const AdamW p = adamw(1e-4, 0.9, 0.999, 1e-8, 0.01, 10, 1);
  const unsigned blocks = grid<Element>(n);
  add(title<Element>(what),
      (double)n * (16 + 2 * sizeof(Element) + (Master ? 8 : 0) + (Master ? 0 : sizeof(Element))), [=] {
        adamw_step<Master, Element><<<blocks, kThreads>>>(array<Element>(0), state, array<Element>(1),
                                                          state + n, state + 2 * n, n, p);
      });
}

void add_copy() {
  add("copy, cudaMemcpy", (double)kBytes,
      [] { check(cudaMemcpyAsync(arrays[1], arrays[0], kBytes / 2, cudaMemcpyDeviceToDevice), "copy"); });
}

template <typename Element> void add_element();
template <> void add_element<Bf16>() {
  add_norm<LayerNorm, false, 3, Bf16>("layer norm", 768);
  add_norm_backward<LayerNorm, false, 3, Bf16, 32>("layer norm", 768);
  add_norm<LayerNorm, false, 4, Bf16>("layer norm", 1024);
  add_norm_backward<LayerNorm, false, 1, Bf16, 128>("layer norm", 1024);
  add_norm<LayerNorm, false, 2, Bf16>("layer norm", 2048);
  add_norm_backward<LayerNorm, false, 1, Bf16, 256>("layer norm", 2048);
  add_norm<LayerNorm, false, 2, Bf16>("layer norm", 4096);
  add_norm_backward<LayerNorm, false, 1, Bf16, 512>("layer norm", 4096);
  add_norm<LayerNorm, false, 2, Bf16>("layer norm", 8192);
  add_norm_backward<LayerNorm, false, 2, Bf16, 512>("layer norm", 8192);
  add_norm<RmsNorm, false, 2, Bf16>("RMS norm", 4096);
  add_norm_backward<RmsNorm, false, 1, Bf16, 512>("RMS norm", 4096);
  add_norm<LayerNorm, true, 2, Bf16>("residual and layer norm", 4096);
  add_norm_backward<LayerNorm, true, 1, Bf16, 512>("residual and layer norm", 4096);
  add_column_sums(264, 4096);
  add_column_sums(264, 768);
  add_softmax<4, Bf16>(1024);
  add_causal_softmax<Bf16>(1024);
  add_causal_softmax<Bf16>(2048);
  add_causal_softmax<Bf16>(4096);
  add_softmax<2, Bf16>(8192);
  add_softmax_long<true, Bf16>(32768, 512);
  add_softmax_long<false, Bf16>(32768, 256);
  add_cross_entropy<true, Bf16>(50304, 512);
  add_cross_entropy<false, Bf16>(50304, 512);
  add_cross_entropy<false, Bf16>(128256, 1024);
  add_elementwise<Bf16>();
  add_rotary<Bf16>();
  add_heads<kToHeads, Bf16>("rows to heads, rotated");
  add_heads<kToRows, Bf16>("heads to rows, rotated back");
  add_embedding<Bf16>();
  add_adamw<true, Bf16>("AdamW, master weights");
}
template <> void add_element<float>() {
  add_norm<LayerNorm, false, 2, float>("layer norm", 768);
  add_norm_backward<LayerNorm, false, 1, float, 192>("layer norm", 768);
  add_norm<LayerNorm, false, 2, float>("layer norm", 4096);
  add_norm_backward<LayerNorm, false, 2, float, 512>("layer norm", 4096);
  add_norm<RmsNorm, false, 2, float>("RMS norm", 4096);
  add_norm_backward<RmsNorm, false, 2, float, 512>("RMS norm", 4096);
  add_norm<LayerNorm, true, 2, float>("residual and layer norm", 4096);
  add_norm_backward<LayerNorm, true, 2, float, 512>("residual and layer norm", 4096);
  add_softmax<2, float>(1024);
  add_causal_softmax<float>(2048);
  add_softmax<2, float>(4096);
  add_cross_entropy<true, float>(50304, 1024);
  add_cross_entropy<false, float>(50304, 1024);
  add_elementwise<float>();
  add_rotary<float>();
  add_adamw<false, float>("AdamW");
}

template <typename Element> void measure(int rounds, int launches) {
  rows.clear();
  add_copy();
  add_element<Element>();
  fill_all<Element>();
  print_times(rows, rounds, launches);
}

} // namespace

int main(int count, char **arguments) {
  const int rounds = count > 1 ? atoi(arguments[1]) : 7, launches = count > 2 ? atoi(arguments[2]) : 10;
  for (void *&one : arrays)
    check(cudaMalloc(&one, kBytes), "memory");
  for (void *&one : long_arrays)
    check(cudaMalloc(&one, kLongBytes), "memory");
  for (float *&one : vectors)
    check(cudaMalloc((void **)&one, 4 << 20), "memory");
  const size_t state_bytes = kBytes / 2 * 3, target_bytes = 1 << 20;
  check(cudaMalloc((void **)&state, state_bytes), "memory");
  check(cudaMalloc((void **)&targets, target_bytes), "memory");
  check(cudaMemset(state, 0, state_bytes), "memory");
  check(cudaMemset(targets, 0, target_bytes), "memory");
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "device");
  multiprocessors = properties.multiProcessorCount;
  printf("device\t0\t0\t%s\n", properties.name);
  measure<Bf16>(rounds, launches);
  measure<float>(rounds, launches);
  return 0;
}
