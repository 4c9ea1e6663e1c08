// Addresses apart from memory: reserved, mapped, made accessible, shared by a file.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/addresses.txt %t.out
#include "driver_table.h"
#include <unistd.h>

enum { N = 1000 };
static const size_t page = 2 << 20;

__global__ void add(int *p, int n, int amount) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    p[i] += amount;
}
__global__ void sum(const int *p, int n, int *result) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(result, p[i]);
}

static CUmemAllocationProp device_memory() {
  CUmemAllocationProp p = {};
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  return p;
}
static CUmemAccessDesc access_of(int device, CUmemAccess_flags flags) {
  CUmemAccessDesc a = {};
  a.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  a.location.id = device;
  a.flags = flags;
  return a;
}

static void granularity() {
  CUmemAllocationProp p = device_memory();
  size_t bytes = 0;
  TITLE("granularity");
  DRIVER(cuMemGetAllocationGranularity(&bytes, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  VALUE(bytes);
  DRIVER(cuMemGetAllocationGranularity(&bytes, &p, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  VALUE(bytes);
  DRIVER(cuMemGetAllocationGranularity(&bytes, &p, (CUmemAllocationGranularity_flags)7));
  DRIVER(cuMemGetAllocationGranularity(nullptr, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  DRIVER(cuMemGetAllocationGranularity(&bytes, nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  p.location.id = 99;
  DRIVER(cuMemGetAllocationGranularity(&bytes, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  p.location.id = 0;
  p.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  DRIVER(cuMemGetAllocationGranularity(&bytes, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_INVALID;
  DRIVER(cuMemGetAllocationGranularity(&bytes, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
}

static void memory() {
  CUmemAllocationProp p = device_memory(), got = {};
  CUmemGenericAllocationHandle handle = 0;
  TITLE("memory");
  DRIVER(cuMemCreate(&handle, page, &p, 0));
  DRIVER(cuMemGetAllocationPropertiesFromHandle(&got, handle));
  VALUE(got.type);
  VALUE(got.location.type);
  VALUE(got.location.id);
  VALUE(got.requestedHandleTypes);
  DRIVER(cuMemGetAllocationPropertiesFromHandle(nullptr, handle));
  DRIVER(cuMemGetAllocationPropertiesFromHandle(&got, 0));
  DRIVER(cuMemRelease(handle));
  DRIVER(cuMemRelease(0));
  DRIVER(cuMemCreate(&handle, 0, &p, 0));
  DRIVER(cuMemCreate(&handle, 4096, &p, 0));
  DRIVER(cuMemCreate(&handle, page + 4096, &p, 0));
  DRIVER(cuMemCreate(&handle, page, &p, 1));
  DRIVER(cuMemCreate(nullptr, page, &p, 0));
  DRIVER(cuMemCreate(&handle, page, nullptr, 0));
  DRIVER(cuMemCreate(&handle, size_t(1) << 46, &p, 0));
  p.location.id = 99;
  DRIVER(cuMemCreate(&handle, page, &p, 0));
  p = device_memory();
  p.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  DRIVER(cuMemCreate(&handle, page, &p, 0));
  p = device_memory();
  p.location.type = CU_MEM_LOCATION_TYPE_INVALID;
  DRIVER(cuMemCreate(&handle, page, &p, 0));
}

static void addresses() {
  CUdeviceptr a = 0, b = 0;
  TITLE("addresses");
  DRIVER(cuMemAddressReserve(&a, 4 * page, 0, 0, 0));
  VALUE(a % page);
  DRIVER(cuMemAddressReserve(&b, page, 16 * page, 0, 0));
  VALUE(b % (16 * page));
  DRIVER(cuMemAddressFree(b, page));
  DRIVER(cuMemAddressFree(b, page));
  DRIVER(cuMemAddressReserve(&b, 0, 0, 0, 0));
  DRIVER(cuMemAddressReserve(&b, 4096, 0, 0, 0));
  DRIVER(cuMemAddressReserve(&b, page + 4096, 0, 0, 0));
  DRIVER(cuMemAddressReserve(&b, page, 3, 0, 0));
  DRIVER(cuMemAddressReserve(&b, page, 4096, 0, 0));
  DRIVER(cuMemAddressFree(b, page));
  DRIVER(cuMemAddressReserve(&b, page, 0, 0, 1));
  DRIVER(cuMemAddressReserve(nullptr, page, 0, 0, 0));
  DRIVER(cuMemAddressReserve(&b, page, 0, a, 0)); // taken: others are as good
  VALUE(b != a);
  DRIVER(cuMemAddressFree(b, page));
  DRIVER(cuMemAddressFree(a, page));
  DRIVER(cuMemAddressFree(a + page, 3 * page));
  DRIVER(cuMemAddressFree(a, 4 * page));
  DRIVER(cuMemAddressReserve(&b, 4 * page, 0, a, 0)); // free again: as wished
  VALUE(b == a);
  DRIVER(cuMemAddressFree(b, 4 * page));
  DRIVER(cuMemAddressFree(0, page));
}

static void maps() {
  CUmemAllocationProp p = device_memory();
  CUmemAccessDesc all = access_of(0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE), read = access_of(0, CU_MEM_ACCESS_FLAGS_PROT_READ),
                  absent = access_of(99, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUmemGenericAllocationHandle one = 0, two = 0, found = 0;
  CUdeviceptr a = 0;
  TITLE("maps");
  DRIVER(cuMemAddressReserve(&a, 8 * page, 0, 0, 0));
  DRIVER(cuMemCreate(&one, page, &p, 0));
  DRIVER(cuMemCreate(&two, 2 * page, &p, 0));
  DRIVER(cuMemSetAccess(a, page, &all, 1));
  DRIVER(cuMemMap(a, page, 0, 0, 0));
  DRIVER(cuMemMap(a, 0, 0, one, 0));
  DRIVER(cuMemMap(a, 4096, 0, one, 0));
  DRIVER(cuMemMap(a, 2 * page, 0, one, 0));
  DRIVER(cuMemMap(a, page, page, one, 0));
  DRIVER(cuMemMap(a, page, 4096, two, 0));
  DRIVER(cuMemMap(a + 4096, page, 0, one, 0));
  DRIVER(cuMemMap(a, page, 0, one, 1));
  DRIVER(cuMemMap(0, page, 0, one, 0));
  DRIVER(cuMemMap(a, page, 0, two, 0));
  DRIVER(cuMemMap(a, page, page, two, 0));
  DRIVER(cuMemMap(a, page, 0, one, 0));
  DRIVER(cuMemUnmap(a, page));
  DRIVER(cuMemMap(a, page, 0, one, 0));
  DRIVER(cuMemMap(a, page, 0, one, 0));
  DRIVER(cuMemMap(a + page, 2 * page, 0, two, 0));
  DRIVER(cuMemMap(a + 4 * page, page, 0, one, 0)); // a second place of the same memory

  TITLE("access");
  unsigned long long flags = 77;
  DRIVER(cuMemGetAccess(&flags, &all.location, a));
  VALUE(flags);
  DRIVER(cuMemsetD8(a, 0, page));
  DRIVER(cuMemSetAccess(a, page, nullptr, 1));
  DRIVER(cuMemSetAccess(a, page, &all, 0));
  DRIVER(cuMemSetAccess(a, 0, &all, 1));
  DRIVER(cuMemSetAccess(a, page, &absent, 1));
  DRIVER(cuMemSetAccess(a, 4 * page, &all, 1));
  DRIVER(cuMemSetAccess(a + page, page, &all, 1));
  DRIVER(cuMemSetAccess(a, 4096, &all, 1));
  DRIVER(cuMemSetAccess(a, 3 * page, &all, 1));
  DRIVER(cuMemGetAccess(&flags, &all.location, a));
  VALUE(flags);
  DRIVER(cuMemGetAccess(nullptr, &all.location, a));
  DRIVER(cuMemGetAccess(&flags, nullptr, a));
  DRIVER(cuMemGetAccess(&flags, &absent.location, a));
  DRIVER(cuMemGetAccess(&flags, &all.location, a + 3 * page));
  DRIVER(cuMemGetAccess(&flags, &all.location, 4096));
  DRIVER(cuMemSetAccess(a + 4 * page, page, &read, 1));
  DRIVER(cuMemGetAccess(&flags, &all.location, a + 4 * page));
  VALUE(flags);

  TITLE("use");
  int *p0 = (int *)a, *across = (int *)(a + page) - N / 2, *again = (int *)(a + 4 * page) + page / sizeof(int) - N / 2, *result,
      host[N];
  CALL(cudaMalloc(&result, sizeof *result));
  CALL(cudaMemset(result, 0, sizeof *result));
  for (int i = 0; i < N; i++)
    host[i] = i;
  CALL(cudaMemcpy(across, host, sizeof host, cudaMemcpyHostToDevice));
  add<<<1, 128>>>(across, N, 3);
  sum<<<1, 128>>>(again, N / 2, result);
  CALL(cudaMemcpy(host, result, sizeof *result, cudaMemcpyDeviceToHost));
  VALUE(host[0]);
  CALL(cudaMemcpy(host, across, sizeof host, cudaMemcpyDeviceToHost));
  VALUE(host[0]);
  VALUE(host[N - 1]);
  CALL(cudaMemset(p0, 0, 3 * page));
  CALL(cudaMemset(p0, 0, 3 * page + 1));
  CALL(cudaMemcpy(host, p0 + 3 * page / sizeof(int), sizeof host, cudaMemcpyDeviceToHost));
  DRIVER(cuMemsetD8(a + 4 * page, 0, page));
  cudaPointerAttributes attributes;
  CALL(cudaPointerGetAttributes(&attributes, p0 + 5));
  VALUE(attributes.type);
  VALUE(attributes.device);
  VALUE(attributes.devicePointer == p0 + 5);
  CALL(cudaPointerGetAttributes(&attributes, (void *)(a + 6 * page)));
  VALUE(attributes.type);
  CUdeviceptr base = 0;
  size_t bytes = 0;
  DRIVER(cuMemGetAddressRange(&base, &bytes, a + page + 20));
  VALUE(base - a);
  VALUE(bytes);
  DRIVER(cuMemGetAddressRange(&base, &bytes, a + 3 * page));
  CALL(cudaFree(p0));
  cudaIpcMemHandle_t ipc;
  CALL(cudaIpcGetMemHandle(&ipc, p0));

  TITLE("handles");
  DRIVER(cuMemRetainAllocationHandle(&found, p0 + 9));
  VALUE(found == one);
  DRIVER(cuMemRelease(found));
  DRIVER(cuMemRetainAllocationHandle(&found, result));
  DRIVER(cuMemRetainAllocationHandle(&found, nullptr));
  DRIVER(cuMemRetainAllocationHandle(nullptr, p0));
  DRIVER(cuMemRelease(one)); // the maps stay
  CALL(cudaMemset(p0, 1, page));
  DRIVER(cuMemRetainAllocationHandle(&found, p0));
  DRIVER(cuMemRelease(found));

  TITLE("the end of maps");
  DRIVER(cuMemAddressFree(a, 8 * page));
  DRIVER(cuMemUnmap(a + page, page));
  DRIVER(cuMemUnmap(a, 4096));
  DRIVER(cuMemUnmap(a, 0));
  DRIVER(cuMemUnmap(a, 4 * page));
  DRIVER(cuMemUnmap(a, 3 * page));
  DRIVER(cuMemUnmap(a, page));
  DRIVER(cuMemUnmap(a + 4 * page, page));
  CALL(cudaMemset(p0, 0, 4));
  DRIVER(cuMemRelease(two));
  DRIVER(cuMemAddressFree(a, 8 * page));
}

static void files() {
  CUmemAllocationProp p = device_memory();
  CUmemAccessDesc all = access_of(0, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUmemGenericAllocationHandle one = 0, two = 0;
  CUdeviceptr a = 0;
  int file = -1, value = 0;
  TITLE("files");
  DRIVER(cuMemCreate(&one, page, &p, 0));
  DRIVER(cuMemExportToShareableHandle(&file, one, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  DRIVER(cuMemRelease(one));
  p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  DRIVER(cuMemCreate(&one, page, &p, 0));
  DRIVER(cuMemExportToShareableHandle(&file, one, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1));
  DRIVER(cuMemExportToShareableHandle(nullptr, one, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  DRIVER(cuMemExportToShareableHandle(&file, 0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  DRIVER(cuMemExportToShareableHandle(&file, one, CU_MEM_HANDLE_TYPE_WIN32, 0));
  DRIVER(cuMemExportToShareableHandle(&file, one, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  VALUE(file > 2);
  DRIVER(cuMemImportFromShareableHandle(&two, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  VALUE(two == one);
  DRIVER(cuMemImportFromShareableHandle(&two, (void *)(intptr_t)-1, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  DRIVER(cuMemImportFromShareableHandle(&two, (void *)(intptr_t)0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  DRIVER(cuMemImportFromShareableHandle(nullptr, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  DRIVER(cuMemImportFromShareableHandle(&two, (void *)(intptr_t)file, CU_MEM_HANDLE_TYPE_NONE));
  VALUE(close(file));
  DRIVER(cuMemAddressReserve(&a, 2 * page, 0, 0, 0));
  DRIVER(cuMemMap(a, page, 0, one, 0));
  DRIVER(cuMemMap(a + page, page, 0, two, 0));
  DRIVER(cuMemSetAccess(a, 2 * page, &all, 1));
  CALL(cudaMemset((void *)a, 7, 4));
  CALL(cudaMemcpy(&value, (void *)(a + page), 4, cudaMemcpyDeviceToHost));
  VALUE(value);
  DRIVER(cuMemUnmap(a, 2 * page));
  DRIVER(cuMemRelease(one));
  DRIVER(cuMemRelease(two));
  DRIVER(cuMemAddressFree(a, 2 * page));
}

int main() {
  int has = -1;
  cudaFree(nullptr);
  DRIVER(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  VALUE(has);
  DRIVER(cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 0));
  VALUE(has);
  granularity();
  memory();
  addresses();
  maps();
  files();
  return 0;
}
