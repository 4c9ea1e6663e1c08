/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tells AddressSanitizer and ThreadSanitizer of a switch of stacks, where the program is linked with one of them. Both keep
 * notes of each stack, and would take the frames of one lane for those of another. */
#ifndef GP_CPU_ANNOUNCE_H
#define GP_CPU_ANNOUNCE_H

#include <stdbool.h>
#include <stddef.h>

/* Of functions that leave on another stack than they came on: ThreadSanitizer counts a stack's calls and returns. */
#if defined(__has_attribute) && __has_attribute(disable_sanitizer_instrumentation)
#define GP_UNSANITIZED __attribute__((disable_sanitizer_instrumentation))
#else
#define GP_UNSANITIZED
#endif

/* What the sanitizers know of a stack. */
struct gp_announced {
  const void *bottom; /* its lowest address */
  size_t bytes;
  void *fake;  /* AddressSanitizer's own frames of it, while another runs */
  void *fiber; /* ThreadSanitizer's */
  bool left_behind; /* calls on it will never return: ThreadSanitizer needs a new fiber */
};

void __sanitizer_start_switch_fiber(void **fake, const void *bottom, size_t bytes) __attribute__((weak));
void *__tsan_get_current_fiber(void) __attribute__((weak));

GP_UNSANITIZED static inline bool gp_announces(void) { return __sanitizer_start_switch_fiber || __tsan_get_current_fiber; }

/* A stack on which something new begins. */
void gp_announce_new(struct gp_announced *stack, const void *bottom, size_t bytes);
/* Right before the switch. What AddressSanitizer keeps of a stack serves what begins on it next: to make it anew is slow. */
GP_UNSANITIZED void gp_announce_leave(struct gp_announced *from, struct gp_announced *to);
/* Right behind it, on the other stack. */
GP_UNSANITIZED void gp_announce_arrive(struct gp_announced *here);
/* Of a stack that is used no more. */
void gp_announce_end(struct gp_announced *stack);

#endif
