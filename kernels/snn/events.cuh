/* Spikes of a time step as event lists and as bits. A spike is a signed byte: 1, −1 (ternary networks) or 0.
 *
 *   event     index i of an input that fired 1, or ~i of one that fired −1
 *   compact   spikes [rows][inputs] → events [rows][inputs], of which row r has counts[r],
 *             in the order of inputs
 *   pack      spikes [rows][inputs] → words [rows][ceil(inputs/32)]:
 *             bit i%32 of word i/32 is set where input i fired
 *   columns   spikes [batch][rows][inputs] → words [batch][ceil(rows/32)][inputs]:
 *             bit r%32 of word r/32, for each input
 *
 * Counts for R rows of I inputs, E spikes, batch B; no floating-point operation:
 *   compact_rows      global load R·I, store 4·E + 4·R
 *                     C = R·ceil(I/4096): shared store 32·C, load 8192·C
 *   compact_events    all inputs in one list, of no fixed order: global load I, store 4·E
 *                     W warps have a spike: atomic_ops W, atomic 4·W
 *   pack_rows         global load R·I, store 4·R·ceil(I/32)
 *   pack_columns      global load B·R·I, store 4·B·ceil(R/32)·I
 */
#ifndef GPUPROF_KERNELS_EVENTS_CUH
#define GPUPROF_KERNELS_EVENTS_CUH

#include "../closed_form.h"
#include "sectors.h"

enum : unsigned { kWholeWarp = 0xffffffffu };
enum { kWarp = 32, kEventBlock = 256, kEventWarps = kEventBlock / kWarp };
/* Inputs of a thread, and of a block, of compact_rows: 16 bytes are one load. */
enum { kCompactSegment = 16, kCompactTile = kEventBlock * kCompactSegment };

__host__ __device__ inline int event_input(int event) { return event < 0 ? ~event : event; }
__host__ __device__ inline int event_of(int input, bool negative) { return negative ? ~input : input; }

/* The number of lanes before this one whose bit is set. */
__device__ __forceinline__ int lanes_before(unsigned ballot) {
  return __popc(ballot & ((1u << (threadIdx.x % kWarp)) - 1u));
}

/* Takes room in a list for the lanes with an event, by one atomic a warp. Returns the lane's place. */
__device__ __forceinline__ int warp_reserve(bool has, int *count) {
  unsigned ballot = __ballot_sync(kWholeWarp, has);
  int first = 0;
  if (threadIdx.x % kWarp == 0 && ballot)
    first = atomicAdd(count, __popc(ballot));
  return __shfl_sync(kWholeWarp, first, 0) + lanes_before(ballot);
}

/* The sum over this lane and the lower ones. */
__device__ __forceinline__ int warp_running_sum(int value) {
  int lane = threadIdx.x % kWarp;
#pragma unroll
  for (int distance = 1; distance < kWarp; distance *= 2) {
    int before = __shfl_up_sync(kWholeWarp, value, distance);
    value += lane >= distance ? before : 0;
  }
  return value;
}

/* The product of two vectors of bits. */
template <int Words>
__device__ __forceinline__ int popc_dot(const unsigned (&a)[Words], const unsigned (&b)[Words]) {
  int sum = 0;
#pragma unroll
  for (int w = 0; w < Words; ++w)
    sum += __popc(a[w] & b[w]);
  return sum;
}

/* Bits of the spikes of one thread's segment. */
struct SpikeSegment {
  unsigned fired, negative;
};

__device__ __forceinline__ void segment_add(SpikeSegment &segment, int place, int spike) {
  segment.fired |= (unsigned)(spike != 0) << place;
  segment.negative |= (unsigned)(spike < 0) << place;
}

__device__ __forceinline__ SpikeSegment segment_load(const signed char *spikes, int first, int inputs) {
  SpikeSegment segment = {0, 0};
  if (inputs % kCompactSegment == 0) { // rows are aligned, and a segment is whole or empty
    if (first < inputs) {
      uint4 four = *reinterpret_cast<const uint4 *>(spikes + first);
      const unsigned words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (int k = 0; k < kCompactSegment; ++k)
        segment_add(segment, k, (signed char)(words[k / 4] >> 8 * (k % 4)));
    }
    return segment;
  }
#pragma unroll
  for (int k = 0; k < kCompactSegment; ++k)
    if (first + k < inputs)
      segment_add(segment, k, spikes[first + k]);
  return segment;
}

/* Grid: a block of kEventBlock threads a row. */
#pragma gpuprof region("events.compact") phase(forward) category(snn)
__global__ void __launch_bounds__(kEventBlock)
    compact_rows(const signed char *__restrict__ spikes, int *__restrict__ events, int *__restrict__ counts,
                 int inputs) {
  __shared__ int totals[kEventWarps];
  const int warp = threadIdx.x / kWarp;
  const signed char *row = spikes + (size_t)blockIdx.x * inputs;
  int *list = events + (size_t)blockIdx.x * inputs;
  int found = 0;
  for (int tile = 0; tile < inputs; tile += kCompactTile) {
    const int first = tile + threadIdx.x * kCompactSegment;
    SpikeSegment segment = segment_load(row, first, inputs);
    int own = __popc(segment.fired), sum = warp_running_sum(own);
    if (threadIdx.x % kWarp == kWarp - 1)
      totals[warp] = sum;
    __syncthreads();
    int place = found + sum - own;
#pragma unroll
    for (int w = 0; w < kEventWarps; ++w) {
      int total = totals[w];
      place += w < warp ? total : 0;
      found += total;
    }
    __syncthreads();
    for (unsigned left = segment.fired; left; left &= left - 1) {
      int k = __ffs((int)left) - 1;
      list[place++] = event_of(first + k, segment.negative >> k & 1u);
    }
  }
  if (threadIdx.x == 0)
    counts[blockIdx.x] = found;
}

/* One list of all inputs; the caller sets *count to 0. Grid: a thread an input, kEventBlock threads a block.
 */
#pragma gpuprof region("events.compact_flat") phase(forward) category(snn)
__global__ void __launch_bounds__(kEventBlock)
    compact_events(const signed char *__restrict__ spikes, int *__restrict__ events, int *count, int inputs) {
  int input = blockIdx.x * kEventBlock + threadIdx.x;
  int spike = input < inputs ? spikes[input] : 0;
  int place = warp_reserve(spike != 0, count);
  if (spike != 0)
    events[place] = event_of(input, spike < 0);
}

/* Grid: (ceil(inputs / kEventBlock), rows). */
#pragma gpuprof region("events.pack") phase(forward) category(snn)
__global__ void __launch_bounds__(kEventBlock)
    pack_rows(const signed char *__restrict__ spikes, unsigned *__restrict__ words, int inputs) {
  int input = blockIdx.x * kEventBlock + threadIdx.x;
  bool fired = input < inputs && spikes[(size_t)blockIdx.y * inputs + input] != 0;
  unsigned word = __ballot_sync(kWholeWarp, fired);
  if (threadIdx.x % kWarp == 0 && input < inputs)
    words[(size_t)blockIdx.y * ((inputs + kWarp - 1) / kWarp) + input / kWarp] = word;
}

/* Grid: (ceil(inputs / kEventBlock), ceil(rows / 32), batch). */
#pragma gpuprof region("events.pack_columns") phase(forward) category(snn)
__global__ void __launch_bounds__(kEventBlock)
    pack_columns(const signed char *__restrict__ spikes, unsigned *__restrict__ words, int rows, int inputs) {
  int input = blockIdx.x * kEventBlock + threadIdx.x, first = blockIdx.y * kWarp;
  if (input >= inputs)
    return;
  int end = rows - first < kWarp ? rows - first : kWarp;
  const signed char *from = spikes + ((size_t)blockIdx.z * rows + first) * inputs + input;
  unsigned word = 0;
  for (int r = 0; r < end; ++r)
    word |= (unsigned)(from[(size_t)r * inputs] != 0) << r;
  words[((size_t)blockIdx.z * gridDim.y + blockIdx.y) * inputs + input] = word;
}

/* ---- Counts ---- */

inline uint64_t spikes_in(const signed char *spikes, uint64_t number) {
  uint64_t fired = 0;
  for (uint64_t i = 0; i < number; ++i)
    fired += spikes[i] != 0;
  return fired;
}

inline ClosedForm compact_rows_cost(const signed char *spikes, uint64_t rows, uint64_t inputs) {
  ClosedForm cost = {};
  uint64_t events = spikes_in(spikes, rows * inputs), tiles = rows * ceil_div(inputs, kCompactTile);
  Sectors lists;
  for (uint64_t r = 0; r < rows; ++r)
    lists.add(4 * r * inputs, 4 * spikes_in(spikes + r * inputs, inputs));
  cost.launches = 1;
  cost.threads = rows * kEventBlock;
  cost.global_load = rows * inputs;
  cost.global_store = 4 * events + 4 * rows;
  cost.shared_store = 4 * kEventWarps * tiles;
  cost.shared_load = 4 * kEventWarps * kEventBlock * tiles;
  cost.unique = sectors_of(rows * inputs) + lists.bytes() + sectors_of(4 * rows);
  return cost;
}

inline ClosedForm compact_events_cost(const signed char *spikes, uint64_t inputs) {
  ClosedForm cost = {};
  uint64_t events = spikes_in(spikes, inputs);
  for (uint64_t i = 0; i < inputs; i += kWarp)
    cost.atomic_ops += spikes_in(spikes + i, inputs - i < kWarp ? inputs - i : kWarp) > 0;
  cost.launches = 1;
  cost.threads = ceil_div(inputs, kEventBlock) * kEventBlock;
  cost.global_load = inputs;
  cost.global_store = 4 * events;
  cost.global_atomic = 4 * cost.atomic_ops;
  cost.unique = sectors_of(inputs) + sectors_of(4 * events) + (events ? 32 : 0);
  return cost;
}

inline ClosedForm pack_rows_cost(uint64_t rows, uint64_t inputs) {
  ClosedForm cost = {};
  uint64_t words = rows * ceil_div(inputs, kWarp);
  cost.launches = 1;
  cost.threads = rows * ceil_div(inputs, kEventBlock) * kEventBlock;
  cost.global_load = rows * inputs;
  cost.global_store = 4 * words;
  cost.unique = sectors_of(rows * inputs) + sectors_of(4 * words);
  return cost;
}

inline ClosedForm pack_columns_cost(uint64_t batch, uint64_t rows, uint64_t inputs) {
  ClosedForm cost = {};
  uint64_t groups = batch * ceil_div(rows, kWarp);
  cost.launches = 1;
  cost.threads = groups * ceil_div(inputs, kEventBlock) * kEventBlock;
  cost.global_load = batch * rows * inputs;
  cost.global_store = 4 * groups * inputs;
  cost.unique = sectors_of(batch * rows * inputs) + sectors_of(4 * groups * inputs);
  return cost;
}

#endif
