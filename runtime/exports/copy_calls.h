/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies and fills among the exported functions: what a call copies, from its arguments. exports/copy_list.h has
 * their list; GP_COPIES(name) is used within the exported function.
 */
#ifndef GP_COPY_CALLS_H
#define GP_COPY_CALLS_H

#include "exports/cudart_types.h"
#include "timeline/timeline.h"

#include <stddef.h>

/* A call under way. */
struct gp_copied {
  struct gp_copy_call call;
  const void *const *to, *const *from; /* of a batch: each of `count` copies; else null */
  const size_t *bytes;
  size_t count;
};

/* cudaMemcpyKind */
enum { GP_KIND_HOST_TO_HOST, GP_KIND_HOST_TO_DEVICE, GP_KIND_DEVICE_TO_HOST, GP_KIND_DEVICE_TO_DEVICE, GP_KIND_BY_ADDRESS };

/* Each tells what a call is about to copy; 0: it is not counted (gpuprof is off, or the call is captured into a
 * graph). A null address is one that needs no look: of a symbol or an array. */
int gp_copied_bytes(struct gp_copied *c, const void *to, const void *from, size_t bytes, int kind, void *stream);
int gp_copied_peer(struct gp_copied *c, int to_device, int from_device, size_t bytes, void *stream);
int gp_copied_3d(struct gp_copied *c, const struct gp_cuda_memcpy3d *copy, void *stream);
int gp_copied_3d_peer(struct gp_copied *c, const void *parameters, void *stream);
int gp_copied_2d_of_driver(struct gp_copied *c, const void *copy);
int gp_copied_batch(struct gp_copied *c, void *to, void *from, const size_t *bytes, size_t count);
int gp_copied_3d_batch(struct gp_copied *c, const void *list, size_t count);
int gp_filled(struct gp_copied *c, size_t bytes, void *stream);

/* Around the call; begin() returns 0 if it is not counted. */
int gp_copied_begin(struct gp_copied *c, const char *name);
void gp_copied_end(const struct gp_copied *c, int error);

/* Within the exported function `name`: true if it copies, and the copy is counted. A name without a GP_COPY_OF_
 * macro copies nothing, and gets no code. */
#define GP_COPIES_SECOND(first, second, ...) second
#define GP_COPIES_PICK(...) GP_COPIES_SECOND(__VA_ARGS__, 0, 0)
#define GP_COPIES(name) (GP_COPIES_PICK(GP_COPY_OF_##name) && gp_copied_begin(&gp_copied, #name))

#endif
