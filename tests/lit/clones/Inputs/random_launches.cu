/* Every kernel of kernels/ and samples/, launched with random sizes, arguments and data. Counts must
 * not depend on the way of counting. Each trial is a region of its own, so no two errors cancel out.
 *
 * usage: random_launches SEED TRIALS
 */
#include "gpuprof.h"
#include "run.h"

#include "kernels/attention/attention.cuh"
#include "kernels/attention/attention_naive.cuh"
#include "kernels/attention/attention_tiled.cuh"
#include "kernels/snn/lif.cuh"
#include "kernels/snn/stbif.cuh"

#define main lif_network
#include "samples/lif_network.cu"
#undef main
#define check vector_add_check
#define main vector_add_sample
#include "samples/vector_add.cu"
#undef main

#include <cstdlib>
#include <string>
#include <vector>

namespace {

unsigned long long state;

unsigned random_below(unsigned limit) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % limit;
}
int from(int least, int most) { return least + (int)random_below((unsigned)(most - least + 1)); }
float real() { return (float)random_below(4001) / 1000.0f - 2.0f; }

float *reals(size_t n) {
  std::vector<float> host(n);
  for (float &x : host)
    x = real();
  return to_device(host.data(), n);
}

unsigned blocks_for(size_t threads, unsigned block) { return (unsigned)((threads + block - 1) / block); }

void scores() {
  const int length = from(1, 40), size = from(1, 20);
  const dim3 block(from(1, 16), from(1, 8));
  attention_scores<<<dim3(blocks_for(length, block.x), blocks_for(length, block.y), from(1, 2)), block>>>(
      reals(2 * length * size), reals(2 * length * size), reals(2 * length * length), length, size, real());
}

void softmax() {
  const int length = from(1, 300);
  attention_softmax<<<from(1, 5), 32 * from(1, 8)>>>(reals(5 * length), length);
}

void values() {
  const int length = from(1, 40), size = from(1, 20);
  const dim3 block(from(1, 16), from(1, 8));
  attention_values<<<dim3(blocks_for(size, block.x), blocks_for(length, block.y), from(1, 2)), block>>>(
      reals(2 * length * length), reals(2 * length * size), reals(2 * length * size), length, size);
}

void tiled() {
  const int length = from(1, 150);
  attention_tiled<64><<<dim3(blocks_for(length, kTiledRows), from(1, 2)), kTiledRows>>>(
      reals(2 * length * 64), reals(2 * length * 64), reals(2 * length * 64), reals(2 * length * 64), length, real(),
      from(0, 1));
}

AttentionShape shape() {
  const int key_heads = from(1, 2);
  return {1, key_heads * from(1, 2), key_heads, from(1, 150), from(1, 150), from(0, 1) ? kAttentionAll : from(0, 90),
          from(0, 1) ? kAttentionAll : from(0, 9)};
}

/* Elements of any values; nothing but their number is known. */
template <typename Element> Element *elements(int heads, int length, int size) {
  return (Element *)reals((size_t)heads * length * size / 2);
}

void flash() {
  const AttentionShape s = shape();
  const int error = attention_forward<Fp16, 64>(
      {elements<Fp16>(s.heads, s.queries, 64), elements<Fp16>(s.key_heads, s.keys, 64), elements<Fp16>(s.key_heads, s.keys, 64),
       elements<Fp16>(s.heads, s.queries, 64), reals(s.heads * s.queries), s, 0.125f}, nullptr);
  EXPECT(error == 0);
}

void backward() {
  const AttentionShape s = shape();
  const int error = attention_gradients<Bf16, 64>(
      {elements<Bf16>(s.heads, s.queries, 64), elements<Bf16>(s.key_heads, s.keys, 64), elements<Bf16>(s.key_heads, s.keys, 64),
       elements<Bf16>(s.heads, s.queries, 64), elements<Bf16>(s.heads, s.queries, 64), reals(s.heads * s.queries),
       (BackwardRow *)reals(2 * s.heads * s.queries), elements<Bf16>(s.heads, s.queries, 64), elements<Bf16>(s.key_heads, s.keys, 64),
       elements<Bf16>(s.key_heads, s.keys, 64), s, 0.125f}, nullptr);
  EXPECT(error == 0);
}

void lif() {
  const size_t neurons = from(1, 500);
  const unsigned block = from(1, 256);
  lif_step<<<blocks_for(neurons, block) + from(0, 1), block>>>(reals(neurons), reals(neurons), reals(neurons), neurons,
                                                               LifParameters{real(), real(), real()});
}

void stbif() {
  const size_t neurons = from(1, 300);
  const int steps = from(0, 9);
  const unsigned block = from(1, 128), blocks = blocks_for(neurons, block);
  const StbifParameters p{1.0f, -2.0f, 2.0f, 0.125f};
  const size_t all = neurons * (steps + 1);
  float *potential = reals(all), *trace = reals(all);
  stbif_forward<<<blocks, block>>>(reals(all), reals(all), potential, trace, reals(neurons), neurons, steps, real(), 0.0f, p);
  stbif_backward<<<blocks, block>>>(reals(all), potential, trace, reals(all), reals(neurons), neurons, steps, 0.0f, p,
                                    StbifSurrogate{1.0f, -1.0f}, StbifSurrogate{0.5f, -2.0f});
}

void network() {
  std::vector<unsigned char> spikes(kNeurons);
  for (unsigned char &spike : spikes)
    spike = random_below(4) == 0;
  float *current = reals(kNeurons);
  synapses<<<dim3(blocks_for(kNeurons, 64), from(1, 16)), 64>>>(to_device(spikes.data(), kNeurons), reals(16 * kNeurons), current);
  int *counts;
  OK(cudaMalloc(&counts, kNeurons * sizeof(int)));
  OK(cudaMemset(counts, 0, kNeurons * sizeof(int)));
  neurons<<<from(1, blocks_for(kNeurons, 64)), 64>>>(current, reals(kNeurons), counts, real(), real());
}

void add() {
  const int count = from(0, 1000);
  vector_add<<<blocks_for(count + 1, 64), 64>>>(reals(1000), reals(1000), reals(1000), count);
}

} // namespace

int main(int argc, char **argv) {
  state = argc > 1 ? strtoull(argv[1], nullptr, 10) : 1;
  const int trials = argc > 2 ? atoi(argv[2]) : 1;
  void (*const kernels[])() = {scores, softmax, values, tiled, flash, backward, lif, stbif, network, add};
  for (int trial = 0; trial < trials; ++trial)
    for (void (*kernel)() : kernels) {
      uint32_t region = gpuprof_region_begin(("trial " + std::to_string(trial)).c_str());
      kernel();
      OK(cudaGetLastError());
      OK(cudaDeviceSynchronize());
      gpuprof_region_end(region);
    }
  return finish();
}
