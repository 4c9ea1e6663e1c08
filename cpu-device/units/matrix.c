// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Matrix instructions: mma.sync, ldmatrix, stmatrix, movmatrix. The whole warp meets; the last lane to arrive
 * does the work of all. PTX leaves the order and rounding of sums open. Here products are summed in double
 * precision and rounded once, to nearest even (fp64: a chain of fused multiply-adds in the order of k). */
#include "common/errors.h"
#include "engine/emulator.h"
#include "engine/entries.h"
#include "gpuprof/cpu_matrix.h"
#include "units/matrix.h"

#include <math.h>
#include <string.h>

enum {
  LARGEST_A = 16 * 256,
  LARGEST_B = 256 * 8,
  LARGEST_SUM = 16 * 16
}; /* the largest numbers of elements of any shape */

/* ---- Elements in registers ----------------------------------------------------------------------------- */

static uint32_t bits_of(uint32_t type) {
  static const uint8_t bits[] = {
#define BITS(name, bits) bits,
      GPUPROF_MATRIX_TYPES(BITS)
#undef BITS
  };
  return bits[type];
}

/* Elements of one register: of 32 bits, or of 64 for f64. */
static uint32_t per_register(uint32_t type) { return type == GPUPROF_MATRIX_f64 ? 1 : 32 / bits_of(type); }

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double signed_bits(uint32_t bits, uint32_t width) {
  return (int32_t)(bits << (32 - width)) >> (32 - width);
}

/* Element `i` of a lane's registers. */
double gp_matrix_element(uint32_t type, const uint32_t *registers, uint32_t i) {
  const uint32_t width = bits_of(type);
  if (type == GPUPROF_MATRIX_f64) {
    double value;
    memcpy(&value, registers + (size_t)2 * i, sizeof value);
    return value;
  }
  const uint32_t all = registers[i * width / 32];
  const uint32_t bits = width == 32 ? all : all >> (i * width % 32) & ((1u << width) - 1);
  switch (type) {
  case GPUPROF_MATRIX_f16:
    return gp_half_to_float(bits);
  case GPUPROF_MATRIX_bf16:
    return float_of(bits << 16);
  case GPUPROF_MATRIX_tf32: /* the lower bits of a float are not read */
    return float_of(bits & 0xffffe000u);
  case GPUPROF_MATRIX_f32:
    return float_of(bits);
  case GPUPROF_MATRIX_e4m3:
    return float_of(__gpuprof_cpu_from_float8(0, bits));
  case GPUPROF_MATRIX_e5m2:
    return float_of(__gpuprof_cpu_from_float8(1, bits));
  case GPUPROF_MATRIX_s32:
    return (int32_t)bits;
  case GPUPROF_MATRIX_s8:
  case GPUPROF_MATRIX_s4:
    return signed_bits(bits, width);
  default:
    return bits;
  }
}

uint32_t gp_double_to_integer(double value, bool saturate) {
  if (saturate)
    return (uint32_t)(int32_t)fmin(fmax(value, INT32_MIN), INT32_MAX);
  return (uint32_t)(uint64_t)(int64_t)value;
}

void gp_matrix_put_element(uint32_t type, uint32_t *registers, uint32_t i, double value, bool saturate) {
  if (type == GPUPROF_MATRIX_f64) {
    memcpy(registers + (size_t)2 * i, &value, sizeof value);
  } else if (type == GPUPROF_MATRIX_f16) {
    const uint32_t shift = i % 2 * 16;
    registers[i / 2] = (registers[i / 2] & ~(0xffffu << shift)) | gp_double_to_half(value) << shift;
  } else if (type == GPUPROF_MATRIX_s32) {
    registers[i] = gp_double_to_integer(value, saturate);
  } else {
    const float rounded = (float)value;
    memcpy(&registers[i], &rounded, sizeof rounded);
  }
}

/* ---- Positions of the elements of a fragment ----------------------------------------------------------- */

struct place {
  uint32_t row, column;
};

/* The form of every fragment of PTX except those of quads. In each 8 rows, a group of four lanes holds one
 * row. Each lane has as many neighbours as fill a register; registers go down the rows first. B is held like
 * A, with columns for rows. */
static struct place fragment_place(uint32_t lane, uint32_t i, uint32_t rows, uint32_t per) {
  const uint32_t number = i / per, tiles = rows / 8;
  return (struct place){lane / 4 + 8 * (number % tiles), number / tiles * 4 * per + lane % 4 * per + i % per};
}

/* m8n8k4 of f16: lanes 4q…4q+3 and the lanes 16 higher make product q. `line` is the lane's row of A or
 * column of B. */
static uint32_t quad_line(uint32_t lane) { return lane % 4 + (lane < 16 ? 0 : 4); }

static struct place quad_operand_place(uint32_t lane, uint32_t i, bool along) {
  if (along) /* the four elements run along k */
    return (struct place){quad_line(lane), i};
  return (struct place){i + (lane < 16 ? 0 : 4), lane % 4};
}

static struct place quad_sum_place(uint32_t type, uint32_t lane, uint32_t i) {
  if (type == GPUPROF_MATRIX_f16)
    return (struct place){quad_line(lane), i};
  return (struct place){(lane & 1) + (i & 2) + (lane < 16 ? 0 : 4), (i & 4) + (lane & 2) + (i & 1)};
}

/* ---- Products ------------------------------------------------------------------------------------------ */

struct gp_matrix_form gp_matrix_form_of(uint64_t packed) {
  return (struct gp_matrix_form){
      .m = packed >> GPUPROF_MATRIX_M_SHIFT & 255,
      .n = packed >> GPUPROF_MATRIX_N_SHIFT & 255,
      .k = packed >> GPUPROF_MATRIX_K_SHIFT & 0xffff,
      .a = packed >> GPUPROF_MATRIX_A_SHIFT & 15,
      .b = packed >> GPUPROF_MATRIX_B_SHIFT & 15,
      .c = packed >> GPUPROF_MATRIX_C_SHIFT & 15,
      .d = packed >> GPUPROF_MATRIX_D_SHIFT & 15,
      .flags = (uint32_t)(packed >> GPUPROF_MATRIX_FLAG_SHIFT),
  };
}

struct matrices {
  double a[LARGEST_A]; /* row by row, as are b and d */
  double b[LARGEST_B];
  double d[LARGEST_SUM]; /* initially C */
};

static void multiply(const struct gp_matrix_form *f, struct matrices *x) {
  const bool precise = f->a == GPUPROF_MATRIX_f64,
             differ = f->a == GPUPROF_MATRIX_b1 && !(f->flags & GPUPROF_MATRIX_AND);
  for (uint32_t row = 0; row < f->m; row++) {
    double *sum = x->d + (size_t)row * f->n;
    for (uint32_t k = 0; k < f->k; k++) {
      const double left = x->a[row * f->k + k], *right = x->b + (size_t)k * f->n;
      for (uint32_t column = 0; column < f->n; column++)
        sum[column] = precise  ? fma(left, right[column], sum[column])
                      : differ ? sum[column] + (left != right[column])
                               : sum[column] + left * right[column];
    }
  }
}

/* Half of A's elements, with zeros between them. */
static void read_sparse(const struct gp_matrix_product *const *lanes, const struct gp_matrix_form *f,
                        double *a) {
  const uint32_t held = f->m * f->k / 2 / GP_CPU_WARP,
                 selector = f->flags >> GPUPROF_MATRIX_SELECTOR_SHIFT & 3;
  uint32_t metadata[GP_CPU_WARP];
  for (uint32_t lane = 0; lane < GP_CPU_WARP; lane++)
    metadata[lane] = lanes[lane]->a[held / per_register(f->a)];
  memset(a, 0, sizeof *a * f->m * f->k);
  for (uint32_t lane = 0; lane < GP_CPU_WARP; lane++)
    for (uint32_t i = 0; i < held; i++) {
      const struct place at = fragment_place(lane, i, f->m, per_register(f->a));
      const uint32_t column = gp_matrix_sparse_column(f->a, f->k, metadata, selector, at.row, at.column);
      a[at.row * f->k + column] = gp_matrix_element(f->a, lanes[lane]->a, i);
    }
}

static void read_dense(const struct gp_matrix_product *const *lanes, const struct gp_matrix_form *f,
                       double *a) {
  for (uint32_t lane = 0; lane < GP_CPU_WARP; lane++)
    for (uint32_t i = 0; i < f->m * f->k / GP_CPU_WARP; i++) {
      const struct place at = fragment_place(lane, i, f->m, per_register(f->a));
      a[at.row * f->k + at.column] = gp_matrix_element(f->a, lanes[lane]->a, i);
    }
}

static void work_out_product(const struct gp_matrix_product *const *lanes, const struct gp_matrix_form *f) {
  struct matrices x;
  const uint32_t sums = f->m * f->n / GP_CPU_WARP;
  if (f->flags & GPUPROF_MATRIX_SPARSE)
    read_sparse(lanes, f, x.a);
  else
    read_dense(lanes, f, x.a);
  for (uint32_t lane = 0; lane < GP_CPU_WARP; lane++) {
    const struct gp_matrix_product *own = lanes[lane];
    for (uint32_t i = 0; i < f->n * f->k / GP_CPU_WARP; i++) {
      const struct place at = fragment_place(lane, i, f->n, per_register(f->b));
      x.b[at.column * f->n + at.row] = gp_matrix_element(f->b, own->b, i);
    }
    for (uint32_t i = 0; i < sums; i++) {
      const struct place at =
          fragment_place(lane, i, f->m, 2); /* two neighbours, in one register or in two */
      x.d[at.row * f->n + at.column] = gp_matrix_element(f->c, own->c, i);
    }
  }
  multiply(f, &x);
  for (uint32_t lane = 0; lane < GP_CPU_WARP; lane++)
    for (uint32_t i = 0; i < sums; i++) {
      const struct place at = fragment_place(lane, i, f->m, 2);
      gp_matrix_put_element(f->d, lanes[lane]->d, i, x.d[at.row * f->n + at.column],
                            f->flags & GPUPROF_MATRIX_SATURATE);
    }
}

static void work_out_quads(const struct gp_matrix_product *const *lanes, const struct gp_matrix_form *f) {
  enum { OPERANDS = 4, SUMS = 8 };
  for (uint32_t quad = 0; quad < 4; quad++) {
    struct matrices x;
    for (uint32_t member = 0; member < 8; member++) {
      const uint32_t lane = quad * 4 + member % 4 + (member < 4 ? 0 : 16);
      const struct gp_matrix_product *own = lanes[lane];
      for (uint32_t i = 0; i < OPERANDS; i++) {
        struct place at = quad_operand_place(lane, i, !(f->flags & GPUPROF_MATRIX_A_COLUMN));
        x.a[at.row * f->k + at.column] = gp_matrix_element(f->a, own->a, i);
        at = quad_operand_place(lane, i, !(f->flags & GPUPROF_MATRIX_B_ROW));
        x.b[at.column * f->n + at.row] = gp_matrix_element(f->b, own->b, i);
      }
      for (uint32_t i = 0; i < SUMS; i++) {
        const struct place at = quad_sum_place(f->c, lane, i);
        x.d[at.row * f->n + at.column] = gp_matrix_element(f->c, own->c, i);
      }
    }
    multiply(f, &x);
    for (uint32_t member = 0; member < 8; member++) {
      const uint32_t lane = quad * 4 + member % 4 + (member < 4 ? 0 : 16);
      for (uint32_t i = 0; i < SUMS; i++) {
        const struct place at = quad_sum_place(f->d, lane, i);
        gp_matrix_put_element(f->d, lanes[lane]->d, i, x.d[at.row * f->n + at.column], false);
      }
    }
  }
}

uint32_t gp_matrix_registers_of(uint32_t type, uint32_t elements) {
  return elements * bits_of(type) / 32 / GP_MATRIX_LANES;
}

static void put_lane(gp_matrix_register *to, uint32_t lane, const uint32_t *registers, uint32_t count) {
  for (uint32_t r = 0; r < count; r++)
    to[r][lane] = registers[r];
}

static void work_out_tiles(const struct gp_matrix_product *const *lanes, const struct gp_matrix_form *f) {
  gp_matrix_register a[GP_MATRIX_MOST_REGISTERS], b[GP_MATRIX_MOST_REGISTERS], c[GP_MATRIX_MOST_REGISTERS],
      d[GP_MATRIX_MOST_REGISTERS];
  for (uint32_t lane = 0; lane < GP_MATRIX_LANES; lane++) {
    put_lane(a, lane, lanes[lane]->a, gp_matrix_registers_of(f->a, f->m * f->k));
    put_lane(b, lane, lanes[lane]->b, gp_matrix_registers_of(f->b, f->n * f->k));
    put_lane(c, lane, lanes[lane]->c, gp_matrix_registers_of(f->c, f->m * f->n));
  }
  gp_matrix_product_of_tiles(f, &(struct gp_matrix_registers){a, b, c, d});
  const uint32_t results = gp_matrix_registers_of(f->d, f->m * f->n);
  for (uint32_t lane = 0; lane < GP_MATRIX_LANES; lane++)
    for (uint32_t r = 0; r < results; r++)
      lanes[lane]->d[r] = d[r][lane];
}

void gp_matrix_multiply(const struct gp_matrix_product *const lanes[GP_MATRIX_LANES]) {
  const struct gp_matrix_form f = gp_matrix_form_of(lanes[0]->form);
  if (f.flags & GPUPROF_MATRIX_QUADS)
    work_out_quads(lanes, &f);
  else if (gp_matrix_has_tiles(&f))
    work_out_tiles(lanes, &f);
  else
    work_out_product(lanes, &f);
}

/* ---- ldmatrix, stmatrix, movmatrix: 8 x 8 elements of 16 bits ------------------------------------------ */

static struct gp_matrix_rows *rows_of(const struct gp_lane *lane) {
  // The positions of a lane's two elements in a matrix: neighbours in a row, or, transposed, in a column.
  return (struct gp_matrix_rows *)lane->value;
}

/* Positions of a lane's two elements in a matrix: neighbours in a row, or, transposed, in a column. */
static struct place pair_place(uint32_t lane, uint32_t i, bool transposed) {
  const struct place at = {lane / 4, lane % 4 * 2 + i};
  return transposed ? (struct place){at.column, at.row} : at;
}

static void work_out_rows(const struct gp_lane *lanes, bool store) {
  const struct gp_matrix_rows *all = rows_of(&lanes[0]);
  for (uint32_t matrix = 0; matrix < all->count; matrix++)
    for (uint32_t lane = 0; lane < GP_CPU_WARP; lane++)
      for (uint32_t i = 0; i < 2; i++) {
        const struct place at = pair_place(lane, i, all->transposed);
        char *memory = rows_of(&lanes[8 * matrix + at.row])->address + (size_t)2 * at.column;
        char *own = (char *)(rows_of(&lanes[lane])->registers + matrix) + (size_t)2 * i;
        memcpy(store ? memory : own, store ? own : memory, 2);
      }
}

void gp_matrix_transpose(const uint32_t pairs[GP_MATRIX_LANES], uint32_t transposed[GP_MATRIX_LANES]) {
  uint16_t matrix[8][8];
  memcpy(matrix, pairs, sizeof matrix); /* a register of all lanes is the matrix, row by row */
  for (uint32_t lane = 0; lane < GP_MATRIX_LANES; lane++) {
    const struct place low = pair_place(lane, 0, true), high = pair_place(lane, 1, true);
    transposed[lane] = matrix[low.row][low.column] | (uint32_t)matrix[high.row][high.column] << 16;
  }
}

static void work_out_transposition(struct gp_lane *lanes) {
  uint32_t pairs[GP_MATRIX_LANES], transposed[GP_MATRIX_LANES];
  for (uint32_t lane = 0; lane < GP_MATRIX_LANES; lane++)
    pairs[lane] = (uint32_t)lanes[lane].value;
  gp_matrix_transpose(pairs, transposed);
  for (uint32_t lane = 0; lane < GP_MATRIX_LANES; lane++)
    lanes[lane].result = transposed[lane];
}

static void work_out_products(const struct gp_lane *lanes) {
  const struct gp_matrix_product *own[GP_MATRIX_LANES];
  for (uint32_t lane = 0; lane < GP_MATRIX_LANES; lane++)
    // The positions of a lane's two elements in a matrix: neighbours in a row, or, transposed, in a column.
    own[lane] = (const struct gp_matrix_product *)lanes[lane].value;
  gp_matrix_multiply(own);
}

/* Does the work of a whole warp; `kind` is an enum gpuprof_matrix_operation. */
static void work_out(struct gp_lane *lanes, uint32_t kind) {
  if (kind == GPUPROF_MATRIX_LOAD || kind == GPUPROF_MATRIX_STORE)
    work_out_rows(lanes, kind == GPUPROF_MATRIX_STORE);
  else if (kind == GPUPROF_MATRIX_TRANSPOSE)
    work_out_transposition(lanes);
  else
    work_out_products(lanes);
}

/* ---- Entries ------------------------------------------------------------------------------------------- */

void __gpuprof_cpu_matrix_product(void *thread, uint64_t form, void *a, void *b, void *c, void *d) {
  struct gp_matrix_product own = {form, a, b, c, d};
  gp_warp_meet_whole(thread, GPUPROF_MATRIX_PRODUCT, (uint64_t)&own, work_out);
}

void __gpuprof_cpu_matrix_load(void *thread, uint32_t count, uint32_t transposed, void *address,
                               void *registers) {
  struct gp_matrix_rows own = {address, registers, count, transposed};
  gp_warp_meet_whole(thread, GPUPROF_MATRIX_LOAD, (uint64_t)&own, work_out);
}

void __gpuprof_cpu_matrix_store(void *thread, uint32_t count, uint32_t transposed, void *address,
                                void *registers) {
  struct gp_matrix_rows own = {address, registers, count, transposed};
  gp_warp_meet_whole(thread, GPUPROF_MATRIX_STORE, (uint64_t)&own, work_out);
}

uint32_t __gpuprof_cpu_matrix_transpose(void *thread, uint32_t pair) {
  return (uint32_t)gp_warp_meet_whole(thread, GPUPROF_MATRIX_TRANSPOSE, pair, work_out);
}
