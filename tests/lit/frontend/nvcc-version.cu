// nvcc's version, without a toolkit: the one of gpuprof's own header, or of the command line; __NVCC__ is not defined.
// RUN: %clangxx -fplugin=%plugin %minicuda -fsyntax-only -DMAJOR=12 -DMINOR=0 %s
// RUN: %clangxx -fplugin=%plugin %minicuda -c %s -DMAJOR=12 -DMINOR=0 -o %t.o
// RUN: %clangxx -fplugin=%plugin %minicuda -fsyntax-only -D__CUDACC_VER_MAJOR__=11 -D__CUDACC_VER_MINOR__=8 -DMAJOR=11 -DMINOR=8 %s
#if !defined(__CUDACC_VER_BUILD__) && MAJOR == 12 || defined(__NVCC__)
#error "wrong macros"
#endif
static_assert(__CUDACC_VER_MAJOR__ == MAJOR && __CUDACC_VER_MINOR__ == MINOR, "another version");

#if __CUDACC_VER_MAJOR__ >= 9
__global__ void shuffle(int *p) { p[threadIdx.x] = __shfl_sync(~0u, p[threadIdx.x], 0); }
#else
__global__ void shuffle(int *p) { p[threadIdx.x] = __shfl(p[threadIdx.x], 0); }
#endif
