/* The GPU's side of cudaDeviceReset(); the rest of the GPU is reached through gp_device_cuda of device.h. */
#ifndef GP_DEVICE_CUDA_H
#define GP_DEVICE_CUDA_H

/* The device was reset: streams and events that gpuprof made on it are gone. */
void gp_device_cuda_forget(int device);

#endif
