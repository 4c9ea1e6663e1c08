#include "layers.cuh"

__global__ void sgd_update(float *weights, const float *gradient, float rate, int features) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < features)
		weights[i] -= rate * gradient[i];
}

void sgd_step(const Model &model, float rate) {
	sgd_update<<<blocks_for(model.features), kThreads>>>(model.weights, model.gradient, rate, model.features);
	CHECK(cudaGetLastError());
}
