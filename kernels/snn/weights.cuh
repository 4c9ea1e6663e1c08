/* Weights of event-driven layers: float, SnnHalf or SnnBfloat16, loaded 16 bytes a lane and added up in fp32.
 */
#ifndef GPUPROF_KERNELS_WEIGHTS_CUH
#define GPUPROF_KERNELS_WEIGHTS_CUH

#include "events.cuh"
#include "neurons.cuh"

/* The columns of a lane: a vector of 16 bytes, or a single one. */
template <class Weight, bool Vectors> struct LaneColumns {
  enum { kColumns = Vectors ? (int)SnnPack<Weight>::kLanes : 1, kTile = kWarp * kColumns };
};

template <class Weight>
__device__ __forceinline__ void load_weights(const Weight *from, float (&weight)[SnnPack<Weight>::kLanes]) {
  SnnPack<Weight> pack;
  pack.load(from);
  pack.read(weight);
}
template <class Weight> __device__ __forceinline__ void load_weights(const Weight *from, float (&weight)[1]) {
  weight[0] = snn_float(*from);
}

/* Adds or takes off weights: the one place where a spike meets its synapses. */
template <int Columns>
__device__ __forceinline__ void accumulate_weights(const float (&weight)[Columns], bool negative,
                                                   float (&sum)[Columns]) {
#pragma unroll
  for (int k = 0; k < Columns; ++k)
    sum[k] += negative ? -weight[k] : weight[k];
}

#endif
