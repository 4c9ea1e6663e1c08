/* The GPU's side of cudaDeviceReset(); the rest of the GPU is reached through gp_device_cuda of device.h. */
#ifndef GP_DEVICE_CUDA_H
#define GP_DEVICE_CUDA_H

#include <stddef.h>
#include <stdint.h>

/* The device was reset: streams and events that gpuprof made on it are gone. */
void gp_device_cuda_forget(int device);

/* Sets device memory to zero, after all earlier work. */
int gp_device_cuda_zero(uint64_t address, size_t bytes);

#endif
