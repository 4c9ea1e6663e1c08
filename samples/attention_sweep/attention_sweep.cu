/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One implementation of attention at one length, checked against double precision: gpuprof runs it over lengths and
 * implementations, and draws the curves.
 *
 *   gpuprof cc -O2 -std=c++17 samples/attention_sweep/attention_sweep.cu -o attention_sweep
 *   ./attention_sweep LENGTH CAUSAL KERNEL [HEADS] [SIZE]
 *
 * KERNEL is naive (three kernels in fp32, scores in memory), flash (one kernel, bf16 on tensor cores), fp32 (one kernel
 * in fp32), or hopper (flash for sm_90a; compile with -DATTENTION_SWEEP_HOPPER for that architecture alone).
 * All get the same inputs: multiples of 1/64, which bf16 has exactly.
 */
#include <cuda_runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

#include <gpuprof.h>

#include "../../kernels/attention/attention.cuh"
#include "../../kernels/attention/attention_coalesced.cuh"
#include "../../kernels/attention/attention_flash_fp32.cuh"
#include "../../kernels/attention/attention_flash_reference.h"
#ifdef ATTENTION_SWEEP_HOPPER
#include "../../kernels/attention/attention_hopper.cuh"
#endif

enum { kRuns = 3, kCheckedRows = 64, kMaxLength = 1 << 20, kMaxHeads = 1024 };

static void check(int error) {
  if (!error)
    return;
  fprintf(stderr, "attention_sweep: %s\n", cudaGetErrorString((cudaError_t)error));
  exit(1);
}

/* ---- Arrays ---- */

template <class T> class Array {
public:
  explicit Array(size_t count) : count(count) { check(cudaMalloc((void **)&data, count * sizeof(T))); }
  explicit Array(const std::vector<T> &values) : Array(values.size()) {
    check(cudaMemcpy(data, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Array() { cudaFree(data); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  std::vector<T> read() const {
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  T *get() const { return data; }

private:
  size_t count;
  T *data = nullptr;
};

static float value_of(float element) { return element; }
static float value_of(Bf16 element) {
  const unsigned word = (unsigned)element.bits << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}
/* Of a value that the element has exactly. */
template <class Element> static Element element_of(float value);
template <> float element_of<float>(float value) { return value; }
template <> Bf16 element_of<Bf16>(float value) {
  unsigned word;
  memcpy(&word, &value, sizeof word);
  return {(unsigned short)(word >> 16)};
}
template <class Element> static std::vector<Element> elements_of(const std::vector<float> &values) {
  std::vector<Element> elements;
  for (const float value : values)
    elements.push_back(element_of<Element>(value));
  return elements;
}

/* ---- The problem ---- */

struct Problem {
  int length, heads, size;
  bool causal;
  std::vector<float> query, key, value;

  size_t elements() const { return (size_t)heads * length * size; }
  float scale() const { return 1.0f / sqrtf((float)size); }
  AttentionShape shape() const {
    return {1, heads, heads, length, length, kAttentionAll, causal ? 0 : kAttentionAll};
  }
  /* Two products; half of them where a row sees the keys up to its own. */
  double nominal() const { return 4.0 * length * length * size * heads / (causal ? 2 : 1); }
};

/* Multiples of 1/64 between -2 and 2. */
static std::vector<float> random_values(size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (float &value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = (float)((int)(seed >> 24) - 128) / 64.0f;
  }
  return values;
}

/* ---- Implementations ---- */

struct NaiveArrays {
  Array<float> query, key, value, scores, weights, output;
  explicit NaiveArrays(const Problem &p)
      : query(p.query), key(p.key), value(p.value), scores((size_t)p.heads * p.length * p.length),
        weights((size_t)p.heads * p.length * p.length), output(p.elements()) {}
};

/* Rows that fit stay in registers. */
template <RowLayout Layout> static void naive_softmax(const Problem &p, const NaiveArrays &a) {
  enum { kPacks = 2, kColumns = kPacks * 4 /* of a thread */ };
  const SoftmaxShape shape =
      softmax_shape((size_t)p.heads * p.length, p.length, p.length, p.scale(), p.causal ? p.length : 0);
  const size_t warps = ceil_div(p.length, kColumns * 32);
  const unsigned blocks = (unsigned)(shape.rows < 4096 ? shape.rows : 4096);
  if (warps * 32 <= kRowThreads)
    softmax_forward<Layout, kPacks, float>
        <<<blocks, dim3((unsigned)warps * 32, 1)>>>(a.scores.get(), a.weights.get(), shape);
  else
    softmax_forward_long<false, Layout, float>
        <<<blocks, kRowThreads>>>(a.scores.get(), a.weights.get(), shape);
}

template <bool Causal> static int naive_forward(const Problem &p, const NaiveArrays &a) {
  const unsigned rows = (unsigned)ceil_div(p.length, kCoalescedTile),
                 columns = (unsigned)ceil_div(p.size, kProductColumns);
  attention_coalesced_scores<Causal, float><<<dim3(rows, rows, p.heads), kProductThreads>>>(
      a.query.get(), a.key.get(), a.scores.get(), p.length, p.size);
  if (p.length % 4)
    naive_softmax<RowUnaligned>(p, a);
  else
    naive_softmax<RowAligned>(p, a);
  attention_coalesced_values<Causal, float><<<dim3(columns, rows, p.heads), kProductThreads>>>(
      a.weights.get(), a.value.get(), a.output.get(), p.length, p.size);
  return (int)cudaGetLastError();
}

static std::vector<float> run_naive(const Problem &p) {
  const NaiveArrays a(p);
  for (int run = 0; run < kRuns; ++run) {
#pragma gpuprof region("naive") phase(forward) category(attention)
    {
#pragma gpuprof expect flops(p.nominal())
      check(p.causal ? naive_forward<true>(p, a) : naive_forward<false>(p, a));
    }
  }
  return a.output.read();
}

template <class Element> struct FlashArrays {
  Array<Element> query, key, value, output;
  Array<float> logsumexp;
  explicit FlashArrays(const Problem &p)
      : query(elements_of<Element>(p.query)), key(elements_of<Element>(p.key)),
        value(elements_of<Element>(p.value)), output(p.elements()), logsumexp((size_t)p.heads * p.length) {}
  FlashArguments arguments(const Problem &p) const {
    return {query.get(), key.get(), value.get(), output.get(), logsumexp.get(), p.shape(), p.scale()};
  }
  std::vector<float> read() const {
    std::vector<float> values;
    for (const Element element : output.read())
      values.push_back(value_of(element));
    return values;
  }
};

static std::vector<float> run_flash(const Problem &p) {
  const FlashArrays<Bf16> a(p);
  for (int run = 0; run < kRuns; ++run) {
#pragma gpuprof region("flash") phase(forward) category(attention)
    {
#pragma gpuprof expect flops(p.nominal())
      check(p.size == 64 ? attention_forward<Bf16, 64>(a.arguments(p), nullptr)
                         : attention_forward<Bf16, 128>(a.arguments(p), nullptr));
    }
  }
  return a.read();
}

static std::vector<float> run_fp32(const Problem &p) {
  const FlashArrays<float> a(p);
  for (int run = 0; run < kRuns; ++run) {
#pragma gpuprof region("fp32") phase(forward) category(attention)
    {
#pragma gpuprof expect flops(p.nominal())
      check(p.size == 64 ? attention_forward_fp32<64>(a.arguments(p), nullptr)
                         : attention_forward_fp32<128>(a.arguments(p), nullptr));
    }
  }
  return a.read();
}

#ifdef ATTENTION_SWEEP_HOPPER
static TensorEncode tensor_encode() {
  TensorEncode encode = nullptr;
  cudaDriverEntryPointQueryResult result;
  check((int)cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000,
                                              cudaEnableDefault, &result));
  return encode;
}

static std::vector<float> run_hopper(const Problem &p) {
  const FlashArrays<Bf16> a(p);
  const TensorEncode encode = tensor_encode();
  int device = 0, count = 0;
  check((int)cudaGetDevice(&device));
  check((int)cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  for (int run = 0; run < kRuns; ++run) {
#pragma gpuprof region("hopper") phase(forward) category(attention)
    {
#pragma gpuprof expect flops(p.nominal())
      check(p.size == 64 ? attention_hopper_forward<Bf16, 64>(encode, a.arguments(p), count, nullptr)
                         : attention_hopper_forward<Bf16, 128>(encode, a.arguments(p), count, nullptr));
    }
  }
  return a.read();
}
#endif

/* Errors are allowed as a share of the largest value: what rounding of weights and outputs makes. */
static const struct Implementation {
  const char *name;
  std::vector<float> (*run)(const Problem &);
  double allowed;
} kImplementations[] = {
    {"naive", run_naive, 2e-5},
    {"flash", run_flash, 2.0 / 256},
    {"fp32", run_fp32, 2e-5},
#ifdef ATTENTION_SWEEP_HOPPER
    {"hopper", run_hopper, 2.0 / 256},
#endif
};

/* ---- The check ---- */

struct Verdict {
  size_t not_finite = 0;
  double error = 0; /* of the largest value */
};

static double row_error(const Problem &p, const float *output, size_t row, std::vector<double> &weights) {
  const size_t head = row / p.length * p.length * p.size;
  const AttentionShape shape = p.shape();
  const AttentionKeys seen =
      attention_keys((long)(row % p.length), p.length, p.length, shape.left, shape.right);
  std::vector<double> expected(p.size);
  attention_row_weights(&p.query[row * p.size], &p.key[head], seen, p.size, p.scale(), weights.data());
  attention_row_values(weights.data(), &p.value[head], seen, p.size, expected.data());
  double error = 0;
  for (int i = 0; i < p.size; ++i)
    error = fmax(error, fabs(output[row * p.size + i] - expected[i]));
  return error;
}

static Verdict verdict(const Problem &p, const std::vector<float> &output) {
  Verdict v;
  double largest = 0;
  for (const float value : p.value)
    largest = fmax(largest, fabs(value));
  for (const float value : output)
    v.not_finite += !isfinite(value);
  std::vector<double> weights(p.length);
  const size_t rows = (size_t)p.heads * p.length, step = ceil_div(rows, kCheckedRows);
  for (size_t row = 0; row < rows; row += step)
    v.error = fmax(v.error, row_error(p, output.data(), row, weights) / largest);
  return v;
}

/* ---- Arguments ---- */

static const Implementation *find_implementation(const char *name) {
  for (const Implementation &i : kImplementations)
    if (!strcmp(i.name, name))
      return &i;
  return nullptr;
}

static void misuse() {
  std::string names;
  for (const Implementation &i : kImplementations)
    names += (names.empty() ? "" : ", ") + std::string(i.name);
  fprintf(
      stderr,
      "usage: attention_sweep LENGTH CAUSAL KERNEL [HEADS] [SIZE]; CAUSAL is 0 or 1, KERNEL one of %s, SIZE "
      "64 or 128\n",
      names.c_str());
  exit(2);
}

/* A number of the command line between both. */
static int number(const char *text, int least, int most) {
  char *end;
  const long value = strtol(text, &end, 10);
  if (end == text || *end || value < least || value > most)
    misuse();
  return (int)value;
}

int main(int count, char **arguments) {
  const Implementation *const implementation =
      count < 4 || count > 6 ? nullptr : find_implementation(arguments[3]);
  if (!implementation)
    misuse();
  Problem p;
  p.length = number(arguments[1], 1, kMaxLength);
  p.causal = number(arguments[2], 0, 1);
  p.heads = count > 4 ? number(arguments[4], 1, kMaxHeads) : 2;
  p.size = count > 5 ? number(arguments[5], 64, 128) : 64;
  if (p.size != 64 && p.size != 128)
    misuse();
  p.query = random_values(p.elements(), 1);
  p.key = random_values(p.elements(), 2);
  p.value = random_values(p.elements(), 3);

  const Verdict v = verdict(p, implementation->run(p));
  const bool right = !v.not_finite && v.error <= implementation->allowed;
  printf("%s, length %d%s, %d heads of %d: error %.1e of the largest value, allowed %.1e",
         implementation->name, p.length, p.causal ? ", causal" : "", p.heads, p.size, v.error,
         implementation->allowed);
  if (v.not_finite)
    printf(", %zu values not finite", v.not_finite);
  printf(": %s\n", right ? "right" : "WRONG");
  return !right;
}
