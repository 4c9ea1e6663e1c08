// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Mipmapped arrays. */
#include "common/errors.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/array.h"

#include <stdlib.h>

enum { MIPMAPPED = 0x6770636d }; /* value of `magic` while one lives */

struct gp_mipmapped *gp_mipmapped_find(const void *handle) {
  struct gp_mipmapped *mipmapped = (struct gp_mipmapped *)handle;
  return mipmapped && mipmapped->magic == MIPMAPPED ? mipmapped : NULL;
}

static void destroy(struct gp_mipmapped *mipmapped) {
  for (unsigned i = 0; i < mipmapped->count; i++)
    gp_array_destroy(mipmapped->levels[i]);
  mipmapped->magic = 0;
  free(mipmapped);
}

static size_t largest(size_t a, size_t b) { return a > b ? a : b; }

/* Levels down to a single texel. Layers, and the faces of a cube, are not halved. */
static unsigned most_levels(struct gp_cuda_extent extent, unsigned flags) {
  bool layered = flags & (GP_ARRAY_LAYERED | GP_ARRAY_CUBEMAP);
  size_t size = largest(extent.width, largest(extent.height, layered ? 0 : extent.depth));
  unsigned levels = 0;
  for (; size; size /= 2)
    levels++;
  return levels;
}

static size_t halved(size_t size, unsigned level) { return size ? largest(size >> level, 1) : 0; }

int gp_cpu_cudaMallocMipmappedArray(void *handle, void *format, struct gp_cuda_extent extent, unsigned levels,
                                    unsigned flags) {
  bool layered = flags & (GP_ARRAY_LAYERED | GP_ARRAY_CUBEMAP);
  unsigned most = most_levels(extent, flags);
  int error = handle && format ? gp_capture_forbids() : GP_ERROR_INVALID_VALUE;
  if (error)
    return gp_cpu_result(error);
  levels = levels ? levels : 1;
  levels = levels < most ? levels : most;
  struct gp_mipmapped *mipmapped = malloc(sizeof *mipmapped + levels * sizeof *mipmapped->levels);
  if (!mipmapped || !levels) {
    free(mipmapped);
    return gp_cpu_result(levels ? GP_ERROR_MEMORY_ALLOCATION : GP_ERROR_INVALID_VALUE);
  }
  *mipmapped = (struct gp_mipmapped){.magic = MIPMAPPED};
  for (; mipmapped->count < levels; mipmapped->count++) {
    unsigned i = mipmapped->count;
    const struct gp_cuda_extent part = {halved(extent.width, i), halved(extent.height, i),
                                        layered ? extent.depth : halved(extent.depth, i)};
    struct gp_array *level = gp_array_make(format, part, flags, &error);
    if (!level) {
      destroy(mipmapped);
      return gp_cpu_result(error);
    }
    level->is_part = true;
    mipmapped->levels[i] = level;
  }
  *(void **)handle = mipmapped;
  return gp_cpu_result(0);
}

int gp_cpu_cudaGetMipmappedArrayLevel(void *array, void *handle, unsigned level) {
  const struct gp_mipmapped *mipmapped = gp_mipmapped_find(handle);
  if (!mipmapped || !array || level >= mipmapped->count)
    return gp_cpu_result(mipmapped ? GP_ERROR_INVALID_VALUE : GP_ERROR_INVALID_HANDLE);
  *(void **)array = mipmapped->levels[level];
  return gp_cpu_result(0);
}

int gp_cpu_cudaFreeMipmappedArray(void *handle) {
  struct gp_mipmapped *mipmapped = gp_mipmapped_find(handle);
  if (handle && !mipmapped)
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  int error = mipmapped ? gp_capture_forbids() : 0;
  if (mipmapped && !error)
    destroy(mipmapped);
  return gp_cpu_result(error);
}
