/* Cross-entropy of logits against target classes, forward and backward in one kernel.
 *
 *   loss_r = ln Σ exp(x) − x_target,   dx_c = weight·(exp(x_c)/Σ exp(x) − [c = target])
 *   A row whose target is `ignored` has loss 0 and gradients 0; its logits are not read. Without Ignores there is no such
 *   row, and the cost of a launch does not depend on its targets.
 *
 * logits, dlogits [rows][stride] elements (dlogits may be logits); targets [rows] ints; losses [rows] floats. `weight`
 * is 1/rows for a mean over all rows. A block of any multiple of 32 threads takes rows a grid apart, in two sweeps as
 * softmax_forward_long; Staged keeps an aligned row in shared memory between them, 16 bytes a pack.
 *
 * Closed form: R rows that count of A rows, C columns, T threads, N lanes a pack (1 if unaligned), U = R·⌈C/N⌉ packs:
 *   first sweep and between the sweeps as softmax_forward_long;   then mul R·T
 *   second sweep  mul U·N, fma U·N, special U·N, add R·N (unaligned: U; without Ignores: U·N)
 *   loss          add R, fma R, special R
 *   global load 8·A·T + E·R·(C + 1) (not staged: 4·A·T + E·R·(2C + 1)), store E·A·C + 4·A;   staged: shared load 32·U, store 16·U
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_CROSS_ENTROPY_CUH
#define GPUPROF_KERNELS_TRANSFORMER_CROSS_ENTROPY_CUH

#include "softmax.cuh"

struct CrossEntropyShape {
  size_t rows, stride;
  unsigned columns;
  int ignored;
  float weight;
};

#define CROSS_ENTROPY_LOG2E 1.4426950408889634f

#pragma gpuprof region("cross_entropy") phase(forward) category(loss)
template <bool Staged, RowLayout Layout, typename Element, bool Ignores = true>
__global__ void __launch_bounds__(1024)
    cross_entropy(const Element *logits, const int *__restrict__ targets, float *__restrict__ losses,
                  Element *dlogits, CrossEntropyShape shape) {
  static_assert(!Staged || Layout == RowAligned, "a staged unit is a pack");
  typedef RowUnit<Element, Layout> Unit;
  extern __shared__ uint4 row_units[];
  RowPack<Element> *staged = (RowPack<Element> *)row_units;
  __shared__ __align__(16) LongShared::Half of_warps[2];
  LongShared shared = {of_warps, 0};
  if constexpr (Staged)
    if (blockIdx.x < shape.rows && (!Ignores || targets[blockIdx.x] != shape.ignored))
      row_stage(logits + blockIdx.x * shape.stride, shape.columns, staged);
  for (size_t row = blockIdx.x; row < shape.rows; row += gridDim.x) {
    const Element *from = logits + row * shape.stride, *next = from + gridDim.x * shape.stride;
    const int target = targets[row];
    bool stage_next = false;
    if (Staged && row + gridDim.x < shape.rows)
      stage_next = !Ignores || targets[row + gridDim.x] != shape.ignored;
    if (Ignores && target == shape.ignored) {
      for (unsigned unit = threadIdx.x; unit < Unit::units(shape.columns); unit += blockDim.x) {
        float zeros[Unit::kLanes];
#pragma unroll
        for (int k = 0; k < Unit::kLanes; ++k)
          zeros[k] = 0.0f;
        Unit::store(dlogits + row * shape.stride, unit, shape.columns, zeros);
        if constexpr (Staged)
          if (stage_next)
            row_stage_pack(next, unit, shape.columns, staged + unit);
      }
      if (threadIdx.x == 0)
        losses[row] = 0.0f;
      continue;
    }
    float of_target = 0.0f; // read before dlogits, which may be logits, are written
    if (threadIdx.x == 0)
      of_target = snn_float(from[target]);
    if (Staged)
      row_stage_wait();
    RunningSum running = row_first_sweep<Staged, Layout, Element>(from, shape.columns, shape.columns,
                                                                  CROSS_ENTROPY_LOG2E, staged);
    float offset;
    const float total = running.total(CROSS_ENTROPY_LOG2E, shared, offset);
    const float factor = __fmul_rn(1.0f / total, shape.weight);
    if (threadIdx.x == 0)
      losses[row] = fmaf(row_log2(total), 0.6931471805599453f, running.largest) - of_target;
    row_sweep<Staged, true, Layout>(
        from, shape.columns, shape.columns, staged, [&](const RowPack<Element> &pack, unsigned unit) {
          float values[Unit::kLanes];
          Unit::read(pack, unit, shape.columns, values);
#pragma unroll
          for (int k = 0; k < Unit::kLanes; ++k)
            values[k] = __fmul_rn(row_exp2(fmaf(values[k], CROSS_ENTROPY_LOG2E, -offset)), factor);
          if (Unit::kLanes == 1 || !Ignores || (unsigned)target / Unit::kLanes == unit)
#pragma unroll
            for (int k = 0; k < Unit::kLanes; ++k)
              values[k] = values[k] - ((unsigned)target == unit * Unit::kLanes + k ? shape.weight : 0.0f);
          Unit::template store<!Staged>(dlogits + row * shape.stride, unit, shape.columns, values);
          if constexpr (Staged)
            if (stage_next) // the unit's place is free
              row_stage_pack(next, unit, shape.columns, staged + unit);
        });
  }
}

inline ClosedForm cross_entropy_cost(bool staged, RowLayout layout, const CrossEntropyShape &shape, const int *targets,
                                     unsigned block, unsigned blocks, uint64_t element_bytes, bool ignores) {
  ClosedForm cost = {};
  const RowTeams t = {block, 1, 1, blocks};
  uint64_t counted = 0;
  for (uint64_t row = 0; row < shape.rows; ++row)
    counted += targets[row] != shape.ignored;
  const uint64_t lanes = layout == RowAligned ? 16 / element_bytes : 1;
  const uint64_t units = counted * ceil_div(shape.columns, lanes), values = counted * shape.columns;
  cost.launches = 1;
  cost.threads = (uint64_t)blocks * block;
  add_first_sweep(cost, t, counted, units, lanes);
  cost.mul += counted * block;
  cost.div = counted * block;
  cost.mul += units * lanes;
  cost.fma += units * lanes + counted;
  cost.special += units * lanes + counted;
  cost.add += counted + (lanes == 1 || !ignores ? units * lanes : counted * lanes);
  cost.global_load = 4 * (staged && ignores ? 2 : 1) * shape.rows * block + element_bytes * ((staged ? 1 : 2) * values + counted);
  cost.global_store = element_bytes * shape.rows * shape.columns + 4 * shape.rows;
  cost.shared_load += staged ? 32 * units : 0;
  cost.shared_store += staged ? 16 * units : 0;
  cost.unique =
      ragged_bytes(shape.rows, shape.stride, element_bytes,
                   [&](uint64_t row) { return targets[row] == shape.ignored ? 0 : shape.columns; }) +
      matrix_bytes(shape.rows, shape.columns, shape.stride, element_bytes) + 2 * sector_bytes(shape.rows);
  return cost;
}

#endif
