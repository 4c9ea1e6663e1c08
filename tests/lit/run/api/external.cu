// Memory backed by a file, as of another interface; semaphores of other interfaces, which do not exist here.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/external.txt %t.out
#include "driver_table.h"
#include <sys/mman.h>
#include <unistd.h>

static const size_t page = 2 << 20;

__global__ void add(int *p, int amount) { p[threadIdx.x] += amount; }

static void parts(cudaExternalMemory_t memory, CUdeviceptr a) {
  cudaExternalMemoryBufferDesc buffer = {};
  int *mapped = nullptr, *again = nullptr, value = 0;
  buffer.size = page;
  buffer.offset = page;
  CALL(cudaExternalMemoryGetMappedBuffer(nullptr, memory, &buffer));
  CALL(cudaExternalMemoryGetMappedBuffer((void **)&mapped, nullptr, &buffer));
  CALL(cudaExternalMemoryGetMappedBuffer((void **)&mapped, memory, nullptr));
  buffer.flags = 4;
  CALL(cudaExternalMemoryGetMappedBuffer((void **)&mapped, memory, &buffer));
  buffer.flags = 0;
  buffer.size = 0;
  CALL(cudaExternalMemoryGetMappedBuffer((void **)&mapped, memory, &buffer));
  buffer.size = 2 * page;
  CALL(cudaExternalMemoryGetMappedBuffer((void **)&mapped, memory, &buffer));
  buffer.size = page;
  CALL(cudaExternalMemoryGetMappedBuffer((void **)&mapped, memory, &buffer));
  buffer.size = 4096;
  buffer.offset = 256;
  CALL(cudaExternalMemoryGetMappedBuffer((void **)&again, memory, &buffer));
  VALUE(again && again != mapped);
  if (!mapped)
    return;
  add<<<1, 32>>>(mapped, 5);
  CALL(cudaMemcpy(&value, (void *)(a + page), 4, cudaMemcpyDeviceToHost));
  VALUE(value);
  cudaPointerAttributes attributes;
  CALL(cudaPointerGetAttributes(&attributes, mapped));
  VALUE(attributes.type);
  CALL(cudaFree(mapped));
  CALL(cudaFree(mapped));
  CALL(cudaFree(again));
}

int main() {
  CUmemAllocationProp p = {};
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemAccessDesc all = {};
  all.location = p.location;
  all.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr a = 0;
  int file = -1;
  cudaFree(nullptr);
  TITLE("memory");
  DRIVER(cuMemCreate(&handle, 2 * page, &p, 0));
  DRIVER(cuMemAddressReserve(&a, 2 * page, 0, 0, 0));
  DRIVER(cuMemMap(a, 2 * page, 0, handle, 0));
  DRIVER(cuMemSetAccess(a, 2 * page, &all, 1));
  CALL(cudaMemset((void *)a, 1, 2 * page));
  DRIVER(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  cudaExternalMemoryHandleDesc d = {};
  cudaExternalMemory_t memory = nullptr;
  d.type = cudaExternalMemoryHandleTypeOpaqueFd;
  d.handle.fd = file;
  d.size = 2 * page;
  CALL(cudaImportExternalMemory(nullptr, &d));
  CALL(cudaImportExternalMemory(&memory, nullptr));
  d.type = (cudaExternalMemoryHandleType)99;
  CALL(cudaImportExternalMemory(&memory, &d));
  d.type = cudaExternalMemoryHandleTypeOpaqueWin32;
  CALL(cudaImportExternalMemory(&memory, &d));
  d.type = cudaExternalMemoryHandleTypeOpaqueFd;
  d.size = 0;
  CALL(cudaImportExternalMemory(&memory, &d));
  d.size = 2 * page;
  d.flags = 8;
  CALL(cudaImportExternalMemory(&memory, &d));
  d.flags = 0;
  d.handle.fd = -1;
  CALL(cudaImportExternalMemory(&memory, &d));
  d.handle.fd = memfd_create("memory of nobody's", 0);
  VALUE(ftruncate(d.handle.fd, 2 * page));
  CALL(cudaImportExternalMemory(&memory, &d));
  d.handle.fd = file;
  cudaError_t imported = cudaImportExternalMemory(&memory, &d);
  CALL(imported);
  if (!imported) {
    parts(memory, a);
    CALL(cudaDestroyExternalMemory(memory));
  }
  CALL(cudaDestroyExternalMemory(nullptr));
  TITLE("semaphores");
  cudaExternalSemaphoreHandleDesc s = {};
  cudaExternalSemaphore_t semaphore = nullptr;
  s.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
  s.handle.fd = -1;
  CALL(cudaImportExternalSemaphore(nullptr, &s));
  CALL(cudaImportExternalSemaphore(&semaphore, nullptr));
  CALL(cudaImportExternalSemaphore(&semaphore, &s));
  s.handle.fd = memfd_create("semaphore of nobody's", 0);
  CALL(cudaImportExternalSemaphore(&semaphore, &s));
  s.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
  CALL(cudaImportExternalSemaphore(&semaphore, &s));
  s.type = (cudaExternalSemaphoreHandleType)99;
  CALL(cudaImportExternalSemaphore(&semaphore, &s));
  return 0;
}
