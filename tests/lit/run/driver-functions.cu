// The driver's functions: contexts, memory, streams, and launches of a module's kernel by name. On the CPU device
// the program's compiled kernel of this name stands for it, and is counted; on a GPU the driver loads the module.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2> %t.err | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json scale launches=3 flops.fp32.mul=768
// CHECK: all right
#include <cuda.h>
#include "image.h"
#include "run.h"

extern "C" __global__ void scale(float *p, float a) { p[blockIdx.x * blockDim.x + threadIdx.x] *= a; }
extern "C" __device__ int answer = 42;

#define DONE(call) EXPECT((call) == CUDA_SUCCESS)

int main() {
  int count = 0, device = -1, sms = 0;
  CUcontext context, current;
  DONE(cuInit(0));
  EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  DONE(cuDeviceGetCount(&count));
  DONE(cuDeviceGet(&device, 0));
  EXPECT(count == 1 && device == 0 && cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  char name[64];
  size_t bytes = 0;
  DONE(cuDeviceGetName(name, sizeof name, 0));
  DONE(cuDeviceTotalMem(&bytes, 0));
  DONE(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  EXPECT(bytes > 0 && sms > 0);
#if CUDA_VERSION >= 13000
  DONE(cuCtxCreate(&context, nullptr, 0, 0));
#else
  DONE(cuCtxCreate(&context, 0, 0));
#endif
  DONE(cuCtxGetCurrent(&current));
  EXPECT(context == current);

  CUmodule module;
  CUfunction function;
  CUdeviceptr p, variable;
  DONE(cuModuleLoadData(&module, image));
  DONE(cuModuleGetFunction(&function, module, "scale"));
  CUfunction absent = function;
  EXPECT(cuModuleGetFunction(&absent, module, "absent") == CUDA_ERROR_NOT_FOUND && absent == nullptr);
  DONE(cuModuleGetGlobal(&variable, &bytes, module, "answer"));
  int value = 0;
  DONE(cuMemcpyDtoH(&value, variable, sizeof value));
  EXPECT(bytes == 4 && value == 42);

  CUstream stream;
  CUevent start, stop;
  float host[256], a = 3, ms = -1;
  DONE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  DONE(cuEventCreate(&start, 0));
  DONE(cuEventCreate(&stop, 0));
  DONE(cuMemAlloc(&p, sizeof host));
  DONE(cuMemsetD32(p, 0x3f800000, 256));
  void *arguments[] = {&p, &a};
  DONE(cuEventRecord(start, stream));
  DONE(cuLaunchKernel(function, 2, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr));
  // All arguments in one block of memory.
  struct {
    CUdeviceptr p;
    float a;
  } block = {p, 5};
  size_t size = sizeof block.p + sizeof block.a; // no more than the kernel has
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  DONE(cuLaunchKernel(function, 2, 1, 1, 128, 1, 1, 0, stream, nullptr, extra));
  CUlaunchConfig configuration = {};
  configuration.gridDimX = 2, configuration.gridDimY = configuration.gridDimZ = 1;
  configuration.blockDimX = 128, configuration.blockDimY = configuration.blockDimZ = 1;
  configuration.hStream = stream;
  DONE(cuLaunchKernelEx(&configuration, function, arguments, nullptr));
  DONE(cuEventRecord(stop, stream));
  DONE(cuStreamSynchronize(stream));
  DONE(cuEventElapsedTime(&ms, start, stop));
  DONE(cuMemcpyDtoH(host, p, sizeof host));
  EXPECT(host[0] == 45 && host[255] == 45 && ms >= 0);
  EXPECT(cuLaunchKernel(function, 2, 1, 1, 2048, 1, 1, 0, stream, arguments, nullptr) == CUDA_ERROR_INVALID_VALUE);
  const char *text = "";
  DONE(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  EXPECT(!strcmp(text, "invalid argument"));
  DONE(cuMemFree(p));
  EXPECT(cuMemFree(p) == CUDA_ERROR_INVALID_VALUE);
  DONE(cuCtxDestroy(context));

  // By address, and a handle of the runtime's.
  CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **,
                     void **) = nullptr;
  cudaDriverEntryPointQueryResult found;
  OK(cudaGetDriverEntryPointByVersion("cuLaunchKernel", (void **)&launch, 12000, cudaEnableDefault, &found));
  EXPECT(launch == cuLaunchKernel && found == cudaDriverEntryPointSuccess);
  cudaFunction_t handle;
  OK(cudaGetFuncBySymbol(&handle, (const void *)scale));
  if (!strncmp(name, "CPU device", 10))
    EXPECT((void *)handle == (void *)function);
  return finish();
}
