// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Matrix instructions of blocks run as work-item loops: one call serves all participating warps. Registers
 * are arrays of one element a thread: those of a warp lie side by side. */
#include "engine/emulator.h"
#include "engine/entries.h"
#include "gpuprof/cpu_matrix.h"
#include "units/matrix.h"

#include <string.h>

enum { MOST_WORDS = 32 /* of a lane's registers of one operand */ };

/* A register in the plugin's form: one element a thread, or one uniform value. */
struct operand {
  void *values;
  uint64_t same;
};

/* One instruction. */
struct instruction {
  uint64_t form;
  uint32_t counts[4]; /* registers of A, B, C and D */
  const struct operand *operands;
  uint32_t first; /* thread of the warp */
};

static void read_words(const struct operand *of, uint32_t first, gp_matrix_register words) {
  if (of->values)
    memcpy(words, (const uint32_t *)of->values + first, sizeof(gp_matrix_register));
  else
    for (uint32_t lane = 0; lane < GP_MATRIX_LANES; lane++)
      words[lane] = (uint32_t)of->same;
}

static void write_words(const struct operand *of, uint32_t first, const gp_matrix_register words) {
  memcpy((uint32_t *)of->values + first, words, sizeof(gp_matrix_register));
}

/* ---- Products ------------------------------------------------------------------------------------------ */

static void product_of_tiles(const struct instruction *i, const struct gp_matrix_form *f) {
  gp_matrix_register files[4][GP_MATRIX_MOST_REGISTERS];
  const uint32_t needed[3] = {gp_matrix_registers_of(f->a, f->m * f->k),
                              gp_matrix_registers_of(f->b, f->n * f->k),
                              gp_matrix_registers_of(f->c, f->m * f->n)};
  const struct operand *next = i->operands;
  for (uint32_t of = 0; of < 3; next += i->counts[of++])
    for (uint32_t r = 0; r < needed[of]; r++) /* fragments of wmma may have surplus registers */
      read_words(&next[r], i->first, files[of][r]);
  gp_matrix_product_of_tiles(f, &(struct gp_matrix_registers){files[0], files[1], files[2], files[3]});
  for (uint32_t r = 0; r < i->counts[3]; r++)
    write_words(&next[r], i->first, files[3][r]);
}

static bool is_long(const struct gp_matrix_form *f, uint32_t of) {
  return (of == 0 ? f->a : of == 1 ? f->b : of == 2 ? f->c : f->d) == GPUPROF_MATRIX_f64;
}

/* The address of a thread's element of a register; null: it is `same`. */
static void *element_of(const struct operand *of, bool is_long, uint32_t thread) {
  return of->values ? (char *)of->values + (size_t)thread * (is_long ? 8 : 4) : NULL;
}

/* A product of any form: registers lane by lane, as on fibers. */
static void product_of_lanes(const struct instruction *i, const struct gp_matrix_form *f) {
  uint32_t words[4][GP_MATRIX_LANES][MOST_WORDS];
  struct gp_matrix_product own[GP_MATRIX_LANES];
  const struct gp_matrix_product *lanes[GP_MATRIX_LANES];
  for (uint32_t lane = 0; lane < GP_MATRIX_LANES; lane++) {
    const struct operand *next = i->operands;
    for (uint32_t of = 0; of < 3; next += i->counts[of++])
      for (uint32_t r = 0, size = is_long(f, of) ? 2 : 1; r < i->counts[of]; r++) {
        const void *element = element_of(&next[r], is_long(f, of), i->first + lane);
        memcpy(&words[of][lane][r * size], element ? element : &next[r].same, 4 * (size_t)size);
      }
    own[lane] =
        (struct gp_matrix_product){i->form, words[0][lane], words[1][lane], words[2][lane], words[3][lane]};
    lanes[lane] = &own[lane];
  }
  gp_matrix_multiply(lanes);
  const struct operand *results = i->operands + i->counts[0] + i->counts[1] + i->counts[2];
  for (uint32_t lane = 0; lane < GP_MATRIX_LANES; lane++)
    for (uint32_t r = 0, size = is_long(f, 3) ? 2 : 1; r < i->counts[3]; r++)
      memcpy(element_of(&results[r], is_long(f, 3), i->first + lane), &words[3][lane][r * size],
             4 * (size_t)size);
}

static void multiply(const struct instruction *i) {
  const struct gp_matrix_form f = gp_matrix_form_of(i->form);
  if (gp_matrix_has_tiles(&f))
    product_of_tiles(i, &f);
  else
    product_of_lanes(i, &f);
}

/* ---- ldmatrix, stmatrix, movmatrix --------------------------------------------------------------------- */

enum { ROW_BYTES = 16, ROW_WORDS = 4, ROWS = 8 };

static char *address_of(const struct operand *of, uint32_t thread) {
  return of->values ? ((char **)of->values)[thread] : (char *)of->same; // NOLINT(performance-no-int-to-ptr)
}

/* Lanes 8m to 8m + 7 name the rows of matrix m; a register of all lanes holds it row by row. The form is 1 if
 * transposed. */
static void move_rows(const struct instruction *i, bool store) {
  const struct operand *registers = i->operands + 1;
  const uint32_t count = store ? i->counts[1] : i->counts[3];
  gp_matrix_register all[4], swapped; /* all are read before the first is written */
  for (uint32_t matrix = 0; matrix < count; matrix++)
    for (uint32_t row = 0; row < ROWS; row++) {
      char *memory = address_of(i->operands, i->first + ROWS * matrix + row);
      if (!store) {
        memcpy(all[matrix] + (size_t)row * ROW_WORDS, memory, ROW_BYTES);
        continue;
      }
      if (row == 0) {
        read_words(&registers[matrix], i->first, all[matrix]);
        if (i->form)
          gp_matrix_transpose(all[matrix], swapped);
      }
      memcpy(memory, (i->form ? swapped : all[matrix]) + (size_t)row * ROW_WORDS, ROW_BYTES);
    }
  for (uint32_t matrix = 0; !store && matrix < count; matrix++) {
    if (i->form)
      gp_matrix_transpose(all[matrix], swapped);
    write_words(&registers[matrix], i->first, i->form ? swapped : all[matrix]);
  }
}

static void transpose(const struct instruction *i) {
  gp_matrix_register pairs, swapped;
  read_words(&i->operands[0], i->first, pairs);
  gp_matrix_transpose(pairs, swapped);
  write_words(&i->operands[1], i->first, swapped);
}

/* ---- Entry --------------------------------------------------------------------------------------------- */

/* The threads of the warp beginning at `first`, as lanes of a mask of bytes; null: all of the block. */
static uint32_t lanes_of(const uint8_t *mask, uint32_t first, uint32_t threads) {
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < GP_MATRIX_LANES && first + lane < threads; lane++)
    lanes |= (uint32_t)(!mask || mask[first + lane]) << lane;
  return lanes;
}

void __gpuprof_cpu_matrix_warps(uint32_t operation, uint64_t form, uint32_t counts, void *operands,
                                void *inside, void *alive, uint32_t returned, uint32_t threads) {
  struct instruction i = {
      form, {counts & 255, counts >> 8 & 255, counts >> 16 & 255, counts >> 24}, operands, 0};
  for (; i.first < threads; i.first += GP_MATRIX_LANES) {
    const uint32_t come = lanes_of(inside, i.first, threads);
    if (!come)
      continue;
    if (come != ~0u) {
      const uint32_t existing = lanes_of(NULL, i.first, threads);
      const uint32_t elsewhere = returned ? 0 : lanes_of(alive, i.first, threads) & ~come;
      gp_warp_stop_incomplete(i.first / GP_MATRIX_LANES, existing, existing & ~come & ~elsewhere, elsewhere);
    }
    if (operation == GPUPROF_MATRIX_PRODUCT)
      multiply(&i);
    else if (operation == GPUPROF_MATRIX_TRANSPOSE)
      transpose(&i);
    else
      move_rows(&i, operation == GPUPROF_MATRIX_STORE);
  }
}
