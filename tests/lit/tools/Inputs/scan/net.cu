#include "layers.cuh"

/* Softmax of each row. */
__global__ void attention_softmax_kernel(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = expf(x[i]);
}

template <typename T>
__launch_bounds__(128)
__global__ void scale_backward(T *x, T factor) {
  x[threadIdx.x] *= factor;
}

template <> __global__ void scale_backward<int>(int *x, int factor) { x[threadIdx.x] += factor; }

#pragma gpuprof region("relu") phase(forward)
__global__ void relu(float *x) { x[threadIdx.x] = fmaxf(x[threadIdx.x], 0); }

#pragma gpuprof ignore
__global__ void left_out(float *x) { x[threadIdx.x] = 0; }

namespace net {
namespace {
struct Layer {
	float *x;
	void forward() { attention_softmax_kernel<<<1, 32>>>(x, 32); }
	template <class T>
	void backward(T factor) {
		scale_backward<T><<<1, 32>>>((T *)x, factor);
	}
};
} // namespace
} // namespace net

[[maybe_unused]]
static void adam_step(float *x) {
  auto go = [&] { relu<<<1, 32>>>(x); };
  go();
}

#ifdef WIDE
__global__ void branch(double *x)
#else
__global__ void branch(float *x)
#endif
{
  x[threadIdx.x] += 1;
}

int main() {
  float *x;
  cudaMalloc(&x, 1024);
  cudaMemset(x, 0, 1024);
  net::Layer layer{x};
  layer.forward();
  layer.backward(2.0f);
  layer.backward(2);
  adam_step(x);
  branch<<<1, 32>>>(x);
  shift(x);
  left_out<<<1, 32>>>(x);
  cudaDeviceSynchronize();
}
