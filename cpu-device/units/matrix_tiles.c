// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Products of matrices by tiles of 8 rows, for the most frequent types. A register of all lanes of a warp is
 * a tile, row by row: whole registers are converted and multiplied at a time. The results are bit-identical
 * to matrix.c: a product of two elements is exact in double precision, and sums are made in the order of k.
 */
#include "engine/emulator.h"
#include "gpuprof/cpu_matrix.h"
#include "units/matrix.h"

#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

enum {
  ROWS = 8,         /* of a tile */
  MOST_A = 32 * 32, /* elements of the forms handled by this file */
  MOST_B = 32 * 32,
  MOST_SUMS = 256,
  MOST_TILE = GP_CPU_WARP * 8 /* elements of a register of each lane */
};

/* Row by row. */
struct operands {
  double a[MOST_A], b[MOST_B], sums[MOST_SUMS];
};

static inline double float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

typedef void halves_to_doubles(const uint32_t *registers, double *tile);

static void halves(const uint32_t *registers, double *tile) {
  for (uint32_t lane = 0; lane < GP_CPU_WARP; lane++) {
    tile[2 * lane] = gp_half_to_float(registers[lane] & 0xffff);
    tile[2 * lane + 1] = gp_half_to_float(registers[lane] >> 16);
  }
}

/* ---- A register of all lanes → a tile ------------------------------------------------------------------ */

static inline __attribute__((always_inline)) void to_tile(uint32_t type, const uint32_t *registers,
                                                          double *tile, halves_to_doubles *convert) {
  switch (type) {
  case GPUPROF_MATRIX_f16:
    convert(registers, tile);
    return;
  case GPUPROF_MATRIX_bf16:
    for (uint32_t lane = 0; lane < GP_CPU_WARP; lane++) {
      tile[2 * lane] = float_of(registers[lane] << 16);
      tile[2 * lane + 1] = float_of(registers[lane] & 0xffff0000u);
    }
    return;
  case GPUPROF_MATRIX_tf32: /* the lower bits of a float are not read */
    for (uint32_t lane = 0; lane < GP_CPU_WARP; lane++)
      tile[lane] = float_of(registers[lane] & 0xffffe000u);
    return;
  case GPUPROF_MATRIX_s8:
    for (uint32_t i = 0; i < 4 * GP_CPU_WARP; i++)
      tile[i] = (int8_t)(registers[i / 4] >> i % 4 * 8);
    return;
  default: /* u8 */
    for (uint32_t i = 0; i < 4 * GP_CPU_WARP; i++)
      tile[i] = (uint8_t)(registers[i / 4] >> i % 4 * 8);
  }
}

/* Elements of a register; 0: not a type of tiles. */
static uint32_t elements_of(uint32_t type) {
  switch (type) {
  case GPUPROF_MATRIX_f16:
  case GPUPROF_MATRIX_bf16:
    return 2;
  case GPUPROF_MATRIX_tf32:
    return 1;
  case GPUPROF_MATRIX_s8:
  case GPUPROF_MATRIX_u8:
    return 4;
  default:
    return 0;
  }
}

/* Tiles go down the rows first. B is held as its columns: `transposed`. */
static inline __attribute__((always_inline)) void operand(uint32_t type, const gp_matrix_register *registers,
                                                          uint32_t rows, uint32_t k, bool transposed,
                                                          double *to, halves_to_doubles *convert) {
  const uint32_t columns = 4 * elements_of(type), tiles = rows / ROWS;
  double tile[MOST_TILE];
  for (uint32_t r = 0; r < tiles * (k / columns); r++) {
    const uint32_t row = r % tiles * ROWS, column = r / tiles * columns;
    to_tile(type, registers[r], tile, convert);
    for (uint32_t y = 0; y < ROWS; y++)
      for (uint32_t x = 0; x < columns; x++)
        to[transposed ? (column + x) * rows + row + y : (row + y) * k + column + x] = tile[y * columns + x];
  }
}

/* ---- Sums: two neighbours a lane, in two registers or in one of halves --------------------------------- */

static inline __attribute__((always_inline)) double word_value(uint32_t type, uint32_t bits) {
  return type == GPUPROF_MATRIX_s32 ? (int32_t)bits : float_of(bits);
}

static inline __attribute__((always_inline)) void load_sums(const struct gp_matrix_form *f,
                                                            const gp_matrix_register *c, double *sums,
                                                            halves_to_doubles *convert) {
  const uint32_t tiles = f->m / ROWS;
  double tile[2 * GP_CPU_WARP];
  for (uint32_t t = 0; t < tiles * (f->n / 8); t++) {
    if (f->c == GPUPROF_MATRIX_f16)
      convert(c[t], tile);
    else
      for (uint32_t i = 0; i < 2 * GP_CPU_WARP; i++)
        tile[i] = word_value(f->c, c[2 * t + i % 2][i / 2]);
    for (uint32_t y = 0; y < ROWS; y++)
      memcpy(sums + (size_t)(t % tiles * ROWS + y) * f->n + t / tiles * 8, tile + (size_t)8 * y,
             8 * sizeof *tile);
  }
}

static inline __attribute__((always_inline)) void store_sums(const struct gp_matrix_form *f,
                                                             const double *sums, gp_matrix_register *d) {
  const uint32_t tiles = f->m / ROWS;
  const bool saturate = f->flags & GPUPROF_MATRIX_SATURATE;
  for (uint32_t t = 0; t < tiles * (f->n / 8); t++)
    for (uint32_t lane = 0; lane < GP_CPU_WARP; lane++) {
      const double *pair =
          sums + (size_t)(t % tiles * ROWS + lane / 4) * f->n + t / tiles * 8 + (size_t)lane % 4 * 2;
      if (f->d == GPUPROF_MATRIX_f16) {
        d[t][lane] = gp_double_to_half(pair[0]) | gp_double_to_half(pair[1]) << 16;
      } else if (f->d == GPUPROF_MATRIX_s32) {
        d[2 * t][lane] = gp_double_to_integer(pair[0], saturate);
        d[2 * t + 1][lane] = gp_double_to_integer(pair[1], saturate);
      } else {
        const float rounded[2] = {(float)pair[0], (float)pair[1]};
        memcpy(&d[2 * t][lane], &rounded[0], sizeof rounded[0]);
        memcpy(&d[2 * t + 1][lane], &rounded[1], sizeof rounded[1]);
      }
    }
}

/* ---- Products ------------------------------------------------------------------------------------------ */

typedef double eight __attribute__((vector_size(64), aligned(8)));

/* Four rows by eight columns stay in the processor's registers. */
static inline __attribute__((always_inline)) void multiply(const struct gp_matrix_form *f,
                                                           struct operands *x) {
  for (uint32_t column = 0; column < f->n; column += 8)
    for (uint32_t row = 0; row < f->m; row += 4) {
      const double *a = x->a + (size_t)row * f->k, *b = x->b + column;
      double *sums = x->sums + (size_t)row * f->n + column;
      eight s0, s1, s2, s3;
      memcpy(&s0, sums, sizeof s0);
      memcpy(&s1, sums + f->n, sizeof s1);
      memcpy(&s2, sums + (size_t)2 * f->n, sizeof s2);
      memcpy(&s3, sums + (size_t)3 * f->n, sizeof s3);
      for (uint32_t k = 0; k < f->k; k++) {
        eight right;
        memcpy(&right, b + (size_t)k * f->n, sizeof right);
        s0 += a[k] * right;
        s1 += a[k + f->k] * right;
        s2 += a[k + 2 * f->k] * right;
        s3 += a[k + 3 * f->k] * right;
      }
      memcpy(sums, &s0, sizeof s0);
      memcpy(sums + f->n, &s1, sizeof s1);
      memcpy(sums + (size_t)2 * f->n, &s2, sizeof s2);
      memcpy(sums + (size_t)3 * f->n, &s3, sizeof s3);
    }
}

static inline __attribute__((always_inline)) void
product(const struct gp_matrix_form *f, const struct gp_matrix_registers *of, halves_to_doubles *convert) {
  struct operands x;
  operand(f->a, of->a, f->m, f->k, false, x.a, convert);
  operand(f->b, of->b, f->n, f->k, true, x.b, convert);
  load_sums(f, of->c, x.sums, convert);
  multiply(f, &x);
  store_sums(f, x.sums, of->d);
}

#if defined __x86_64__
#define WITH_VECTORS __attribute__((target("avx2,fma,f16c")))

WITH_VECTORS static void halves_by_vectors(const uint32_t *registers, double *tile) {
  for (uint32_t i = 0; i < 2 * GP_CPU_WARP; i += 8) {
    const __m256 floats = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(registers + i / 2)));
    _mm256_storeu_pd(tile + i, _mm256_cvtps_pd(_mm256_castps256_ps128(floats)));
    _mm256_storeu_pd(tile + i + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(floats, 1)));
  }
}

WITH_VECTORS static void product_by_vectors(const struct gp_matrix_form *f,
                                            const struct gp_matrix_registers *of) {
  product(f, of, halves_by_vectors);
}

/* A processor with AVX2 has F16C; older compilers cannot query the latter. */
static bool has_vectors(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
static void product_by_vectors(const struct gp_matrix_form *f, const struct gp_matrix_registers *of) {
  product(f, of, halves);
}
static bool has_vectors(void) { return false; }
#endif

bool gp_matrix_has_tiles(const struct gp_matrix_form *f) {
  const uint32_t a = elements_of(f->a), b = elements_of(f->b);
  const bool known_sums = f->c == f->d || (f->c == GPUPROF_MATRIX_f16 && f->d == GPUPROF_MATRIX_f32) ||
                          (f->c == GPUPROF_MATRIX_f32 && f->d == GPUPROF_MATRIX_f16);
  return !(f->flags & ~GPUPROF_MATRIX_SATURATE) && a && b && known_sums && f->c != GPUPROF_MATRIX_f64 &&
         f->k % (4 * a) == 0 && f->k % (4 * b) == 0 && f->m * f->k <= MOST_A && f->n * f->k <= MOST_B;
}

void gp_matrix_product_of_tiles(const struct gp_matrix_form *f, const struct gp_matrix_registers *of) {
  if (has_vectors())
    product_by_vectors(f, of);
  else
    product(f, of, halves);
}
