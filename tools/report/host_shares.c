// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/host_shares.h"

#include <string.h>

static bool is_warmup(const struct entry *entry) { return !strcmp(entry_string(entry, STRING_PHASE), "warmup"); }

static uint64_t less(uint64_t from, uint64_t part) { return from > part ? from - part : 0; }

static const struct entry *parent_of(const struct document *document, const struct entry *entry) {
  return entry->parent_index == SIZE_MAX ? NULL : &document->regions[entry->parent_index];
}

/* Times of a region include those of a child, but for those of a warm-up. */
static void take_off(struct host_times *times, const struct entry *child) {
  const struct count device = entry_count(child, COUNT_TIME);
  times->waiting = less(times->waiting, entry_count(child, COUNT_HOST_WAITING).value);
  if (times->device.known && device.known)
    times->device.value = less(times->device.value, device.value);
}

bool host_times_of(const struct document *document, size_t region, struct host_times *times) {
  const struct entry *entry = &document->regions[region];
  const struct count inclusive = entry_count(entry, COUNT_HOST);
  *times = (struct host_times){.inclusive = inclusive.value,
                               .exclusive = entry_count(entry, COUNT_HOST_EXCLUSIVE).value,
                               .waiting = entry_count(entry, COUNT_HOST_WAITING).value,
                               .device = entry_count(entry, COUNT_TIME)};
  for (size_t i = region + 1; inclusive.known && i < document->region_count && document->regions[i].depth > entry->depth; ++i) {
    const struct entry *child = &document->regions[i];
    if (child->depth == entry->depth + 1 && entry_count(child, COUNT_HOST).known && is_warmup(child) <= is_warmup(entry))
      take_off(times, child);
  }
  return inclusive.known;
}

/* ---- Groups ---- */

static struct host_group *group_of(struct host_group *groups, size_t *count, const char *name) {
  for (size_t i = 0; i < *count; ++i)
    if (!strcmp(groups[i].name, name))
      return &groups[i];
  if (*count == HOST_GROUPS_MOST) {
    groups[HOST_GROUPS_MOST - 1].name = "others";
    return &groups[HOST_GROUPS_MOST - 1];
  }
  groups[*count] = (struct host_group){.name = name};
  return &groups[(*count)++];
}

/* Whether no region around is of the same group: its inclusive time has the region's already. */
static bool is_outermost(const struct document *document, const struct entry *entry, enum entry_string which) {
  const char *name = entry_string(entry, which);
  for (const struct entry *around = parent_of(document, entry); around; around = parent_of(document, around))
    if (!strcmp(entry_string(around, which), name))
      return false;
  return true;
}

static void add(struct host_times *to, const struct host_times *from, bool outermost) {
  to->inclusive += outermost ? from->inclusive : 0;
  to->exclusive += from->exclusive;
  to->waiting += from->waiting;
  to->device = count_sum(to->device, from->device);
}

static void add_region(struct host_shares *shares, const struct document *document, size_t region) {
  const struct entry *entry = &document->regions[region];
  struct host_times times;
  if (!host_times_of(document, region, &times))
    return;
  struct host_group *phase = group_of(shares->phases, &shares->phase_count, entry_string(entry, STRING_PHASE));
  struct host_group *category = group_of(shares->categories, &shares->category_count, entry_string(entry, STRING_CATEGORY));
  add(&phase->times, &times, is_outermost(document, entry, STRING_PHASE));
  add(&category->times, &times, is_outermost(document, entry, STRING_CATEGORY));
  shares->regions_ns += times.exclusive;
  shares->device_ns += times.device.value;
}

void host_shares_of(struct host_shares *shares, const struct document *document) {
  memset(shares, 0, sizeof *shares);
  for (size_t i = 0; i < document->region_count; ++i)
    add_region(shares, document, i);
  if (!document->host_regions_ns.known)
    return;
  shares->left_out = (struct count){true, less(document->host_regions_ns.value, shares->regions_ns)};
  if (document->duration_ns.known && document->host_threads.value == 1)
    shares->outside = (struct count){true, less(document->duration_ns.value, document->host_regions_ns.value)};
}
