/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ceilings measured on a device by `gpuprof peaks`, from the file that it left. */
#ifndef GP_MEASURED_PEAKS_H
#define GP_MEASURED_PEAKS_H

#include "base/device.h"
#include "report/chips.h"

/* Takes the ceilings of GPUPROF_PEAKS in place of those of the datasheet, if they are of this device and driver. A file named
 * there is also taken for the chip that a run without a GPU is placed at. Says in the notes why a file is not taken. */
void gp_measured_peaks_apply(struct gp_ceilings *ceilings, const struct gp_device_info *device, const struct gp_chip *chip);

#endif
