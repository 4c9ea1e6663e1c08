/* The layers of kernels/snn as functions called by layers.py, each on a stream of the caller's. A whole
 * layer counts, with making lists or bits of spikes, and setting sums to 0. Built plainly, without gpuprof.
 */
#include "../../kernels/snn/convolution.cuh"
#include "../../kernels/snn/linear.cuh"
#include "../../kernels/snn/linear_packed.cuh"
#include "../../kernels/snn/spiking_attention.cuh"
#include "../../kernels/snn/synapses.cuh"

#include <cuda_runtime.h>

namespace {

unsigned blocks(uint64_t amount, uint64_t block) { return (unsigned)ceil_div(amount, block); }

template <int RowsOfThread, class Weight>
void dense(cudaStream_t stream, const signed char *spikes, const Weight *weight, float *partial,
           float *current, int rows, int inputs, int outputs, int slices) {
  // Slices are whole turns of the product.
  const int slice = (int)(ceil_div(ceil_div(inputs, slices), kProductDepth) * kProductDepth);
  const int number = (int)ceil_div(inputs, slice);
  const dim3 grid(blocks(outputs, kProductColumns), blocks(rows, kProductSide * RowsOfThread), number);
  linear_dense<RowsOfThread><<<grid, kProductThreads, 0, stream>>>(
      spikes, weight, number > 1 ? partial : current, rows, inputs, outputs, slice);
  if (number > 1)
    sum_slices<<<blocks((uint64_t)rows * outputs, 256), 256, 0, stream>>>(partial, current,
                                                                          (size_t)rows * outputs, number);
}

template <class Weight>
void events(cudaStream_t stream, const signed char *spikes, int *lists, int *counts, const Weight *weight,
            float *current, int rows, int inputs, int outputs) {
  compact_rows<<<rows, kEventBlock, 0, stream>>>(spikes, lists, counts, inputs);
  linear_events<Weight, true>
      <<<dim3(blocks(outputs, LaneColumns<Weight, true>::kTile), rows), kEventBlock, 0, stream>>>(
          lists, counts, weight, current, inputs, outputs);
}

template <class Weight>
void gather(cudaStream_t stream, const signed char *spikes, unsigned *words, const Weight *weight,
            float *current, const ConvolutionShape &s) {
  const int rows = s.batch * s.height * s.width * s.groups, channels = s.group_channels();
  // A block packs 256 inputs of a row: images of whole words are one row.
  if (channels % kWarp == 0)
    pack_rows<<<dim3(blocks((uint64_t)s.height * s.width * s.channels, kEventBlock), s.batch), kEventBlock, 0,
                stream>>>(spikes, words, s.height * s.width * s.channels);
  else
    pack_rows<<<dim3(blocks(channels, kEventBlock), rows), kEventBlock, 0, stream>>>(spikes, words, channels);
  const dim3 grid(blocks(s.pixels(), kEventWarps),
                  blocks(s.group_outputs(), LaneColumns<Weight, true>::kTile), s.groups);
  convolution_gather<3, true><<<grid, kEventBlock, 0, stream>>>(words, weight, current, s);
}

} // namespace

extern "C" {

void layers_linear_dense(cudaStream_t stream, const signed char *spikes, const float *weight, float *partial,
                         float *current, int rows, int inputs, int outputs, int slices) {
  if (rows <= 32)
    dense<2>(stream, spikes, weight, partial, current, rows, inputs, outputs, slices);
  else
    dense<4>(stream, spikes, weight, partial, current, rows, inputs, outputs, slices);
}

void layers_linear_events(cudaStream_t stream, const signed char *spikes, int *lists, int *counts,
                          const float *weight, float *current, int rows, int inputs, int outputs) {
  events(stream, spikes, lists, counts, weight, current, rows, inputs, outputs);
}

void layers_linear_events_half(cudaStream_t stream, const signed char *spikes, int *lists, int *counts,
                               const SnnHalf *weight, float *current, int rows, int inputs, int outputs) {
  events(stream, spikes, lists, counts, weight, current, rows, inputs, outputs);
}

void layers_linear_scatter(cudaStream_t stream, const signed char *spikes, const float *weight,
                           float *current, int rows, int inputs, int outputs) {
  cudaMemsetAsync(current, 0, sizeof(float) * rows * outputs, stream);
  linear_scatter<<<dim3(blocks(inputs, kEventWarps), rows), kEventBlock, 0, stream>>>(spikes, weight, current,
                                                                                      inputs, outputs);
}

void layers_linear_packed(cudaStream_t stream, const signed char *spikes, unsigned *words,
                          const unsigned *plus, const unsigned *minus, const float *scale, float *current,
                          int rows, int inputs, int outputs) {
  pack_rows<<<dim3(blocks(inputs, kEventBlock), rows), kEventBlock, 0, stream>>>(spikes, words, inputs);
  linear_packed<true>
      <<<dim3(blocks(outputs, kPackedTile), blocks(rows, kPackedTile)), kPackedThreads, 0, stream>>>(
          words, plus, minus, scale, current, rows, inputs, outputs);
}

void layers_weight_gradient(cudaStream_t stream, const signed char *spikes, unsigned *columns,
                            const float *gradient, float *weight_gradient, int rows, int inputs,
                            int outputs) {
  pack_columns<<<dim3(blocks(inputs, kEventBlock), blocks(rows, kWarp), 1), kEventBlock, 0, stream>>>(
      spikes, columns, rows, inputs);
  linear_weight_gradient<<<dim3(inputs, blocks(outputs, kEventBlock)), kEventBlock, 0, stream>>>(
      columns, gradient, weight_gradient, rows, inputs, outputs);
}

void layers_convolution_dense(cudaStream_t stream, const signed char *spikes, const float *weight,
                              float *current, const ConvolutionShape *s) {
  const dim3 grid(blocks(s->group_outputs(), kProductColumns), blocks(s->pixels(), kProductSide * 4),
                  s->groups);
  convolution_dense<3, 4><<<grid, kProductThreads, 0, stream>>>(spikes, weight, current, *s);
}

void layers_convolution_gather(cudaStream_t stream, const signed char *spikes, unsigned *words,
                               const float *weight, float *current, const ConvolutionShape *s) {
  gather(stream, spikes, words, weight, current, *s);
}

void layers_convolution_gather_half(cudaStream_t stream, const signed char *spikes, unsigned *words,
                                    const SnnHalf *weight, float *current, const ConvolutionShape *s) {
  gather(stream, spikes, words, weight, current, *s);
}

void layers_convolution_scatter(cudaStream_t stream, const signed char *spikes, int *list, int *count,
                                const float *weight, float *current, const ConvolutionShape *s) {
  const int inputs = s->batch * s->height * s->width * s->channels;
  cudaMemsetAsync(count, 0, sizeof(int), stream);
  cudaMemsetAsync(current, 0, sizeof(float) * s->pixels() * s->outputs, stream);
  compact_events<<<blocks(inputs, kEventBlock), kEventBlock, 0, stream>>>(spikes, list, count, inputs);
  convolution_scatter<3><<<2048, kEventBlock, 0, stream>>>(list, count, weight, current, *s);
}

/* heads of 64: `words` have room for Q, K and V along tokens, then K and V along the others. */
void layers_attention_packed(cudaStream_t stream, const signed char *query, const signed char *key,
                             const signed char *value, unsigned *words, float *output, int heads, int length,
                             float scale) {
  unsigned *q = words, *k = q + (size_t)heads * length * 2, *v = k + (size_t)heads * length * 2;
  const unsigned groups = blocks(length, kWarp), packs = blocks((uint64_t)length * 64, kEventBlock);
  pack_rows<<<dim3(packs, heads), kEventBlock, 0, stream>>>(query, q, length * 64);
  pack_rows<<<dim3(packs, heads), kEventBlock, 0, stream>>>(key, k, length * 64);
  pack_columns<<<dim3(1, groups, heads), kEventBlock, 0, stream>>>(value, v, length, 64);
  spiking_attention_packed<64>
      <<<dim3(blocks(length, kAttentionQueries * kEventWarps), heads), kEventBlock, 0, stream>>>(
          q, k, v, output, length, scale);
}

void layers_attention_linear(cudaStream_t stream, const signed char *query, const signed char *key,
                             const signed char *value, unsigned *words, int *state, float *output, int heads,
                             int length, float scale) {
  const unsigned groups = blocks(length, kWarp), packs = blocks((uint64_t)length * 64, kEventBlock);
  unsigned *q = words, *k = q + (size_t)heads * length * 2, *v = k + (size_t)heads * groups * 64;
  pack_rows<<<dim3(packs, heads), kEventBlock, 0, stream>>>(query, q, length * 64);
  pack_columns<<<dim3(1, groups, heads), kEventBlock, 0, stream>>>(key, k, length, 64);
  pack_columns<<<dim3(1, groups, heads), kEventBlock, 0, stream>>>(value, v, length, 64);
  spiking_attention_state<64><<<heads, kAttentionSide * kAttentionSide, 0, stream>>>(k, v, state, length);
  spiking_attention_read<64>
      <<<dim3(blocks(length, kEventWarps), heads), kEventBlock, 0, stream>>>(q, state, output, length, scale);
}

/* One step of a recurrent network without delays: spikes arrive in their own step. */
void layers_synapse_deliver(cudaStream_t stream, const signed char *spikes, int *list, int *count,
                            const int *offset, const int *target, const float *weight, float *arriving,
                            float *current, int neurons, float decay) {
  cudaMemsetAsync(count, 0, sizeof(int), stream);
  compact_events<<<blocks(neurons, kEventBlock), kEventBlock, 0, stream>>>(spikes, list, count, neurons);
  synapse_deliver<false><<<1056, kEventBlock, 0, stream>>>(list, count, offset, target, weight, nullptr,
                                                           arriving, neurons, 0, 1);
  synapse_step<<<blocks(neurons, 256), 256, 0, stream>>>(current, arriving, neurons, decay);
}

void layers_synapse_gather(cudaStream_t stream, const signed char *spikes, unsigned *words, const int *offset,
                           const int *source, const float *weight, float *current, int neurons, float decay) {
  pack_rows<<<dim3(blocks(neurons, kEventBlock), 1), kEventBlock, 0, stream>>>(spikes, words, neurons);
  synapse_gather<false><<<blocks(neurons, kGatherTargets * kEventWarps), kEventBlock, 0, stream>>>(
      words, offset, source, weight, nullptr, current, neurons, 0, 1, decay);
}

const char *layers_error() { return cudaGetErrorString(cudaGetLastError()); }
}
