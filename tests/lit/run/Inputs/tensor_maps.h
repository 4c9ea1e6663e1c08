/* Tensor maps without CUDA's headers, and copies by them in inline PTX. */
#ifndef TENSOR_MAPS_H
#define TENSOR_MAPS_H

#include "lanes.h"

struct alignas(128) TensorMap {
  unsigned long long opaque[16];
};

/* The driver's functions, under names not declared by its header. */
extern "C" int encode_tiled(TensorMap *, int type, unsigned rank, void *address, const unsigned long long *dimensions,
                            const unsigned long long *strides, const unsigned *box, const unsigned *steps, int interleave,
                            int swizzle, int promotion, int fill) __asm__("cuTensorMapEncodeTiled");
extern "C" int encode_columns(TensorMap *, int type, unsigned rank, void *address, const unsigned long long *dimensions,
                              const unsigned long long *strides, const int *lower, const int *upper, unsigned channels,
                              unsigned pixels, const unsigned *steps, int interleave, int swizzle, int promotion,
                              int fill) __asm__("cuTensorMapEncodeIm2col");
extern "C" int replace_address(TensorMap *, void *address) __asm__("cuTensorMapReplaceAddress");

/* As CUDA numbers them. */
enum TensorType { U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16, F32_FTZ, TF32, TF32_FTZ };
enum TensorSwizzle { Plain, Swizzle32, Swizzle64, Swizzle128 };

/* The parts of a map; missing dimensions do not count. */
struct Tensor {
  int type;
  unsigned rank;
  void *address;
  unsigned long long dimensions[5], strides[4]; /* elements; bytes from dimension 1 on */
  unsigned box[5], steps[5];
  int swizzle, fill;
};

/* 0, or CUDA's error. */
static inline int encode(TensorMap *map, const Tensor &t) {
  return encode_tiled(map, t.type, t.rank, t.address, t.dimensions, t.strides, t.box, t.steps, 0, t.swizzle, 0,
                                t.fill);
}

/* A dense tensor in memory, and all of its box. */
static inline Tensor dense(int type, int bytes, void *address, unsigned rank, const unsigned (&dimensions)[5],
                           const unsigned (&box)[5]) {
  Tensor t = {type, rank, address};
  unsigned long long stride = bytes;
  for (unsigned i = 0; i < rank; i++) {
    t.dimensions[i] = dimensions[i];
    t.box[i] = box[i];
    t.steps[i] = 1;
    stride *= dimensions[i];
    if (i + 1 < rank)
      t.strides[i] = stride;
  }
  return t;
}

#ifdef __CUDACC__
static __device__ inline unsigned address_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/* An mbarrier for so many arrivals, initialised by one thread before a barrier of the block. */
static __device__ inline void make_barrier(unsigned long long *barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.mbarrier_init.release.cluster;" ::"r"(address_of(barrier)),
               "r"(arrivals)
               : "memory");
}
static __device__ inline void expect(unsigned long long *barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(barrier)), "r"(bytes) : "memory");
}
static __device__ inline void arrive(unsigned long long *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(barrier)) : "memory");
}
static __device__ inline void wait(unsigned long long *barrier, int parity) {
  asm volatile("{ .reg .pred done;\n"
               "WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "  @done bra ON;\n"
               "  bra WAIT;\n"
               "ON: }" ::"r"(address_of(barrier)),
               "r"(parity)
               : "memory");
}

#define LOAD(to, map, barrier, rank, coordinates, ...)                                                       \
  asm volatile("cp.async.bulk.tensor." rank "d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%2, {" coordinates   \
               "}], [%1];" ::"r"(address_of(to)),                                                            \
               "r"(address_of(barrier)), "l"(map), __VA_ARGS__                                               \
               : "memory")
static __device__ inline void load(void *to, const TensorMap *map, unsigned long long *barrier, int x) {
  LOAD(to, map, barrier, "1", "%3", "r"(x));
}
static __device__ inline void load(void *to, const TensorMap *map, unsigned long long *barrier, int x, int y) {
  LOAD(to, map, barrier, "2", "%3, %4", "r"(x), "r"(y));
}
static __device__ inline void load(void *to, const TensorMap *map, unsigned long long *barrier, int x, int y, int z) {
  LOAD(to, map, barrier, "3", "%3, %4, %5", "r"(x), "r"(y), "r"(z));
}
static __device__ inline void load(void *to, const TensorMap *map, unsigned long long *barrier, int x, int y, int z, int u) {
  LOAD(to, map, barrier, "4", "%3, %4, %5, %6", "r"(x), "r"(y), "r"(z), "r"(u));
}
static __device__ inline void load(void *to, const TensorMap *map, unsigned long long *barrier, int x, int y, int z, int u,
                                   int v) {
  LOAD(to, map, barrier, "5", "%3, %4, %5, %6, %7", "r"(x), "r"(y), "r"(z), "r"(u), "r"(v));
}

/* A box from shared memory: stored, or reduced by one of the operations 1 to 8. */
static __device__ inline void send(const TensorMap *map, const void *from, int x, int y, int operation) {
#define SEND(instruction)                                                                                    \
  asm volatile(instruction " [%0, {%1, %2}], [%3];" ::"l"(map), "r"(x), "r"(y), "r"(address_of(from)) : "memory")
#define REDUCE(name) SEND("cp.reduce.async.bulk.tensor.2d.global.shared::cta." name ".tile.bulk_group")
  switch (operation) {
  case 0:
    SEND("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group");
    break;
  case 1:
    REDUCE("add");
    break;
  case 2:
    REDUCE("min");
    break;
  case 3:
    REDUCE("max");
    break;
  case 4:
    REDUCE("and");
    break;
  case 5:
    REDUCE("or");
    break;
  case 6:
    REDUCE("xor");
    break;
  case 7:
    REDUCE("inc");
    break;
  default:
    REDUCE("dec");
  }
}

/* Waits for the arrival of this thread's stores to global memory. */
static __device__ inline void finish_stores() {
  asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}
#endif

#endif
