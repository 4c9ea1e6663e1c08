// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Descriptions of regions: any bytes are parsed, or refused. */
#include "base/describe.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct gp_description d;
  if (gp_describe((const char *)data, size, &d)) {
    if (d.storage)
      abort();
    return 0;
  }
  if (!d.name || strlen(d.name) > size + sizeof "ignored" || (d.color != GP_NO_COLOR && d.color > 0xffffff))
    abort();
  gp_description_free(&d);
  return 0;
}
