/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* cudaDeviceReset(): the end of a device's memory content. */
#ifndef GP_DEVICE_RESET_H
#define GP_DEVICE_RESET_H

/* The memory of `device`, the current one, is about to be freed: saves its counts. The next launch starts
 * anew. */
void gp_device_resets(int device);

#endif
