#include "snapshot.h"

#include "device.h"
#include "gate.h"
#include "runtime.h"

#include <string.h>

#define MS UINT64_C(1000000)
#define PATIENCE_NS (2000 * MS)        /* of a document that the program asks for, or that is its last */
#define PASSING_PATIENCE_NS (100 * MS) /* of others at most, and what they may cost at the begin … */
#define COST_SHARE 1000u               /* … beside this part of the run */
#define PASSING_WAIT_NS (200 * MS)
#define SUDDEN_WAIT_NS (50 * MS)

static _Thread_local enum { NONE, WAITING, PASSING } taking;
static _Thread_local struct gp_snapshot current;

/* Nanoseconds for which passing snapshots kept launches from running. */
static uint64_t spent_ns;

int gp_snapshot_is_passing(void) { return taking == PASSING; }
int gp_snapshot_is_torn(void) { return taking != NONE && !current.exact; }

/* There clones run in order, before their launch returns. */
static int is_on_cpu(void) { return !strcmp(gp_device()->kind, "cpu"); }

int gp_snapshot_has_settled(void) { return taking != PASSING || is_on_cpu() || current.exact; }

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
  /* On the CPU device one launch has the machine: those at the gate would wait for it elsewhere. */
  terms.wait_ns = PASSING_WAIT_NS;
  terms.patience_ns = is_on_cpu() && passing_patience() ? PASSING_WAIT_NS : passing_patience();
  return terms;
}

/* An error here shows again when counters are read. Waiting for a GPU is worth it only while the gate keeps it from more. */
static void settle(unsigned running) {
  if (taking == WAITING || (!running && !is_on_cpu() && gp_gate_holds()))
    gp_device()->synchronize();
  if (taking == WAITING || gp_gate_holds())
    gp_device()->flush();
}

void gp_snapshot_begin(enum gp_occasion occasion, unsigned excused) {
  const int used = gp_device_kind_in_use() != NULL;
  taking = occasion == GP_AT_THE_END || occasion == GP_ON_REQUEST ? WAITING : PASSING;
  if (used && taking == WAITING)
    gp_device()->synchronize(); /* of what is under way now nothing has to wait at the gate */
  const struct gp_gate_terms terms = terms_of(occasion, excused);
  current.running = gp_gate_close(&terms);
  if (used)
    settle(current.running);
  current.taken_ns = gp_now();
  current.exact = !current.running && gp_gate_holds();
}

struct gp_snapshot gp_snapshot_end(void) {
  uint64_t kept_ns;
  const int held = gp_gate_open(&kept_ns);
  current.exact &= held;
  if (taking == PASSING && (held || !is_on_cpu()))
    spent_ns += kept_ns;
  taking = NONE;
  return current;
}

int gp_snapshot_read(void *host, uint64_t address, size_t bytes) {
  const struct gp_device_ops *device = gp_device();
  return taking == PASSING && device->peek ? device->peek(host, address, bytes) : device->read(host, address, bytes);
}
