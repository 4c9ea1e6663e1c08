// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/occupancy_text.h"

#include "common/numbers.h"

#include <string.h>

#define LOW_OCCUPANCY 0.5 /* fewer warps seldom hide latency */
#define UNEVEN_WAVES 0.8  /* of the slots of all waves */

static void add_bytes(struct text *out, const struct entry *entry) {
  number_si(out, entry_number(entry, NUMBER_STATIC_SHARED).value + entry_number(entry, NUMBER_DYNAMIC_SHARED).value, "B");
  text_add(out, " a block");
}
static void add_registers(struct text *out, const struct entry *entry) {
  text_format(out, "%.0f a thread", entry_number(entry, NUMBER_REGISTERS).value);
}
static void add_threads(struct text *out, const struct entry *entry) {
  text_format(out, "%.0f threads a block", entry_number(entry, NUMBER_BLOCK_THREADS).value);
}

/* What limits the blocks of a multiprocessor, and what to do about it. */
static const struct limiter {
  const char *key, *name;
  void (*amount)(struct text *out, const struct entry *entry);
  const char *remedy;
} limiters[] = {
    {"registers", "registers", add_registers,
     "bound them by __launch_bounds__(threads, blocks), or keep less in each thread"},
    {"shared_memory", "shared memory", add_bytes, "use smaller tiles or types, or fewer stages of a pipeline"},
    {"block_size", "the block size", add_threads, "choose one that divides the warps of a multiprocessor"},
    {"blocks", "the number of blocks", add_threads, "use larger blocks"},
    {"barriers", "barriers", add_threads, "use fewer named barriers"},
};

static const struct limiter *limiter_of(const struct entry *entry) {
  const char *key = entry_string(entry, STRING_LIMITER);
  for (size_t i = 0; i < sizeof limiters / sizeof *limiters; ++i)
    if (!strcmp(limiters[i].key, key))
      return &limiters[i];
  return NULL;
}

static void add_occupancy(struct text *out, const struct entry *entry, const struct limiter *limiter) {
  number_percent(out, 100 * entry_number(entry, NUMBER_OCCUPANCY).value);
  if (!limiter)
    return;
  text_format(out, ", limited by %s (", limiter->name);
  limiter->amount(out, entry);
  text_add(out, ")");
}

static void add_range(struct text *out, const struct entry *entry) {
  const struct number least = entry_number(entry, NUMBER_OCCUPANCY_LEAST), most = entry_number(entry, NUMBER_OCCUPANCY_MOST);
  if (!least.known || !most.known || least.value == most.value)
    return;
  text_add(out, " Launches differ: ");
  number_percent(out, 100 * least.value);
  text_add(out, " to ");
  number_percent(out, 100 * most.value);
  text_add(out, ".");
}

static void add_waves(struct text *out, const struct entry *entry) {
  const struct number waves = entry_number(entry, NUMBER_WAVES), filled = entry_number(entry, NUMBER_WAVE_EFFICIENCY);
  if (!waves.known)
    return;
  text_add(out, " A launch is ");
  number_plain(out, waves.value);
  text_add(out, " waves of blocks");
  if (waves.value > 1 && filled.known && filled.value < UNEVEN_WAVES) {
    text_add(out, ", which fill ");
    number_percent(out, 100 * filled.value);
    text_add(out, " of their places");
  }
  text_add(out, ".");
}

static void add_local(struct text *out, const struct entry *entry) {
  const struct number local = entry_number(entry, NUMBER_LOCAL), stores = entry_number(entry, NUMBER_SPILL_STORES);
  const struct number loads = entry_number(entry, NUMBER_SPILL_LOADS);
  if (!(local.value > 0))
    return;
  text_format(out, " A thread has %.0f bytes of local memory", local.value);
  if (!stores.known || !loads.known)
    text_add(out, ": arrays, or what ptxas spills.");
  else if (stores.value + loads.value > 0)
    text_format(out, "; ptxas spills registers there: %.0f bytes of stores and %.0f of loads.", stores.value, loads.value);
  else
    text_add(out, ": arrays; ptxas spills nothing.");
}

void occupancy_explain(struct text *out, const struct entry *entry) {
  const struct number blocks = entry_number(entry, NUMBER_BLOCKS_PER_SM);
  const struct number achieved = entry_number(entry, NUMBER_ACHIEVED);
  if (!entry_number(entry, NUMBER_OCCUPANCY).known)
    return;
  text_add(out, "Occupancy ");
  add_occupancy(out, entry, limiter_of(entry));
  text_format(out, ": %.0f block%s of %.0f threads on a multiprocessor.", blocks.value, blocks.value == 1 ? "" : "s",
              entry_number(entry, NUMBER_BLOCK_THREADS).value);
  add_range(out, entry);
  if (achieved.known) {
    text_add(out, " Achieved: ");
    number_percent(out, 100 * achieved.value);
    text_add(out, ".");
  }
  add_waves(out, entry);
  add_local(out, entry);
}

bool occupancy_advice(struct text *out, const struct entry *entry) {
  const struct number occupancy = entry_number(entry, NUMBER_OCCUPANCY);
  const struct limiter *limiter = limiter_of(entry);
  if (!occupancy.known || occupancy.value >= LOW_OCCUPANCY || !limiter)
    return false;
  text_add(out, ", and few warps hide its latency: occupancy ");
  add_occupancy(out, entry, limiter);
  text_format(out, "; %s.", limiter->remedy);
  return true;
}
