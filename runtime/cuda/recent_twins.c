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

/* ---- Refused ones ---- */

/* Valid while neither number changes. */
struct refused {
  const void *host, *context;
  const char *suffix;
  uint64_t forgotten, modules_left, dynamic_shared;
  uint32_t block[3];
};

static uint64_t threads_of(const struct gp_launch *launch) {
  return (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
}

static struct refused *refused_place(struct refused *all, const struct gp_launch *launch) {
  return &all[(((uintptr_t)launch->function + threads_of(launch)) * UINT64_C(0x9e3779b97f4a7c15)) >> 58];
}

static int is_of(const struct refused *r, const struct gp_launch *launch) {
  return r->host == launch->function && !memcmp(r->block, launch->block, sizeof r->block) &&
         r->dynamic_shared == launch->dynamic_shared_bytes;
}

int gp_recent_twin_is_refused(const struct gp_launch *launch, const char *suffix) {
  const struct gp_thread_facts *own = gp_thread_facts();
  const struct refused *r = own && own->refused_twins ? refused_place(own->refused_twins, launch) : NULL;
  void *context = NULL;
  return r && is_of(r, launch) && is_suffix(r->suffix, suffix) && r->modules_left == gp_modules_left() &&
         r->forgotten == atomic_load_explicit(&forgotten, memory_order_acquire) &&
         !current_context(&context) && r->context == context;
}

void gp_recent_twin_refused(const struct gp_launch *launch, const struct gp_sibling *twin) {
  struct gp_thread_facts *own = gp_thread_facts();
  void *context = NULL;
  const unsigned most = gp_sibling_most_threads(twin);
  pthread_once(&loaded, load);
  if (!own || !most || threads_of(launch) <= most || !current_context || current_context(&context) ||
      !context)
    return;
  if (!own->refused_twins && !(own->refused_twins = calloc(TWINS, sizeof(struct refused))))
    return;
  struct refused *r = refused_place(own->refused_twins, launch);
  *r = (struct refused){.host = launch->function,
                        .context = context,
                        .suffix = twin->suffix,
                        .forgotten = atomic_load_explicit(&forgotten, memory_order_acquire),
                        .modules_left = gp_modules_left(),
                        .dynamic_shared = launch->dynamic_shared_bytes};
  memcpy(r->block, launch->block, sizeof r->block);
}

void gp_recent_twins_forget(void) { atomic_fetch_add(&forgotten, 1); }
