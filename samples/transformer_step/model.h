/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes of the models, and the memory of one: parameters, what the forward pass keeps, and gradients. */
#ifndef TRANSFORMER_STEP_MODEL_H
#define TRANSFORMER_STEP_MODEL_H

#include "../../kernels/attention/attention.cuh"
#include "../../kernels/transformer/rows.cuh"

#include <stdio.h>
#include <stdlib.h>

#include <memory>
#include <vector>

inline void check(int error, const char *what) {
  if (!error)
    return;
  fprintf(stderr, "transformer_step: %s: %s\n", what, cudaGetErrorString((cudaError_t)error));
  exit(1);
}

/* width = heads · size of a head, which is 64 or 128 */
struct Sizes {
  const char *name;
  int width, layers, heads, inner, vocabulary;
};
static const Sizes kSizes[] = {{"tiny", 128, 2, 2, 512, 256},           {"small", 768, 12, 12, 3072, 10000},
                               {"medium", 1024, 24, 16, 4096, 10000},   {"large", 1280, 36, 20, 5120, 10000},
                               {"xl", 1600, 48, 25, 6400, 10000},       {"2.7B", 2560, 32, 20, 10240, 10000}};

/* An allocation of its own, so that launches whose arguments lie apart can be counted by clones. */
template <typename Element> class Buffer {
public:
  Buffer() = default;
  explicit Buffer(size_t count) : count(count) { check(cudaMalloc((void **)&data, count * sizeof(Element)), "cudaMalloc"); }
  Buffer(Buffer &&other) : data(other.data), count(other.count) { other.data = nullptr; }
  Buffer &operator=(Buffer &&other) {
    std::swap(data, other.data);
    std::swap(count, other.count);
    return *this;
  }
  ~Buffer() { cudaFree(data); }
  Element *get() const { return data; }
  size_t size() const { return count; }
  std::vector<Element> read() const {
    std::vector<Element> values(count);
    check(cudaMemcpy(values.data(), data, count * sizeof(Element), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }
  void write(const std::vector<Element> &values) const {
    check(cudaMemcpy(data, values.data(), count * sizeof(Element), cudaMemcpyHostToDevice), "cudaMemcpy");
  }

private:
  Element *data = nullptr;
  size_t count = 0;
};

/* A weight matrix [outputs][inputs] or a vector, its gradient, and the state of AdamW. */
struct Parameter {
  Buffer<Bf16> weight, gradient;
  Buffer<float> master, first, second;
  float spread; /* of the initial values, uniform from −spread to spread; 0: all are 1 */

  Parameter(size_t count, float spread, bool trains) : weight(count), spread(spread) {
    if (!trains)
      return;
    gradient = Buffer<Bf16>(count);
    master = Buffer<float>(count), first = Buffer<float>(count), second = Buffer<float>(count);
  }
};

struct Layer {
  Parameter first_norm, query_key_value, output, second_norm, up, down;
  /* Kept for the backward pass: rows of the residual stream, and what each product read. */
  Buffer<Bf16> stream, normed, query, key, value, attended, merged, second_stream, second_normed, raised, activated;
  Buffer<float> first_rstd, second_rstd, logsumexp;

  Layer(const Sizes &s, size_t rows, bool trains)
      : first_norm(s.width, 0, trains), query_key_value((size_t)3 * s.width * s.width, spread(s), trains),
        output((size_t)s.width * s.width, scaled(s), trains), second_norm(s.width, 0, trains),
        up((size_t)s.inner * s.width, spread(s), trains), down((size_t)s.width * s.inner, scaled(s), trains), stream(rows * s.width),
        normed(rows * s.width), query(rows * s.width), key(rows * s.width), value(rows * s.width), attended(rows * s.width),
        merged(rows * s.width), second_stream(rows * s.width), second_normed(rows * s.width), raised(rows * s.inner),
        activated(rows * s.inner), first_rstd(rows), second_rstd(rows), logsumexp(rows * s.heads) {}
  /* A uniform distribution whose deviation is 0.02, and one that the layers' sums keep small. */
  static float spread(const Sizes &) { return 0.02f * sqrtf(3.0f); }
  static float scaled(const Sizes &s) { return spread(s) / sqrtf(2.0f * s.layers); }
};

struct Model {
  Sizes sizes;
  int batch, length;
  size_t rows;
  bool trains;
  Buffer<Bf16> embedding; /* [vocabulary][width]; its gradient is a sum by atomics, in fp32 */
  Buffer<float> embedding_gradient, embedding_master, embedding_first, embedding_second;
  std::vector<std::unique_ptr<Layer>> layers;
  Parameter last_norm, head;
  Buffer<Bf16> joined, branch, stream, normed, logits;           /* of the forward pass */
  Buffer<Bf16> gradient, of_branch, of_inner, of_joined;          /* of the backward pass */
  Buffer<Bf16> of_attended, of_query, of_key, of_value;
  Buffer<float> rstd, losses, partials;
  Buffer<float2> turns;
  Buffer<BackwardRow> attention_rows;
  Buffer<int> tokens, targets;

  enum { kTeams = 264 }; /* blocks of kernels of rows: fixed, so that counts are those of any GPU */

  Model(const Sizes &s, int batch, int length, bool trains)
      : sizes(s), batch(batch), length(length), rows((size_t)batch * length), trains(trains),
        embedding((size_t)s.vocabulary * s.width), last_norm(s.width, 0, trains),
        head((size_t)s.vocabulary * s.width, Layer::spread(s), trains), joined(rows * 3 * s.width), branch(rows * s.width),
        stream(rows * s.width), normed(rows * s.width), logits(rows * s.vocabulary), rstd(rows), losses(rows),
        turns((size_t)length * (s.width / s.heads) / 2), tokens(rows), targets(rows) {
    for (int i = 0; i < s.layers; ++i)
      layers.emplace_back(new Layer(s, rows, trains));
    if (!trains)
      return;
    embedding_gradient = Buffer<float>(embedding.size());
    embedding_master = Buffer<float>(embedding.size());
    embedding_first = Buffer<float>(embedding.size()), embedding_second = Buffer<float>(embedding.size());
    gradient = Buffer<Bf16>(rows * s.width), of_branch = Buffer<Bf16>(rows * s.width), of_inner = Buffer<Bf16>(rows * s.inner);
    of_joined = Buffer<Bf16>(rows * 3 * s.width), of_attended = Buffer<Bf16>(rows * s.width);
    of_query = Buffer<Bf16>(rows * s.width), of_key = Buffer<Bf16>(rows * s.width), of_value = Buffer<Bf16>(rows * s.width);
    partials = Buffer<float>(teams().blocks * (size_t)teams().teams * s.width);
    attention_rows = Buffer<BackwardRow>(rows * s.heads);
  }

  /* The launch of kernels of rows. A team has sums of its own in the norms' backward pass. */
  RowTeams teams() const { return row_teams(rows, sizes.width, sizeof(Bf16), kTeams); }
  std::vector<Parameter *> parameters() {
    std::vector<Parameter *> all;
    for (auto &layer : layers)
      for (Parameter *p : {&layer->first_norm, &layer->query_key_value, &layer->output, &layer->second_norm, &layer->up, &layer->down})
        all.push_back(p);
    all.push_back(&last_norm);
    all.push_back(&head);
    return all;
  }
  /* Multiply-adds of all weight matrices for a token. */
  double matrix_weights() const {
    const double w = sizes.width;
    return sizes.layers * (4 * w * w + 2 * w * sizes.inner) + w * sizes.vocabulary;
  }
};

#endif
