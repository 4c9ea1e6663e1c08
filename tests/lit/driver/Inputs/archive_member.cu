#pragma gpuprof region("square")
__device__ float square(float x) { return x * x; }

// In no other file's way: what the linker takes is the member as a whole.
__device__ float offset = 0.5f;
