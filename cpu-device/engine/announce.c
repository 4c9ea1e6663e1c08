// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/announce.h"

/* AddressSanitizer's and ThreadSanitizer's functions for stack switches; absent without the sanitizers. */
void __sanitizer_finish_switch_fiber(void *fake, const void **old_bottom, size_t *old_bytes) __attribute__((weak));
void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
void __tsan_destroy_fiber(void *fiber) __attribute__((weak));
void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));

/* The stack left last. AddressSanitizer tells a stack's address only after the switch, and nobody else knows
 * the address of a thread's own stack. */
static _Thread_local struct gp_announced *left;

/* ThreadSanitizer's running fiber, if another stack's work replaces it: it ends after the switch. */
static _Thread_local void *ending;

void gp_announce_new(struct gp_announced *stack, const void *bottom, size_t bytes) {
  void *kept = stack->fiber;
  if (kept && stack->left_behind) {
    if (kept == __tsan_get_current_fiber())
      ending = kept;
    else
      __tsan_destroy_fiber(kept);
    kept = NULL;
  }
  *stack = (struct gp_announced){.bottom = bottom, .bytes = bytes, .fake = stack->fake, .fiber = kept};
  if (!kept && __tsan_create_fiber)
    stack->fiber = __tsan_create_fiber(0);
}

GP_UNSANITIZED void gp_announce_leave(struct gp_announced *from, struct gp_announced *to) {
  left = from;
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(&from->fake, to->bottom, to->bytes);
  if (__tsan_switch_to_fiber) {
    if (!from->fiber) /* the thread's own stack */
      from->fiber = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->fiber, 0);
  }
}

GP_UNSANITIZED void gp_announce_arrive(struct gp_announced *here) {
  if (ending) {
    __tsan_destroy_fiber(ending);
    ending = NULL;
  }
  if (!__sanitizer_finish_switch_fiber)
    return;
  __sanitizer_finish_switch_fiber(here->fake, &left->bottom, &left->bytes);
  here->fake = NULL;
}

void gp_announce_end(struct gp_announced *stack) {
  if (stack->fiber && __tsan_destroy_fiber)
    __tsan_destroy_fiber(stack->fiber);
  stack->fiber = NULL;
}
