// The driver's functions: errors by name, contexts, memory, pointers, pools, streams, modules, libraries.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/driver.txt %t.out
#include "driver_table.h"
#include "image.h"

extern "C" __global__ void scale(float *p, float a) { p[blockIdx.x * blockDim.x + threadIdx.x] *= a; }
extern "C" __device__ int answer = 42;

static void errors() {
  TITLE("errors");
  for (int error = 0; error < 1000; error++) {
    const char *name = "", *text = "";
    CUresult result = cuGetErrorName((CUresult)error, &name);
    cuGetErrorString((CUresult)error, &text);
    if (!result)
      std::printf("%d %s: %s\n", error, name, text);
  }
  const char *name = "before";
  DRIVER(cuGetErrorName((CUresult)998, &name));
  VALUE(name == nullptr);
  DRIVER(cuGetErrorString((CUresult)998, &name));
}

static void contexts() {
  CUcontext c = nullptr, primary = nullptr, now = nullptr, second = nullptr;
  CUdevice device = 7;
  unsigned flags = 77, version = 0;
  int active = 7;
  TITLE("contexts");
  DRIVER(cuInit(1));
  DRIVER(cuInit(0));
  DRIVER(cuDevicePrimaryCtxRetain(&primary, 0));
  DRIVER(cuDevicePrimaryCtxGetState(0, &flags, &active));
  VALUE(flags);
  VALUE(active);
  DRIVER(cuDevicePrimaryCtxRetain(&c, 99));
  DRIVER(cuDevicePrimaryCtxGetState(99, &flags, &active));
  DRIVER(cuCtxSetCurrent(primary));
  DRIVER(cuCtxGetCurrent(&now));
  VALUE(now == primary);
  DRIVER(cuCtxGetDevice(&device));
  VALUE(device);
  DRIVER(cuCtxGetFlags(&flags));
  VALUE(flags);
  DRIVER(cuCtxGetApiVersion(primary, &version));
  DRIVER(cuCtxCreate(&c, nullptr, 0, 99));
  DRIVER(cuCtxCreate(&c, nullptr, 0, 0));
  DRIVER(cuCtxGetCurrent(&now));
  VALUE(now == c);
  VALUE(c != primary);
  DRIVER(cuCtxPushCurrent(primary));
  DRIVER(cuCtxGetCurrent(&now));
  VALUE(now == primary);
  DRIVER(cuCtxPopCurrent(&second));
  VALUE(second == primary);
  DRIVER(cuCtxGetCurrent(&now));
  VALUE(now == c);
  DRIVER(cuCtxDestroy(c));
  DRIVER(cuCtxGetCurrent(&now));
  VALUE(now == primary);
  DRIVER(cuCtxPushCurrent(nullptr));
  DRIVER(cuCtxDestroy(nullptr));
  int least = 7, greatest = 7;
  DRIVER(cuCtxGetStreamPriorityRange(&least, &greatest));
  VALUE(least);
  VALUE(greatest);
  CUfunc_cache cache;
  DRIVER(cuCtxGetCacheConfig(&cache));
  VALUE(cache);
}

static void memory() {
  CUdeviceptr p = 0, q = 0, base = 0;
  size_t bytes = 0, pitch = 0, other = 0;
  void *host = nullptr;
  TITLE("memory");
  DRIVER(cuMemAlloc(&p, 0));
  DRIVER(cuMemAlloc(nullptr, 4));
  DRIVER(cuMemAlloc(&p, size_t(1) << 46));
  DRIVER(cuMemAlloc(&p, 1000));
  DRIVER(cuMemGetAddressRange(&base, &bytes, p + 10));
  VALUE(base == p);
  VALUE(bytes);
  DRIVER(cuMemGetAddressRange(nullptr, &bytes, p));
  DRIVER(cuMemGetAddressRange(&base, nullptr, p));
  DRIVER(cuMemGetAddressRange(nullptr, nullptr, p));
  DRIVER(cuMemGetAddressRange(&base, &bytes, 16));
  DRIVER(cuMemGetAddressRange(&base, &bytes, 0));
  DRIVER(cuMemAllocPitch(&q, &pitch, 100, 3, 4));
  VALUE(pitch);
  DRIVER(cuMemAllocPitch(&base, &other, 100, 3, 3));
  DRIVER(cuMemAllocPitch(&base, &other, 100, 0, 4));
  DRIVER(cuMemsetD2D8(q, pitch, 5, 100, 3));
  DRIVER(cuMemsetD2D16(q, pitch, 0x605, 50, 3));
  DRIVER(cuMemsetD2D32(q, pitch, 0x8070605, 25, 2));
  DRIVER(cuMemsetD2D32(q, 50, 5, 25, 3));
  DRIVER(cuMemsetD16(q + 1, 5, 5));
  DRIVER(cuMemsetD32(q + 2, 5, 5));
  DRIVER(cuMemsetD16Async(q, 0x706, 5, 0));
  DRIVER(cuMemsetD2D8Async(q + pitch, pitch, 9, 1, 2, 0));
  unsigned char rows[3][8];
  for (int i = 0; i < 3; i++)
    DRIVER(cuMemcpyDtoH(rows[i], q + i * pitch, 8));
  for (auto &row : rows)
    std::printf("%d %d %d %d\n", row[0], row[1], row[2], row[3]);
  DRIVER(cuMemcpyDtoD(q, p, 100));
  DRIVER(cuMemcpyDtoD(q, p, 1001));
  DRIVER(cuMemcpyDtoH(&base, 0, 4));
  DRIVER(cuMemcpyHtoD(p, nullptr, 4));
  DRIVER(cuMemcpyHtoD(p, &base, 0));
  DRIVER(cuMemFree(p + 4));
  DRIVER(cuMemFree(p));
  DRIVER(cuMemFree(p));
  DRIVER(cuMemFree(0));
  DRIVER(cuMemHostAlloc(&host, 100, CU_MEMHOSTALLOC_PORTABLE));
  unsigned flags = 77;
  DRIVER(cuMemHostGetFlags(&flags, host));
  VALUE(flags);
  DRIVER(cuMemHostGetDevicePointer(&p, host, 0));
  VALUE(p == (CUdeviceptr)host);

  TITLE("pointers");
  int number = 77;
  CUmemorytype type = (CUmemorytype)77;
  void *pointer = nullptr;
  unsigned managed = 77, mapped = 77;
  DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, q));
  VALUE(type);
  DRIVER(cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, q));
  VALUE(pointer == (void *)q);
  DRIVER(cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, q));
  DRIVER(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, q));
  VALUE(number);
  DRIVER(cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, q + 5));
  VALUE(pointer == (void *)q);
  DRIVER(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, q + 5));
  VALUE(bytes);
  DRIVER(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, q));
  VALUE(managed & 255);
  DRIVER(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, q));
  VALUE(mapped & 255);
  DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)host));
  VALUE(type);
  DRIVER(cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, (CUdeviceptr)host));
  VALUE(pointer == host);
  DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)&number));
  DRIVER(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (CUdeviceptr)&bytes));
  DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0));
  DRIVER(cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, q));
  DRIVER(cuPointerGetAttribute(&type, (CUpointer_attribute)99, q));
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void *places[] = {&type, &number};
  DRIVER(cuPointerGetAttributes(2, wanted, places, q));
  VALUE(type);
  VALUE(number);
  DRIVER(cuPointerGetAttributes(2, wanted, places, (CUdeviceptr)&bytes));
  VALUE(type);
  VALUE(number);
  CUdeviceptr shared = 0;
  DRIVER(cuMemAllocManaged(&shared, 64, CU_MEM_ATTACH_GLOBAL));
  DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, shared));
  VALUE(type);
  DRIVER(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, shared));
  VALUE(managed & 255);
  DRIVER(cuMemFree(shared));
  DRIVER(cuMemFree(q));
  DRIVER(cuMemFreeHost(host));

  TITLE("pools");
  CUmemoryPool pool = nullptr;
  DRIVER(cuDeviceGetDefaultMemPool(&pool, 0));
  DRIVER(cuDeviceGetMemPool(&pool, 0));
  DRIVER(cuMemAllocAsync(&p, 100, 0));
  DRIVER(cuMemFreeAsync(p, 0));
  DRIVER(cuMemAllocFromPoolAsync(&p, 100, pool, 0));
  DRIVER(cuMemFreeAsync(p, 0));
  DRIVER(cuMemPoolTrimTo(pool, 0));
  uint64_t threshold = 77;
  DRIVER(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  VALUE(threshold);
}

static void streams() {
  CUstream stream = nullptr;
  CUcontext c = nullptr, now = nullptr;
  CUdevice device = 7;
  unsigned flags = 77;
  int priority = 77;
  TITLE("streams");
  DRIVER(cuStreamCreate(&stream, 8));
  DRIVER(cuStreamCreate(nullptr, 0));
  DRIVER(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -2));
  DRIVER(cuStreamGetFlags(stream, &flags));
  VALUE(flags);
  DRIVER(cuStreamGetPriority(stream, &priority));
  VALUE(priority);
  DRIVER(cuStreamGetCtx(stream, &c));
  cuCtxGetCurrent(&now);
  VALUE(c == now);
  DRIVER(cuStreamGetDevice(stream, &device));
  VALUE(device);
  CUstreamCaptureStatus status = (CUstreamCaptureStatus)77;
  CUgraph graph = nullptr;
  DRIVER(cuStreamIsCapturing(stream, &status));
  VALUE(status);
  DRIVER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  DRIVER(cuStreamEndCapture(stream, &graph));
  DRIVER(cuGraphDestroy(graph));
  DRIVER(cuStreamQuery(stream));
  DRIVER(cuStreamDestroy(stream));
  CUevent event = nullptr;
  DRIVER(cuEventCreate(&event, 64));
  DRIVER(cuEventCreate(&event, 0));
  DRIVER(cuEventRecordWithFlags(event, 0, 0));
  DRIVER(cuEventRecordWithFlags(event, 0, 8));
  DRIVER(cuEventSynchronize(event));
  DRIVER(cuEventDestroy(event));
}

static void modules() {
  CUmodule module = nullptr, from = nullptr;
  CUfunction function = nullptr, first = nullptr;
  CUdeviceptr variable = 0;
  size_t bytes = 0, offset = 0;
  unsigned count = 0;
  TITLE("modules");
  DRIVER(cuModuleLoad(&module, "/nonexistent/file.cubin"));
  DRIVER(cuModuleLoadData(nullptr, image));
  DRIVER(cuModuleLoadData(&module, nullptr));
  DRIVER(cuModuleLoadData(&module, image));
  DRIVER(cuModuleGetFunction(&function, module, "absent"));
  DRIVER(cuModuleGetFunction(&function, module, nullptr));
  DRIVER(cuModuleGetFunction(nullptr, module, "scale"));
  DRIVER(cuModuleGetFunction(&function, nullptr, "scale"));
  DRIVER(cuModuleGetFunction(&function, module, "scale"));
  DRIVER(cuModuleGetGlobal(&variable, &bytes, module, "absent"));
  DRIVER(cuModuleGetGlobal(&variable, nullptr, module, "answer"));
  DRIVER(cuModuleGetGlobal(nullptr, &bytes, module, "answer"));
  VALUE(bytes);
  DRIVER(cuModuleGetFunctionCount(&count, module));
  VALUE(count);
  DRIVER(cuModuleEnumerateFunctions(&first, 1, module));
  VALUE(first == function);
  TITLE("functions");
  const char *name = nullptr;
  DRIVER(cuFuncGetName(&name, function));
  std::printf("%s\n", name);
  DRIVER(cuFuncGetModule(&from, function));
  VALUE(from == module);
  DRIVER(cuFuncGetParamInfo(function, 1, &offset, &bytes));
  VALUE(offset);
  VALUE(bytes);
  DRIVER(cuFuncGetParamInfo(function, 2, &offset, &bytes));
  int value = 77, blocks = 0;
  DRIVER(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  VALUE(value);
  DRIVER(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  VALUE(value);
  DRIVER(cuFuncGetAttribute(&value, (CUfunction_attribute)99, function));
  DRIVER(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
  DRIVER(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
  DRIVER(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 300000));
  DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, 256, 0, 0));
  VALUE(blocks);
  CUdeviceptr p = 0;
  float a = 3, host[4] = {1, 2, 3, 4};
  DRIVER(cuMemAlloc(&p, sizeof host));
  DRIVER(cuMemcpyHtoD(p, host, sizeof host));
  void *arguments[] = {&p, &a};
  DRIVER(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, arguments, nullptr));
  DRIVER(cuLaunchKernel(function, 0, 1, 1, 4, 1, 1, 0, 0, arguments, nullptr));
  DRIVER(cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, 0, arguments, nullptr));
  DRIVER(cuMemcpyDtoH(host, p, sizeof host));
  VALUE(host[3]);
  DRIVER(cuModuleUnload(module));
  TITLE("libraries");
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  DRIVER(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  DRIVER(cuLibraryGetKernelCount(&count, library));
  VALUE(count);
  DRIVER(cuLibraryGetKernel(&kernel, library, "absent"));
  DRIVER(cuLibraryGetKernel(&kernel, library, "scale"));
  DRIVER(cuKernelGetName(&name, kernel));
  std::printf("%s\n", name);
  DRIVER(cuKernelGetFunction(&function, kernel));
  DRIVER(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  VALUE(value);
  DRIVER(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000, kernel, 0));
  DRIVER(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, arguments, nullptr));
  DRIVER(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 4, 1, 1, 0, 0, arguments, nullptr));
  DRIVER(cuMemcpyDtoH(host, p, sizeof host));
  VALUE(host[3]);
  DRIVER(cuLibraryGetGlobal(&variable, &bytes, library, "answer"));
  VALUE(bytes);
  DRIVER(cuLibraryGetModule(&module, library));
  DRIVER(cuModuleGetFunction(&function, module, "scale"));
  DRIVER(cuLibraryUnload(library));
}

int main() {
  errors();
  contexts();
  memory();
  streams();
  modules();
  return 0;
}
