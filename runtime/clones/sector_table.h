/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table in which kernels mark the sectors of memory they touch (gpuprof_unique_table in abi.h): one a
 * device, used by one launch at a time.
 */
#ifndef GP_SECTOR_TABLE_H
#define GP_SECTOR_TABLE_H

#include <stdint.h>

/* Between the two a thread has the tables to itself. */
void gp_sector_table_lock(void);
void gp_sector_table_unlock(void);

/* Empties the table of `device`, which is the current one, and gives it at least `slots` slots, of
 * GPUPROF_UNIQUE_BLOCK_BYTES each: half of them are enough. Stores the table's device address. Not 0 where
 * the device has no memory for it. */
int gp_sector_table_prepare(int device, uint64_t slots, uint64_t *table);
/* Once what marks has been launched: waits for it, and stores the bytes of the sectors marked. GP_SECTOR_TABLE_FULL
 * where the table had too few slots: then nothing is known. */
enum gp_sector_table { GP_SECTOR_TABLE_READ, GP_SECTOR_TABLE_FULL, GP_SECTOR_TABLE_ERROR };
enum gp_sector_table gp_sector_table_read(int device, uint64_t *bytes);
/* Slots of the device's table; 0 before the first gp_sector_table_prepare(). */
uint64_t gp_sector_table_slots(int device);

/* The device is being reset, and its memory goes. */
void gp_sector_table_forget(int device);

#endif
