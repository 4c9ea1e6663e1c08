/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a step launches: kernels of kernels/ with the shapes of a model. */
#ifndef TRANSFORMER_STEP_LAYERS_CUH
#define TRANSFORMER_STEP_LAYERS_CUH

#include "model.h"

#include "../../kernels/transformer/adamw.cuh"
#include "../../kernels/transformer/cross_entropy.cuh"
#include "../../kernels/transformer/elementwise.cuh"
#include "../../kernels/transformer/gemm.cuh"
#include "../../kernels/transformer/heads.cuh"
#include "../../kernels/transformer/norm.cuh"
#include "../../kernels/transformer/token_embedding.cuh"
#ifdef TRANSFORMER_STEP_HOPPER /* compile with --cuda-gpu-arch=sm_90a */
#include "../../kernels/transformer/gemm_hopper.cuh"
#endif

enum { kBlocks = Model::kTeams, kThreads = 256 };

static const float kEpsilon = 1e-5f;

/* ---- Products ---- */

#ifdef TRANSFORMER_STEP_HOPPER
inline TensorEncode tensor_encode() {
  static void *encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  if (!encode)
    check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found), "tensor maps");
  return (TensorEncode)encode;
}

template <GemmLines ALines, GemmLines BLines> inline void launch_product(const GemmArguments &arguments) {
  typedef GemmHopperTile<256, 4> Tile;
  const auto kernel = gemm_hopper<Bf16, Bf16, Tile, ALines, BLines, kGemmStore>;
  GemmHopperArguments hopper;
  check(gemm_hopper_arguments<Bf16, Tile>(tensor_encode(), &hopper, arguments, ALines, BLines), "tensor maps");
  check(attention_shared(kernel, Tile::SharedBytes), "shared memory");
  kernel<<<132, Tile::Threads, Tile::SharedBytes>>>(hopper);
}
#else
template <GemmLines ALines, GemmLines BLines> inline void launch_product(const GemmArguments &arguments) {
  typedef GemmTile<128, 128, 2, 2, 2, 2> Tile;
  const auto kernel = gemm<Bf16, Bf16, Tile, ALines, BLines, kGemmStore>;
  check(attention_shared(kernel, Tile::SharedBytes), "shared memory");
  kernel<<<(unsigned)gemm_blocks<Tile>(arguments.shape), Tile::Threads, Tile::SharedBytes>>>(arguments);
}
#endif

/* y[rows][outputs] = x[rows][inputs] · weight[outputs][inputs]ᵀ */
inline void product(const Bf16 *x, const Parameter &weight, Bf16 *y, size_t rows, int outputs, int inputs) {
  launch_product<kAlong, kAlong>({x, weight.weight.get(), nullptr, y, {(int)rows, outputs, inputs, inputs, inputs, outputs}});
}

/* dx = dy · weight, and the gradient of the weight, dyᵀ · x. */
inline void product_gradients(const Bf16 *dy, const Bf16 *x, const Parameter &weight, Bf16 *dx, size_t rows, int outputs, int inputs) {
  launch_product<kAlong, kAcross>({dy, weight.weight.get(), nullptr, dx, {(int)rows, inputs, outputs, outputs, inputs, inputs}});
  launch_product<kAcross, kAcross>({dy, x, nullptr, weight.gradient.get(), {outputs, inputs, (int)rows, outputs, inputs, inputs}});
}

/* ---- RMS norms ---- */

template <bool Residual, int Packs>
inline void launch_norm(const Bf16 *input, const Bf16 *residual, const Parameter &scale, Bf16 *sum, Bf16 *y, float *rstd,
                        const NormShape &shape, const RowTeams &teams) {
  norm_forward<RmsNorm, Residual, RowAligned, Packs, Bf16><<<teams.blocks, dim3(teams.threads, teams.teams)>>>(
      input, residual, scale.weight.get(), nullptr, sum, y, nullptr, rstd, shape);
}

/* y = norm(input + residual); the sum is kept. Without a residual, of the input alone. */
inline void norm(const Model &m, const Bf16 *input, const Bf16 *residual, const Parameter &scale, Bf16 *sum, Bf16 *y, float *rstd) {
  const NormShape shape = norm_shape(m.rows, m.sizes.width, m.sizes.width, kEpsilon);
  const RowTeams teams = m.teams();
  const auto launch = teams.packs == 1 ? (residual ? launch_norm<true, 1> : launch_norm<false, 1>)
                                       : (residual ? launch_norm<true, 2> : launch_norm<false, 2>);
  launch(input, residual, scale, sum, y, rstd, shape, teams);
}

template <int Packs>
inline void launch_norm_gradients(const Model &m, const Bf16 *dy, const Bf16 *x, const Bf16 *residual, const Parameter &scale,
                                  const float *rstd, Bf16 *dx, const NormShape &shape, const RowTeams &teams) {
  norm_backward<RmsNorm, true, RowAligned, Packs, Bf16><<<teams.blocks, dim3(teams.threads, teams.teams)>>>(
      dy, x, residual, scale.weight.get(), nullptr, rstd, dx, m.partials.get(), shape);
}

/* dx = the norm's gradient + what comes past it; and the gradient of the scale. */
inline void norm_gradients(const Model &m, const Bf16 *dy, const Bf16 *x, const Bf16 *residual, const Parameter &scale,
                           const float *rstd, Bf16 *dx) {
  const NormShape shape = norm_shape(m.rows, m.sizes.width, m.sizes.width, kEpsilon);
  const RowTeams teams = m.teams();
  (teams.packs == 1 ? launch_norm_gradients<1> : launch_norm_gradients<2>)(m, dy, x, residual, scale, rstd, dx, shape, teams);
  column_sums<Bf16><<<dim3((unsigned)ceil_div(m.sizes.width, kColumnSumsWidth)), dim3(kColumnSumsWidth, kColumnSumsHeight)>>>(
      m.partials.get(), scale.gradient.get(), nullptr, (size_t)teams.blocks * teams.teams, m.sizes.width);
}

/* ---- Attention ---- */

inline AttentionShape attention_shape(const Model &m) {
  return {m.batch, m.sizes.heads, m.sizes.heads, m.length, m.length, kAttentionAll, 0};
}
inline HeadsShape heads_shape(const Model &m, int parts, int rotated) {
  return {m.batch, m.length, m.sizes.heads, m.sizes.width / m.sizes.heads, parts, rotated};
}
inline TokenEmbeddingShape embedding_shape(const Model &m) { return {m.rows, (size_t)m.length, (unsigned)m.sizes.width}; }
inline float attention_scale(const Model &m) { return 1.0f / sqrtf((float)m.sizes.width / m.sizes.heads); }

/* From joined queries, keys and values to merged outputs. */
inline void attend(const Model &m, const Layer &layer) {
  const HeadsShape apart = heads_shape(m, 3, 2), together = heads_shape(m, 1, 0);
  move_heads<kToHeads, Bf16><<<heads_grid(apart), kHeadsBlock>>>(
      {m.joined.get(), {layer.query.get(), layer.key.get(), layer.value.get()}, m.turns.get()}, apart);
  const FlashArguments arguments = {layer.query.get(),      layer.key.get(),    layer.value.get(), layer.attended.get(),
                                    layer.logsumexp.get(), attention_shape(m), attention_scale(m)};
  check((apart.size == 64 ? attention_forward<Bf16, 64> : attention_forward<Bf16, 128>)(arguments, 0), "attention");
  move_heads<kToRows, Bf16><<<heads_grid(together), kHeadsBlock>>>({layer.merged.get(), {layer.attended.get()}, nullptr}, together);
}

inline void attend_gradients(const Model &m, const Layer &layer) {
  const HeadsShape apart = heads_shape(m, 3, 2), together = heads_shape(m, 1, 0);
  move_heads<kToHeads, Bf16><<<heads_grid(together), kHeadsBlock>>>({m.of_branch.get(), {m.of_attended.get()}, nullptr}, together);
  const AttentionGradients arguments = {layer.query.get(),    layer.key.get(),         layer.value.get(),  layer.attended.get(),
                                        m.of_attended.get(),  layer.logsumexp.get(),   m.attention_rows.get(), m.of_query.get(),
                                        m.of_key.get(),       m.of_value.get(),        attention_shape(m), attention_scale(m)};
  check((apart.size == 64 ? attention_gradients<Bf16, 64> : attention_gradients<Bf16, 128>)(arguments, 0), "attention's gradients");
  move_heads<kToRows, Bf16><<<heads_grid(apart), kHeadsBlock>>>(
      {m.of_joined.get(), {m.of_query.get(), m.of_key.get(), m.of_value.get()}, m.turns.get()}, apart);
}

/* ---- The passes ---- */

inline void forward(const Model &m) {
  const Sizes &s = m.sizes;
  const size_t inner = m.rows * s.inner;
#pragma gpuprof region("embedding") category(embedding)
  token_embedding_forward<false, RowAligned, Bf16><<<kBlocks, dim3(64, 4)>>>(m.tokens.get(), m.embedding.get(), nullptr,
                                                                          m.layers[0]->stream.get(), embedding_shape(m));
  for (size_t i = 0; i < m.layers.size(); ++i) {
    const Layer &layer = *m.layers[i];
#pragma gpuprof region("attention") category(attention)
    {
      const Bf16 *before = i ? m.layers[i - 1]->second_stream.get() : layer.stream.get();
      norm(m, before, i ? m.branch.get() : nullptr, layer.first_norm, layer.stream.get(), layer.normed.get(), layer.first_rstd.get());
      product(layer.normed.get(), layer.query_key_value, m.joined.get(), m.rows, 3 * s.width, s.width);
      attend(m, layer);
      product(layer.merged.get(), layer.output, m.branch.get(), m.rows, s.width, s.width);
    }
#pragma gpuprof region("feed-forward") category(matmul)
    {
      norm(m, layer.stream.get(), m.branch.get(), layer.second_norm, layer.second_stream.get(), layer.second_normed.get(),
           layer.second_rstd.get());
      product(layer.second_normed.get(), layer.up, layer.raised.get(), m.rows, s.inner, s.width);
      gelu_forward<Bf16><<<kBlocks, kThreads>>>(layer.raised.get(), layer.activated.get(), inner);
      product(layer.activated.get(), layer.down, m.branch.get(), m.rows, s.width, s.inner);
    }
  }
#pragma gpuprof region("head") category(matmul)
  {
    norm(m, m.layers.back()->second_stream.get(), m.branch.get(), m.last_norm, m.stream.get(), m.normed.get(), m.rstd.get());
    product(m.normed.get(), m.head, m.logits.get(), m.rows, s.vocabulary, s.width);
  }
#pragma gpuprof region("loss") category(loss)
  cross_entropy<false, RowAligned, Bf16, false><<<(unsigned)m.rows, 512>>>(
      m.logits.get(), m.targets.get(), m.losses.get(), m.logits.get(),
      CrossEntropyShape{m.rows, (size_t)s.vocabulary, (unsigned)s.vocabulary, -1, 1.0f / (float)m.rows});
}

/* `gradient` is that of the residual stream, from the last layer to the first. */
inline void backward(const Model &m) {
  const Sizes &s = m.sizes;
  const size_t inner = m.rows * s.inner;
#pragma gpuprof region("head") category(matmul)
  {
    product_gradients(m.logits.get(), m.normed.get(), m.head, m.of_branch.get(), m.rows, s.vocabulary, s.width);
    check(cudaMemsetAsync(m.gradient.get(), 0, m.rows * s.width * sizeof(Bf16)), "cudaMemset"); /* nothing comes past the norm */
    norm_gradients(m, m.of_branch.get(), m.stream.get(), m.gradient.get(), m.last_norm, m.rstd.get(), m.gradient.get());
  }
  for (size_t i = m.layers.size(); i-- > 0;) {
    const Layer &layer = *m.layers[i];
#pragma gpuprof region("feed-forward") category(matmul)
    {
      product_gradients(m.gradient.get(), layer.activated.get(), layer.down, m.of_inner.get(), m.rows, s.width, s.inner);
      gelu_backward<Bf16><<<kBlocks, kThreads>>>(m.of_inner.get(), layer.raised.get(), m.of_inner.get(), inner);
      product_gradients(m.of_inner.get(), layer.second_normed.get(), layer.up, m.of_branch.get(), m.rows, s.inner, s.width);
      norm_gradients(m, m.of_branch.get(), layer.second_stream.get(), m.gradient.get(), layer.second_norm, layer.second_rstd.get(),
                     m.gradient.get());
    }
#pragma gpuprof region("attention") category(attention)
    {
      product_gradients(m.gradient.get(), layer.merged.get(), layer.output, m.of_branch.get(), m.rows, s.width, s.width);
      attend_gradients(m, layer);
      product_gradients(m.of_joined.get(), layer.normed.get(), layer.query_key_value, m.of_branch.get(), m.rows, 3 * s.width, s.width);
      norm_gradients(m, m.of_branch.get(), layer.stream.get(), m.gradient.get(), layer.first_norm, layer.first_rstd.get(),
                     m.gradient.get());
    }
  }
#pragma gpuprof region("embedding") category(embedding)
  {
    check(cudaMemsetAsync(m.embedding_gradient.get(), 0, m.embedding.size() * sizeof(float)), "cudaMemset");
    token_embedding_backward<Bf16><<<kBlocks, dim3(64, 4)>>>(m.tokens.get(), m.gradient.get(), m.embedding_gradient.get(),
                                                            embedding_shape(m));
  }
}

/* `step` is counted from 1. */
inline void optimize(Model &m, float rate, int step) {
  const AdamW plain = adamw(rate, 0.9, 0.95, 1e-8, 0, step, 1), decayed = adamw(rate, 0.9, 0.95, 1e-8, 0.1, step, 1);
  for (Parameter *p : m.parameters())
    adamw_step<true, Bf16><<<kBlocks, kThreads>>>(p->weight.get(), p->master.get(), p->gradient.get(), p->first.get(), p->second.get(),
                                                  p->weight.size(), p->spread > 0 ? decayed : plain);
  adamw_step<true, Bf16, float><<<kBlocks, kThreads>>>(m.embedding.get(), m.embedding_master.get(), m.embedding_gradient.get(),
                                                       m.embedding_first.get(), m.embedding_second.get(), m.embedding.size(), plain);
}

#endif
