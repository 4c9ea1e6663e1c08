// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/snapshot.h"

#include "base/clock.h"
#include "base/device.h"
#include "base/state.h"
#include "core/gate.h"

#include <assert.h>
#include <time.h>

#define MS UINT64_C(1000000)
#define PATIENCE_NS (2000 * MS)        /* of a document on request, or of the last one */
#define PASSING_PATIENCE_NS (100 * MS) /* for other documents: maximum patience, and initial budget … */
#define COST_SHARE 1000u               /* … plus this fraction of the run's time */
#define PASSING_WAIT_NS (200 * MS)
#define SUDDEN_WAIT_NS (50 * MS)
#define LOOKS_NS (200 * 1000)          /* between two queries if the device is idle */

static _Thread_local enum { NONE, WAITING, PASSING } taking;
static _Thread_local struct gp_snapshot current;
static _Thread_local int fault;

/* Nanoseconds of launches delayed by passing snapshots. */
static uint64_t spent_ns;

int gp_snapshot_is_passing(void) { return taking == PASSING; }
int gp_snapshot_is_torn(void) { return taking != NONE && !current.exact; }

/* True if launches that have passed the gate have finished, including clones. */
static int launches_end_in_their_call(void) { return !gp_device()->idle; }

int gp_snapshot_fault(void) { return taking != NONE ? fault : 0; }

/* A launch out of patience opens the gate while counts are read. */
int gp_snapshot_has_settled(void) {
  return taking != PASSING || launches_end_in_their_call() || (current.exact && gp_gate_holds());
}

static uint64_t passing_patience(void) {
  const uint64_t earned = PASSING_PATIENCE_NS + (gp_now() - gp_start_ns()) / COST_SHARE;
  const uint64_t left = earned > spent_ns ? earned - spent_ns : 0;
  return left < PASSING_PATIENCE_NS ? left : PASSING_PATIENCE_NS;
}

static struct gp_gate_terms terms_of(enum gp_occasion occasion, unsigned excused) {
  struct gp_gate_terms terms = {.wait_ns = PATIENCE_NS, .patience_ns = PATIENCE_NS, .excused = excused};
  if (occasion == GP_AT_A_SUDDEN_END)
    terms.wait_ns = terms.patience_ns = SUDDEN_WAIT_NS;
  if (occasion != GP_ON_THE_WAY)
    return terms;
  /* On a device running one launch at a time, launches at the gate would otherwise wait for that launch. */
  terms.wait_ns = PASSING_WAIT_NS;
  terms.patience_ns = launches_end_in_their_call() && passing_patience() ? PASSING_WAIT_NS : passing_patience();
  return terms;
}

/* A GPU may have seconds of work ahead of it. Waiting for it is worthwhile only while the gate keeps more
 * work away. */
static int becomes_idle(uint64_t wait_ns) {
  const struct timespec pause = {.tv_nsec = LOOKS_NS};
  const uint64_t end = gp_now() + wait_ns;
  while (!gp_device()->idle()) {
    if (!gp_gate_holds() || gp_now() >= end)
      return 0;
    nanosleep(&pause, NULL);
  }
  return 1;
}

/* Other errors show again when counters are read. */
static void synchronize(void) {
  const struct gp_device_ops *device = gp_device();
  const int error = device->synchronize();
  if (error && device->is_fault && device->is_fault(error))
    fault = error;
}

/* Returns 1 if no work is left on the device. */
static int settle(unsigned running, uint64_t wait_ns) {
  if (taking == PASSING && running)
    return 0;
  if (taking == PASSING && !launches_end_in_their_call() && !becomes_idle(wait_ns))
    return 0;
  if (taking == WAITING || !launches_end_in_their_call())
    synchronize();
  gp_device()->flush();
  return !running;
}

void gp_snapshot_begin(enum gp_occasion occasion, unsigned excused) {
  assert(taking == NONE);
  const int used = gp_device_is_in_use();
  fault = 0;
  taking = occasion == GP_AT_THE_END || occasion == GP_ON_REQUEST ? WAITING : PASSING;
  if (used && taking == WAITING)
    gp_device()->synchronize(); /* nothing has to wait at the gate for work already under way */
  const struct gp_gate_terms terms = terms_of(occasion, excused);
  current.running = gp_gate_close(&terms);
  const int settled = used ? settle(current.running, terms.wait_ns) : !current.running;
  current.taken_ns = gp_now();
  current.exact = settled && gp_gate_holds();
}

struct gp_snapshot gp_snapshot_end(void) {
  assert(taking != NONE);
  uint64_t kept_ns;
  const int held = gp_gate_open(&kept_ns);
  current.exact &= held;
  if (taking == PASSING && (held || !launches_end_in_their_call()))
    spent_ns += kept_ns;
  taking = NONE;
  return current;
}

int gp_snapshot_read(void *host, uint64_t address, size_t bytes) {
  const struct gp_device_ops *device = gp_device();
  return taking == PASSING && device->peek ? device->peek(host, address, bytes) : device->read(host, address, bytes);
}
