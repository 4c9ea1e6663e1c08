/* A small spiking network: an input layer of Poisson-like spikes, a layer of leaky integrate-and-fire neurons,
 * and synapses working only for arriving spikes. The work depends on the data, without a formula. The counters
 * must agree with the synaptic operations counted by the program: an accumulate (1 FLOP) and 4 bytes each.
 * Directives state spikes, synaptic operations and time steps; the report has them for each layer and each step.
 *
 *   gpuprof cc -O2 lif_network.cu -o lif_network && ./lif_network && gpuprof report gpuprof-*.json
 */
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>

#include <vector>

enum { kInputs = 1024, kNeurons = 768, kSteps = 20, kBlock = 128, kFiringPercent = 10 };

static const float kLeak = 0.875f, kThreshold = 1.0f;

/* One thread a synapse: block y is the input, so a silent input's blocks return at once. */
#pragma gpuprof region("network.synapses") phase(forward) category(snn)
__global__ void synapses(const unsigned char *spike, const float *weight, float *current) {
  int neuron = blockIdx.x * blockDim.x + threadIdx.x, input = blockIdx.y;
  if (neuron >= kNeurons)
    return;
  bool arrived = spike[input];
#pragma gpuprof synapse(arrived, 1) inputs(1)
  if (arrived)
    atomicAdd(&current[neuron], weight[input * kNeurons + neuron]);
}

#pragma gpuprof region("network.neurons") phase(forward) category(snn)
__global__ void neurons(float *current, float *membrane, int *spikes, float leak, float threshold) {
  int neuron = blockIdx.x * blockDim.x + threadIdx.x;
  if (neuron >= kNeurons)
    return;
  float v = fmaf(leak, membrane[neuron], current[neuron]);
  bool fired = v >= threshold;
#pragma gpuprof spike(fired)
  membrane[neuron] = fired ? v - threshold : v;
  spikes[neuron] += fired;
  current[neuron] = 0.0f;
}

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    fprintf(stderr, "lif_network: %s\n", cudaGetErrorString(error));
    exit(1);
  }
}

template <typename T> static T *upload(const std::vector<T> &values) {
  T *device;
  check(cudaMalloc((void **)&device, values.size() * sizeof(T)));
  check(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

/* The same network on the host. Weights are multiples of 2⁻⁸: their sums are exact in any order. */
static std::vector<int> reference(const std::vector<unsigned char> &spike, const std::vector<float> &weight) {
  std::vector<int> spikes(kNeurons);
  for (int neuron = 0; neuron < kNeurons; ++neuron) {
    float v = 0;
    for (int step = 0; step < kSteps; ++step) {
      float current = 0;
      for (int input = 0; input < kInputs; ++input)
        if (spike[step * kInputs + input])
          current += weight[input * kNeurons + neuron];
      v = (float)((double)kLeak * v + current);
      if (v >= kThreshold) {
        v -= kThreshold;
        ++spikes[neuron];
      }
    }
  }
  return spikes;
}

int main(void) {
  srand(1);
  std::vector<unsigned char> spike(kSteps * kInputs);
  std::vector<float> weight(kInputs * kNeurons);
  long arrived = 0;
  for (unsigned char &s : spike)
    arrived += s = rand() % 100 < kFiringPercent;
  for (float &w : weight)
    w = (float)(rand() % 33 - 15) / 256.0f;

  unsigned char *device_spike = upload(spike);
  float *device_weight = upload(weight), *current = upload(std::vector<float>(kNeurons));
  float *membrane = upload(std::vector<float>(kNeurons));
  int *device_spikes = upload(std::vector<int>(kNeurons));

  const int grid = (kNeurons + kBlock - 1) / kBlock;
#pragma gpuprof region("network") phase(forward) category(snn)
  {
#pragma gpuprof expect items(1)
    for (int step = 0; step < kSteps; ++step) {
#pragma gpuprof step(step)
      synapses<<<dim3(grid, kInputs), kBlock>>>(device_spike + step * kInputs, device_weight, current);
      neurons<<<grid, kBlock>>>(current, membrane, device_spikes, kLeak, kThreshold);
    }
  }
  check(cudaGetLastError());

  std::vector<int> spikes(kNeurons), expected = reference(spike, weight);
  check(cudaMemcpy(spikes.data(), device_spikes, kNeurons * sizeof(int), cudaMemcpyDeviceToHost));
  long fired = 0;
  for (int neuron = 0; neuron < kNeurons; ++neuron) {
    fired += spikes[neuron];
    if (spikes[neuron] != expected[neuron]) {
      fprintf(stderr, "lif_network: neuron %d fired %d times, not %d\n", neuron, spikes[neuron],
              expected[neuron]);
      return 1;
    }
  }
  printf("%ld spikes in, %ld synaptic operations, %ld spikes out\n", arrived, arrived * kNeurons, fired);
  for (void *memory : {(void *)device_spike, (void *)device_weight, (void *)current, (void *)membrane,
                       (void *)device_spikes})
    check(cudaFree(memory));
  return 0;
}
