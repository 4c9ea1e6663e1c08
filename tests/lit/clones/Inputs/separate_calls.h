// Device functions that are not inlined and need many registers: of this unit, seen by others, and of another unit.
__device__ __attribute__((noinline)) float mix(const float *in, int turns) {
  float parts[96];
#pragma unroll
  for (int i = 0; i < 96; i++)
    parts[i] = in[i];
  for (int turn = 0; turn < turns; turn++)
#pragma unroll
    for (int i = 0; i < 96; i++)
      parts[i] = parts[i] * in[turn] + parts[(i + 1) % 96];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 96; i++)
    sum += parts[i];
  return sum;
}
#ifdef ELSEWHERE // another unit, for whom mix is elsewhere
// With counters it needs more than the 64 registers that a block of 1024 threads leaves.
__device__ float collatz(const float *in, int turns) {
  float parts[22];
#pragma unroll
  for (int i = 0; i < 22; i++)
    parts[i] = in[i];
  for (; turns > 1; turns = turns % 2 ? 3 * turns + 1 : turns / 2)
    if (turns % 2) {
#pragma unroll
      for (int i = 0; i < 22; i++)
        parts[i] = parts[i] * 1.5f + parts[(i + 1) % 22];
    } else if (turns % 3 == 0) {
#pragma unroll
      for (int i = 0; i < 22; i++)
        parts[i] = parts[i] - parts[(i + 2) % 22];
    } else {
      parts[turns / 2 % 2] += 1;
    }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 22; i++)
    sum += parts[i] * parts[i];
  return sum;
}
#else
__device__ float elsewhere(const float *in, int turns);
__device__ float collatz(const float *in, int turns);

// Loops that depend on data: no clone counts these kernels.
__global__ void calls_mix(const float *in, const int *starts, float *out) {
  for (int turns = starts[threadIdx.x]; turns > 1; turns = turns % 2 ? 3 * turns + 1 : turns / 2)
    out[turns] = mix(in, turns);
}
__global__ void calls_elsewhere(const float *in, float *out, int turns) { out[threadIdx.x] = elsewhere(in, turns); }
__global__ void calls_none(const int *in, float *out) {
  int turns = in[threadIdx.x];
  for (; turns > 1; turns = turns % 2 ? 3 * turns + 1 : turns / 2)
    out[turns] += 1;
}
__global__ void __launch_bounds__(128) bounded(const int *in, float *out) {
  for (int turns = in[threadIdx.x]; turns > 1; turns = turns % 2 ? 3 * turns + 1 : turns / 2)
    out[turns] += 1;
}
__global__ void __launch_bounds__(1024) calls_collatz(const float *in, const int *starts, float *out) {
  out[threadIdx.x] = collatz(in, starts[threadIdx.x]);
}
#endif
