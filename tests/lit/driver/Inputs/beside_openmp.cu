// A library with a kernel launched by threads of the program: 3 launches a call, 64 FLOPs each.
__global__ static void scale(float *p, float a) { p[threadIdx.x] += a * p[threadIdx.x]; }

extern "C" int work(int thread) {
  enum { LANES = 32 };
  float *memory;
  if (cudaMalloc(&memory, LANES * sizeof *memory) || cudaMemset(memory, 0, LANES * sizeof *memory))
    return 1;
#pragma gpuprof region("of_threads")
  for (int i = 0; i < 3; i++)
    scale<<<1, LANES>>>(memory, (float)thread);
  return cudaDeviceSynchronize() || cudaFree(memory);
}
