/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Matrix instructions of a warp. */
#ifndef GP_CPU_MATRIX_H
#define GP_CPU_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

/* Lanes of a warp. */
enum { GP_MATRIX_LANES = 32 };

/* A product in the packed form of cpu_matrix.h. */
struct gp_matrix_form {
  uint32_t m, n, k, a, b, c, d, flags;
};
struct gp_matrix_form gp_matrix_form_of(uint64_t packed);

/* A lane's operands of a product: its registers, of 32 bits or of 64 for f64. */
struct gp_matrix_product {
  uint64_t form;
  const uint32_t *a, *b, *c;
  uint32_t *d;
};
/* Computes the product of a warp, of any form. */
void gp_matrix_multiply(const struct gp_matrix_product *const lanes[GP_MATRIX_LANES]);

/* A lane's operands of ldmatrix and stmatrix. */
struct gp_matrix_rows {
  char *address; /* of the row of 16 bytes named by this lane */
  uint32_t *registers;
  uint32_t count; /* matrices */
  bool transposed;
};

/* Transposes an 8 x 8 matrix of 16 bits: `pairs` is one register of each lane, holding two halves. */
void gp_matrix_transpose(const uint32_t pairs[GP_MATRIX_LANES], uint32_t transposed[GP_MATRIX_LANES]);
/* The lower 32 bits of an integer exact in a double, or the nearest representable number. */
uint32_t gp_double_to_integer(double value, bool saturate);

/* matrix_tiles.c: the same for the forms accepted by gp_matrix_has_tiles(), faster, a register of all lanes
 * at a time. */
typedef uint32_t gp_matrix_register[GP_MATRIX_LANES];
struct gp_matrix_registers {
  const gp_matrix_register *a, *b, *c;
  gp_matrix_register *d;
};
enum { GP_MATRIX_MOST_REGISTERS = 32 }; /* of an operand of such a form */
bool gp_matrix_has_tiles(const struct gp_matrix_form *form);
void gp_matrix_product_of_tiles(const struct gp_matrix_form *form, const struct gp_matrix_registers *of);
/* Number of 32-bit registers of a lane for `elements` elements of a type. */
uint32_t gp_matrix_registers_of(uint32_t type, uint32_t elements);

/* matrix.c: reads element `i` of registers (of type enum gpuprof_matrix_type), and stores it. */
double gp_matrix_element(uint32_t type, const uint32_t *registers, uint32_t i);
void gp_matrix_put_element(uint32_t type, uint32_t *registers, uint32_t i, double value, bool saturate);
/* matrix_sparse.c: sparse products hold half of A's elements. Returns the column in the full row of the
 * element held at this row and column, from the metadata of the warp's lanes. `selector`: the lanes with the
 * metadata. */
uint32_t gp_matrix_sparse_column(uint32_t type, uint32_t k, const uint32_t metadata[32], uint32_t selector,
                                 uint32_t row, uint32_t column);

/* number_formats.c: IEEE's 16 bits and back; rounds to nearest even. */
float gp_half_to_float(uint32_t bits);
uint32_t gp_double_to_half(double value);

#endif
