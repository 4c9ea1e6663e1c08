// Kernels that need more registers than a block of 1024 threads leaves, and that no clone counts.
#define KERNEL(name)                                                                                                               \
  __global__ void name(float *p) {                                                                                                 \
    float parts[96];                                                                                                               \
    _Pragma("unroll") for (int i = 0; i < 96; i++) parts[i] = p[i];                                                                \
    while (p[96] > 0) {                                                                                                            \
      _Pragma("unroll") for (int i = 0; i < 96; i++) parts[i] = parts[i] * p[97] + parts[(i + 1) % 96];                            \
      p[96] = parts[0];                                                                                                            \
    }                                                                                                                              \
    _Pragma("unroll") for (int i = 0; i < 96; i++) p[i] = parts[i];                                                                \
  }
__global__ void by_header(float *p);
