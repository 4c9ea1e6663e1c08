// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* wgmma: products of four warps. A descriptor names the second matrix, and sometimes the first, in shared
 * memory. All 128 threads meet; the last to arrive does the work of all. A product known to be done by one
 * thread is therefore done for all of them: their shared memory may be used again. Sums are rounded as mma's
 * are. */
#include "common/errors.h"
#include "engine/emulator.h"
#include "engine/entries.h"
#include "gpuprof/cpu_matrix.h"
#include "units/matrix.h"

#include <string.h>

enum {
  WARPS = 4, /* of a group */
  THREADS = WARPS * GP_CPU_WARP,
  ROWS = 64,
  TILE = 8,              /* columns of D computed together */
  LARGEST_K = 64,        /* except for single bits */
  CHUNK_BYTES = 16,      /* unit of swizzling */
  ADDRESS_MASK = 0x3ffff /* of the address in a descriptor: 18 bits */
};

/* A thread's operands. */
struct operands {
  uint64_t form;
  uint32_t *sums;
  const uint32_t *a;
  uint64_t descriptor_a, descriptor_b;
  uint32_t scale, metadata;
};

static const struct operands *operands_of(const struct gp_lane *lane) {
  return (const struct operands *)lane->value; // NOLINT(performance-no-int-to-ptr)
}

/* ---- Matrices in shared memory ------------------------------------------------------------------------- */

/* PTX ISA, "Matrix descriptor": the start and layout of a matrix. Chunks of 16 bytes lie in rows of `span`
 * bytes, eight rows in sequence; `leading` and `stride` are the distances between such tiles. */
struct matrix {
  const char *low; /* the lowest shared memory byte addressable by a descriptor */
  uint32_t start, leading, stride;
  uint32_t span;  /* bytes swizzled together: 16 (none), 32, 64 or 128 */
  uint32_t phase; /* row of 128 bytes, modulo 8, at the start of the pattern */
  bool across;    /* adjacent elements do not run along k */
};

static struct matrix matrix_of(const struct gp_worker *worker, uint64_t descriptor, bool across) {
  static const uint32_t spans[] = {16, 128, 64, 32};
  return (struct matrix){
      .low = worker->shared - GP_CPU_SHARED_RESERVED,
      .start = (uint32_t)(descriptor << 4) & ADDRESS_MASK,
      .leading = (uint32_t)(descriptor >> 16 << 4) & ADDRESS_MASK,
      .stride = (uint32_t)(descriptor >> 32 << 4) & ADDRESS_MASK,
      .span = spans[descriptor >> 62],
      .phase = descriptor >> 49 & 7,
      .across = across,
  };
}

/* Swizzling changes a chunk's place in its row by the number of the row. */
static uint32_t swizzled(const struct matrix *m, uint32_t address) {
  const uint32_t row = (address >> 7) - m->phase;
  return address ^ (row & (m->span / CHUNK_BYTES - 1)) << 4;
}

static const char *chunk_at(const struct matrix *m, uint32_t address) {
  const uint32_t offset = (swizzled(m, address) - (uint32_t)(uint64_t)m->low) & ADDRESS_MASK;
  if (offset > GP_CPU_SHARED_RESERVED + GP_CPU_SHARED_MAXIMUM - CHUNK_BYTES)
    gp_cpu_stop(GP_ERROR_ILLEGAL_ADDRESS,
                "a matrix descriptor of wgmma leads out of shared memory, to address 0x%x; check its address "
                "and its byte offsets",
                address & ADDRESS_MASK);
  return m->low + offset;
}

/* Sixteen bytes of line `line` (a row of A, a column of B): chunk number `chunk` along k. */
static const char *chunk_along(const struct matrix *m, uint32_t line, uint32_t chunk) {
  const uint32_t step = m->span == CHUNK_BYTES ? m->leading : CHUNK_BYTES;
  return chunk_at(m, m->start + line % 8 * m->span + line / 8 * m->stride + chunk * step);
}

/* Sixteen bytes of step `k`: chunk number `chunk` across it. */
static const char *chunk_across(const struct matrix *m, uint32_t chunk, uint32_t k) {
  const uint32_t in_row = m->span / CHUNK_BYTES;
  if (in_row == 1)
    return chunk_at(m, m->start + chunk * m->stride + k % 8 * CHUNK_BYTES + k / 8 * m->leading);
  return chunk_at(m, m->start + chunk % in_row * CHUNK_BYTES + chunk / in_row * m->leading + k % 8 * m->span +
                         k / 8 * m->stride);
}

/* The words of a line of `bytes` bytes. Only elements of 16 bits may lie across. */
static void read_line(const struct matrix *m, uint32_t line, uint32_t bytes, uint32_t *words) {
  if (!m->across) {
    for (uint32_t at = 0; at < bytes; at += CHUNK_BYTES)
      memcpy((char *)words + at, chunk_along(m, line, at / CHUNK_BYTES), CHUNK_BYTES);
    return;
  }
  for (uint32_t k = 0; k < bytes / 2; k++)
    memcpy((char *)words + (size_t)2 * k, chunk_across(m, line / 8, k) + (size_t)line % 8 * 2, 2);
}

/* ---- Products ------------------------------------------------------------------------------------------ */

struct group_form {
  uint32_t n, k, a, b, d, flags;
  uint32_t held;             /* held elements of a row of A */
  uint32_t bytes_a, bytes_b; /* of a row of A, of a column of B */
};

static struct group_form form_of(uint64_t packed) {
  struct group_form f = {
      .n = (packed >> GPUPROF_MATRIX_N_SHIFT & 255) * TILE,
      .k = packed >> GPUPROF_MATRIX_K_SHIFT & 0xffff,
      .a = packed >> GPUPROF_MATRIX_A_SHIFT & 15,
      .b = packed >> GPUPROF_MATRIX_B_SHIFT & 15,
      .d = packed >> GPUPROF_MATRIX_D_SHIFT & 15,
      .flags = (uint32_t)(packed >> GPUPROF_MATRIX_FLAG_SHIFT),
  };
  f.held = f.flags & GPUPROF_MATRIX_SPARSE ? f.k / 2 : f.k;
  f.bytes_a = 2 * CHUNK_BYTES; /* of all types */
  f.bytes_b = f.k / f.held * f.bytes_a;
  return f;
}

/* The words of a row of A, from the registers of its four lanes, in the layout of mma's fragments. */
static void row_of_registers(const struct gp_lane *lanes, uint32_t row, uint32_t *words) {
  enum { REGISTERS = 4 };
  const struct gp_lane *first = lanes + row / 16 * GP_CPU_WARP + row % 8 * 4;
  for (uint32_t i = 0; i < REGISTERS * 2; i++) /* the word of k's i-th four bytes */
    words[i] = operands_of(&first[i % 4])->a[i / 4 * 2 + row % 16 / 8];
}

static void read_row(const struct gp_lane *lanes, const struct matrix *m, const struct group_form *f,
                     uint32_t row, uint32_t *words) {
  if (operands_of(lanes)->a)
    row_of_registers(lanes, row, words);
  else
    read_line(m, row, f->bytes_a, words);
}

struct left {
  double values[ROWS][LARGEST_K]; /* row by row; of sparse forms with their zeros */
};

static void read_left(const struct gp_lane *lanes, const struct matrix *m, const struct group_form *f,
                      struct left *left) {
  uint32_t words[2 * CHUNK_BYTES / 4], metadata[THREADS];
  const double sign = f->flags & GPUPROF_MATRIX_NEGATE ? -1 : 1;
  for (uint32_t i = 0; i < THREADS; i++)
    metadata[i] = operands_of(&lanes[i])->metadata;
  for (uint32_t row = 0; row < ROWS; row++) {
    read_row(lanes, m, f, row, words);
    if (f->held != f->k)
      memset(left->values[row], 0, sizeof left->values[row]);
    for (uint32_t i = 0; i < f->held; i++) {
      const uint32_t at =
          f->held == f->k
              ? i
              : gp_matrix_sparse_column(f->a, f->k, metadata + row / 16 * GP_CPU_WARP,
                                        f->flags >> GPUPROF_MATRIX_SELECTOR_SHIFT & 3, row % 16, i);
      left->values[row][at] = sign * gp_matrix_element(f->a, words, i);
    }
  }
}

/* The position of D's elements of a row and two columns: registers of this lane, from `number` on. */
static uint32_t *sums_at(const struct gp_lane *lanes, uint32_t row, uint32_t pair, uint32_t tile,
                         uint32_t *number) {
  *number = tile * 4 + row % 16 / 8 * 2;
  return operands_of(&lanes[row / 16 * GP_CPU_WARP + row % 8 * 4 + pair])->sums;
}

static void multiply_row(const double *left, const double (*right)[TILE], uint32_t k, double sums[TILE]) {
  double own[TILE]; /* in registers */
  memcpy(own, sums, sizeof own);
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t column = 0; column < TILE; column++)
      own[column] += left[i] * right[i][column];
  memcpy(sums, own, sizeof own);
}

/* Rows of D, of the columns of a tile. */
static void add_tile(const struct gp_lane *lanes, const struct group_form *f, const struct left *left,
                     const double (*right)[TILE], uint32_t tile) {
  for (uint32_t row = 0; row < ROWS; row++) {
    double sums[TILE] = {0};
    uint32_t number;
    for (uint32_t i = 0; i < TILE && operands_of(lanes)->scale; i++) {
      const uint32_t *own = sums_at(lanes, row, i / 2, tile, &number);
      sums[i] = gp_matrix_element(f->d, own, number + i % 2);
    }
    multiply_row(left->values[row], right, f->k, sums);
    for (uint32_t i = 0; i < TILE; i++) {
      uint32_t *own = sums_at(lanes, row, i / 2, tile, &number);
      gp_matrix_put_element(f->d, own, number + i % 2, sums[i], f->flags & GPUPROF_MATRIX_SATURATE);
    }
  }
}

static void work_out_numbers(const struct gp_lane *lanes, const struct group_form *f, const struct matrix *a,
                             const struct matrix *b) {
  struct left left;
  double right[LARGEST_K][TILE];
  uint32_t words[4 * CHUNK_BYTES / 4];
  read_left(lanes, a, f, &left);
  for (uint32_t tile = 0; tile < f->n / TILE; tile++) {
    for (uint32_t column = 0; column < TILE; column++) {
      read_line(b, tile * TILE + column, f->bytes_b, words);
      for (uint32_t k = 0; k < f->k; k++)
        right[k][column] = gp_matrix_element(f->b, words, k);
    }
    add_tile(lanes, f, &left, right, tile);
  }
}

/* Single bits: the number of bits set in both. */
static void work_out_bits(const struct gp_lane *lanes, const struct group_form *f, const struct matrix *a,
                          const struct matrix *b) {
  enum { WORDS = 2 * CHUNK_BYTES / 4 };
  uint32_t rows[ROWS][WORDS], column[WORDS], number;
  for (uint32_t row = 0; row < ROWS; row++)
    read_row(lanes, a, f, row, rows[row]);
  for (uint32_t at = 0; at < f->n; at++) {
    read_line(b, at, f->bytes_b, column);
    for (uint32_t row = 0; row < ROWS; row++) {
      uint32_t *own = sums_at(lanes, row, at % TILE / 2, at / TILE, &number) + at % 2, sum = 0;
      for (uint32_t i = 0; i < WORDS; i++)
        sum += (uint32_t)__builtin_popcount(rows[row][i] & column[i]);
      own[number] = sum + (operands_of(lanes)->scale ? own[number] : 0);
    }
  }
}

static void work_out(const struct gp_lane *lanes) {
  const struct operands *first = operands_of(lanes);
  const struct group_form f = form_of(first->form);
  const struct matrix a = matrix_of(lanes->worker, first->descriptor_a, f.flags & GPUPROF_MATRIX_A_COLUMN);
  const struct matrix b = matrix_of(lanes->worker, first->descriptor_b, f.flags & GPUPROF_MATRIX_B_ROW);
  if (f.a == GPUPROF_MATRIX_b1)
    work_out_bits(lanes, &f, &a, &b);
  else
    work_out_numbers(lanes, &f, &a, &b);
}

/* ---- Meeting ------------------------------------------------------------------------------------------- */

static struct gp_lane *lane_of(void *thread) {
  struct gp_lane *lane = ((struct gpuprof_cpu_thread *)thread)->fiber;
  if (!lane)
    gp_cpu_stop(
        GP_ERROR_LAUNCH_FAILURE,
        "wgmma was reached in a kernel compiled as a loop over its threads; this is a defect of gpuprof");
  return lane;
}

/* Checks the group's threads able to arrive; all are needed. */
static void check_group(const struct gp_warp *first, uint32_t group) {
  uint32_t alive = 0;
  for (uint32_t i = 0; i < WARPS; i++)
    alive += (uint32_t)__builtin_popcount(first[i].alive);
  if (alive != THREADS)
    gp_cpu_stop(GP_ERROR_LAUNCH_FAILURE,
                "wgmma needs all 128 threads of its warp group: of warps %u to %u only %u threads are left; "
                "launch a multiple of 128 threads and let all of a group take the same way",
                group * WARPS, group * WARPS + WARPS - 1, alive);
}

void __gpuprof_cpu_group_product(void *thread, uint64_t form, void *sums, void *a, uint64_t descriptor_a,
                                 uint64_t descriptor_b, uint32_t scale, uint32_t metadata) {
  const struct operands own = {form, sums, a, descriptor_a, descriptor_b, scale, metadata};
  struct gp_lane *lane = lane_of(thread);
  struct gp_worker *worker = lane->worker;
  const uint32_t group = lane->state.warpid / WARPS;
  struct gp_warp *first = &worker->warps[group * WARPS];
  struct gp_lane *lanes = &worker->lanes[group * THREADS];
  check_group(first, group);
  lane->value = (uint64_t)&own;
  if (++first->group_arrived < THREADS) {
    lane->status = GP_LANE_WARP_OPERATION;
    gp_warp_lane_waits(lane);
    gp_lane_suspend(lane);
    return;
  }
  first->group_arrived = 0;
  work_out(lanes);
  for (uint32_t i = 0; i < THREADS; i++)
    if (&lanes[i] != lane)
      gp_lane_wake(&lanes[i]);
}
