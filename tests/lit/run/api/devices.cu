// Devices, limits, peers and versions, on a machine with one device.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/devices.txt %t.out
#include "table.h"
#include <cuda_profiler_api.h>

int main() {
  int n = 7;
  unsigned flags = 99;
  size_t size = 7;
  char text[32] = "";
  cudaDeviceProp properties;
  TITLE("devices");
  CALL(cudaGetDeviceCount(nullptr));
  CALL(cudaGetDeviceCount(&n));
  VALUE(n);
  CALL(cudaGetDevice(nullptr));
  CALL(cudaSetDevice(1));
  CALL(cudaSetDevice(-1));
  CALL(cudaInitDevice(1, 0, 0));
  CALL(cudaInitDevice(0, 0, 0));
  CALL(cudaSetDevice(0));
  CALL(cudaGetDeviceProperties(&properties, 1));
  CALL(cudaGetDeviceProperties(nullptr, 0));
  CALL(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)0, 0));
  CALL(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)9999, 0));
  CALL(cudaDeviceGetAttribute(&n, (cudaDeviceAttr)-1, 0));
  CALL(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  CALL(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 1));
  CALL(cudaDeviceGetPCIBusId(text, 20, 1));
  CALL(cudaDeviceGetPCIBusId(text, 5, 0));
  CALL(cudaDeviceGetPCIBusId(nullptr, 20, 0));
  CALL(cudaDeviceGetPCIBusId(text, 20, 0));
  VALUE(strlen(text));
  CALL(cudaDeviceGetByPCIBusId(&n, text));
  VALUE(n);
  CALL(cudaDeviceGetByPCIBusId(&n, "ffff:ff:1f.0"));
  CALL(cudaDeviceGetByPCIBusId(&n, "nonsense"));
  CALL(cudaDeviceGetByPCIBusId(nullptr, text));
  memset(&properties, 0, sizeof properties);
  CALL(cudaChooseDevice(&n, &properties));
  VALUE(n);
  CALL(cudaChooseDevice(nullptr, &properties));
  CALL(cudaChooseDevice(&n, nullptr));
  n = 1;
  CALL(cudaSetValidDevices(&n, 1));
  n = 0;
  CALL(cudaSetValidDevices(&n, 1));
  CALL(cudaSetValidDevices(nullptr, 1));
  CALL(cudaSetDeviceFlags(0x4000));
  CALL(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
  CALL(cudaSetDeviceFlags(cudaDeviceScheduleYield));
  CALL(cudaGetDeviceFlags(&flags));
  VALUE(flags);
  CALL(cudaGetDeviceFlags(nullptr));
  TITLE("peers");
  CALL(cudaDeviceCanAccessPeer(&n, 0, 0));
  VALUE(n);
  CALL(cudaDeviceCanAccessPeer(&n, 0, 1));
  CALL(cudaDeviceCanAccessPeer(&n, 1, 0));
  CALL(cudaDeviceCanAccessPeer(nullptr, 0, 0));
  CALL(cudaDeviceEnablePeerAccess(0, 0));
  CALL(cudaDeviceEnablePeerAccess(1, 0));
  CALL(cudaDeviceEnablePeerAccess(0, 1));
  CALL(cudaDeviceDisablePeerAccess(0));
  CALL(cudaDeviceDisablePeerAccess(1));
  CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 0));
  CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 1));
  TITLE("limits");
  CALL(cudaDeviceGetLimit(&size, cudaLimitStackSize));
  VALUE(size);
  CALL(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
  CALL(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
  VALUE(size);
  CALL(cudaDeviceGetLimit(&size, cudaLimitDevRuntimeSyncDepth));
  CALL(cudaDeviceGetLimit(&size, cudaLimitDevRuntimePendingLaunchCount));
  VALUE(size);
  CALL(cudaDeviceGetLimit(&size, cudaLimitMaxL2FetchGranularity));
  VALUE(size);
  CALL(cudaDeviceGetLimit(&size, cudaLimitPersistingL2CacheSize));
  CALL(cudaDeviceGetLimit(&size, (cudaLimit)99));
  CALL(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  CALL(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  CALL(cudaDeviceGetLimit(&size, cudaLimitStackSize));
  VALUE(size);
  CALL(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 30));
  CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
  CALL(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
  VALUE(size);
  CALL(cudaDeviceSetLimit((cudaLimit)99, 1));
  CALL(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 64));
  cudaFuncCache cache;
  CALL(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  CALL(cudaDeviceSetCacheConfig((cudaFuncCache)9));
  CALL(cudaDeviceGetCacheConfig(&cache));
  VALUE(cache);
  CALL(cudaDeviceGetCacheConfig(nullptr));
  cudaSharedMemConfig banks;
  CALL(cudaDeviceGetSharedMemConfig(&banks));
  VALUE(banks);
  CALL(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  int least = 9, greatest = 9;
  CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  VALUE(least);
  VALUE(greatest);
  CALL(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
  TITLE("versions and entry points");
  CALL(cudaRuntimeGetVersion(nullptr));
  CALL(cudaDriverGetVersion(nullptr));
  void *function = nullptr;
  cudaDriverEntryPointQueryResult status = (cudaDriverEntryPointQueryResult)9;
  CALL(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 13000, cudaEnableDefault, &status));
  VALUE(status);
  VALUE(function != nullptr);
  CALL(cudaGetDriverEntryPointByVersion("cuNothing", &function, 13000, cudaEnableDefault, &status));
  VALUE(status);
  VALUE(function != nullptr);
  CALL(cudaGetDriverEntryPointByVersion("cuNothing", &function, 13000, cudaEnableDefault, nullptr));
  CALL(cudaProfilerStart());
  CALL(cudaProfilerStop());
  CALL(cudaCtxResetPersistingL2Cache());
  TITLE("names of errors");
  std::printf("%s; %s; %s; %s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345),
              cudaGetErrorName((cudaError_t)-1), cudaGetErrorString((cudaError_t)-1));
  for (int i = 0; i < 1000; i++)
    if (strcmp(cudaGetErrorName((cudaError_t)i), cudaGetErrorName((cudaError_t)12345)))
      std::printf("%d %s: %s\n", i, cudaGetErrorName((cudaError_t)i), cudaGetErrorString((cudaError_t)i));
  return 0;
}
