/* Times copies and the neuron kernels of kernels/snn: see run. */
#include "timing.h"

#include "one_thread_a_neuron.cu"
#include "snn/batch_norm.cuh"
#include "snn/encoders.cuh"
#include "snn/integrate_fire.cuh"
#include "snn/lif.cuh"
#include "snn/stbif_multistep.cuh"

namespace {

enum { kBlock = 256, kSteps = 16 };
const size_t kNeurons = 1 << 22, kAll = kNeurons * kSteps;
const int kArrays = 5;
float *arrays[kArrays]; // of kAll floats and a row; their content is read as halves, too
float *states[2];       // of kNeurons floats and a few

/* Four loads of 16 bytes a thread, in flight together. */
__global__ void copy_float4(const float4 *__restrict__ from, float4 *__restrict__ to) {
  const size_t first = (size_t)blockIdx.x * blockDim.x * 4 + threadIdx.x;
  float4 four[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    four[i] = from[first + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    to[first + i * blockDim.x] = four[i];
}

/* Values in [low, high) from the bits of a counter. */
template <typename Element> __global__ void fill(Element *to, size_t count, float low, float high) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    to[i] = snn_element<Element>(low + (high - low) * (float)(philox(i, 0, 1).word[0] >> 8) * 0x1p-24f);
}

template <typename Element> Element *array(int i) { return (Element *)arrays[i]; }
template <typename Element> const char *name_of();
template <> const char *name_of<float>() { return "fp32"; }
template <> const char *name_of<SnnHalf>() { return "fp16"; }
template <> const char *name_of<SnnBfloat16>() { return "bf16"; }

std::vector<Row> rows;

void add(const std::string &name, double bytes, std::function<void()> launch) {
  rows.push_back({name, bytes, launch});
}
template <typename Element> std::string title(const char *what, size_t neurons) {
  return std::string(what) + ", " + name_of<Element>() + (neurons % 8 ? ", odd rows" : "");
}

template <typename Element, SnnCharge Charge, SnnReset Reset, bool Save, SnnLayout Layout>
void add_forward(const char *what, size_t neurons, int steps = kSteps) {
  const ClosedForm cost = integrate_fire_forward_cost(Charge, Reset, Save, Layout, neurons, neurons, steps,
                                                      sizeof(Element), sizeof(Element), kBlock);
  const IntegrateFire p = integrate_fire(2.0f, 1.0f, 0.0f);
  const unsigned blocks = (unsigned)snn_blocks(neurons, Layout, sizeof(Element), kBlock);
  add(title<Element>(what, neurons), (double)cost.global_bytes(), [=] {
    integrate_fire_forward<Charge, Reset, Save, Layout, Element><<<blocks, kBlock>>>(
        array<Element>(0), states[0], array<Element>(1), array<Element>(2), neurons, neurons, steps, p);
  });
}

template <typename Element, bool Detach, SnnLayout Layout, typename Surrogate>
void add_backward(const char *what, size_t neurons, Surrogate surrogate) {
  const ClosedForm cost = integrate_fire_backward_cost<Surrogate>(
      SnnDecayInput, SnnHardReset, Detach, Layout, neurons, neurons, kSteps, sizeof(Element), kBlock);
  const IntegrateFire p = integrate_fire(2.0f, 1.0f, 0.0f);
  const unsigned blocks = (unsigned)snn_blocks(neurons, Layout, sizeof(Element), kBlock);
  add(title<Element>(what, neurons), (double)cost.global_bytes(), [=] {
    integrate_fire_backward<SnnDecayInput, SnnHardReset, Detach, Layout, Element>
        <<<blocks, kBlock>>>(array<Element>(0), array<Element>(1), states[0], array<Element>(2), neurons,
                             neurons, kSteps, p, surrogate);
  });
}

template <typename Element, SnnLayout Layout> void add_stbif(size_t neurons) {
  const StbifParameters p = stbif_parameters(0.75f, -4.0f, 3.0f, 0.25f);
  const StbifSurrogate surrogate = {1.5f, -2.0f};
  const unsigned blocks = (unsigned)snn_blocks(neurons, Layout, sizeof(Element), kBlock);
  const ClosedForm forward =
      stbif_multistep_forward_cost(Layout, neurons, neurons, kSteps, sizeof(Element), kBlock);
  const ClosedForm backward =
      stbif_multistep_backward_cost(Layout, neurons, neurons, kSteps, sizeof(Element), kBlock);
  add(title<Element>("ST-BIF forward", neurons), (double)forward.global_bytes(), [=] {
    stbif_multistep_forward<Layout, Element><<<blocks, kBlock>>>(
        array<Element>(0), array<Element>(1), array<Element>(2), array<Element>(3), states[1], neurons,
        neurons, kSteps, stbif_membrane_start(p.threshold, 0.25f), 0.0f, p);
  });
  add(title<Element>("ST-BIF backward", neurons), (double)backward.global_bytes(), [=] {
    stbif_multistep_backward<Layout, Element>
        <<<blocks, kBlock>>>(array<Element>(0), array<Element>(2), array<Element>(3), array<Element>(4),
                             states[1], neurons, neurons, kSteps, 0.0f, p, surrogate, surrogate);
  });
}

template <typename Element, typename Encoder> void add_encoder(const char *what, Encoder encoder) {
  const ClosedForm cost =
      encode_cost<Encoder>(SnnAligned, kNeurons, kNeurons, kSteps, sizeof(Element), sizeof(Element), kBlock);
  const unsigned blocks = (unsigned)snn_blocks(kNeurons, SnnAligned, sizeof(Element), kBlock);
  add(title<Element>(what, kNeurons), (double)cost.global_bytes(), [=] {
    encode<SnnAligned, Element>
        <<<blocks, kBlock>>>(states[1], array<Element>(1), kNeurons, kNeurons, kSteps, encoder);
  });
}

/* 16 steps of 64 samples, 64 channels of 32 by 32. */
template <typename Element> void add_batch_norm() {
  const BatchNormShape shape = batch_norm_shape(1024, kAll / 1024, 64, kAll / 1024 / 64);
  const dim3 grid((unsigned)snn_blocks(shape.columns(), SnnAligned, sizeof(Element), kBlock),
                  (unsigned)shape.slices());
  const ClosedForm partials = batch_norm_partials_cost(SnnAligned, shape, sizeof(Element), kBlock);
  const ClosedForm apply = batch_norm_apply_cost(SnnAligned, shape, sizeof(Element), kBlock);
  add(title<Element>("batch norm, sums", kNeurons), (double)partials.global_bytes(), [=] {
    batch_norm_partials<SnnAligned, Element>
        <<<grid, kBlock>>>(array<Element>(0), arrays[1], arrays[2], shape);
  });
  // Scale and shift come out of a cache: they are no bytes here.
  add(title<Element>("batch norm, apply", kNeurons), (double)apply.global_store * 2, [=] {
    batch_norm_apply<SnnAligned, Element>
        <<<grid, kBlock>>>(array<Element>(0), states[1], states[1], array<Element>(1), shape);
  });
}

template <typename Element> void add_element() {
  add_forward<Element, SnnIf, SnnSoftReset, false, SnnAligned>("IF, soft reset", kNeurons);
  add_forward<Element, SnnDecayInput, SnnHardReset, false, SnnAligned>("LIF", kNeurons);
  add_forward<Element, SnnDecayInput, SnnHardReset, false, SnnUnaligned>("LIF", kNeurons + 1);
  add_forward<Element, SnnDecayInput, SnnHardReset, true, SnnAligned>("LIF, potentials saved", kNeurons);
  add_forward<Element, SnnDecayInput, SnnHardReset, false, SnnAligned>("LIF, one step", kNeurons, 1);
  add_backward<Element, false, SnnAligned>("LIF backward, atan", kNeurons, atan_surrogate(2.0f));
  add_backward<Element, true, SnnAligned>("LIF backward, sigmoid, detached", kNeurons,
                                          sigmoid_surrogate(4.0f));
  add_backward<Element, false, SnnUnaligned>("LIF backward, atan", kNeurons + 1, atan_surrogate(2.0f));
  add_stbif<Element, SnnAligned>(kNeurons);
  add_stbif<Element, SnnUnaligned>(kNeurons + 1);
  add_encoder<Element>("rate encoder", RateEncoder{1});
  add_encoder<Element>("latency encoder", LatencyEncoder{});
  add_encoder<Element>("level encoder", LevelEncoder{});
  add_batch_norm<Element>();
}

void add_copies() {
  const double bytes = 2.0 * kAll * sizeof(float);
  add("copy, cudaMemcpy", bytes, [] {
    check(cudaMemcpyAsync(arrays[1], arrays[0], kAll * sizeof(float), cudaMemcpyDeviceToDevice), "copy");
  });
  add("copy, float4 kernel", bytes, [] {
    copy_float4<<<(unsigned)(kAll / 16 / kBlock), kBlock>>>((float4 *)arrays[0], (float4 *)arrays[1]);
  });
}

void add_one_thread_a_neuron() {
  // It reads x and v, and writes h, spike and v: the row
  // before it would move less for the same results.
  add("a thread a neuron, membrane in memory, fp32", 5.0 * 4 * kAll, [] {
    one_thread_a_neuron<<<kNeurons / kBlock, kBlock>>>(arrays[0], arrays[1], arrays[2], arrays[3], 0.5f, 1.0f,
                                                       0.0f, (int)kNeurons, kSteps);
  });
}

template <typename Element> void fill_all() {
  for (int i = 0; i < kArrays; ++i)
    fill<Element><<<(unsigned)(kAll / kBlock), kBlock>>>(array<Element>(i), kAll, -0.5f, 1.5f);
}

} // namespace

int main(int count, char **arguments) {
  const int rounds = count > 1 ? atoi(arguments[1]) : 11, launches = count > 2 ? atoi(arguments[2]) : 20;
  for (float *&array : arrays)
    check(cudaMalloc((void **)&array, (kAll + kNeurons + 1024) * sizeof(float)), "memory");
  for (float *&state : states) {
    check(cudaMalloc((void **)&state, (kNeurons + 1024) * sizeof(float)), "memory");
    fill<float><<<(unsigned)(kNeurons / kBlock), kBlock>>>(state, kNeurons, 0.0f, 1.0f);
  }
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0), "device");
  printf("device\t0\t0\t%s\n", properties.name);

  // Each type in its own rounds, between two measurements of the copy: the arrays hold this type's values.
  const auto measure = [&](void (*add_rows)(), void (*fill_values)()) {
    rows.clear();
    add_copies();
    add_rows();
    fill_values();
    print_times(rows, rounds, launches);
  };
  measure(
      [] {
        add_element<float>();
        add_one_thread_a_neuron();
      },
      fill_all<float>);
  measure(add_element<SnnHalf>, fill_all<SnnHalf>);
  measure(add_element<SnnBfloat16>, fill_all<SnnBfloat16>);
  return 0;
}
