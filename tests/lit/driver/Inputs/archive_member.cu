#pragma gpuprof region("square")
__device__ float square(float x) { return x * x; }

// In no other file's way: the linker takes the member as a whole.
__device__ float offset = 0.5f;
