/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Announces stack switches to AddressSanitizer and ThreadSanitizer, if the program is linked with one of
 * them. Both keep records of each stack, and would confuse the frames of different lanes. */
#ifndef GP_CPU_ANNOUNCE_H
#define GP_CPU_ANNOUNCE_H

#include <stdbool.h>
#include <stddef.h>

/* For functions leaving on another stack than they came on: ThreadSanitizer counts a stack's calls and
 * returns. */
#if defined(__has_attribute) && __has_attribute(disable_sanitizer_instrumentation)
#define GP_UNSANITIZED __attribute__((disable_sanitizer_instrumentation))
#else
#define GP_UNSANITIZED
#endif

/* The sanitizers' records of a stack. */
struct gp_announced {
  const void *bottom; /* its lowest address */
  size_t bytes;
  void *fake;  /* AddressSanitizer's own frames of it, while another stack runs */
  void *fiber; /* ThreadSanitizer's */
  bool left_behind; /* calls on it will never return: ThreadSanitizer needs a new fiber */
};

void __sanitizer_start_switch_fiber(void **fake, const void *bottom, size_t bytes) __attribute__((weak));
void *__tsan_get_current_fiber(void) __attribute__((weak));

GP_UNSANITIZED static inline bool gp_announces(void) { return __sanitizer_start_switch_fiber || __tsan_get_current_fiber; }

/* Announces a stack for a new use. */
void gp_announce_new(struct gp_announced *stack, const void *bottom, size_t bytes);
/* Call it right before the switch. AddressSanitizer's records of a stack are kept for its next use: making
 * new ones is slow. */
GP_UNSANITIZED void gp_announce_leave(struct gp_announced *from, struct gp_announced *to);
/* Call it right after the switch, on the other stack. */
GP_UNSANITIZED void gp_announce_arrive(struct gp_announced *here);
/* Announces the end of a stack's use. */
void gp_announce_end(struct gp_announced *stack);

#endif
