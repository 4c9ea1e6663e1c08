/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The few CUDA runtime types needed, declared here: the runtime builds without a toolkit. Errors and
 * enumerations are int; handles and all other structures are pointers. Layouts are those of CUDA 11 to 13.
 */
#ifndef GP_CUDART_TYPES_H
#define GP_CUDART_TYPES_H

#include <stddef.h>
#include <stdint.h>

struct gp_cuda_dim3 {
  unsigned x, y, z;
};

struct gp_cuda_extent {
  size_t width, height, depth;
};

struct gp_cuda_pos {
  size_t x, y, z;
};

struct gp_cuda_pitched {
  void *ptr;
  size_t pitch, xsize, ysize;
};

/* cudaMemcpy3DParms */
struct gp_cuda_memcpy3d {
  void *src_array;
  struct gp_cuda_pos src_pos;
  struct gp_cuda_pitched src_ptr;
  void *dst_array;
  struct gp_cuda_pos dst_pos;
  struct gp_cuda_pitched dst_ptr;
  struct gp_cuda_extent extent;
  int kind;
};

struct gp_cuda_ipc_handle {
  char bytes[64];
};

/* cudaLaunchAttribute: an id, padding, and a union of 64 bytes. */
struct gp_cuda_launch_attribute {
  int id;
  int padding;
  union {
    unsigned dimension[3];
    int integer;
    char bytes[64];
  } value;
};

/* cudaLaunchConfig_t */
struct gp_cuda_launch_config {
  struct gp_cuda_dim3 grid, block;
  size_t dynamic_shared_bytes;
  void *stream;
  struct gp_cuda_launch_attribute *attributes;
  unsigned attribute_count;
};

/* CUlaunchConfig */
struct gp_cuda_driver_launch {
  unsigned grid[3], block[3], dynamic_shared_bytes;
  void *stream;
  struct gp_cuda_launch_attribute *attributes;
  unsigned attribute_count;
};

static inline struct gp_cuda_launch_config gp_cuda_launch_of_driver(const struct gp_cuda_driver_launch *l) {
  return (struct gp_cuda_launch_config){.grid = {l->grid[0], l->grid[1], l->grid[2]},
                                        .block = {l->block[0], l->block[1], l->block[2]},
                                        .dynamic_shared_bytes = l->dynamic_shared_bytes,
                                        .stream = l->stream,
                                        .attributes = l->attributes,
                                        .attribute_count = l->attribute_count};
}

/* cudaKernelNodeParams */
struct gp_cuda_kernel_node {
  const void *function;
  struct gp_cuda_dim3 grid, block;
  unsigned dynamic_shared_bytes;
  void **arguments;
  void **extra;
};

/* cudaGraphNodeParams of a conditional node: the call returns the bodies. */
struct gp_cuda_node_parameters {
  int type;
  int reserved[3];
  uint64_t handle;
  int condition;
  unsigned body_count;
  void **bodies;
};

struct gp_cuda_channel_format {
  int x, y, z, w;
  int kind;
};

/* cudaMemLocation */
struct gp_cuda_location {
  int type, id;
};

/* cudaMemPoolProps */
struct gp_cuda_pool_properties {
  int allocation_type, handle_types;
  struct gp_cuda_location location;
  void *security;
  size_t maximum_bytes;
  unsigned short usage;
  unsigned char reserved[54];
};

/* Values of cudaError_t and of enumerations used by gpuprof itself. */
enum {
  GP_CUDA_SUCCESS = 0,
  GP_CUDA_ERROR_INVALID_VALUE = 1,
  GP_CUDA_ERROR_MEMORY_ALLOCATION = 2,
  GP_CUDA_ERROR_INITIALIZATION = 3,
  GP_CUDA_ERROR_RUNTIME_UNLOADING = 4,
  GP_CUDA_ERROR_MISSING_CONFIGURATION = 52,
  GP_CUDA_ERROR_NOT_READY = 600,
  GP_CUDA_ERROR_NOT_SUPPORTED = 801,
  GP_CUDA_ERROR_CAPTURE_UNSUPPORTED = 900,
  GP_CUDA_ERROR_CAPTURE_INVALIDATED = 901,
  GP_CUDA_ERROR_CAPTURE_UNJOINED = 904,

  GP_CUDA_MEMCPY_HOST_TO_DEVICE = 1,
  GP_CUDA_MEMCPY_DEVICE_TO_HOST = 2,

  GP_CUDA_NODE_CONDITIONAL = 13,

  GP_CUDA_ATTRIBUTE_CLOCK_KHZ = 13,
  GP_CUDA_ATTRIBUTE_SM_COUNT = 16,
  GP_CUDA_ATTRIBUTE_MAJOR = 75,
  GP_CUDA_ATTRIBUTE_MINOR = 76,

  GP_CUDA_CAPTURE_NONE = 0,
  GP_CUDA_CAPTURE_ACTIVE = 1,
  GP_CUDA_CAPTURE_MODE_RELAXED = 2,

  GP_CUDA_POOL_RESERVED = 5,
  GP_CUDA_POOL_RESERVED_HIGH = 6,
  GP_CUDA_POOL_USED = 7,
  GP_CUDA_POOL_USED_HIGH = 8,

  GP_CUDA_STREAM_NON_BLOCKING = 1,

  GP_CUDA_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
  GP_CUDA_LAUNCH_ATTRIBUTE_CLUSTER = 4
};

#endif
