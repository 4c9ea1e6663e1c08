/* A linear layer driven by spikes: current[r][n] = Σ_i s[r][i]·w[i][n], for rows r (batch times steps).
 * Spikes are signed bytes [rows][inputs], 0, 1 or −1; weights [inputs][outputs], fp32, half or bf16;
 * currents [rows][outputs], fp32. A spike times a weight is an addition or a subtraction, never a product,
 * except in the dense kernel: there it is a multiply-add over all inputs, whatever fires.
 *
 *   linear_dense      a tiled product over all inputs; slices of the inputs give partial currents
 *                     [slices][rows][outputs], which sum_slices adds
 *   linear_events     adds the weight rows of an event list (compact_rows): no atomics, one order of sums
 *   linear_scatter    straight from spikes: each synapse of a spike is one float atomic
 *   linear_input_gradient    dX[r][i] = Σ_n dY[r][n]·w[i][n]: dense
 *   linear_weight_gradient   dW[i][n] = Σ_{r: s[r][i] ≠ 0} dY[r][n], from bits (pack_columns) of spikes 0, 1
 *
 * Counts for R rows, I inputs, N outputs, weights of b bytes. E spikes make E·N accumulates:
 *   linear_dense      P = ceil(R/M), Q = ceil(N/64) tiles of M = 16·RowsOfThread rows: product.cuh for
 *                     (R, N, I), and global load P·b·I·N + Q·R·I, store 4·R·N·slices
 *   linear_events     add E·N (linear.accumulate) and 7·R·N (linear.reduce, the sums of 8 warps)
 *                     a lane takes c = 16/b outputs (1 where N is no multiple of that), a tile 32·c:
 *                     global load b·E·N + 4·E·N/c + 1024·R·tiles, store 4·R·N
 *                     shared load and store 32·R·N
 *   linear_scatter    accumulate E·N;  global load 32·R·I + b·E·N, atomic 4·E·N
 *   linear_weight_gradient   add E·N;  G = ceil(R/32): global load 4·E·N + 4·G·I·N, store 4·I·N
 * Unique bytes of the event-driven kernels depend on the touched weight rows, lists and gradients.
 */
#ifndef GPUPROF_KERNELS_LINEAR_CUH
#define GPUPROF_KERNELS_LINEAR_CUH

#include "events.cuh"
#include "product.cuh"
#include "weights.cuh"

/* Grid: (ceil(outputs / 64), ceil(rows / (16·RowsOfThread)), ceil(inputs / slice)); kProductThreads threads.
 */
#pragma gpuprof region("linear.dense") phase(forward) category(snn)
template <int RowsOfThread, class Weight>
__global__ void __launch_bounds__(kProductThreads)
    linear_dense(const signed char *__restrict__ spikes, const Weight *__restrict__ weight,
                 float *__restrict__ current, int rows, int inputs, int outputs, int slice) {
  const int begin = blockIdx.z * slice, end = inputs - begin < slice ? inputs : begin + slice;
  float *out = current + (size_t)blockIdx.z * rows * outputs;
  product_tile<RowsOfThread, false>(
      [=](int r, int i) { return r < rows ? (float)spikes[(size_t)r * inputs + i] : 0.0f; },
      [=](int i, int n) { return n < outputs ? snn_float(weight[(size_t)i * outputs + n]) : 0.0f; },
      [=](int r, int n, float sum) {
        if (r < rows && n < outputs)
          out[(size_t)r * outputs + n] = sum;
      },
      blockIdx.y * kProductSide * RowsOfThread, blockIdx.x * kProductColumns, begin, end);
  const int values = threadIdx.x == 0 ? product_tile_values<RowsOfThread>(rows, outputs) : 0;
#pragma gpuprof synapse(values, end - begin) multiply inputs(values)
}

/* Sums the partial currents of linear_dense. A thread a value. */
#pragma gpuprof region("linear.sum_slices") phase(forward) category(snn)
__global__ void sum_slices(const float *__restrict__ partial, float *__restrict__ current, size_t number,
                           int slices) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= number)
    return;
  float sum = partial[i];
  for (int s = 1; s < slices; ++s)
    sum += partial[(size_t)s * number + i];
  current[i] = sum;
}

/* Adds the weight rows of `Number` events, kEventWarps apart. All are loaded
 * before any is added: the loads overlap. `weight` begins at the lane's column. */
template <int Number, class Weight, int Columns>
__device__ __forceinline__ void accumulate_events(const int *list, const Weight *weight, size_t outputs,
                                                  float (&sum)[Columns]) {
  int event[Number];
  float row[Number][Columns];
#pragma unroll
  for (int j = 0; j < Number; ++j)
    event[j] = list[j * kEventWarps];
#pragma unroll
  for (int j = 0; j < Number; ++j)
    load_weights(weight + event_input(event[j]) * outputs, row[j]);
#pragma unroll
  for (int j = 0; j < Number; ++j)
    accumulate_weights(row[j], event[j] < 0, sum);
}

/* Vectors: outputs are a multiple of 4 (fp32) or 8 (half). Grid: (ceil(outputs / LaneColumns::kTile), rows),
 * kEventBlock threads. Each warp takes each eighth event. */
#pragma gpuprof region("linear.events") phase(forward) category(snn)
template <class Weight, bool Vectors>
__global__ void __launch_bounds__(kEventBlock)
    linear_events(const int *__restrict__ events, const int *__restrict__ counts,
                  const Weight *__restrict__ weight, float *__restrict__ current, int inputs, int outputs) {
  typedef LaneColumns<Weight, Vectors> Lanes;
  __shared__ float partial[kEventWarps][Lanes::kTile];
  const int warp = threadIdx.x / kWarp, first = blockIdx.x * Lanes::kTile;
  const int columns = outputs - first < Lanes::kTile ? outputs - first : Lanes::kTile;
  const int own = threadIdx.x % kWarp * Lanes::kColumns; // within the tile
  const int arrived = counts[blockIdx.y];
  const int *list = events + (size_t)blockIdx.y * inputs;
  float sum[Lanes::kColumns];
#pragma unroll
  for (int k = 0; k < Lanes::kColumns; ++k)
    sum[k] = 0.0f;
  if (own < columns) {
    const Weight *from = weight + first + own;
#pragma gpuprof region("linear.accumulate") phase(forward) category(snn)
    {
      int e = warp;
      for (; e + 3 * kEventWarps < arrived; e += 4 * kEventWarps)
        accumulate_events<4>(list + e, from, (size_t)outputs, sum);
      for (; e < arrived; e += kEventWarps)
        accumulate_events<1>(list + e, from, (size_t)outputs, sum);
      const int added = arrived > warp ? (arrived - warp + kEventWarps - 1) / kEventWarps : 0;
#pragma gpuprof synapse(added, Lanes::kColumns) inputs(warp == 0 ? inputs : 0)
    }
#pragma unroll
    for (int k = 0; k < Lanes::kColumns; ++k)
      partial[warp][own + k] = sum[k];
  }
  __syncthreads();
#pragma gpuprof region("linear.reduce") phase(forward) category(snn)
  for (int n = threadIdx.x; n < columns; n += kEventBlock) {
    float total = partial[0][n];
#pragma unroll
    for (int w = 1; w < kEventWarps; ++w)
      total += partial[w][n];
    current[(size_t)blockIdx.y * outputs + first + n] = total;
  }
}

/* Currents are 0 before. Grid: (ceil(inputs / kEventWarps), rows), kEventBlock threads: a warp an input. */
#pragma gpuprof region("linear.scatter") phase(forward) category(snn)
template <class Weight>
__global__ void __launch_bounds__(kEventBlock)
    linear_scatter(const signed char *__restrict__ spikes, const Weight *__restrict__ weight, float *current,
                   int inputs, int outputs) {
  const int input = blockIdx.x * kEventWarps + threadIdx.x / kWarp;
  if (input >= inputs)
    return;
  const int spike = spikes[(size_t)blockIdx.y * inputs + input];
  const int first_lane = threadIdx.x % kWarp == 0;
#pragma gpuprof synapse(first_lane & (spike != 0), outputs) inputs(first_lane)
  if (spike == 0)
    return;
  for (int n = threadIdx.x % kWarp; n < outputs; n += kWarp) {
    float one = snn_float(weight[(size_t)input * outputs + n]);
    atomicAdd(&current[(size_t)blockIdx.y * outputs + n], spike < 0 ? -one : one);
  }
}

/* Grid: (ceil(inputs / 64), ceil(rows / (16·RowsOfThread))), kProductThreads threads. */
#pragma gpuprof region("linear.input_gradient") phase(backward) category(snn)
template <int RowsOfThread, class Weight>
__global__ void __launch_bounds__(kProductThreads)
    linear_input_gradient(const float *__restrict__ gradient, const Weight *__restrict__ weight,
                          float *__restrict__ input_gradient, int rows, int inputs, int outputs) {
  product_tile<RowsOfThread, true>(
      [=](int r, int n) { return r < rows ? gradient[(size_t)r * outputs + n] : 0.0f; },
      [=](int n, int i) { return i < inputs ? snn_float(weight[(size_t)i * outputs + n]) : 0.0f; },
      [=](int r, int i, float sum) {
        if (r < rows && i < inputs)
          input_gradient[(size_t)r * inputs + i] = sum;
      },
      blockIdx.y * kProductSide * RowsOfThread, blockIdx.x * kProductColumns, 0, outputs);
}

/* `columns` are the bits [ceil(rows/32)][inputs] of pack_columns. Grid: (inputs, ceil(outputs /
 * kEventBlock)). */
#pragma gpuprof region("linear.weight_gradient") phase(backward) category(snn)
__global__ void __launch_bounds__(kEventBlock)
    linear_weight_gradient(const unsigned *__restrict__ columns, const float *__restrict__ gradient,
                           float *__restrict__ weight_gradient, int rows, int inputs, int outputs) {
  const int n = blockIdx.y * kEventBlock + threadIdx.x;
  if (n >= outputs)
    return;
  float sum = 0.0f;
  for (int first = 0; first < rows; first += kWarp)
    for (unsigned left = columns[(size_t)(first / kWarp) * inputs + blockIdx.x]; left; left &= left - 1) {
      sum += gradient[(size_t)(first + __ffs((int)left) - 1) * outputs + n];
#pragma gpuprof synapse(1, 1) inputs(0)
    }
#pragma gpuprof synapse(0, 1) inputs(rows)
  weight_gradient[(size_t)blockIdx.x * outputs + n] = sum;
}

/* ---- Counts ---- */

inline ClosedForm linear_dense_cost(uint64_t rows, uint64_t inputs, uint64_t outputs, uint64_t slice,
                                    uint64_t rows_of_thread, uint64_t weight_bytes) {
  ClosedForm cost = product_cost(rows, outputs, inputs, slice, rows_of_thread);
  uint64_t row_tiles = ceil_div(rows, kProductSide * rows_of_thread),
           column_tiles = ceil_div(outputs, kProductColumns);
  uint64_t slices = ceil_div(inputs, slice);
  cost.global_load = row_tiles * inputs * outputs * weight_bytes + column_tiles * rows * inputs;
  cost.global_store = 4 * rows * outputs * slices;
  cost.unique = sectors_of(rows * inputs) + sectors_of(inputs * outputs * weight_bytes) +
                sectors_of(4 * rows * outputs * slices);
  cost.synaptic_multiply_accumulates = cost.synaptic_possible = rows * inputs * outputs;
  return cost;
}

inline ClosedForm sum_slices_cost(uint64_t number, uint64_t slices, uint64_t block) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = ceil_div(number, block) * block;
  cost.add = number * (slices - 1);
  cost.global_load = 4 * number * slices;
  cost.global_store = 4 * number;
  cost.unique = sectors_of(4 * number * slices) + sectors_of(4 * number);
  return cost;
}

/* Sectors of the weight rows needed by any spike. */
inline uint64_t weight_rows_touched(const signed char *spikes, uint64_t rows, uint64_t inputs,
                                    uint64_t row_bytes) {
  Sectors sectors;
  for (uint64_t i = 0; i < rows * inputs; ++i)
    if (spikes[i])
      sectors.add(i % inputs * row_bytes, row_bytes);
  return sectors.bytes();
}

/* `whole` is the kernel; its two regions lie inside. */
struct LinearEventsCost {
  ClosedForm accumulate, reduce, whole;
};

inline LinearEventsCost linear_events_cost(const signed char *spikes, uint64_t rows, uint64_t inputs,
                                           uint64_t outputs, uint64_t weight_bytes, bool vectors) {
  LinearEventsCost cost = {};
  uint64_t events = spikes_in(spikes, rows * inputs), columns = vectors ? 16 / weight_bytes : 1,
           tile = kWarp * columns;
  uint64_t tiles = ceil_div(outputs, tile), lanes = 0;
  for (uint64_t first = 0; first < outputs; first += tile) {
    uint64_t left = outputs - first < tile ? outputs - first : tile;
    lanes += left / columns;
  }
  cost.accumulate.add = cost.accumulate.synaptic_accumulates = events * outputs;
  cost.accumulate.global_load = events * outputs * weight_bytes + 4 * events * lanes;
  cost.reduce.add = (kEventWarps - 1) * rows * outputs;
  cost.reduce.shared_load = 4 * kEventWarps * rows * outputs;
  cost.reduce.global_store = 4 * rows * outputs;

  ClosedForm outside = {};
  outside.launches = 1;
  outside.threads = rows * tiles * kEventBlock;
  outside.global_load = 4 * outside.threads;
  outside.shared_store = 4 * kEventWarps * rows * outputs;
  Sectors lists;
  for (uint64_t r = 0; r < rows; ++r)
    lists.add(4 * r * inputs, 4 * spikes_in(spikes + r * inputs, inputs));
  outside.unique = lists.bytes() + sectors_of(4 * rows) + sectors_of(4 * rows * outputs) +
                   weight_rows_touched(spikes, rows, inputs, outputs * weight_bytes);
  cost.accumulate.synaptic_possible = rows * inputs * outputs;
  cost.whole = outside + cost.accumulate + cost.reduce;
  return cost;
}

inline ClosedForm linear_scatter_cost(const signed char *spikes, uint64_t rows, uint64_t inputs,
                                      uint64_t outputs, uint64_t weight_bytes) {
  ClosedForm cost = {};
  uint64_t operations = spikes_in(spikes, rows * inputs) * outputs;
  Sectors currents;
  for (uint64_t r = 0; r < rows; ++r)
    if (spikes_in(spikes + r * inputs, inputs))
      currents.add(4 * r * outputs, 4 * outputs);
  cost.launches = 1;
  cost.threads = rows * ceil_div(inputs, kEventWarps) * kEventBlock;
  cost.accumulate = cost.synaptic_accumulates = operations;
  cost.synaptic_possible = rows * inputs * outputs;
  cost.global_load = kWarp * rows * inputs + weight_bytes * operations;
  cost.global_atomic = 4 * operations;
  cost.unique = sectors_of(rows * inputs) + currents.bytes() +
                weight_rows_touched(spikes, rows, inputs, outputs * weight_bytes);
  return cost;
}

inline ClosedForm linear_input_gradient_cost(uint64_t rows, uint64_t inputs, uint64_t outputs,
                                             uint64_t rows_of_thread, uint64_t weight_bytes) {
  ClosedForm cost = product_cost(rows, inputs, outputs, outputs, rows_of_thread);
  uint64_t row_tiles = ceil_div(rows, kProductSide * rows_of_thread),
           column_tiles = ceil_div(inputs, kProductColumns);
  cost.global_load = row_tiles * inputs * outputs * weight_bytes + 4 * column_tiles * rows * outputs;
  cost.global_store = 4 * rows * inputs;
  cost.unique = sectors_of(4 * rows * outputs) + sectors_of(inputs * outputs * weight_bytes) +
                sectors_of(4 * rows * inputs);
  return cost;
}

inline ClosedForm linear_weight_gradient_cost(const signed char *spikes, uint64_t rows, uint64_t inputs,
                                              uint64_t outputs) {
  ClosedForm cost = {};
  uint64_t operations = spikes_in(spikes, rows * inputs) * outputs, groups = ceil_div(rows, kWarp);
  Sectors gradients;
  for (uint64_t r = 0; r < rows; ++r)
    if (spikes_in(spikes + r * inputs, inputs))
      gradients.add(4 * r * outputs, 4 * outputs);
  cost.launches = 1;
  cost.threads = inputs * ceil_div(outputs, kEventBlock) * kEventBlock;
  cost.add = cost.synaptic_accumulates = operations;
  cost.synaptic_possible = rows * inputs * outputs;
  cost.global_load = 4 * operations + 4 * groups * inputs * outputs;
  cost.global_store = 4 * inputs * outputs;
  cost.unique = gradients.bytes() + sectors_of(4 * groups * inputs) + sectors_of(4 * inputs * outputs);
  return cost;
}

#endif
