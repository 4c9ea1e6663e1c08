/* Launches that could not be counted, for the report's list of what is not counted. Thread-safe. */
#ifndef GP_UNCOUNTED_H
#define GP_UNCOUNTED_H

#include <stddef.h>
#include <stdint.h>

/* One launch of the kernel of this mangled name, or of what the name says. `why` is a sentence without its
 * subject; it stays where it is. */
void gp_uncounted_launch(const char *kernel, const char *why);

struct gp_uncounted_launches {
  struct gp_uncounted_launches *next;
  char *what; /* "launch of NAME" */
  const char *why;
  uint64_t launches;
};
/* All kinds, the newest first; what is found stays valid. */
const struct gp_uncounted_launches *gp_uncounted_all(void);

/* Tests: forgets all. */
void gp_uncounted_reset(void);

#endif
