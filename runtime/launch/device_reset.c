// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/device_reset.h"

#include "base/device.h"
#include "clones/addresses.h"
#include "clones/clones.h"
#include "clones/sector_table.h"
#include "clones/warp_bytes.h"
#include "core/kernels.h"

void gp_device_resets(int device) {
  if (device < 0 || device >= GP_DEVICES)
    return;
  gp_clones_device_resets(device);
  gp_addresses_find_all();
  gp_sector_table_forget(device);
  gp_warp_bytes_forget(device);
  gp_kernels_device_resets(device);
}
