/* What the kernels of spiking layers share: element types, and the neurons that a thread takes.
 * Arrays over time are [steps][stride], of which the first `neurons` of each row are used; stride ≥ neurons.
 * Elements are float, SnnHalf or SnnBfloat16; arithmetic and state are fp32 for all of them.
 *
 * A thread takes as many neurons as 16 bytes hold: 4 floats or 8 halves.
 *   Neighbours   one 128-bit access a row. Rows must begin at multiples of 16 bytes: pad the stride.
 *   BlockApart   for rows that begin anywhere: 4 or 8 accesses of one element, a block's width apart, so that a
 *                warp's lanes are neighbours and as many bytes are in flight
 * The neurons that are left over take one thread each, in blocks of their own. These come first, so that the launch does
 * not end on them.
 */
#ifndef GPUPROF_KERNELS_SNN_NEURONS_CUH
#define GPUPROF_KERNELS_SNN_NEURONS_CUH

#include "../closed_form.h"
#include "../elements.cuh"

typedef Fp16 SnnHalf;
typedef Bf16 SnnBfloat16;

/* ---- Elements and floats; conversions round to nearest even ---- */

__device__ __forceinline__ float snn_float(float element) { return element; }
__device__ __forceinline__ float snn_float(SnnHalf element) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(element.bits));
  return value;
}
__device__ __forceinline__ float snn_float(SnnBfloat16 element) {
  return __uint_as_float((unsigned)element.bits << 16);
}

/* Two floats in a word, the first in its lower half. Both at once (sm_80 and later): GPUs convert a single one at an eighth
 * of the rate, in the special-function unit. */
template <typename Element> __device__ __forceinline__ unsigned snn_pair(float low, float high);
template <> __device__ __forceinline__ unsigned snn_pair<SnnHalf>(float low, float high) {
  unsigned pair;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  asm("{ .reg .b16 low, high; cvt.rn.f16.f32 low, %1; cvt.rn.f16.f32 high, %2; mov.b32 %0, {low, high}; }"
      : "=r"(pair)
      : "f"(low), "f"(high));
#else
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
#endif
  return pair;
}
template <> __device__ __forceinline__ unsigned snn_pair<SnnBfloat16>(float low, float high) {
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
template <typename Element> __device__ __forceinline__ Element snn_element(float value) {
  return Element{(unsigned short)snn_pair<Element>(value, 0.0f)};
}
template <> __device__ __forceinline__ float snn_element<float>(float value) { return value; }

/* The value as far as an array of elements can hold it. */
template <typename Element> __device__ __forceinline__ float snn_rounded(float value) {
  return snn_float(snn_element<Element>(value));
}

/* ---- 16 bytes of neighbours ---- */

template <typename Element> struct SnnPack {
  enum { kLanes = 8 };
  uint4 words;

  __device__ __forceinline__ static void unpack(unsigned word, float *values) {
    values[0] = snn_float(Element{(unsigned short)word});
    values[1] = snn_float(Element{(unsigned short)(word >> 16)});
  }
  __device__ __forceinline__ static unsigned pack(const float *values) {
    return snn_pair<Element>(values[0], values[1]);
  }
  __device__ __forceinline__ void load(const Element *from) { words = *(const uint4 *)from; }
  __device__ __forceinline__ void read(float (&values)[kLanes]) const {
    unpack(words.x, values), unpack(words.y, values + 2);
    unpack(words.z, values + 4), unpack(words.w, values + 6);
  }
  __device__ __forceinline__ static void store(Element *to, const float (&values)[kLanes]) {
    *(uint4 *)to = make_uint4(pack(values), pack(values + 2), pack(values + 4), pack(values + 6));
  }
};

template <> struct SnnPack<float> {
  enum { kLanes = 4 };
  float4 four;

  __device__ __forceinline__ void load(const float *from) { four = *(const float4 *)from; }
  __device__ __forceinline__ void read(float (&values)[kLanes]) const {
    values[0] = four.x, values[1] = four.y, values[2] = four.z, values[3] = four.w;
  }
  __device__ __forceinline__ static void store(float *to, const float (&values)[kLanes]) {
    *(float4 *)to = make_float4(values[0], values[1], values[2], values[3]);
  }
};

/* ---- The neurons of a thread: each loads an element's row into a `Row`, read on use ---- */

template <typename Element> struct SnnNeighbours {
  enum { kLanes = SnnPack<Element>::kLanes, kTogether = 4 };
  typedef SnnPack<Element> Row;
  size_t first;

  __device__ __forceinline__ size_t at(int lane) const { return first + lane; }
  __device__ __forceinline__ void load(Row &row, const Element *from) const { row.load(from + first); }
  __device__ __forceinline__ void read(const Row &row, float (&values)[kLanes]) const { row.read(values); }
  __device__ __forceinline__ void store(Element *to, const float (&values)[kLanes]) const {
    Row::store(to + first, values);
  }
  /* Spikes as signed bytes, the input of event-driven layers. */
  __device__ __forceinline__ void store(signed char *to, const float (&values)[kLanes]) const {
#pragma unroll
    for (int k = 0; k < kLanes; k += 4)
      *(char4 *)(to + first + k) = make_char4((signed char)values[k], (signed char)values[k + 1],
                                              (signed char)values[k + 2], (signed char)values[k + 3]);
  }
  /* State: floats, whatever the elements are. */
  __device__ __forceinline__ void load_state(const float *from, float (&values)[kLanes]) const {
#pragma unroll
    for (int k = 0; k < kLanes; k += 4) {
      const float4 four = *(const float4 *)(from + first + k);
      values[k] = four.x, values[k + 1] = four.y, values[k + 2] = four.z, values[k + 3] = four.w;
    }
  }
  __device__ __forceinline__ void store_state(float *to, const float (&values)[kLanes]) const {
#pragma unroll
    for (int k = 0; k < kLanes; k += 4)
      *(float4 *)(to + first + k) = make_float4(values[k], values[k + 1], values[k + 2], values[k + 3]);
  }
};

/* `Count` neurons, a block's width apart. */
template <typename Element, int Count> struct SnnApart {
  enum { kLanes = Count, kTogether = 1 };
  struct Row {
    Element element[Count];
  };
  size_t first;

  __device__ __forceinline__ size_t at(int lane) const { return first + (size_t)lane * blockDim.x; }
  __device__ __forceinline__ void load(Row &row, const Element *from) const {
#pragma unroll
    for (int k = 0; k < kLanes; ++k)
      row.element[k] = from[at(k)];
  }
  __device__ __forceinline__ void read(const Row &row, float (&values)[kLanes]) const {
#pragma unroll
    for (int k = 0; k < kLanes; ++k)
      values[k] = snn_float(row.element[k]);
  }
  __device__ __forceinline__ void store(Element *to, const float (&values)[kLanes]) const {
#pragma unroll
    for (int k = 0; k < kLanes; ++k)
      to[at(k)] = snn_element<Element>(values[k]);
  }
  __device__ __forceinline__ void store(signed char *to, const float (&values)[kLanes]) const {
#pragma unroll
    for (int k = 0; k < kLanes; ++k)
      to[at(k)] = (signed char)values[k];
  }
  __device__ __forceinline__ void load_state(const float *from, float (&values)[kLanes]) const {
#pragma unroll
    for (int k = 0; k < kLanes; ++k)
      values[k] = from[at(k)];
  }
  __device__ __forceinline__ void store_state(float *to, const float (&values)[kLanes]) const {
#pragma unroll
    for (int k = 0; k < kLanes; ++k)
      to[at(k)] = values[k];
  }
};

/* SnnAligned: all arrays and rows begin at multiples of 16 bytes. */
enum SnnLayout { SnnAligned, SnnUnaligned };

/* Runs `body` for this thread's neurons. A body is compiled twice: for a group, and for a neuron that is left
 * over. It is inlined whatever its size, since its state would be in local memory otherwise. */
template <typename Element, SnnLayout Layout, typename Body>
__device__ __forceinline__ void snn_for_neurons(size_t neurons, Body body) {
  enum { kLanes = SnnPack<Element>::kLanes };
  const size_t group = Layout == SnnAligned ? kLanes : (size_t)kLanes * blockDim.x;
  const size_t left_over = neurons % group, grouped = neurons - left_over;
  const size_t left_over_blocks = (left_over + blockDim.x - 1) / blockDim.x;
  if (blockIdx.x < left_over_blocks) {
    const size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (n < left_over) [[clang::always_inline]]
      body(SnnApart<Element, 1>{grouped + n});
    return;
  }
  const size_t block = blockIdx.x - left_over_blocks;
  if (Layout == SnnAligned) {
    const size_t first = (block * blockDim.x + threadIdx.x) * kLanes;
    if (first < grouped) [[clang::always_inline]]
      body(SnnNeighbours<Element>{first});
  } else {
    [[clang::always_inline]] body(SnnApart<Element, kLanes>{block * blockDim.x * kLanes + threadIdx.x});
  }
}

/* ---- Host: the layout, and the number of blocks ---- */

inline size_t snn_lanes(size_t element_bytes) { return 16 / element_bytes; }

/* Whether rows of this stride may be read 16 bytes at a time; arrays are cudaMalloc's. */
inline SnnLayout snn_layout(size_t stride, size_t element_bytes) {
  return stride * element_bytes % 16 == 0 ? SnnAligned : SnnUnaligned;
}
/* The least SnnAligned stride. */
inline size_t snn_aligned_stride(size_t neurons, size_t element_bytes) {
  return ceil_div(neurons, snn_lanes(element_bytes)) * snn_lanes(element_bytes);
}
inline size_t snn_blocks(size_t neurons, SnnLayout layout, size_t element_bytes, size_t block) {
  const size_t lanes = snn_lanes(element_bytes), group = layout == SnnAligned ? lanes : lanes * block;
  return ceil_div(neurons % group, block) + ceil_div(neurons / group * group, lanes * block);
}

#endif
