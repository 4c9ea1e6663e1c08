/* Clusters of blocks in inline PTX, as cooperative groups write it, and launches of them. */
#ifndef CLUSTERS_H
#define CLUSTERS_H

#include "lanes.h"

static __device__ inline unsigned cluster_rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

static __device__ inline unsigned cluster_size() {
  unsigned size;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
}

static __device__ inline void cluster_arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
static __device__ inline void cluster_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
static __device__ inline void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}

static __device__ inline unsigned shared_address(const void *p) {
  unsigned address;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(address) : "l"(p));
  return address;
}

/* The same place in the shared memory of another block of the cluster: as an address of shared memory, and as a pointer. */
static __device__ inline unsigned shared_address_of(const void *p, unsigned rank) {
  unsigned address;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(p)), "r"(rank));
  return address;
}
template <class T> static __device__ inline T *pointer_of(T *p, unsigned rank) {
  T *there;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
  return there;
}

static __device__ inline void wait_parity(const void *barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;"
                 " selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(shared_address(barrier)), "r"(parity) : "memory");
}

template <class... P, class... A>
static inline cudaError_t launch_clusters(dim3 cluster, dim3 grid, dim3 block, size_t shared_bytes, void (*kernel)(P...),
                                          A... arguments) {
  cudaLaunchAttribute attribute = {};
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = grid;
  configuration.blockDim = block;
  configuration.dynamicSmemBytes = shared_bytes;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  return cudaLaunchKernelEx(&configuration, kernel, P(arguments)...);
}

#endif
