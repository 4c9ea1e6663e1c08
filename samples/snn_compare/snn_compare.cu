/* One spiking network with any number of time steps, driven by
 * events or by dense products: gpuprof compares their costs.
 *
 *   gpuprof cc -O2 -std=c++17 samples/snn_compare/snn_compare.cu -o snn_compare
 *   ./snn_compare STEPS [dense]
 *
 * Both ways give the same spikes: weights are multiples of 2⁻⁸, so sums are exact in any order.
 */
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gpuprof.h>

#include "../../kernels/snn/linear.cuh"

enum { kBatch = 16, kLayers = 3, kBlock = 128 };
static const int kSizes[kLayers + 1] = {512, 512, 256, 10};
static const char *const kNames[kLayers] = {"fc1", "fc2", "fc3"};
static const float kLeak = 0.875f, kThreshold = 1.0f;

/* In [0, 1), of a place, a step and a seed. */
__host__ __device__ inline float random_at(unsigned place, unsigned step, unsigned seed) {
  unsigned x = place * 0x9e3779b9u ^ (step + 1) * 0x85ebca6bu ^ (seed + 1) * 0xc2b2ae35u;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return (float)((x ^ x >> 16) >> 8) / 16777216.0f;
}

/* Rate coding: a pixel of brightness b fires with probability b in each step. */
#pragma gpuprof region("encode") phase(forward) category(snn)
__global__ void encode(signed char *spikes, int number, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= number)
    return;
  const float brightness = 0.3f * random_at(i, 0, 7);
  const bool fired = random_at(i, step, 11) < brightness;
  spikes[i] = fired;
#pragma gpuprof spike(fired)
}

#pragma gpuprof region("fire") phase(forward) category(snn)
__global__ void fire(const float *current, float *membrane, signed char *spikes, int *fired_often,
                     int number) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= number)
    return;
  const float v = fmaf(kLeak, membrane[i], current[i]);
  const bool fired = v >= kThreshold;
  membrane[i] = fired ? v - kThreshold : v;
  spikes[i] = fired;
  fired_often[i] += fired;
#pragma gpuprof spike(fired)
}

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "snn_compare: %s\n", cudaGetErrorString(error));
  exit(1);
}

/* An array on the device, 0 at first. */
template <class T> class Array {
public:
  explicit Array(size_t count) : count(count) {
    check(cudaMalloc((void **)&data, count * sizeof(T)));
    check(cudaMemset(data, 0, count * sizeof(T)));
  }
  Array(const std::vector<T> &values) : Array(values.size()) {
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
  operator T *() const { return data; }

private:
  T *data = nullptr;
  size_t count;
};

static std::vector<float> random_weights(int layer) {
  std::vector<float> weight((size_t)kSizes[layer] * kSizes[layer + 1]);
  for (size_t i = 0; i < weight.size(); ++i)
    weight[i] = (float)((int)(random_at((unsigned)i, 0, 20 + layer) * 64.0f) - 31) / 256.0f;
  return weight;
}

struct Layer {
  int inputs, outputs;
  Array<float> weight, current, membrane;
  Array<signed char> spikes;
  Array<int> fired_often, lists, counts;

  explicit Layer(int layer)
      : inputs(kSizes[layer]), outputs(kSizes[layer + 1]), weight(random_weights(layer)),
        current((size_t)kBatch * outputs), membrane((size_t)kBatch * outputs),
        spikes((size_t)kBatch * outputs), fired_often((size_t)kBatch * outputs),
        lists((size_t)kBatch * inputs), counts(kBatch) {}

  void forward(const signed char *from, bool dense) {
    if (dense) {
      const dim3 grid((unsigned)ceil_div(outputs, kProductColumns),
                      (unsigned)ceil_div(kBatch, kProductSide * 2), 1);
      linear_dense<2>
          <<<grid, kProductThreads>>>(from, (const float *)weight, current, kBatch, inputs, outputs, inputs);
    } else {
      compact_rows<<<kBatch, kEventBlock>>>(from, lists, counts, inputs);
      if (outputs % 4 == 0)
        add_events<true>();
      else
        add_events<false>();
    }
    fire<<<(unsigned)ceil_div(kBatch * outputs, kBlock), kBlock>>>(current, membrane, spikes, fired_often,
                                                                   kBatch * outputs);
  }

private:
  template <bool Vectors> void add_events() {
    const dim3 grid((unsigned)ceil_div(outputs, LaneColumns<float, Vectors>::kTile), kBatch);
    linear_events<float, Vectors>
        <<<grid, kEventBlock>>>(lists, counts, (const float *)weight, current, inputs, outputs);
  }
};

static void run_layer(int layer, Layer &self, const signed char *from, int step, bool dense) {
  const uint32_t region = gpuprof_region_begin_as(kNames[layer], "forward", "snn");
  gpuprof_step(step);
  self.forward(from, dense);
  gpuprof_region_end(region);
}

int main(int count, char **arguments) {
  const int steps = count > 1 ? atoi(arguments[1]) : 0;
  const bool dense = count > 2 && !strcmp(arguments[2], "dense");
  if (steps < 1 || count > 3 || (count == 3 && !dense)) {
    fprintf(stderr, "usage: snn_compare STEPS [dense]\n");
    return 2;
  }
  Layer first(0), second(1), third(2);
  Layer *const layers[kLayers] = {&first, &second, &third};
  Array<signed char> input((size_t)kBatch * kSizes[0]);

#pragma gpuprof region("network") phase(forward) category(snn)
  {
#pragma gpuprof expect items(kBatch)
    for (int step = 0; step < steps; ++step) {
      encode<<<(unsigned)ceil_div(kBatch * kSizes[0], kBlock), kBlock>>>(input, kBatch * kSizes[0], step);
      const signed char *from = input;
      for (int layer = 0; layer < kLayers; ++layer) {
        run_layer(layer, *layers[layer], from, step, dense);
        from = layers[layer]->spikes;
      }
    }
  }
  check(cudaDeviceSynchronize());

  printf("%d steps, %s:", steps, dense ? "dense" : "event-driven");
  for (int layer = 0; layer < kLayers; ++layer) {
    long fired = 0;
    for (int times : layers[layer]->fired_often.read())
      fired += times;
    printf(" %s fired %ld (%.3f)", kNames[layer], fired, (double)fired / kBatch / kSizes[layer + 1] / steps);
  }
  printf("\n");
  return 0;
}
