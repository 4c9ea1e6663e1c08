// Pools, and memory allocated in the order of a stream.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/pools.txt %t.out
#include "table.h"

static uint64_t get(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  uint64_t value = 0;
  if (cudaMemPoolGetAttribute(pool, attribute, &value))
    return ~0ull;
  return value;
}
static void state(cudaMemPool_t pool) {
  cudaDeviceSynchronize();
  std::printf("used %lld, most used %lld, reserved %s, most reserved %s\n", (long long)get(pool, cudaMemPoolAttrUsedMemCurrent),
              (long long)get(pool, cudaMemPoolAttrUsedMemHigh), get(pool, cudaMemPoolAttrReservedMemCurrent) ? "some" : "none",
              get(pool, cudaMemPoolAttrReservedMemHigh) ? "some" : "none");
}

int main() {
  cudaMemPool_t pool, own, now;
  char *p, *q;
  TITLE("the default pool");
  CALL(cudaDeviceGetDefaultMemPool(&pool, 0));
  CALL(cudaDeviceGetDefaultMemPool(&pool, 1));
  CALL(cudaDeviceGetDefaultMemPool(nullptr, 0));
  CALL(cudaDeviceGetMemPool(&now, 0));
  VALUE(now == pool);
  VALUE(get(pool, cudaMemPoolAttrReleaseThreshold));
  VALUE(get(pool, cudaMemPoolReuseFollowEventDependencies) & 0xffffffff);
  VALUE(get(pool, cudaMemPoolReuseAllowOpportunistic) & 0xffffffff);
  VALUE(get(pool, cudaMemPoolReuseAllowInternalDependencies) & 0xffffffff);
  state(pool);
  CALL(cudaMemPoolDestroy(pool));
  TITLE("allocation");
  CALL(cudaMallocAsync(&p, 1000, 0));
  state(pool);
  CALL(cudaMallocAsync(&q, 1 << 20, 0));
  state(pool);
  CALL(cudaFreeAsync(p, 0));
  CALL(cudaFreeAsync(q, 0));
  state(pool);
  CALL(cudaMallocAsync((void **)nullptr, 4, 0));
  p = (char *)1;
  CALL(cudaMallocAsync(&p, 0, 0));
  VALUE((intptr_t)p);
  CALL(cudaMallocAsync(&p, size_t(1) << 46, 0));
  CALL(cudaFreeAsync(nullptr, 0));
  CALL(cudaFreeAsync(&p, 0));
  CALL(cudaMalloc(&p, 4096));
  CALL(cudaFreeAsync(p, 0));
  CALL(cudaMallocAsync(&q, 4096, 0));
  CALL(cudaFree(q));
  CALL(cudaFree(q));
  TITLE("a pool of one's own");
  cudaMemPoolProps properties = {};
  CALL(cudaMemPoolCreate(&own, &properties));
  properties.allocType = cudaMemAllocationTypePinned;
  CALL(cudaMemPoolCreate(&own, &properties));
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 99;
  CALL(cudaMemPoolCreate(&own, &properties));
  properties.location.id = 0;
  CALL(cudaMemPoolCreate(nullptr, &properties));
  CALL(cudaMemPoolCreate(&own, nullptr));
  CALL(cudaMemPoolCreate(&own, &properties));
  VALUE(get(own, cudaMemPoolAttrReleaseThreshold));
  CALL(cudaMallocFromPoolAsync(&p, 5000, own, 0));
  state(own);
  CALL(cudaMallocFromPoolAsync(&q, 5000, nullptr, 0));
  uint64_t threshold = 1 << 20, high = 0, five = 5;
  int no = 0, number = 77;
  CALL(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold));
  VALUE(get(own, cudaMemPoolAttrReleaseThreshold));
  CALL(cudaMemPoolSetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &no));
  CALL(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &number));
  VALUE(number);
  CALL(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &five));
  CALL(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &high));
  CALL(cudaMemPoolSetAttribute(own, (cudaMemPoolAttr)99, &high));
  CALL(cudaMemPoolGetAttribute(own, (cudaMemPoolAttr)99, &high));
  CALL(cudaMemPoolGetAttribute(nullptr, cudaMemPoolAttrUsedMemHigh, &high));
  CALL(cudaFreeAsync(p, 0));
  CALL(cudaDeviceSynchronize());
  CALL(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &high));
  VALUE(get(own, cudaMemPoolAttrUsedMemHigh));
  state(own);
  CALL(cudaMemPoolTrimTo(own, 0));
  state(own);
  CALL(cudaMemPoolTrimTo(nullptr, 0));
  CALL(cudaDeviceSetMemPool(0, own));
  CALL(cudaDeviceGetMemPool(&now, 0));
  VALUE(now == own);
  CALL(cudaMallocAsync(&p, 64, 0));
  state(own);
  CALL(cudaFreeAsync(p, 0));
  CALL(cudaDeviceSetMemPool(0, nullptr));
  CALL(cudaDeviceSetMemPool(99, own));
  cudaMemAccessDesc access = {};
  access.location = properties.location;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  CALL(cudaMemPoolSetAccess(own, &access, 1));
  access.flags = cudaMemAccessFlagsProtNone;
  CALL(cudaMemPoolSetAccess(own, &access, 1));
  access.location.id = 99;
  CALL(cudaMemPoolSetAccess(own, &access, 1));
  cudaMemAccessFlags flags = (cudaMemAccessFlags)9;
  cudaMemLocation here = properties.location;
  CALL(cudaMemPoolGetAccess(&flags, own, &here));
  VALUE(flags);
  CALL(cudaMemPoolDestroy(own));
  CALL(cudaDeviceGetMemPool(&now, 0));
  VALUE(now == pool);
  CALL(cudaMemPoolDestroy(nullptr));
  return 0;
}
