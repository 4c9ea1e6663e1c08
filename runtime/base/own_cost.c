// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/own_cost.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STRIPES 64u

static struct {
  _Alignas(64) _Atomic uint64_t launches, ticks, calls_ns;
} stripes[STRIPES];
static _Atomic uint32_t last_stripe;
static __thread uint32_t own_stripe __attribute__((tls_model("initial-exec"))); /* from 1 */

static struct {
  _Atomic uint32_t count;
  _Atomic uint64_t values[GP_OWN_SAMPLES];
} samples[GP_OWN_COSTS];

/* ---- Launches and regions ---- */

void gp_own_cost_sample(enum gp_own_cost which, uint64_t cost) {
  const uint32_t at = atomic_fetch_add_explicit(&samples[which].count, 1, memory_order_relaxed);
  atomic_store_explicit(&samples[which].values[at % GP_OWN_SAMPLES], cost, memory_order_relaxed);
}

int gp_own_cost_samples_launch(void) {
  if (!own_stripe)
    own_stripe = 1 + atomic_fetch_add(&last_stripe, 1) % STRIPES;
  const uint64_t number = atomic_load_explicit(&stripes[own_stripe - 1].launches, memory_order_relaxed);
  return number < 16 || number % 16 == 0;
}

void gp_own_cost_launched(uint64_t ticks, uint64_t call_ns) {
  assert(own_stripe);
  atomic_fetch_add_explicit(&stripes[own_stripe - 1].launches, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&stripes[own_stripe - 1].ticks, ticks, memory_order_relaxed);
  atomic_fetch_add_explicit(&stripes[own_stripe - 1].calls_ns, call_ns, memory_order_relaxed);
}

struct gp_own_sum gp_own_cost_launches(void) {
  struct gp_own_sum sum = {0};
  for (uint32_t i = 0; i < STRIPES; i++) {
    sum.launches += atomic_load_explicit(&stripes[i].launches, memory_order_relaxed);
    sum.ticks += atomic_load_explicit(&stripes[i].ticks, memory_order_relaxed);
    sum.calls_ns += atomic_load_explicit(&stripes[i].calls_ns, memory_order_relaxed);
  }
  return sum;
}

static int by_size(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

struct gp_own_quantiles gp_own_cost_quantiles(enum gp_own_cost which) {
  uint64_t sorted[GP_OWN_SAMPLES];
  const uint32_t count = atomic_load(&samples[which].count), kept = count < GP_OWN_SAMPLES ? count : GP_OWN_SAMPLES;
  for (uint32_t i = 0; i < kept; i++)
    sorted[i] = atomic_load_explicit(&samples[which].values[i], memory_order_relaxed);
  if (!kept)
    return (struct gp_own_quantiles){0};
  qsort(sorted, kept, sizeof *sorted, by_size);
  return (struct gp_own_quantiles){kept, sorted[(kept - 1) / 2], sorted[(kept * 95 + 99) / 100 - 1], sorted[kept - 1]};
}

/* ---- Memory ---- */

static _Atomic uint64_t memory[GP_OWN_MEMORIES];

void gp_own_memory_add(enum gp_own_memory where, int64_t bytes) {
  atomic_fetch_add_explicit(&memory[where], (uint64_t)bytes, memory_order_relaxed);
}

uint64_t gp_own_memory(enum gp_own_memory where) { return atomic_load(&memory[where]); }

/* ---- Threads ---- */

static _Atomic uint64_t threads_ns;
static __thread uint64_t known_ns __attribute__((tls_model("initial-exec"))); /* part of threads_ns */

void gp_own_thread_works(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  const uint64_t now = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
  atomic_fetch_add(&threads_ns, now - known_ns);
  known_ns = now;
}

uint64_t gp_own_threads_ns(void) { return atomic_load(&threads_ns); }

/* Memory is the child's, too. */
void gp_own_cost_begin_anew(void) {
  memset(stripes, 0, sizeof stripes);
  memset(samples, 0, sizeof samples);
  threads_ns = 0;
}
