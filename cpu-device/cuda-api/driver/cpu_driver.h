/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The driver's functions on the CPU device beyond the runtime's. All return CUDA errors. */
#ifndef GP_CPU_DRIVER_H
#define GP_CPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

enum { GP_DRIVER_INVALID_CONTEXT = 201 };

int gp_driver_device(int *device, int number);
int gp_driver_device_name(char *name, int bytes, int device);
int gp_driver_total_memory(size_t *bytes, int device);
int gp_driver_capability(int *major, int *minor, int device);

/* ---- driver_contexts.c ---- */
/* A fresh context becomes the thread's current one; a device's primary context does not. */
int gp_driver_context(void **context, int device);
int gp_driver_primary(void **context, int device);
int gp_driver_retain(void **context, int device);
int gp_driver_primary_state(int device, unsigned *flags, int *active);
int gp_driver_set_current(void *context);
int gp_driver_get_current(void **context);
int gp_driver_push(void *context);
int gp_driver_pop(void **context);
int gp_driver_destroy_context(void *context);
int gp_driver_context_flags(unsigned *flags);
int gp_driver_stream_context(void *stream, void **context);
int gp_driver_peer(const void *context, int enable, unsigned flags);
int gp_driver_api_version(const void *context, unsigned *version);

/* ---- driver_pointers.c ---- */
int gp_driver_address_range(uint64_t *start, size_t *bytes, uint64_t address);
int gp_driver_pointer_attribute(void *result, int attribute, uint64_t address);
int gp_driver_pointer_attributes(unsigned count, const int *attributes, void **results, uint64_t address);
int gp_driver_pitched(void **address, size_t *pitch, size_t width, size_t height, unsigned element_bytes);
int gp_driver_fill_rows(uint64_t to, size_t pitch, unsigned value, unsigned element_bytes, size_t width,
                        size_t height, void *stream);

/* ---- cpu_driver.c and others ---- */
int gp_driver_fill(void *to, unsigned value, unsigned element_bytes, size_t count, void *stream);
int gp_driver_function_attribute(int *value, int attribute, const void *function);
struct gp_cuda_driver_launch;
int gp_driver_active_clusters(int *clusters, const void *function,
                              const struct gp_cuda_driver_launch *launch);
int gp_driver_largest_cluster(int *size, const void *function, const struct gp_cuda_driver_launch *launch);
/* Equal to cudaOccupancyMaxPotentialBlockSizeVariableSMem, a template of the runtime's header. */
int gp_driver_best_block(int *grid, int *block, const void *function, size_t (*shared_bytes)(int),
                         size_t fixed_shared_bytes, int limit);
int gp_driver_module_of(void **module, const void *function);
int gp_driver_module_of_library(void **module, const void *library);
int gp_driver_kernel_function(void **function, void *kernel);
int gp_driver_linker(void **linker);
int gp_driver_is_linker(const void *linker);
int gp_driver_linked(const void *linker, void **image, size_t *bytes);
/* Stream waits for, and writes of, words of 4 or 8 bytes; flags are CUDA's. */
int gp_driver_wait_value(void *stream, const void *address, uint64_t value, unsigned flags, unsigned bytes);
int gp_driver_write_value(void *stream, void *address, uint64_t value, unsigned flags, unsigned bytes);
int gp_driver_batch_values(void *stream, unsigned count, const void *list, unsigned flags);
int gp_driver_error(int error, const char **text, int name);

#endif
