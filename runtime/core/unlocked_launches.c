// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/unlocked_launches.h"

#include <stddef.h>
#include <time.h>

#define LOOKS_NS 20000

_Atomic uint64_t gp_launch_generation = 1;

static _Atomic(struct gp_unlocked_launch *) places;

void gp_unlocked_launches_join(struct gp_unlocked_launch *own) {
  own->next = atomic_load(&places);
  while (!atomic_compare_exchange_weak(&places, &own->next, own))
    ;
}

void gp_unlocked_launches_stop(void) { atomic_fetch_add(&gp_launch_generation, 1); }

int gp_unlocked_launches_run(const struct gp_kernel *kernel) {
  for (struct gp_unlocked_launch *place = atomic_load(&places); place; place = place->next)
    if (atomic_load(&place->kernel) == kernel)
      return 1;
  return 0;
}

void gp_unlocked_launches_await(void) {
  const struct timespec pause = {.tv_nsec = LOOKS_NS};
  for (struct gp_unlocked_launch *place = atomic_load(&places); place; place = place->next)
    while (atomic_load(&place->kernel))
      nanosleep(&pause, NULL);
}

void gp_unlocked_launches_in_child(void) {
  gp_unlocked_launches_stop();
  for (struct gp_unlocked_launch *place = atomic_load(&places); place; place = place->next)
    atomic_store(&place->kernel, NULL);
}
