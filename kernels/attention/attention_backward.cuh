/* The backward pass of attention on tensor cores by mma.sync (sm_80 and later), fp16 or bf16; shapes as in attention_shape.h.
 *
 *   P = 2^(c·QKᵀ − lse·log2(e)), c = scale·log2(e)      δ = rows of Σ dO·O      dS = P ∘ (dO·Vᵀ − δ)
 *   dV = Pᵀ·dO      dK = scale·dSᵀ·Q      dQ = scale·dS·K
 *
 * Three kernels, deterministic and without atomics:
 *   attention_backward_rows   δ and lse·log2(e) of each row
 *   attention_backward        for keys: a block owns rows of K and V and goes over the queries that see them: dK, dV, summed
 *                             over the query heads of a key head; for queries: it owns rows of Q and dO and goes over keys: dQ
 * The products QKᵀ and dO·Vᵀ are computed twice, seven products in all: their results stay in the registers of the warp that
 * computed them and are the left matrices of the next products, so that nothing is exchanged between warps.
 *
 * Counts. Of attention_backward: T tiles that the blocks of all query heads visit, computed whole; E = T·Rows·Columns; O own
 * rows, B blocks, L others loaded, g = 2 gradients for keys and 1 for queries, M = 512·Warps·Size/16 bytes:
 *   attention.backward.scores      tensor 4·E·Size;  shared load 2·T·M·(Pieces + Columns/16)
 *   attention.backward.softmax     fma E, special E, add E, mul E;  shared load for keys 4·T·Threads·Columns
 *   attention.backward.gradients   tensor 2·g·E·Size;  shared load g·T·M·Columns/16
 *   outside the three              mul B·Threads + O·Size
 *                                  global load 4·Size·(O + L) + 8·L for keys or 32·O for queries, store 2·g·O·Size
 *                                  shared store 4·Size·(B·Rows + T·Columns), for keys 8·T·Columns more
 *   unique                         own and other matrices, rows, gradients
 * Of attention_backward_rows, R rows: fma R·Size, add 129·R, mul R; global load R·(4·Size + 4), store 8·R.
 * Nominal work is 10·Size for each pair of a query and a key that it sees.
 */
#ifndef GPUPROF_KERNELS_ATTENTION_BACKWARD_CUH
#define GPUPROF_KERNELS_ATTENTION_BACKWARD_CUH

#include "attention_flash.cuh"

/* A warp owns 16·Pieces rows, and takes Columns of the others at a time. */
template <int Size_, int Pieces_, int Columns_, int Warps_, int Blocks_> struct BackwardTile {
  enum { Size = Size_, Pieces = Pieces_, Columns = Columns_, Warps = Warps_, Blocks = Blocks_ };
  enum {
    Threads = 32 * Warps,
    Rows = 16 * Pieces * Warps,
    RowBytes = 2 * Size,
    OwnBytes = Rows * RowBytes,       /* of one matrix */
    ColumnBytes = Columns * RowBytes, /* likewise */
    StageBytes = 2 * ColumnBytes + 8 * Columns,
    StageAt = 2 * OwnBytes,
    SharedBytes = StageAt + 2 * StageBytes,
  };
};

/* What the backward pass keeps of a row of queries. */
struct alignas(8) BackwardRow {
  float logsumexp; /* to base 2 */
  float delta;
};

enum { kBackwardRowsBlock = 128 };

/* A warp a row; grid: ceil(rows / 4) blocks of kBackwardRowsBlock threads. */
#pragma gpuprof region("attention.backward.rows") phase(backward) category(attention)
template <typename Element, int Size>
__global__ void __launch_bounds__(kBackwardRowsBlock)
    attention_backward_rows(const Element *__restrict__ output, const Element *__restrict__ output_gradient,
                            const float *__restrict__ logsumexp, BackwardRow *__restrict__ rows, int count) {
  const int row = blockIdx.x * (kBackwardRowsBlock / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= count)
    return;
  const unsigned *o = (const unsigned *)(output + (size_t)row * Size) + lane;
  const unsigned *g = (const unsigned *)(output_gradient + (size_t)row * Size) + lane;
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < Size / 64; ++i) {
    float a[2], b[2];
    tensor_values<Element>(a, o[32 * i]);
    tensor_values<Element>(b, g[32 * i]);
    sum = fmaf(a[0], b[0], sum);
    sum = fmaf(a[1], b[1], sum);
  }
#pragma unroll
  for (int distance = 16; distance > 1; distance /= 2)
    sum += __shfl_xor_sync(~0u, sum, distance);
  const float rest = __shfl_xor_sync(~0u, sum, 1);
  if (lane == 0)
    rows[row] = {logsumexp[row] * kLog2E, sum + rest};
}

/* `own` and `other` are key, value and query, output gradient for keys, and the other way round for queries. `shape` is the
 * attention's for queries; for keys it has both sides exchanged (backward_shape). */
struct BackwardArguments {
  const void *own[2], *other[2];
  const BackwardRow *rows;
  void *gradient[2]; /* dK and dV, or dQ alone */
  AttentionShape shape;
  float scale;
};

/* Keys in the place of queries. */
inline AttentionShape backward_shape(const AttentionShape &s) {
  return {s.batch, s.heads, s.key_heads, s.keys, s.queries, s.right, s.left};
}

/* Four or eight bytes a thread: rows of queries begin anywhere. */
template <class Tile>
__device__ __forceinline__ void backward_copy_rows(unsigned to, const BackwardRow *from, int first, int end) {
  const int thread = flash_thread();
  if (thread < Tile::Columns) {
    if (first + thread < end)
      copy_async_8(to + 8 * thread, from + first + thread);
    else
      store_zeroes_8(to + 8 * thread);
  }
}

/* The tiles of matrices, own (rows) times other (columns). */
template <typename Element, class Tile>
__device__ __forceinline__ void backward_product(float (&sum)[Tile::Pieces][Tile::Columns / 8][4],
                                                 unsigned own, unsigned other) {
#pragma unroll
  for (int k = 0; k < Tile::Size / 16; ++k) {
    unsigned a[Tile::Pieces][4];
#pragma unroll
    for (int piece = 0; piece < Tile::Pieces; ++piece)
      load_matrices(a[piece], flash_at<Tile>(own, k, 16 * piece));
#pragma unroll
    for (int j = 0; j < Tile::Columns / 8; j += 2) {
      unsigned b[4];
      load_matrices(b, flash_at<Tile>(other, k, 8 * j));
#pragma unroll
      for (int piece = 0; piece < Tile::Pieces; ++piece) {
        tensor_product<Element>(sum[piece][j], a[piece], b[0], b[1]);
        tensor_product<Element>(sum[piece][j + 1], a[piece], b[2], b[3]);
      }
    }
  }
}

/* gradient += weight·other; `weight`, rounded to elements, is the left matrix. */
template <typename Element, class Tile>
__device__ __forceinline__ void
backward_gradient(float (&gradient)[Tile::Pieces][Tile::Size / 8][4],
                  const unsigned (&weight)[Tile::Pieces][Tile::Columns / 16][4], unsigned other) {
#pragma unroll
  for (int k = 0; k < Tile::Columns / 16; ++k)
#pragma unroll
    for (int j = 0; j < Tile::Size / 8; j += 2) {
      unsigned b[4];
      load_matrices_transposed(b, flash_at<Tile>(other, j / 2, 16 * k));
#pragma unroll
      for (int piece = 0; piece < Tile::Pieces; ++piece) {
        tensor_product<Element>(gradient[piece][j], weight[piece][k], b[0], b[1]);
        tensor_product<Element>(gradient[piece][j + 1], weight[piece][k], b[2], b[3]);
      }
    }
}

template <typename Element, class Tile>
__device__ __forceinline__ void backward_store(Element *to,
                                               const float (&gradient)[Tile::Pieces][Tile::Size / 8][4],
                                               int first, int end, float scale) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int piece = 0; piece < Tile::Pieces; ++piece)
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int row = first + 16 * piece + 8 * i + lane / 4;
      if (row < end) {
#pragma unroll
        for (int j = 0; j < Tile::Size / 8; ++j)
          *(unsigned *)(to + (size_t)row * Tile::Size + 8 * j + lane % 4 * 2) =
              tensor_pair<Element>(gradient[piece][j][2 * i] * scale, gradient[piece][j][2 * i + 1] * scale);
      }
    }
}

/* Grid: (ceil(own rows / Tile::Rows), own heads, batch), Tile::Threads threads, Tile::SharedBytes of dynamic shared memory. */
#pragma gpuprof region("attention.backward") phase(backward) category(attention)
template <typename Element, class Tile, bool ForKeys>
__global__ void __launch_bounds__(Tile::Threads, Tile::Blocks)
    attention_backward(const BackwardArguments arguments) {
  enum { Size = Tile::Size, Columns = Tile::Columns, Pieces = Tile::Pieces };
  extern __shared__ __align__(1024) char backward_memory[];
  const AttentionShape &shape = arguments.shape;
  const unsigned memory = shared_address(backward_memory);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = shape.heads / shape.key_heads;
  const int first_row = blockIdx.x * Tile::Rows, own_row = first_row + warp * 16 * Pieces,
            offset = shape.keys - shape.queries;
  const size_t own_head = (size_t)blockIdx.z * (ForKeys ? shape.key_heads : shape.heads) + blockIdx.y;
  const size_t other_head = ForKeys ? (size_t)blockIdx.z * shape.heads + blockIdx.y * group
                                    : (size_t)blockIdx.z * shape.key_heads + blockIdx.y / group;

  /* Columns that some row of the block sees, and those that all see. */
  const int last_row = min(first_row + Tile::Rows, shape.queries) - 1;
  const int seen_begin = max(first_row + offset - shape.left, 0),
            seen_end = min(last_row + offset + shape.right + 1, shape.keys);
  const int all_begin = last_row + offset - shape.left,
            all_end = min(first_row + offset + shape.right + 1, shape.keys);
  const int begin = seen_begin / Columns,
            tiles = seen_end > seen_begin ? (seen_end + Columns - 1) / Columns - begin : 0;
  const int turns = tiles * (ForKeys ? group : 1);

  const unsigned left = flash_lane<Tile>(lane % 16, lane / 16),
                 right = flash_lane<Tile>(lane % 8 + lane / 16 * 8, lane / 8 % 2);
  const unsigned own = memory + warp * 16 * Pieces * Tile::RowBytes + left;

  const size_t own_bytes = own_head * shape.queries * Tile::RowBytes; // before this head
  flash_copy<Tile, Tile::Rows>(memory, (const char *)arguments.own[0] + own_bytes, first_row, shape.queries);
  flash_copy<Tile, Tile::Rows>(memory + Tile::OwnBytes, (const char *)arguments.own[1] + own_bytes, first_row,
                               shape.queries);
  const auto load = [&](int turn) {
    const unsigned stage = memory + Tile::StageAt + turn % 2 * Tile::StageBytes;
    const size_t head = other_head + turn / tiles;
    const int first = (begin + turn % tiles) * Columns;
    const size_t from = head * shape.keys * Tile::RowBytes;
    flash_copy<Tile, Columns>(stage, (const char *)arguments.other[0] + from, first, shape.keys);
    flash_copy<Tile, Columns>(stage + Tile::ColumnBytes, (const char *)arguments.other[1] + from, first,
                              shape.keys);
    if (ForKeys)
      backward_copy_rows<Tile>(stage + 2 * Tile::ColumnBytes, arguments.rows + head * shape.keys, first,
                               shape.keys);
  };
  if (turns)
    load(0);
  copy_commit();

  float gradient[Pieces][Size / 8][4] = {}, value_gradient[ForKeys ? Pieces : 1][Size / 8][4] = {};
  BackwardRow of_row[Pieces][2];
  if (!ForKeys) {
#pragma unroll
    for (int i = 0; i < 2 * Pieces; ++i) {
      const int row = own_row + 8 * i + lane / 4;
      of_row[i / 2][i % 2] =
          row < shape.queries ? arguments.rows[own_head * shape.queries + row] : BackwardRow{0, 0};
    }
  }
  const float scale = arguments.scale * kLog2E;

  for (int turn = 0; turn < turns; ++turn) {
    const unsigned stage = memory + Tile::StageAt + turn % 2 * Tile::StageBytes;
    copy_wait<0>();
    __syncthreads();
    if (turn + 1 < turns) {
      load(turn + 1);
      copy_commit();
    }

    float weight[Pieces][Columns / 8][4] = {}, change[Pieces][Columns / 8][4] = {};
#pragma gpuprof region("attention.backward.scores") phase(backward) category(attention)
    {
      backward_product<Element, Tile>(weight, own, stage + right);
      backward_product<Element, Tile>(change, own + Tile::OwnBytes, stage + Tile::ColumnBytes + right);
    }

    unsigned weights[Pieces][Columns / 16][4], changes[Pieces][Columns / 16][4];
    const int first_column = (begin + turn % tiles) * Columns;
    const bool masked = first_column < all_begin || first_column + Columns > all_end;
#pragma gpuprof region("attention.backward.softmax") phase(backward) category(attention)
    {
#pragma unroll
      for (int j = 0; j < Columns / 8; ++j) {
        float of_column[4];
        if (ForKeys)
          load_floats(of_column, stage + 2 * Tile::ColumnBytes + (8 * j + lane % 4 * 2) * 8);
#pragma unroll
        for (int piece = 0; piece < Pieces; ++piece)
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            const float sum = ForKeys ? of_column[i % 2 * 2] : of_row[piece][i / 2].logsumexp;
            weight[piece][j][i] = power_of_two(fmaf(weight[piece][j][i], scale, -sum));
          }
      }
      if (masked) {
        const int thread = flash_thread(),
                  first = first_row + thread / 32 * 16 * Pieces + thread % 32 / 4 + offset;
        const int column = first_column + thread % 4 * 2;
#pragma unroll
        for (int piece = 0; piece < Pieces; ++piece)
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            const int row = first + 16 * piece + 8 * half;
            const int from = row - shape.left - column, to = min(row + shape.right + 1, shape.keys) - column;
#pragma unroll
            for (int j = 0; j < Columns / 8; ++j)
#pragma unroll
              for (int c = 0; c < 2; ++c)
                if (8 * j + c < from || 8 * j + c >= to)
                  weight[piece][j][2 * half + c] = 0.0f;
          }
      }
#pragma unroll
      for (int j = 0; j < Columns / 8; ++j) {
        float of_column[4];
        if (ForKeys)
          load_floats(of_column, stage + 2 * Tile::ColumnBytes + (8 * j + lane % 4 * 2) * 8);
#pragma unroll
        for (int piece = 0; piece < Pieces; ++piece) {
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            const float delta = ForKeys ? of_column[i % 2 * 2 + 1] : of_row[piece][i / 2].delta;
            change[piece][j][i] = weight[piece][j][i] * (change[piece][j][i] - delta);
          }
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            if (ForKeys)
              weights[piece][j / 2][j % 2 * 2 + half] =
                  tensor_pair<Element>(weight[piece][j][2 * half], weight[piece][j][2 * half + 1]);
            changes[piece][j / 2][j % 2 * 2 + half] =
                tensor_pair<Element>(change[piece][j][2 * half], change[piece][j][2 * half + 1]);
          }
        }
      }
    }

#pragma gpuprof region("attention.backward.gradients") phase(backward) category(attention)
    {
      if constexpr (ForKeys)
        backward_gradient<Element, Tile>(value_gradient, weights, stage + Tile::ColumnBytes + left);
      backward_gradient<Element, Tile>(gradient, changes, stage + left);
    }
  }

  const size_t to = own_head * shape.queries * Size;
  backward_store<Element, Tile>((Element *)arguments.gradient[0] + to, gradient, own_row, shape.queries,
                                arguments.scale);
  if constexpr (ForKeys)
    backward_store<Element, Tile>((Element *)arguments.gradient[1] + to, value_gradient, own_row,
                                  shape.queries, 1.0f);
}

/* ---- Counts ---- */

template <int Size> inline ClosedForm attention_backward_rows_cost(uint64_t rows) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = ceil_div(rows, kBackwardRowsBlock / 32) * kBackwardRowsBlock;
  cost.fma = rows * Size;
  cost.add = rows * (32 * 4 + 1);
  cost.mul = rows;
  cost.global_load = rows * (4 * Size + 4);
  cost.global_store = rows * sizeof(BackwardRow);
  cost.unique = 2 * rows * 2 * Size + sector_bytes(rows) + sector_bytes(2 * rows);
  return cost;
}

struct BackwardCost {
  ClosedForm scores, softmax, gradients, whole;
};

/* `s` as the kernel's: exchanged for keys. */
template <typename Element, class Tile, bool ForKeys>
inline BackwardCost attention_backward_cost(const AttentionShape &s) {
  const uint64_t own_heads = (uint64_t)s.batch * (ForKeys ? s.key_heads : s.heads),
                 own_rows = own_heads * s.queries;
  const uint64_t other_heads = (uint64_t)s.batch * (ForKeys ? s.heads : s.key_heads),
                 gradients = ForKeys ? 2 : 1;
  const uint64_t blocks = own_heads * ceil_div(s.queries, Tile::Rows);
  const FlashTiles visited = flash_tiles(s, Tile::Rows, Tile::Columns);
  const uint64_t tiles = visited.tiles, pairs = tiles * Tile::Rows * Tile::Columns,
                 matrix = 512 * Tile::Warps;

  BackwardCost cost = {};
  add_tensor(cost.scores, Element(), 4 * pairs * Tile::Size);
  cost.scores.shared_load = tiles * matrix * 2 * (Tile::Size / 16) * (Tile::Pieces + Tile::Columns / 16);
  cost.softmax.fma = cost.softmax.special = cost.softmax.add = cost.softmax.mul = pairs;
  cost.softmax.shared_load = ForKeys ? tiles * Tile::Threads * 32 * (Tile::Columns / 8) : 0;
  add_tensor(cost.gradients, Element(), 2 * gradients * pairs * Tile::Size);
  cost.gradients.shared_load = tiles * matrix * gradients * (Tile::Columns / 16) * (Tile::Size / 16);

  ClosedForm outside = {};
  outside.launches = 1;
  outside.threads = blocks * Tile::Threads;
  outside.mul = outside.threads + own_rows * Tile::Size;
  outside.global_load = (2 * own_rows + 2 * visited.loaded) * Tile::RowBytes +
                        (ForKeys ? visited.loaded : 4 * own_rows) * sizeof(BackwardRow);
  outside.global_store = gradients * own_rows * Tile::RowBytes;
  outside.shared_store =
      blocks * 2 * Tile::OwnBytes + tiles * (Tile::StageBytes - (ForKeys ? 0 : 8 * Tile::Columns));
  outside.unique =
      (2 + gradients) * own_rows * Tile::RowBytes + 2 * other_heads * visited.keys.count() * Tile::RowBytes;
  if (!ForKeys)
    outside.unique += sector_bytes(2 * own_rows);
  else
    outside.unique += 32 * flash_sectors(visited.keys, s.keys, other_heads, sizeof(BackwardRow));
  cost.whole = outside + cost.scores + cost.softmax + cost.gradients;
  return cost;
}

#endif
