// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/time_steps.h"

#include "base/device.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/settings.h"
#include "core/snapshot.h"
#include "sheet/units.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A sequence of stores, each twice the size of the previous one, up to the largest. */
#define STORES 8
#define LARGEST ((uint64_t)GP_SETTINGS_STEPS)
/* Maximum number of launches between two queries of the claimed lines: a query waits for the device. */
#define LONGEST_INTERVAL 256
/* Number of lines read at once. */
#define READ_AT_ONCE 512

struct store {
  uint64_t address; /* of the gpuprof_step_store; keys and lines lie behind it */
  uint64_t capacity;
};

static struct device {
  uint64_t cell;
  struct store stores[STORES];
  size_t count;
  int exhausted; /* no further store is available */
  uint64_t launches, next_look, used;
} devices[GP_DEVICES];

static struct gp_step_lines kept; /* of reset devices */
static uint64_t last_id;
GP_MUTEX(lock, GP_LOCK_STEPS)

#define HEADER_BYTES 128u
static uint64_t keys_of(const struct store *store) { return store->address + HEADER_BYTES; }
static uint64_t lines_of(const struct store *store) { return keys_of(store) + 8 * store->capacity; }

/* ---- Making room ---- */

static uint64_t first_capacity(void) {
  uint64_t capacity = 16;
  while (capacity < gp_settings()->steps && capacity < LARGEST)
    capacity *= 2;
  return capacity;
}

/* The caller holds the lock. Running kernels go on with the store known to them. */
static int add_store(struct device *device, uint64_t capacity) {
  gp_assert_held(&lock);
  const struct gp_device_ops *ops = gp_device();
  struct store *store = &device->stores[device->count];
  store->capacity = capacity;
  int error = ops->allocate(&store->address, HEADER_BYTES + capacity * (8 + 8 * GPUPROF_STEP_LINE));
  if (error)
    return error;
  struct gpuprof_step_store header = {.keys = keys_of(store), .lines = lines_of(store), .mask = capacity - 1};
  error = ops->write(store->address, &header, sizeof header);
  if (!error)
    error = ops->write(device->cell, &store->address, sizeof store->address);
  if (error) {
    ops->release(store->address);
    return error;
  }
  device->count++;
  device->used = 0;
  return 0;
}

static int open_device(struct device *device) {
  if (device->count)
    return 0;
  int error = device->cell ? 0 : gp_device()->allocate(&device->cell, sizeof device->cell);
  return error ? error : add_store(device, first_capacity());
}

static uint64_t make_ids(uint32_t levels) {
  if (last_id + levels >= GPUPROF_STEP_IDS)
    return 0;
  last_id += levels;
  return last_id - levels + 1;
}

int gp_time_steps_prepare(int device, uint64_t address, uint32_t levels, uint64_t *first_id) {
  pthread_mutex_lock(&lock);
  int error = open_device(&devices[device]);
  if (!*first_id)
    *first_id = make_ids(levels);
  struct gpuprof_step_control control = {.cell = devices[device].cell, .first_id = *first_id};
  if (error)
    control.first_id = 0;
  pthread_mutex_unlock(&lock);
  int written = gp_device_poke(address, &control, sizeof control);
  return error ? error : written;
}

static void grow(struct device *device) {
  const struct store *store = &device->stores[device->count - 1];
  uint64_t capacity = store->capacity < LARGEST ? 2 * store->capacity : LARGEST;
  if (device->count < STORES && !add_store(device, capacity))
    return;
  device->exhausted = 1;
  gp_log(GP_NOTE, "",
         "the device has no more memory for the steps of kernels: further ones are counted together");
}

/* Number of launches before half of the store can be claimed, at the rate so far. */
static uint64_t interval(const struct device *device, uint64_t used) {
  uint64_t half = device->stores[device->count - 1].capacity / 2;
  uint64_t claimed = used > device->used ? used - device->used : 0;
  uint64_t safe = LONGEST_INTERVAL;
  if (claimed)
    safe = used < half ? device->launches * ((half - used) / 2) / claimed : 1;
  return safe < 1 ? 1 : safe > LONGEST_INTERVAL ? LONGEST_INTERVAL : safe;
}

static void look(struct device *device) {
  const struct store *store = &device->stores[device->count - 1];
  struct gpuprof_step_store header;
  if (gp_device()->read(&header, store->address, sizeof header))
    return;
  uint64_t wait = interval(device, header.used);
  if (header.used > store->capacity / 2) {
    grow(device);
    wait = 1;
  } else {
    device->used = header.used;
  }
  device->launches = 0;
  device->next_look = wait;
}

void gp_time_steps_before_launch(int number) {
  pthread_mutex_lock(&lock);
  struct device *device = &devices[number];
  if (device->count && !device->exhausted && device->launches && device->launches >= device->next_look)
    look(device);
  device->launches++;
  pthread_mutex_unlock(&lock);
}

/* ---- Reading ---- */

static struct gp_step_line *add_line(struct gp_step_lines *to) {
  if (to->count == to->capacity) {
    size_t capacity = to->capacity ? 2 * to->capacity : 256;
    struct gp_step_line *grown = realloc(to->lines, capacity * sizeof *grown);
    if (!grown)
      return NULL;
    to->lines = grown;
    to->capacity = capacity;
  }
  return &to->lines[to->count++];
}

static int take_line(struct gp_step_lines *to, uint64_t key, const uint64_t *counts) {
  struct gp_step_line *line = add_line(to);
  if (!line)
    return -1;
  line->id = key >> GPUPROF_STEP_ID_SHIFT;
  line->line = (key >> GPUPROF_STEP_LINE_SHIFT) & 255;
  line->step = (int64_t)(key & ((1ull << GPUPROF_STEP_BITS) - 1)) - (1ll << (GPUPROF_STEP_BITS - 1));
  memcpy(line->counts, counts, sizeof line->counts);
  return 0;
}

static int read_some(const struct store *store, const uint64_t *keys, uint64_t first, uint64_t number,
                     struct gp_step_lines *to) {
  static uint64_t counts[READ_AT_ONCE][GPUPROF_STEP_LINE]; /* guarded by the lock */
  uint64_t claimed = 0;
  gp_assert_held(&lock);
  for (uint64_t i = 0; i < number; i++)
    claimed |= keys[first + i];
  if (!claimed)
    return 0;
  int error = gp_snapshot_read(counts, lines_of(store) + first * sizeof *counts, number * sizeof *counts);
  for (uint64_t i = 0; i < number && !error; i++)
    if (keys[first + i])
      error = take_line(to, keys[first + i], counts[i]);
  return error;
}

static int read_store(const struct store *store, struct gp_step_lines *to) {
  uint64_t *keys = malloc(store->capacity * sizeof *keys);
  int error = keys ? gp_snapshot_read(keys, keys_of(store), store->capacity * sizeof *keys) : -1;
  for (uint64_t first = 0; first < store->capacity && !error; first += READ_AT_ONCE) {
    uint64_t rest = store->capacity - first;
    error = read_some(store, keys, first, rest < READ_AT_ONCE ? rest : READ_AT_ONCE, to);
  }
  free(keys);
  return error;
}

static int read_device(const struct device *device, struct gp_step_lines *to) {
  int error = 0;
  for (size_t i = 0; i < device->count && !error; i++)
    error = read_store(&device->stores[i], to);
  return error;
}

void gp_time_steps_device_resets(int number) {
  pthread_mutex_lock(&lock);
  if (read_device(&devices[number], &kept))
    gp_log(GP_WARN, "",
           "the steps that kernels counted before cudaDeviceReset() could not be read and are missing");
  devices[number] = (struct device){0};
  pthread_mutex_unlock(&lock);
}

static int by_id_and_step(const void *a, const void *b) {
  const struct gp_step_line *x = a, *y = b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return (x->step > y->step) - (x->step < y->step);
}

int gp_time_steps_read(struct gp_step_lines *all) {
  *all = (struct gp_step_lines){0};
  pthread_mutex_lock(&lock);
  int error = 0;
  for (size_t i = 0; i < kept.count && !error; i++) {
    struct gp_step_line *line = add_line(all);
    if (line)
      *line = kept.lines[i];
    else
      error = -1;
  }
  for (int i = 0; i < GP_DEVICES && !error; i++)
    error = read_device(&devices[i], all);
  pthread_mutex_unlock(&lock);
  if (all->count)
    qsort(all->lines, all->count, sizeof *all->lines, by_id_and_step);
  return error;
}

void gp_time_steps_free(struct gp_step_lines *all) {
  free(all->lines);
  *all = (struct gp_step_lines){0};
}

static size_t first_from(const struct gp_step_lines *all, uint64_t id) {
  size_t low = 0, high = all->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (all->lines[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const struct gp_step_line *gp_time_steps_of(const struct gp_step_lines *all, uint64_t id, size_t *count) {
  size_t first = first_from(all, id);
  *count = first_from(all, id + 1) - first;
  return all->lines + first;
}
