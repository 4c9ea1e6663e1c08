// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/gate.h"

#include "base/clock.h"
#include "base/futex.h"

#include <errno.h>

/* Threads count themselves in and out at different stripes: threads then share no cache line. */
#define STRIPES 64u

static struct {
  _Alignas(64) _Atomic uint32_t inside;
} stripes[STRIPES];

static _Atomic uint32_t closed; /* the number of the closing, or 0 */
static _Atomic uint32_t left;   /* changes as launches leave while the gate is closed */
static _Atomic uint64_t deadline_ns, first_kept_ns;
static _Atomic uint32_t last_stripe;

/* The closing's number, on the thread with the gate closed. */
static uint32_t closing;
static uint64_t empty_ns;

static __thread struct {
  uint32_t depth, stripe; /* stripe 0: none yet */
  volatile int signal;    /* to be raised after leaving the gate */
} here __attribute__((tls_model("initial-exec")));

int gp_gate_is_inside(void) { return here.depth > 0; }

int gp_gate_signal(void) { return here.signal; }

int gp_gate_raise_later(int signal) {
  here.signal = signal;
  return 1;
}

/* Replaces raise(), as another library may interpose it. */
static void raise_now(void) {
  const int signal = here.signal, error = errno;
  here.signal = 0;
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
  errno = error;
}

static _Atomic uint32_t *own_stripe(void) {
  if (!here.stripe)
    here.stripe = 1 + atomic_fetch_add(&last_stripe, 1) % STRIPES;
  return &stripes[here.stripe - 1].inside;
}

static void tell_leaving(void) {
  atomic_fetch_add(&left, 1);
  gp_futex_wake(&left);
}

/* Returns when this closing is over, if necessary by ending it. */
static void wait_at_the_gate(uint32_t number) {
  uint64_t now = gp_now(), nobody = 0;
  atomic_compare_exchange_strong(&first_kept_ns, &nobody, now);
  for (; atomic_load(&closed) == number; now = gp_now()) {
    const uint64_t deadline = atomic_load(&deadline_ns);
    if (now < deadline) {
      gp_futex_wait(&closed, number, deadline - now);
    } else {
      atomic_compare_exchange_strong(&closed, &number, 0);
      gp_futex_wake(&closed);
      tell_leaving();
      return;
    }
  }
}

static void enter_slowly(_Atomic uint32_t *inside) {
  const int error = errno;
  for (uint32_t number; (number = atomic_load(&closed));) {
    atomic_fetch_sub(inside, 1);
    tell_leaving();
    wait_at_the_gate(number);
    atomic_fetch_add(inside, 1);
  }
  errno = error;
}

void gp_gate_enter(void) {
  if (here.depth++)
    return;
  _Atomic uint32_t *inside = own_stripe();
  atomic_fetch_add(inside, 1);
  if (atomic_load(&closed))
    enter_slowly(inside);
}

static void leave_slowly(void) {
  const int error = errno;
  tell_leaving();
  errno = error;
}

void gp_gate_leave(void) {
  if (--here.depth)
    return;
  atomic_fetch_sub(own_stripe(), 1);
  if (atomic_load(&closed))
    leave_slowly();
  if (here.signal)
    raise_now();
}

unsigned gp_gate_count(void) {
  unsigned inside = 0;
  for (uint32_t i = 0; i < STRIPES; i++)
    inside += atomic_load(&stripes[i].inside);
  return inside;
}

static unsigned wait_for_those_inside(unsigned expected, uint64_t limit_ns) {
  for (;;) {
    const uint32_t seen = atomic_load(&left);
    const unsigned inside = gp_gate_count();
    const uint64_t now = gp_now();
    if (inside <= expected || now >= limit_ns || atomic_load(&closed) != closing)
      return inside;
    gp_futex_wait(&left, seen, limit_ns - now);
  }
}

unsigned gp_gate_close(const struct gp_gate_terms *terms) {
  static uint32_t last_closing;
  const uint64_t now = gp_now();
  const unsigned own = here.depth > 0;
  if (!++last_closing)
    ++last_closing;
  closing = last_closing;
  atomic_store(&first_kept_ns, 0);
  atomic_store(&deadline_ns, now + terms->patience_ns);
  atomic_store(&closed, closing);
  const unsigned inside = wait_for_those_inside(own + terms->excused, now + terms->wait_ns);
  here.depth++;
  empty_ns = inside <= own + terms->excused ? gp_now() : now;
  return inside;
}

int gp_gate_holds(void) { return atomic_load(&closed) == closing; }

int gp_gate_open(uint64_t *kept_ns) {
  uint32_t number = closing;
  const int held = atomic_compare_exchange_strong(&closed, &number, 0);
  gp_futex_wake(&closed);
  if (!--here.depth && here.signal)
    raise_now();
  const uint64_t first = atomic_load(&first_kept_ns), now = gp_now();
  const uint64_t from = held && empty_ns > first ? empty_ns : first;
  *kept_ns = first && now > from ? now - from : 0;
  return held;
}

unsigned gp_gate_in_child(void) {
  unsigned inside = 0;
  for (uint32_t i = 0; i < STRIPES; i++)
    inside += atomic_exchange(&stripes[i].inside, 0);
  atomic_store(&closed, 0);
  if (here.depth)
    atomic_store(own_stripe(), 1);
  return inside;
}
