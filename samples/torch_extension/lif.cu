#include "lif.h"

constexpr float threshold = 1;
constexpr int block = 128;

#pragma gpuprof region("lif.forward") phase(forward)
__global__ void lif_forward_kernel(const float *current, float *membrane, float *spikes, int steps, int neurons, float decay) {
  const int neuron = blockIdx.x * blockDim.x + threadIdx.x;
  if (neuron >= neurons)
    return;
  float potential = 0;
  for (int step = 0; step < steps; step++) {
    const int i = step * neurons + neuron;
    potential = decay * potential + current[i];
    membrane[i] = potential;
    const bool fires = potential >= threshold;
#pragma gpuprof spike(fires)
    spikes[i] = fires;
    potential -= fires * threshold;
  }
}

#pragma gpuprof region("lif.backward") phase(backward)
__global__ void lif_backward_kernel(const float *spike_gradient, const float *membrane, float *current_gradient, int steps,
                                    int neurons, float decay) {
  const int neuron = blockIdx.x * blockDim.x + threadIdx.x;
  if (neuron >= neurons)
    return;
  float gradient = 0;
  for (int step = steps - 1; step >= 0; step--) {
    const int i = step * neurons + neuron;
    const float slope = 1 / (1 + fabsf(membrane[i] - threshold));
    gradient = decay * gradient + spike_gradient[i] * slope * slope;
    current_gradient[i] = gradient;
  }
}

cudaError_t lif_forward(const float *current, float *membrane, float *spikes, int steps, int neurons, float decay,
                        cudaStream_t stream) {
  lif_forward_kernel<<<(neurons + block - 1) / block, block, 0, stream>>>(current, membrane, spikes, steps, neurons, decay);
  return cudaGetLastError();
}

cudaError_t lif_backward(const float *spike_gradient, const float *membrane, float *current_gradient, int steps, int neurons,
                         float decay, cudaStream_t stream) {
  lif_backward_kernel<<<(neurons + block - 1) / block, block, 0, stream>>>(spike_gradient, membrane, current_gradient, steps,
                                                                          neurons, decay);
  return cudaGetLastError();
}
