/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of sectors marked by kernels (gpuprof_unique_table in abi.h): one a device, used by one launch at
 * a time.
 */
#ifndef GP_SECTOR_TABLE_H
#define GP_SECTOR_TABLE_H

#include <stdint.h>

/* Between the two calls a thread has exclusive use of the tables. */
void gp_sector_table_lock(void);
void gp_sector_table_unlock(void);

/* Empties the table of `device`, the current one, and gives it at least `slots` slots of
 * GPUPROF_UNIQUE_BLOCK_BYTES each; half of them may be used. Stores the table's device address. Not 0 if the
 * device has no memory for it. */
int gp_sector_table_prepare(int device, uint64_t slots, uint64_t *table);
/* Call it after the launch of the marking kernel: waits for it, and stores the bytes of the marked sectors.
 * GP_SECTOR_TABLE_FULL if the table had too few slots: the result is then unknown. */
enum gp_sector_table { GP_SECTOR_TABLE_READ, GP_SECTOR_TABLE_FULL, GP_SECTOR_TABLE_ERROR };
enum gp_sector_table gp_sector_table_read(int device, uint64_t *bytes);
/* Slots of the device's table; 0 before the first gp_sector_table_prepare(). */
uint64_t gp_sector_table_slots(int device);

/* The device is being reset, and its memory freed. */
void gp_sector_table_forget(int device);

#endif
