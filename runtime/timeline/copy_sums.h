/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Copies and fills made by calls of the program: numbers, bytes and times by direction and region. Numbers and
 * bytes are exact; times are known where the device tells them. Thread-safe.
 */
#ifndef GP_COPY_SUMS_H
#define GP_COPY_SUMS_H

#include <stdint.h>

struct gp_context;

enum gp_copy_direction {
  GP_COPY_HOST_TO_DEVICE,
  GP_COPY_DEVICE_TO_HOST,
  GP_COPY_DEVICE_TO_DEVICE,
  GP_COPY_PEER,
  GP_COPY_HOST_TO_HOST,
  GP_COPY_MEMSET,
  GP_COPY_DIRECTIONS
};
extern const char *const gp_copy_direction_names[GP_COPY_DIRECTIONS];

/* Memory of the host's side of a copy between host and device. */
enum gp_copy_memory { GP_COPY_OTHER, GP_COPY_PAGEABLE, GP_COPY_PINNED };

struct gp_copy_sum {
  uint64_t count, bytes, pageable_bytes, pinned_bytes;
  uint64_t timed, timed_bytes, time_ns; /* of the copies with a known time */
};
struct gp_copy_sums {
  struct gp_copy_sum of[GP_COPY_DIRECTIONS];
};

struct gp_copy {
  enum gp_copy_direction direction;
  enum gp_copy_memory memory;
  uint64_t bytes, count; /* count: copies of one call, as of a batch */
};

/* Counts a copy that was issued in this region (null: not counted). */
void gp_copies_count(const struct gp_context *context, const struct gp_copy *copy);
/* A counted copy of this region took `ns`. */
void gp_copies_time(const struct gp_context *context, const struct gp_copy *copy, uint64_t ns);

/* Adds the copies made in this region itself. Returns 1 if there are some. */
int gp_copies_of(const struct gp_context *context, struct gp_copy_sums *sums);
void gp_copies_add(struct gp_copy_sums *to, const struct gp_copy_sums *from);

/* In the child of a fork: forgets all. */
void gp_copies_reset(void);

#endif
