/* Matrix instructions of a warp, and the meeting they need. */
#ifndef GP_CPU_MATRIX_H
#define GP_CPU_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

struct gp_lane;

enum gp_matrix_operation { GP_MATRIX_PRODUCT, GP_MATRIX_LOAD, GP_MATRIX_STORE, GP_MATRIX_TRANSPOSE };

/* matrix.c: does the work of a whole warp; lanes[].value is what each brought, by the operation. */
void gp_matrix_work_out(struct gp_lane *lanes, uint32_t operation);
/* warp.c: meets all 32 lanes, and stops the launch where the warp has fewer; gives the lane's result. */
uint64_t gp_warp_meet_whole(void *thread, uint32_t operation, uint64_t value);

/* matrix.c: element `i` of registers (of type enum gpuprof_matrix_type), and how it is put there. */
double gp_matrix_element(uint32_t type, const uint32_t *registers, uint32_t i);
void gp_matrix_put_element(uint32_t type, uint32_t *registers, uint32_t i, double value, bool saturate);
/* matrix_sparse.c: sparse products hold half of A's elements; the metadata of the warp's lanes says where in its
 * row that stands which is held in this row and column. `selector`: the lanes whose metadata it is. */
uint32_t gp_matrix_sparse_column(uint32_t type, uint32_t k, const uint32_t metadata[32], uint32_t selector,
                                 uint32_t row, uint32_t column);

/* numbers.c: IEEE's 16 bits and back; rounds to nearest even. */
float gp_half_to_float(uint32_t bits);
uint32_t gp_double_to_half(double value);

#endif
