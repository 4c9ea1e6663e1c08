/* Matrix products on tensor cores by mma.sync (sm_80 and later): C[rows][columns] = A·B, fp16 or bf16 in, fp32 sums.
 *
 * A operand lies with its depth (the summed index) along lines, or across them:
 *   kAlong    A[rows][depth],  B[columns][depth]   as weights [out][in] of a layer lie
 *   kAcross   A[depth][rows],  B[depth][columns]
 * so that a layer needs no transposed copies, with X[rows][in], W[out][in], Y[rows][out]:
 *   Y = X·Wᵀ    A = X along,   B = W along       dX = dY·W    A = dY along,   B = W across
 *   dW = dYᵀ·X  A = dY across, B = X across
 * Lines of A and B begin `stride` elements apart, a multiple of 8; rows, columns and depth are any. Where a line ends, the tile
 * goes on with zeroes.
 *
 * A block computes a tile of Rows × Columns, in steps of 64 of the depth, Stages of them in shared memory at a time. Blocks
 * that run together take neighbouring tiles, so that their operands are in L2.
 *
 * Counts. T = ceil(rows/Rows)·ceil(columns/Columns) tiles, S = ceil(depth/64) steps, W warps a block:
 *   tensor          2·T·S·Rows·Columns·64             nominal: 2·rows·columns·depth
 *   global load     2·depth·(rows·ceil(columns/Columns) + columns·ceil(rows/Rows))
 *   shared store    T·S·128·(Rows + Columns), load T·S·4·W·512·(WarpRows + WarpColumns)/16
 *   and what the end of a tile does (GemmEnd).
 */
#ifndef GPUPROF_KERNELS_GEMM_CUH
#define GPUPROF_KERNELS_GEMM_CUH

#include "../closed_form.h"
#include "../tensor_core.cuh"

enum GemmLines { kAlong, kAcross };

/* A kernel's tile; warps lie WarpsDown × WarpsAcross. */
template <int Rows_, int Columns_, int WarpsDown_, int WarpsAcross_, int Stages_, int Blocks_> struct GemmTile {
  enum { Rows = Rows_, Columns = Columns_, WarpsDown = WarpsDown_, WarpsAcross = WarpsAcross_, Stages = Stages_, Blocks = Blocks_ };
  enum {
    Depth = 64,
    Warps = WarpsDown * WarpsAcross,
    Threads = 32 * Warps,
    WarpRows = Rows / WarpsDown,
    WarpColumns = Columns / WarpsAcross,
    StageBytes = (Rows + Columns) * Depth * 2,
    SharedBytes = Stages * StageBytes,
    Together = 8, /* rows of tiles whose blocks run together */
  };
};

struct GemmShape {
  int rows, columns, depth;
  int a_stride, b_stride, c_stride; /* elements */
};

/* What becomes of sums. */
enum GemmEnd {
  kGemmStore = 0,    /* C = A·B */
  kGemmBias = 1,     /* + bias[column], an Element */
  kGemmAdd = 2,      /* + what C was: residuals, gradients of several products */
};

struct GemmArguments {
  const void *a, *b, *bias;
  void *c; /* Out */
  GemmShape shape;
};

/* 16 bytes of which only the first `valid` are read; zeroes behind them. */
__device__ __forceinline__ void copy_async_part(unsigned to, const void *from, int valid) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(valid) : "memory");
}

/* ---- Operands: tiles of `Side` rows or columns, 64 of the depth ---- */

/* Along: lines of 128 bytes, a row each. Across: lines of 2·Side bytes, a step of the depth each. Chunks of 16 bytes are
 * exchanged by the line's number, so that eight lines of a chunk lie in eight groups of banks. */
template <class Tile, int Side, GemmLines Lines> struct GemmOperand {
  enum { Along = Lines == kAlong, LineChunks = Along ? 8 : Side / 8, LineCount = Along ? Side : 64, LineBytes = 16 * LineChunks };
  enum { Step = Tile::Threads / LineChunks };
  static_assert(Along || (Side % 64 == 0 && Tile::WarpRows % 64 == 0 && Tile::WarpColumns % 64 == 0),
                "a warp's side of lines across begins at a whole turn of the exchange");

  /* Loads the tile whose first row or column is `first`, from `depth` on. */
  static __device__ __forceinline__ void load(unsigned to, const char *from, int first, int sides, int depth, int depths,
                                              int stride) {
    const int chunk = threadIdx.x % LineChunks, line = threadIdx.x / LineChunks;
    const int first_line = Along ? first : depth, lines = Along ? sides : depths;
    const int element = (Along ? depth : first) + chunk * 8, elements = Along ? depths : sides;
    const int left = min(max(2 * (elements - element), 0), 16);
    const char *source = from + 2 * ((long long)(first_line + line) * stride + element);
#pragma unroll
    for (int i = 0; i < LineCount; i += Step) {
      const int own = line + i;
      const bool inside = first_line + own < lines && left > 0;
      copy_async_part(to + own * LineBytes + (chunk ^ own % 8) * 16, inside ? source + 2ll * i * stride : from, inside ? left : 0);
    }
  }

  /* A lane's place in the 16 × 16 elements at side 0, depth 0. Left operands are read as A of tensor_core.cuh, right ones as
   * two B. */
  template <bool Left> static __device__ __forceinline__ unsigned lane_place(int side) {
    const int lane = threadIdx.x % 32, matrix = lane / 8, row = lane % 8;
    /* Which eight of the side, and which of the depth, this lane's matrix has. */
    const int of_side = Left ? matrix % 2 : matrix / 2, of_depth = Left ? matrix / 2 : matrix % 2;
    const int own_side = side + 8 * of_side, own_depth = 8 * of_depth;
    const int line = Along ? own_side + row : own_depth + row, chunk = Along ? own_depth / 8 : own_side / 8;
    return line * LineBytes + (chunk ^ line % 8) * 16;
  }
  /* The same, `Sides` times 16 of the side and `Depths` times 16 of the depth on. */
  template <int Sides, int Depths> static __device__ __forceinline__ unsigned moved(unsigned place) {
    if (Along)
      return (place ^ Depths * 32) + Sides * 16 * LineBytes;
    return (place ^ Sides % 4 * 32) + Sides / 4 * 128 + Depths * 16 * LineBytes;
  }
  static __device__ __forceinline__ void read(unsigned (&words)[4], unsigned address) {
    Along ? load_matrices(words, address) : load_matrices_transposed(words, address);
  }
};

/* ---- The products of a step ---- */

template <class Tile> struct GemmSums {
  enum { Down = Tile::WarpRows / 16, Across = Tile::WarpColumns / 8 };
  float sum[Down][Across][4];
};

template <class Tile, class A, int Depth, int Index = 0>
__device__ __forceinline__ void gemm_read_left(unsigned (&words)[GemmSums<Tile>::Down][4], unsigned stage, unsigned place) {
  if constexpr (Index < GemmSums<Tile>::Down) {
    A::read(words[Index], stage + A::template moved<Index, Depth>(place));
    gemm_read_left<Tile, A, Depth, Index + 1>(words, stage, place);
  }
}
template <class Tile, class B, int Depth, int Index = 0>
__device__ __forceinline__ void gemm_read_right(unsigned (&words)[GemmSums<Tile>::Across / 2][4], unsigned stage, unsigned place) {
  if constexpr (Index < GemmSums<Tile>::Across / 2) {
    B::read(words[Index], stage + B::template moved<Index, Depth>(place));
    gemm_read_right<Tile, B, Depth, Index + 1>(words, stage, place);
  }
}

/* The next 16 of the depth are read while these are multiplied. */
template <typename Element, class Tile, class A, class B, int Depth = 0>
__device__ __forceinline__ void gemm_step(GemmSums<Tile> &sums, unsigned (&left)[2][GemmSums<Tile>::Down][4],
                                          unsigned (&right)[2][GemmSums<Tile>::Across / 2][4], unsigned a_stage, unsigned b_stage,
                                          unsigned a_place, unsigned b_place) {
  if constexpr (Depth < Tile::Depth / 16) {
    if constexpr (Depth == 0) {
      gemm_read_left<Tile, A, 0>(left[0], a_stage, a_place);
      gemm_read_right<Tile, B, 0>(right[0], b_stage, b_place);
    }
    if constexpr (Depth + 1 < Tile::Depth / 16) {
      gemm_read_left<Tile, A, Depth + 1>(left[(Depth + 1) % 2], a_stage, a_place);
      gemm_read_right<Tile, B, Depth + 1>(right[(Depth + 1) % 2], b_stage, b_place);
    }
#pragma unroll
    for (int i = 0; i < GemmSums<Tile>::Down; ++i)
#pragma unroll
      for (int j = 0; j < GemmSums<Tile>::Across; ++j)
        tensor_product<Element>(sums.sum[i][j], left[Depth % 2][i], right[Depth % 2][j / 2][j % 2 * 2],
                                right[Depth % 2][j / 2][j % 2 * 2 + 1]);
    gemm_step<Element, Tile, A, B, Depth + 1>(sums, left, right, a_stage, b_stage, a_place, b_place);
  }
}

/* ---- The end of a tile ---- */

template <typename Out> struct GemmOut;
template <> struct GemmOut<float> {
  static __device__ __forceinline__ float value(float x) { return x; }
  static __device__ __forceinline__ float rounded(float x) { return x; }
};
template <> struct GemmOut<Fp16> {
  static __device__ __forceinline__ float value(Fp16 x) {
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x.bits));
    return wide;
  }
  static __device__ __forceinline__ Fp16 rounded(float x) { return {(unsigned short)tensor_pair<Fp16>(x, 0)}; }
};
template <> struct GemmOut<Bf16> {
  static __device__ __forceinline__ float value(Bf16 x) { return __uint_as_float((unsigned)x.bits << 16); }
  static __device__ __forceinline__ Bf16 rounded(float x) { return {(unsigned short)tensor_pair<Bf16>(x, 0)}; }
};

/* The end of two neighbouring sums; those outside C are left as they are. */
template <typename Element, typename Out, int End>
__device__ __forceinline__ void gemm_end_pair(const GemmArguments &arguments, int row, int column, float (&sums)[2]) {
  const GemmShape &shape = arguments.shape;
#pragma unroll
  for (int i = 0; i < 2; ++i)
    if (End != kGemmStore && row < shape.rows && column + i < shape.columns) {
      if (End & kGemmBias)
        sums[i] += GemmOut<Element>::value(((const Element *)arguments.bias)[column + i]);
      if (End & kGemmAdd)
        sums[i] += GemmOut<Out>::value(((const Out *)arguments.c)[(long long)row * shape.c_stride + column + i]);
    }
}

/* Four lanes of a row have four words each, of four times eight columns. Afterwards lane i has all words of the columns 8·i. */
__device__ __forceinline__ void gemm_exchange(unsigned (&words)[4]) {
  const int lane = threadIdx.x % 4;
#pragma unroll
  for (int step = 1; step <= 2; step *= 2)
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (!(i & step)) {
        const bool upper = lane & step;
        const unsigned low = words[i], high = words[i | step], got = __shfl_xor_sync(~0u, upper ? low : high, step);
        words[i] = upper ? got : low;
        words[i | step] = upper ? high : got;
      }
}

/* A row's sums of 32 columns, 8 of each lane of four: two of each eight columns, as products leave them. Lines of C that begin
 * at multiples of 16 bytes are stored by 16 bytes (2-byte elements) or 8. */
template <typename Element, typename Out, int End>
__device__ __forceinline__ void gemm_store_32(const GemmArguments &arguments, int row, int column, float (&sums)[4][2]) {
  const GemmShape &shape = arguments.shape;
  const int quarter = threadIdx.x % 4;
  Out *line = (Out *)arguments.c + (long long)row * shape.c_stride;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    gemm_end_pair<Element, Out, End>(arguments, row, column + 8 * i + 2 * quarter, sums[i]);
  if (shape.c_stride % 8 == 0 && column + 32 <= shape.columns) { /* the same for all lanes */
    if constexpr (sizeof(Out) == 4) {
      if (row < shape.rows)
#pragma unroll
        for (int i = 0; i < 4; ++i)
          *(float2 *)(line + column + 8 * i + 2 * quarter) = make_float2(sums[i][0], sums[i][1]);
    } else {
      unsigned words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        words[i] = tensor_pair<Out>(sums[i][0], sums[i][1]);
      gemm_exchange(words);
      if (row < shape.rows)
        *(uint4 *)(line + column + 8 * quarter) = make_uint4(words[0], words[1], words[2], words[3]);
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int own = column + i / 2 * 8 + 2 * quarter + i % 2;
    if (row < shape.rows && own < shape.columns)
      line[own] = GemmOut<Out>::rounded(sums[i / 2][i % 2]);
  }
}

template <typename Element, typename Out, class Tile, int End>
__device__ __forceinline__ void gemm_store(const GemmArguments &arguments, const GemmSums<Tile> &sums, int first_row, int first_column) {
  const int row = first_row + threadIdx.x % 32 / 4;
#pragma unroll
  for (int i = 0; i < GemmSums<Tile>::Down; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
      for (int j = 0; j < GemmSums<Tile>::Across; j += 4) {
        float own[4][2];
#pragma unroll
        for (int k = 0; k < 8; ++k)
          own[k / 2][k % 2] = sums.sum[i][j + k / 2][2 * half + k % 2];
        gemm_store_32<Element, Out, End>(arguments, row + 16 * i + 8 * half, first_column + 8 * j, own);
      }
}

/* ---- The kernel ---- */

/* The place of a tile: columns of tiles are run through for 8 rows of tiles at a time. */
template <class Tile> __device__ __forceinline__ void gemm_place(const GemmShape &shape, int tile, int &row, int &column) {
  const int down = (shape.rows + Tile::Rows - 1) / Tile::Rows, across = (shape.columns + Tile::Columns - 1) / Tile::Columns;
  const int band = tile / (Tile::Together * across), in_band = tile % (Tile::Together * across);
  const int height = min(down - band * Tile::Together, (int)Tile::Together);
  row = (band * Tile::Together + in_band % height) * Tile::Rows;
  column = in_band / height * Tile::Columns;
}

/* Grid: ceil(rows / Rows) · ceil(columns / Columns) blocks, Tile::Threads threads, Tile::SharedBytes of dynamic shared memory. */
#pragma gpuprof region("gemm") category(matmul)
template <typename Element, typename Out, class Tile, GemmLines ALines, GemmLines BLines, int End>
__global__ void __launch_bounds__(Tile::Threads, Tile::Blocks) gemm(const GemmArguments arguments) {
  typedef GemmOperand<Tile, Tile::Rows, ALines> A;
  typedef GemmOperand<Tile, Tile::Columns, BLines> B;
  enum { Stages = Tile::Stages, ABytes = Tile::Rows * Tile::Depth * 2 };
  extern __shared__ __align__(1024) char gemm_memory[];
  const GemmShape &shape = arguments.shape;
  const unsigned memory = shared_address(gemm_memory);
  const int warp = threadIdx.x / 32, warp_row = warp / Tile::WarpsAcross * Tile::WarpRows,
            warp_column = warp % Tile::WarpsAcross * Tile::WarpColumns;
  const char *a = (const char *)arguments.a, *b = (const char *)arguments.b;
  int first_row, first_column;
  gemm_place<Tile>(shape, blockIdx.x, first_row, first_column);
  const int steps = (shape.depth + Tile::Depth - 1) / Tile::Depth;
  const unsigned a_place = A::template lane_place<true>(warp_row), b_place = B::template lane_place<false>(warp_column);

  GemmSums<Tile> sums;
  unsigned left[2][GemmSums<Tile>::Down][4], right[2][GemmSums<Tile>::Across / 2][4];
#pragma unroll
  for (int i = 0; i < GemmSums<Tile>::Down; ++i)
#pragma unroll
    for (int j = 0; j < GemmSums<Tile>::Across; ++j)
#pragma unroll
      for (int k = 0; k < 4; ++k)
        sums.sum[i][j][k] = 0;

#pragma unroll
  for (int s = 0; s < Stages - 1; ++s) {
    if (s < steps) {
      A::load(memory + s * Tile::StageBytes, a, first_row, shape.rows, s * Tile::Depth, shape.depth, shape.a_stride);
      B::load(memory + s * Tile::StageBytes + ABytes, b, first_column, shape.columns, s * Tile::Depth, shape.depth, shape.b_stride);
    }
    copy_commit();
  }
  unsigned stage = 0, next = (Stages - 1) * Tile::StageBytes;
  for (int step = 0; step < steps; ++step) {
    copy_wait<Stages - 2>();
    __syncthreads();
    if (step + Stages - 1 < steps) {
      const int depth = (step + Stages - 1) * Tile::Depth;
      A::load(memory + next, a, first_row, shape.rows, depth, shape.depth, shape.a_stride);
      B::load(memory + next + ABytes, b, first_column, shape.columns, depth, shape.depth, shape.b_stride);
    }
    copy_commit();
    gemm_step<Element, Tile, A, B>(sums, left, right, memory + stage, memory + stage + ABytes, a_place, b_place);
    next = stage;
    stage = stage + Tile::StageBytes == Stages * Tile::StageBytes ? 0 : stage + Tile::StageBytes;
  }
  copy_wait<0>();
  gemm_store<Element, Out, Tile, End>(arguments, sums, first_row + warp_row, first_column + warp_column);
}

/* ---- Counts ---- */

inline void gemm_add_tensor(ClosedForm &cost, Fp16, uint64_t operations) { cost.tensor_fp16 += operations; }
inline void gemm_add_tensor(ClosedForm &cost, Bf16, uint64_t operations) { cost.tensor_bf16 += operations; }

template <class Tile> inline uint64_t gemm_blocks(const GemmShape &shape) {
  return ceil_div(shape.rows, Tile::Rows) * ceil_div(shape.columns, Tile::Columns);
}

/* The sectors of an operand with so many rows or columns. */
inline uint64_t gemm_operand_bytes(GemmLines lines, uint64_t sides, uint64_t depth, uint64_t stride) {
  return lines == kAlong ? row_sector_bytes(depth, stride, sides, 2) : row_sector_bytes(sides, stride, depth, 2);
}

template <typename Element, typename Out, class Tile>
inline ClosedForm gemm_cost(const GemmShape &shape, GemmLines a_lines, GemmLines b_lines, int end) {
  const uint64_t rows = shape.rows, columns = shape.columns, depth = shape.depth, down = ceil_div(rows, Tile::Rows),
                 across = ceil_div(columns, Tile::Columns), steps = down * across * ceil_div(depth, Tile::Depth);
  const bool has_bias = end & kGemmBias, adds = end & kGemmAdd;
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = down * across * Tile::Threads;
  gemm_add_tensor(cost, Element(), 2 * steps * Tile::Rows * Tile::Columns * Tile::Depth);
  cost.add = rows * columns * (has_bias + adds);
  cost.global_load = 2 * depth * (rows * across + columns * down) + rows * columns * (2 * has_bias + sizeof(Out) * adds);
  cost.global_store = sizeof(Out) * rows * columns;
  cost.shared_store = steps * Tile::StageBytes;
  cost.shared_load = steps * 4 * Tile::Warps * 512 * (Tile::WarpRows + Tile::WarpColumns) / 16;
  cost.unique = gemm_operand_bytes(a_lines, rows, depth, shape.a_stride) + gemm_operand_bytes(b_lines, columns, depth, shape.b_stride) +
                row_sector_bytes(columns, shape.c_stride, rows, sizeof(Out)) + (has_bias ? row_sector_bytes(columns, columns, 1, 2) : 0);
  return cost;
}

#endif
