// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/launch_digest.h"

#include "base/settings.h"
#include "base/table.h"

uint64_t gp_launch_digest_of(const struct gp_launch *launch) {
  if (!gp_settings()->times_only && !gp_settings()->times_file)
    return 0;
  uint64_t digest = gp_hash_mix(launch->dynamic_shared_bytes, launch->cooperative);
  for (int i = 0; i < 3; i++)
    digest = gp_hash_mix(digest, (uint64_t)launch->grid[i] << 32 | launch->block[i]);
  return digest;
}

void gp_launch_digest_add(uint64_t *digest, uint64_t launch) {
  if (launch)
    *digest = gp_hash_mix(*digest, launch);
}
