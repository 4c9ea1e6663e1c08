/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table in which kernels mark the sectors of memory they touch (gpuprof_unique_table in abi.h): one a
 * device, used by one launch at a time.
 */
#ifndef GP_MARKS_H
#define GP_MARKS_H

#include <stdint.h>

/* Between the two a thread has the tables to itself. */
void gp_marks_lock(void);
void gp_marks_unlock(void);

/* Empties the table of `device`, which is the current one, and gives it at least `slots` slots, of
 * GPUPROF_UNIQUE_BLOCK_BYTES each: half of them are enough. Stores the table's device address. Not 0 where
 * the device has no memory for it. */
int gp_marks_prepare(int device, uint64_t slots, uint64_t *table);
/* Once what marks has been launched: waits for it, and stores the bytes of the sectors marked. GP_MARKS_FULL
 * where the table had too few slots: then nothing is known. */
enum gp_marks { GP_MARKS_READ, GP_MARKS_FULL, GP_MARKS_ERROR };
enum gp_marks gp_marks_read(int device, uint64_t *bytes);
/* Slots of the device's table; 0 before the first gp_marks_prepare(). */
uint64_t gp_marks_slots(int device);

/* The device is being reset, and its memory goes. */
void gp_marks_forget(int device);

#endif
