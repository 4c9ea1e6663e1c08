/* Matrix products of gemm.cuh for Hopper (sm_90a): operands come by tensor maps, warp groups multiply them out of shared memory.
 *
 * Layouts, ends and shapes are gemm.cuh's, with a depth of at least 1. A block stays for many tiles: one warp group loads steps of 64 of the depth into
 * Stages buffers, as far ahead as they are free, while two others multiply 64 rows each. Sums never wait for loads, unless the
 * loads are late; the next tile's loads run while sums are stored.
 *
 * Counts. T tiles and S steps as in gemm.cuh:
 *   tensor          2·T·S·Rows·Columns·64
 *   global load     T·S·128·(Rows + Columns): boxes are counted whole, also where they end outside
 *   shared store    the same;  products read shared memory without instructions that count
 */
#ifndef GPUPROF_KERNELS_GEMM_HOPPER_CUH
#define GPUPROF_KERNELS_GEMM_HOPPER_CUH

#include "../hopper.cuh"
#include "gemm.cuh"

template <int Columns_, int Stages_> struct GemmHopperTile {
  enum { Columns = Columns_, Stages = Stages_, Groups = 2, Rows = 64 * Groups, Depth = 64, Together = 8 };
  enum {
    Threads = 128 * (1 + Groups),
    ABytes = Rows * Depth * 2,
    BBytes = Columns * Depth * 2,
    StageBytes = ABytes + BBytes,
    BarriersAt = Stages * StageBytes,
    SharedBytes = BarriersAt + 16 * Stages + 1024, /* the memory is aligned to 1024 */
    LoadRegisters = 40,
    ComputeRegisters = 232,
  };
};

struct GemmHopperArguments {
  TensorMap a, b;
  GemmArguments gemm; /* a and b are not read */
};

/* The map of an operand of so many rows or columns: boxes of 64 elements along lines, `box_lines` lines. 0, or CUDA's error. */
template <typename Element>
inline int gemm_map(TensorEncode encode, TensorMap *map, const Element *address, GemmLines lines, int sides, int depth, int stride,
                    int box_lines) {
  const int elements = lines == kAlong ? depth : sides, count = lines == kAlong ? sides : depth;
  return tensor_map(encode, map, address, elements, count, 1, box_lines, stride);
}
/* Lines of a box: those of the tile, or 64 of the depth. */
inline int gemm_box_lines(GemmLines lines, int side) { return lines == kAlong ? side : 64; }

/* Fills the kernel's arguments. 0, or CUDA's error. `encode`: the driver's cuTensorMapEncodeTiled. */
template <typename Element, class Tile>
inline int gemm_hopper_arguments(TensorEncode encode, GemmHopperArguments *to, const GemmArguments &gemm, GemmLines a_lines,
                                 GemmLines b_lines) {
  const GemmShape &shape = gemm.shape;
  to->gemm = gemm;
  const int error = gemm_map(encode, &to->a, (const Element *)gemm.a, a_lines, shape.rows, shape.depth, shape.a_stride,
                             gemm_box_lines(a_lines, Tile::Rows));
  return error ? error
               : gemm_map(encode, &to->b, (const Element *)gemm.b, b_lines, shape.columns, shape.depth, shape.b_stride,
                          gemm_box_lines(b_lines, Tile::Columns));
}

/* ---- Operands in shared memory ---- */

/* Loads a tile's operand: one box, or one for each 64 of the side. */
template <GemmLines Lines, int Side>
__device__ __forceinline__ void gemm_hopper_load(unsigned to, const TensorMap &map, unsigned barrier, int first, int depth) {
  if constexpr (Lines == kAlong) {
    tensor_load(to, map, barrier, depth, first, 0);
  } else {
#pragma unroll
    for (int i = 0; i < Side / 64; ++i)
      tensor_load(to + i * 64 * 128, map, barrier, first + 64 * i, depth, 0);
  }
}

/* The matrix at 64·`side` of the side and 16·`depth` of the depth. */
template <GemmLines Lines> __device__ __forceinline__ unsigned long long gemm_hopper_matrix(unsigned address, int side, int depth) {
  return Lines == kAlong ? group_matrix(address + side * 64 * 128 + depth * 32, 16)
                         : group_matrix(address + side * 64 * 128 + depth * 16 * 128, 64 * 128);
}

#define GEMM_GROUP_128 GROUP_64, GROUP_8(64), GROUP_8(72), GROUP_8(80), GROUP_8(88), GROUP_8(96), GROUP_8(104), GROUP_8(112), GROUP_8(120)
#define GEMM_GROUP_64 GROUP_64
#define GEMM_NAMES_64 GROUP_NAMES_64
#define GEMM_NAMES_128                                                                                            \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"   \
  "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,"   \
  "%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,"   \
  "%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,%112,%113,%114,%115,%116,"     \
  "%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}, "

#define GEMM_GROUP_PRODUCT(columns, registers, types, left, right, keep_at, across_a, across_b)                        \
  asm volatile("{ .reg .pred keep; setp.ne.b32 keep, " keep_at ", 0;\n"                                           \
               "wgmma.mma_async.sync.aligned.m64n" columns "k16.f32." types " " GEMM_NAMES_##registers left ", " right \
               ", keep, 1, 1, " across_a ", " across_b "; }"                                                          \
               : GEMM_GROUP_##registers                                                                            \
               : "l"(a), "l"(b), "r"((int)keep), "n"((int)(ALines == kAcross)), "n"((int)(BLines == kAcross)))

/* sum = A·B of 64 rows, plus what it was if `keep`. */
template <typename Element, GemmLines ALines, GemmLines BLines, int Count>
__device__ __forceinline__ void gemm_group_product(float (&sum)[Count], unsigned long long a, unsigned long long b, bool keep) {
  constexpr bool half = TensorTypes<Element>::half;
  if constexpr (Count == 64 && half)
    GEMM_GROUP_PRODUCT("128", 64, "f16.f16", "%64", "%65", "%66", "%67", "%68");
  else if constexpr (Count == 64)
    GEMM_GROUP_PRODUCT("128", 64, "bf16.bf16", "%64", "%65", "%66", "%67", "%68");
  else if constexpr (half)
    GEMM_GROUP_PRODUCT("256", 128, "f16.f16", "%128", "%129", "%130", "%131", "%132");
  else
    GEMM_GROUP_PRODUCT("256", 128, "bf16.bf16", "%128", "%129", "%130", "%131", "%132");
}

/* ---- Tiles and stages ---- */

template <class Tile> __device__ __forceinline__ int gemm_hopper_tiles(const GemmShape &shape) {
  return (shape.rows + Tile::Rows - 1) / Tile::Rows * ((shape.columns + Tile::Columns - 1) / Tile::Columns);
}

/* Barriers: a stage is full, a stage is empty. */
template <class Tile> struct GemmStages {
  unsigned memory, barriers;
  __device__ __forceinline__ unsigned full(unsigned stage) const { return barriers + 16 * stage; }
  __device__ __forceinline__ unsigned empty(unsigned stage) const { return barriers + 16 * stage + 8; }
  __device__ __forceinline__ unsigned at(unsigned stage) const { return memory + stage * Tile::StageBytes; }
};

/* A stage, and the parity of its turn. */
template <class Tile> struct GemmTurn {
  unsigned stage = 0, parity = 0;
  __device__ __forceinline__ void next() {
    if (++stage == Tile::Stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

/* The loading thread. */
template <class Tile, GemmLines ALines, GemmLines BLines>
__device__ __forceinline__ void gemm_hopper_load_all(const GemmHopperArguments &arguments, GemmStages<Tile> stages) {
  const GemmShape &shape = arguments.gemm.shape;
  GemmTurn<Tile> turn;
  for (int tile = blockIdx.x; tile < gemm_hopper_tiles<Tile>(shape); tile += gridDim.x) {
    int row, column;
    gemm_place<Tile>(shape, tile, row, column);
    for (int depth = 0; depth < shape.depth; depth += Tile::Depth, turn.next()) {
      barrier_wait(stages.empty(turn.stage), turn.parity ^ 1);
      barrier_expect(stages.full(turn.stage), Tile::StageBytes);
      gemm_hopper_load<ALines, Tile::Rows>(stages.at(turn.stage), arguments.a, stages.full(turn.stage), row, depth);
      gemm_hopper_load<BLines, Tile::Columns>(stages.at(turn.stage) + Tile::ABytes, arguments.b, stages.full(turn.stage), column,
                                              depth);
    }
  }
}

/* The products of a stage, begun. */
template <typename Element, class Tile, GemmLines ALines, GemmLines BLines, int Count>
__device__ __forceinline__ void gemm_hopper_step(float (&sum)[Count], unsigned stage, int group, bool keep) {
  group_fence(sum);
  group_begin();
#pragma unroll
  for (int k = 0; k < Tile::Depth / 16; ++k)
    gemm_group_product<Element, ALines, BLines>(sum, gemm_hopper_matrix<ALines>(stage, group, k),
                                                gemm_hopper_matrix<BLines>(stage + Tile::ABytes, 0, k), keep || k > 0);
  group_commit();
}

template <typename Element, typename Out, int End, int Count>
__device__ __forceinline__ void gemm_hopper_store(const GemmArguments &arguments, const float (&sum)[Count], int first_row,
                                                  int first_column) {
  const int thread = threadIdx.x % 128, row = first_row + thread / 32 * 16 + thread % 32 / 4;
#pragma unroll
  for (int half = 0; half < 2; ++half)
#pragma unroll
    for (int i = 0; i < Count / 4; i += 4) {
      float own[4][2];
#pragma unroll
      for (int k = 0; k < 8; ++k)
        own[k / 2][k % 2] = sum[4 * (i + k / 2) + 2 * half + k % 2];
      gemm_store_32<Element, Out, End>(arguments, row + 8 * half, first_column + 8 * i, own);
    }
}

/* A group that multiplies. A stage is given back once the products after its own have begun and its own are over. */
template <typename Element, typename Out, class Tile, GemmLines ALines, GemmLines BLines, int End>
__device__ __forceinline__ void gemm_hopper_compute_all(const GemmHopperArguments &arguments, GemmStages<Tile> stages) {
  const GemmShape &shape = arguments.gemm.shape;
  const int group = threadIdx.x / 128 - 1, steps = (shape.depth + Tile::Depth - 1) / Tile::Depth;
  const bool speaks = threadIdx.x % 128 == 0; /* for its group */
  GemmTurn<Tile> turn;
  for (int tile = blockIdx.x; tile < gemm_hopper_tiles<Tile>(shape); tile += gridDim.x) {
    int row, column;
    gemm_place<Tile>(shape, tile, row, column);
    float sum[Tile::Columns / 2];
    unsigned before = 0;
    for (int step = 0; step < steps; ++step, turn.next()) {
      barrier_wait(stages.full(turn.stage), turn.parity);
      gemm_hopper_step<Element, Tile, ALines, BLines>(sum, stages.at(turn.stage), group, step > 0);
      group_wait<1>();
      if (speaks && step > 0)
        barrier_arrive(stages.empty(before));
      before = turn.stage;
    }
    group_wait<0>();
    group_fence(sum);
    if (speaks)
      barrier_arrive(stages.empty(before));
    gemm_hopper_store<Element, Out, End>(arguments.gemm, sum, row + 64 * group, column);
  }
}

/* Grid: as many blocks as multiprocessors, or fewer; Tile::Threads threads, Tile::SharedBytes of dynamic shared memory. */
#pragma gpuprof region("gemm.hopper") category(matmul)
template <typename Element, typename Out, class Tile, GemmLines ALines, GemmLines BLines, int End>
__global__ void __launch_bounds__(Tile::Threads, 1) gemm_hopper(const __grid_constant__ GemmHopperArguments arguments) {
  extern __shared__ __align__(1024) char gemm_hopper_memory[];
  GemmStages<Tile> stages;
  stages.memory = (shared_address(gemm_hopper_memory) + 1023) & ~1023u;
  stages.barriers = stages.memory + Tile::BarriersAt;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < Tile::Stages; ++stage) {
      barrier_make(stages.full(stage), 1);
      barrier_make(stages.empty(stage), Tile::Groups);
    }
    barriers_publish();
  }
  __syncthreads();
  if (threadIdx.x < 128) {
    registers_release<Tile::LoadRegisters>();
    if (threadIdx.x == 0)
      gemm_hopper_load_all<Tile, ALines, BLines>(arguments, stages);
  } else {
    registers_take<Tile::ComputeRegisters>();
    gemm_hopper_compute_all<Element, Out, Tile, ALines, BLines, End>(arguments, stages);
  }
}

/* ---- Counts ---- */

template <typename Element, typename Out, class Tile>
inline ClosedForm gemm_hopper_cost(const GemmShape &shape, GemmLines a_lines, GemmLines b_lines, int end, uint64_t blocks) {
  const uint64_t rows = shape.rows, columns = shape.columns, depth = shape.depth;
  const uint64_t steps = ceil_div(rows, Tile::Rows) * ceil_div(columns, Tile::Columns) * ceil_div(depth, Tile::Depth);
  const bool has_bias = end & kGemmBias, adds = end & kGemmAdd;
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = blocks * Tile::Threads;
  gemm_add_tensor(cost, Element(), 2 * steps * Tile::Rows * Tile::Columns * Tile::Depth);
  cost.add = rows * columns * (has_bias + adds);
  cost.global_load = steps * Tile::StageBytes + rows * columns * (2 * has_bias + sizeof(Out) * adds);
  cost.global_store = sizeof(Out) * rows * columns;
  cost.shared_store = steps * Tile::StageBytes;
  cost.unique = gemm_operand_bytes(a_lines, rows, depth, shape.a_stride) + gemm_operand_bytes(b_lines, columns, depth, shape.b_stride) +
                row_sector_bytes(columns, shape.c_stride, rows, sizeof(Out)) + (has_bias ? row_sector_bytes(columns, columns, 1, 2) : 0);
  return cost;
}

#endif
