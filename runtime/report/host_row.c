// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/host_row.h"

#include "base/scratch.h"
#include "core/regions.h"

#include <math.h>

static uint64_t in_ns(uint64_t ticks, double tick_ns) { return (uint64_t)llround((double)ticks * tick_ns); }

/* A single execution is its own sample. */
static int read_samples(struct gp_scratch *memory, const struct gp_host_times *times, double tick_ns, struct gp_distribution *d) {
  const struct gp_host_samples *s = atomic_load_explicit(&times->samples, memory_order_acquire);
  const uint32_t kept = s ? __atomic_load_n(&s->kept, __ATOMIC_ACQUIRE) : 0;
  if (d->count == 1) {
    d->minimum = d->maximum = d->total;
    d->samples = &d->total;
    d->kept = 1;
    return 0;
  }
  if (!kept || !(d->samples = gp_scratch_get(memory, kept * sizeof *d->samples)))
    return kept ? -1 : 0;
  d->minimum = in_ns(__atomic_load_n(&s->minimum, __ATOMIC_RELAXED), tick_ns);
  d->maximum = in_ns(__atomic_load_n(&s->maximum, __ATOMIC_RELAXED), tick_ns);
  for (uint32_t i = 0; i < kept; i++)
    d->samples[i] = in_ns(s->ticks[i], tick_ns);
  d->kept = kept;
  return 0;
}

static int add_part(struct gp_scratch *memory, const struct gp_host_times *times, const struct gp_host_reading *r, double tick_ns,
                    struct gp_host_row *host) {
  struct gp_host_part *part = gp_scratch_get(memory, sizeof *part);
  if (!part)
    return -1;
  part->times.count = r->count;
  part->times.total = in_ns(r->total, tick_ns);
  part->next = host->parts;
  host->parts = part;
  return read_samples(memory, times, tick_ns, &part->times);
}

static int read_thread(struct gp_scratch *memory, const struct gp_host_times *times, uint64_t now, double tick_ns,
                       struct gp_host_row *host) {
  const struct gp_host_reading r = gp_host_times_read(times, now);
  host->known = 1;
  host->inclusive += in_ns(r.total + r.open, tick_ns);
  host->waiting += r.waiting_ns;
  return r.count ? add_part(memory, times, &r, tick_ns, host) : 0;
}

int gp_host_read(struct gp_scratch *memory, const struct gp_context *context, uint64_t now, double tick_ns, struct gp_host_row *host) {
  int result = 0;
  *host = (struct gp_host_row){0};
  gp_context_lock();
  for (const struct gp_host_times *times = context->host_times; times && !result; times = times->next)
    result = read_thread(memory, times, now, tick_ns, host);
  gp_context_unlock();
  host->exclusive = host->inclusive;
  return result;
}

/* Threads go on while a document is read: a path may have been read before the one within it. */
void gp_host_take_off(struct gp_host_row *host, const struct gp_host_row *within) {
  host->exclusive -= within->inclusive < host->exclusive ? within->inclusive : host->exclusive;
}

void gp_host_add_path(struct gp_host_row *row, const struct gp_host_row *path) {
  row->known |= path->known;
  row->inclusive += path->exclusive;
  row->exclusive += path->exclusive;
  row->waiting += path->waiting;
  struct gp_host_part **end = &row->parts;
  while (*end)
    end = &(*end)->next;
  *end = path->parts;
}

void gp_host_add_row(struct gp_host_row *row, const struct gp_host_row *within) {
  row->inclusive += within->inclusive;
  row->waiting += within->waiting;
}
