// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/trace_rows.h"

#include "base/locks.h"
#include "base/table.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MARK ",\"row\":"
#define ROOM 20 /* digits of the largest number */

struct entry {
  struct gp_link link;
  const struct gp_record *record;
  uint32_t number;
  struct gp_trace_row row;
};

static struct gp_table entries;
static struct entry **by_number;
static uint32_t count, capacity;
GP_MUTEX(lock, GP_LOCK_TRACE_ROWS)

/* The caller holds the lock. */
static struct entry *find(const struct gp_record *record) {
  gp_assert_held(&lock);
  struct gp_link *link = gp_table_first(&entries, gp_hash_pointers(record, NULL));
  for (; link; link = gp_table_next(link))
    if (GP_HOLDER(link, struct entry, link)->record == record)
      return GP_HOLDER(link, struct entry, link);
  return NULL;
}

static int has_room(void) {
  if (count < capacity)
    return 1;
  const uint32_t wanted = capacity ? 2 * capacity : 64;
  struct entry **grown = realloc(by_number, wanted * sizeof *grown);
  if (!grown)
    return 0;
  by_number = grown;
  capacity = wanted;
  return 1;
}

static struct entry *add(const struct gp_record *record) {
  struct entry *entry = has_room() ? calloc(1, sizeof *entry) : NULL;
  if (!entry)
    return NULL;
  by_number[count++] = entry;
  entry->record = record;
  entry->number = count;
  gp_table_add(&entries, &entry->link, gp_hash_pointers(record, NULL));
  return entry;
}

static struct entry *find_or_add(const struct gp_record *record) {
  struct entry *entry = find(record);
  return entry ? entry : add(record);
}

uint32_t gp_trace_rows_number(const struct gp_record *record) {
  pthread_mutex_lock(&lock);
  const struct entry *entry = find_or_add(record);
  const uint32_t number = entry ? entry->number : 0;
  pthread_mutex_unlock(&lock);
  return number;
}

/* The events of the record may not have been written yet. */
void gp_trace_rows_set(const struct gp_record *record, const struct gp_trace_row *row) {
  pthread_mutex_lock(&lock);
  struct entry *entry = find_or_add(record);
  if (entry)
    entry->row = *row;
  pthread_mutex_unlock(&lock);
}

/* ---- Text ---- */

static const char *const keys[] = {",\"FLOPs\":", ",\"requested bytes\":", ",\"bound\":"};

void gp_trace_rows_print(FILE *out, uint32_t row) {
  fprintf(out, MARK "%u", row);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    fprintf(out, "%s%-*s", keys[i], ROOM, "null");
}

/* Writes `value` behind the next occurrence of the key; returns the place behind it, or null. */
static char *fill(char *at, const char *end, const char *key, const char *value) {
  char *found = memmem(at, (size_t)(end - at), key, strlen(key));
  char *room = found ? found + strlen(key) : NULL;
  if (!room || end - room < ROOM || memcmp(room, "null", 4))
    return NULL;
  memset(room, ' ', ROOM);
  memcpy(room, value, strnlen(value, ROOM));
  return room + ROOM;
}

static void fill_row(char *at, const char *end, const struct gp_trace_row *row) {
  char flops[ROOM + 1], bytes[ROOM + 1], bound[ROOM + 1] = "null";
  snprintf(flops, sizeof flops, "%" PRIu64, row->flops);
  snprintf(bytes, sizeof bytes, "%" PRIu64, row->bytes);
  if (row->bound)
    snprintf(bound, sizeof bound, "\"%.16s\"", row->bound);
  const char *const values[] = {flops, bytes, bound};
  for (size_t i = 0; at && i < sizeof keys / sizeof *keys; i++)
    at = fill(at, end, keys[i], values[i]);
}

static int find_row(uint32_t number, struct gp_trace_row *row) {
  pthread_mutex_lock(&lock);
  const int found = number && number <= count && by_number[number - 1]->row.known;
  if (found)
    *row = by_number[number - 1]->row;
  pthread_mutex_unlock(&lock);
  return found;
}

void gp_trace_rows_fill(char *text, size_t length) {
  const char *end = text + length;
  struct gp_trace_row row;
  for (char *at = text; (at = memmem(at, (size_t)(end - at), MARK, sizeof MARK - 1));) {
    at += sizeof MARK - 1;
    if (find_row((uint32_t)strtoul(at, NULL, 10), &row))
      fill_row(at, end, &row);
  }
}

void gp_trace_rows_reset(void) {
  pthread_mutex_lock(&lock);
  gp_table_free(&entries);
  entries = (struct gp_table){.count = 0};
  count = 0;
  pthread_mutex_unlock(&lock);
}
