// A layer of leaky integrate-and-fire neurons over time steps. Arrays are [steps][neurons].
#pragma once
#include <cuda_runtime.h>

// Writes the membrane potential before each reset, and the spikes.
cudaError_t lif_forward(const float *current, float *membrane, float *spikes, int steps, int neurons, float decay,
                        cudaStream_t stream);
// The gradient of the current, by a surrogate gradient of the spike.
cudaError_t lif_backward(const float *spike_gradient, const float *membrane, float *current_gradient, int steps, int neurons,
                         float decay, cudaStream_t stream);
