// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/recent_twins.h"

#include "cuda/cuda_real.h"
#include "exports/function_settings.h"
#include "sheet/modules.h"
#include "timeline/thread_facts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TWINS 64u

/* Valid while none of the numbers changes. */
struct recent {
  const void *host;
  void *context; /* the driver's: each has handles of its own */
  uint64_t forgotten, modules_left, settings;
  int dynamic_shared;
  struct gp_sibling twin;
};

static _Atomic uint64_t forgotten;

static int (*current_context)(void **context);
static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static void load(void) { *(void **)&current_context = gp_cuda_symbol("cuCtxGetCurrent"); }

/* Nearly always one literal; a linker need not make it one of several files. */
static int is_suffix(const char *kept, const char *suffix) { return kept == suffix || (kept && !strcmp(kept, suffix)); }

static struct recent *place_of(struct recent *all, const void *host) {
  return &all[((uintptr_t)host * UINT64_C(0x9e3779b97f4a7c15)) >> 58];
}
_Static_assert(TWINS == 1 << (64 - 58), "a hash has a place");

int gp_recent_twin(const struct gp_launch *launch, const char *suffix, struct gp_sibling *twin) {
  const struct gp_thread_facts *own = gp_thread_facts();
  const struct recent *r = own && own->twins ? place_of(own->twins, launch->function) : NULL;
  void *context = NULL;
  if (!r || r->host != launch->function || !is_suffix(r->twin.suffix, suffix) || launch->attribute_count ||
      launch->dynamic_shared_bytes > (uint64_t)r->dynamic_shared || r->modules_left != gp_modules_left() ||
      r->settings != gp_function_settings() || r->forgotten != atomic_load_explicit(&forgotten, memory_order_acquire) ||
      current_context(&context) || r->context != context)
    return 0;
  *twin = r->twin;
  return 1;
}

void gp_recent_twin_keep(const struct gp_launch *launch, const struct gp_sibling *twin, int dynamic_shared) {
  struct gp_thread_facts *own = gp_thread_facts();
  void *context = NULL;
  pthread_once(&loaded, load);
  if (!own || !current_context || current_context(&context) || !context)
    return;
  if (!own->twins && !(own->twins = calloc(TWINS, sizeof(struct recent))))
    return;
  *place_of(own->twins, launch->function) = (struct recent){.host = launch->function,
                                                            .context = context,
                                                            .forgotten = atomic_load_explicit(&forgotten, memory_order_acquire),
                                                            .modules_left = gp_modules_left(),
                                                            .settings = gp_function_settings(),
                                                            .dynamic_shared = dynamic_shared < 0 ? 0 : dynamic_shared,
                                                            .twin = *twin};
}

void gp_recent_twins_forget(void) { atomic_fetch_add(&forgotten, 1); }
