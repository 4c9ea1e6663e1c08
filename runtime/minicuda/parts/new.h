/* new and delete in device code: over its malloc and free. */
#ifndef GPUPROF_MINICUDA_NEW_H
#define GPUPROF_MINICUDA_NEW_H

__device__ inline void *operator new(size_t bytes) { return ::malloc(bytes); }
__device__ inline void *operator new[](size_t bytes) { return ::malloc(bytes); }
__device__ inline void operator delete(void *pointer) noexcept { ::free(pointer); }
__device__ inline void operator delete[](void *pointer) noexcept { ::free(pointer); }
__device__ inline void operator delete(void *pointer, size_t) noexcept { ::free(pointer); }
__device__ inline void operator delete[](void *pointer, size_t) noexcept { ::free(pointer); }
__device__ inline void *operator new(size_t, void *place) noexcept { return place; }
__device__ inline void *operator new[](size_t, void *place) noexcept { return place; }

#endif
