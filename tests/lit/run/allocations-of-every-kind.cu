// Each function that allocates CUDA memory is called three times within a region of its name, and released twice. It leaves
// one leak of the right kind and size, and its region has the sums.
// RUN: %clangxx -x c++ -O1 -I%source/include %s -o %t %link
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t > %t.expected
// RUN: %py %S/Inputs/leaks_as.py %t.json %t.expected | %FileCheck %s
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// CHECK: 23 functions: all right
#include "gpuprof.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

struct Extent { size_t width, height, depth; };
struct Pitched { void *pointer; size_t pitch, width, height; };
struct Format { int x, y, z, w, kind; };
struct DriverArray { size_t width, height; int format; unsigned channels; };
struct Properties { int type, handles, location, device; void *security; unsigned char flags[8]; };

extern "C" {
int cudaFree(void *);
int cudaFreeHost(void *);
int cudaFreeArray(void *);
int cudaFreeMipmappedArray(void *);
int cudaFreeAsync(void *, void *);
int cudaMalloc(void **, size_t);
int cudaMallocPitch(void **, size_t *, size_t, size_t);
int cudaMalloc3D(Pitched *, Extent);
int cudaMallocManaged(void **, size_t, unsigned);
int cudaMallocHost(void **, size_t);
int cudaHostAlloc(void **, size_t, unsigned);
int cudaHostRegister(void *, size_t, unsigned);
int cudaHostUnregister(void *);
int cudaMallocAsync(void **, size_t, void *);
int cudaMallocFromPoolAsync(void **, size_t, void *, void *);
int cudaDeviceGetDefaultMemPool(void **, int);
int cudaMallocArray(void **, const Format *, size_t, size_t, unsigned);
int cudaMalloc3DArray(void **, const Format *, Extent, unsigned);
int cudaMallocMipmappedArray(void **, const Format *, Extent, unsigned, unsigned);
int cuInit(unsigned);
int cuMemAlloc_v2(void **, size_t);
int cuMemFree_v2(void *);
int cuMemAllocPitch_v2(void **, size_t *, size_t, size_t, unsigned);
int cuMemAllocManaged(void **, size_t, unsigned);
int cuMemAllocHost_v2(void **, size_t);
int cuMemHostAlloc(void **, size_t, unsigned);
int cuMemFreeHost(void *);
int cuMemHostRegister_v2(void *, size_t, unsigned);
int cuMemHostUnregister(void *);
int cuMemAllocAsync(void **, size_t, void *);
int cuMemAllocFromPoolAsync(void **, size_t, void *, void *);
int cuMemFreeAsync(void *, void *);
int cuArrayCreate_v2(void **, const DriverArray *);
int cuArrayDestroy(void *);
int cuMemCreate(uint64_t *, size_t, const Properties *, unsigned long long);
int cuMemRelease(uint64_t);
}

static const Format floats = {32, 0, 0, 0, 2};
static size_t pitch;
static void *pool;
alignas(4096) static char pages[3][8192], driver_pages[3][8192];
static int page;

static int pitched_3d(void **p) {
  Pitched made = {};
  int error = cudaMalloc3D(&made, Extent{300, 4, 2});
  *p = made.pointer;
  pitch = made.pitch;
  return error;
}
static int registered(void **p) { return cudaHostRegister(*p = pages[page++ % 3], 8192, 0); }
static int driver_registered(void **p) { return cuMemHostRegister_v2(*p = driver_pages[page++ % 3], 8192, 0); }
static int driver_array(void **p) {
  const DriverArray made = {16, 4, 32 /* float */, 2};
  return cuArrayCreate_v2(p, &made);
}
static int physical(void **p) {
  const Properties made = {1, 0, 1, 0, nullptr, {}};
  return cuMemCreate((uint64_t *)p, 2 << 20, &made, 0);
}

// `pitched`: the size is that many pitches.
static const struct Function {
  const char *name, *kind;
  size_t bytes, pitched;
  int (*allocate)(void **);
  int (*release)(void *);
} functions[] = {
    {"cudaMalloc", "device", 1000, 0, [](void **p) { return cudaMalloc(p, 1000); }, cudaFree},
    {"cudaMallocPitch", "device", 0, 4, [](void **p) { return cudaMallocPitch(p, &pitch, 300, 4); }, cudaFree},
    {"cudaMalloc3D", "device", 0, 8, pitched_3d, cudaFree},
    {"cudaMallocManaged", "managed", 3000, 0, [](void **p) { return cudaMallocManaged(p, 3000, 1); }, cudaFree},
    {"cudaMallocHost", "host_pinned", 4000, 0, [](void **p) { return cudaMallocHost(p, 4000); }, cudaFreeHost},
    {"cudaHostAlloc", "host_pinned", 5000, 0, [](void **p) { return cudaHostAlloc(p, 5000, 0); }, cudaFreeHost},
    {"cudaHostRegister", "host_registered", 8192, 0, registered, cudaHostUnregister},
    {"cudaMallocAsync", "pool", 6000, 0, [](void **p) { return cudaMallocAsync(p, 6000, nullptr); },
     [](void *p) { return cudaFreeAsync(p, nullptr); }},
    {"cudaMallocFromPoolAsync", "pool", 7000, 0, [](void **p) { return cudaMallocFromPoolAsync(p, 7000, pool, nullptr); },
     [](void *p) { return cudaFreeAsync(p, nullptr); }},
    {"cudaMallocAsync and cudaFree", "pool", 6100, 0, [](void **p) { return cudaMallocAsync(p, 6100, nullptr); }, cudaFree},
    {"cudaMallocArray", "array", 256, 0, [](void **p) { return cudaMallocArray(p, &floats, 16, 4, 0); }, cudaFreeArray},
    {"cudaMalloc3DArray", "array", 2048, 0, [](void **p) { return cudaMalloc3DArray(p, &floats, Extent{8, 8, 8}, 0); }, cudaFreeArray},
    {"cudaMallocMipmappedArray", "array", 340, 0,
     [](void **p) { return cudaMallocMipmappedArray(p, &floats, Extent{8, 8, 0}, 4, 0); }, cudaFreeMipmappedArray},
    {"cuMemAlloc", "device", 1100, 0, [](void **p) { return cuMemAlloc_v2(p, 1100); }, cuMemFree_v2},
    {"cuMemAllocPitch", "device", 0, 4, [](void **p) { return cuMemAllocPitch_v2(p, &pitch, 300, 4, 4); }, cuMemFree_v2},
    {"cuMemAllocManaged", "managed", 3100, 0, [](void **p) { return cuMemAllocManaged(p, 3100, 1); }, cuMemFree_v2},
    {"cuMemAllocHost", "host_pinned", 4100, 0, [](void **p) { return cuMemAllocHost_v2(p, 4100); }, cuMemFreeHost},
    {"cuMemHostAlloc", "host_pinned", 5100, 0, [](void **p) { return cuMemHostAlloc(p, 5100, 0); }, cuMemFreeHost},
    {"cuMemHostRegister", "host_registered", 8192, 0, driver_registered, cuMemHostUnregister},
    {"cuMemAllocAsync", "pool", 6200, 0, [](void **p) { return cuMemAllocAsync(p, 6200, nullptr); },
     [](void *p) { return cuMemFreeAsync(p, nullptr); }},
    {"cuMemAllocFromPoolAsync", "pool", 7100, 0, [](void **p) { return cuMemAllocFromPoolAsync(p, 7100, pool, nullptr); },
     [](void *p) { return cuMemFreeAsync(p, nullptr); }},
    {"cuArrayCreate", "array", 512, 0, driver_array, cuArrayDestroy},
    {"cuMemCreate", "virtual", 2 << 20, 0, physical, [](void *p) { return cuMemRelease((uint64_t)p); }},
};

static int use(const Function &f) {
  void *made[3] = {};
  int error = 0;
  for (void *&p : made)
    error |= f.allocate(&p);
  return error | f.release(made[0]) | f.release(made[1]);
}

int main() {
  if (cuInit(0) || cudaFree(nullptr) || cudaDeviceGetDefaultMemPool(&pool, 0))
    return std::puts("there is no device"), 1;
  for (const Function &f : functions) {
    const unsigned token = gpuprof_region_begin(f.name);
    const int error = use(f);
    gpuprof_region_end(token);
    std::printf("%s\t%s\t%zu\t%d\n", f.name, f.kind, f.pitched ? f.pitched * pitch : f.bytes, error);
  }
}
