// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/thread_facts.h"

#include "base/log.h"

#include <pthread.h>
#include <stdlib.h>

static __thread struct gp_thread_facts *own __attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static int has_key; /* without it the facts of ending threads are not freed */
static pthread_once_t key_made = PTHREAD_ONCE_INIT;

static void thread_ends(void *value) {
  struct gp_thread_facts *facts = value;
  if (facts->regions && !facts->is_ending) { /* the stack of regions closes them first: destructors run again */
    facts->is_ending = 1;
    pthread_setspecific(key, facts);
    return;
  }
  own = NULL;
  for (size_t i = 0; i < sizeof facts->left / sizeof *facts->left; i++)
    if (facts->left[i])
      atomic_store(&facts->left[i]->is_owned, 0);
  free(facts->regions);
  free(facts->explanation);
  free(facts->twins);
  free(facts->refused_twins);
  free(facts);
}

static void make_key(void) { has_key = !pthread_key_create(&key, thread_ends); }

static struct gp_thread_facts *make(void) {
  pthread_once(&key_made, make_key);
  own = calloc(1, sizeof *own);
  if (!own)
    gp_log_exhausted("timeline");
  else if (has_key)
    pthread_setspecific(key, own);
  return own;
}

struct gp_thread_facts *gp_thread_facts(void) { return own ? own : make(); }
