#include "layers.cuh"

namespace {

// One thread a sample.
__global__ void logistic_forward(const float *inputs, const float *weights, float *outputs, int samples,
                                 int features) {
  int sample = blockIdx.x * blockDim.x + threadIdx.x;
  if (sample >= samples)
    return;
  float sum = 0;
  for (int i = 0; i < features; ++i)
    sum += inputs[sample * features + i] * weights[i];
  outputs[sample] = 1 / (1 + expf(-sum));
}

template <int Threads>
__global__ void __launch_bounds__(Threads)
    logistic_backward(const float *inputs, const float *labels, const float *outputs, float *gradient, int samples,
                      int features) {
  __shared__ float partial[Threads];
  int feature = blockIdx.x;
  float sum = 0;
  for (int sample = threadIdx.x; sample < samples; sample += Threads)
    sum += (outputs[sample] - labels[sample]) * inputs[sample * features + feature];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = Threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    gradient[feature] = partial[0] / samples;
}

} // namespace

void forward(const Model &model) {
  logistic_forward<<<blocks_for(model.samples), kThreads>>>(model.inputs, model.weights, model.outputs,
                                                            model.samples, model.features);
  CHECK(cudaGetLastError());
}

void backward(const Model &model) {
  logistic_backward<kThreads><<<model.features, kThreads>>>(model.inputs, model.labels, model.outputs,
                                                            model.gradient, model.samples, model.features);
  CHECK(cudaGetLastError());
}
