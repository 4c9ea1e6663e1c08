/* The 16-bit elements of all kernels: bit for bit NVIDIA's __half and __nv_bfloat16, so that pointers may be cast. */
#ifndef GPUPROF_KERNELS_ELEMENTS_CUH
#define GPUPROF_KERNELS_ELEMENTS_CUH

struct Fp16 {
  unsigned short bits;
};
struct Bf16 {
  unsigned short bits;
};

#endif
