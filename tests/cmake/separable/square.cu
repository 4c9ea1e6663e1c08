#pragma gpuprof region("separable.square")
__device__ float square(float x) { return x * x; }
