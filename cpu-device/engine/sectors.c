// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Unique bytes: the 32-byte sectors of memory accessed by a launch. The sectors of the arena are marked in a map of one
 * byte a sector. Device variables and other host memory go into a set, one for each worker.
 */
#include "base/own_file.h"
#include "engine/cluster.h"
#include "engine/emulator.h"
#include "engine/entries.h"
#include "memory/arena.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define MARKS_ARE_WATCHED
#endif
#endif

static bool skipping;             /* the marks of the running launch are not wanted */
static bool map_is_marked = true; /* by the running launch's code itself */
static uint8_t *wanted_marks, *unwanted_marks;

enum { SECTOR_BYTES = 32, PAGE_BYTES = 4096, LOOK_AT_PAGES_FROM = 8 * PAGE_BYTES };
static const uint64_t PAGE_EXISTS = 3ull << 62; /* in memory or swapped out */

/* ---- The set ------------------------------------------------------------------------------------------- */

static size_t slot_of(const struct gp_sector_set *set, uint64_t sector) {
  size_t slot = (size_t)(sector * 0x9E3779B97F4A7C15u >> 20) & (set->capacity - 1);
  while (set->slots[slot] && set->slots[slot] != sector)
    slot = (slot + 1) & (set->capacity - 1);
  return slot;
}

static bool grow(struct gp_sector_set *set) {
  struct gp_sector_set larger = {.capacity = set->capacity ? 2 * set->capacity : 1024, .used = set->used};
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (!larger.slots)
    return false;
  for (size_t i = 0; i < set->capacity; i++)
    if (set->slots[i])
      larger.slots[slot_of(&larger, set->slots[i])] = set->slots[i];
  free(set->slots);
  *set = larger;
  return true;
}

static void insert(struct gp_sector_set *set, uint64_t sector) {
  if (sector == set->last)
    return;
  set->last = sector;
  if (2 * set->used >= set->capacity && !grow(set) && set->used + 1 >= set->capacity)
    return; /* no memory: omitting the sector only lowers the figure */
  size_t slot = slot_of(set, sector);
  if (set->slots[slot])
    return;
  set->slots[slot] = sector;
  set->used++;
}

static void clear(struct gp_sector_set *set) {
  if (set->used)
    memset(set->slots, 0, set->capacity * sizeof *set->slots);
  set->used = 0;
  set->last = 0;
}

void gp_sectors_record_outside(struct gp_worker *worker, uint64_t address, uint64_t bytes) {
  for (uint64_t sector = address / SECTOR_BYTES; sector <= (address + bytes - 1) / SECTOR_BYTES; sector++)
    insert(&worker->home->touched, sector);
}

/* Most calls mark a few sectors of the arena: without the library's function. */
static inline void mark(uint8_t *marks, uint64_t count) {
#ifdef MARKS_ARE_WATCHED
  /* Threads of the machine may set the same mark: a race that nobody can see, but ThreadSanitizer would report it. */
  for (uint64_t i = 0; i < count; i++)
    atomic_store_explicit((_Atomic uint8_t *)marks + i, 1, memory_order_relaxed);
  return;
#endif
  const uint64_t eight = 0x0101010101010101;
  if (count > 64) {
    memset(marks, 1, count);
  } else if (count >= 8) {
    for (uint64_t i = 0; i + 8 <= count; i += 8)
      memcpy(marks + i, &eight, 8);
    memcpy(marks + count - 8, &eight, 8);
  } else if (count >= 4) {
    memcpy(marks, &eight, 4);
    memcpy(marks + count - 4, &eight, 4);
  } else {
    marks[0] = marks[count / 2] = marks[count - 1] = 1;
  }
}

/* ---- Spans --------------------------------------------------------------------------------------------- */
/* Neighbouring threads and blocks mostly access neighbouring sectors. A few growing spans then hold the footprint of a
 * launch, and the map is neither marked nor scanned. */

enum { TRIED = 16 * GP_CPU_SPANS };

static void mark_span(const struct gp_span *span) {
  mark(gp_cpu_sectors->sectors + span->first, span->end - span->first);
}

/* Moves the spans into the map. Later accesses are marked there. */
static void leave_spans(struct gp_spans *all) {
  for (uint32_t i = 0; i < all->count; i++)
    mark_span(&all->spans[i]);
  all->in_map |= all->count;
  all->count = 0;
  all->useless = true;
}

static inline bool grow_span(struct gp_span *span, uint64_t first, uint64_t end) {
  if (first > span->end || end < span->first)
    return false;
  span->first = first < span->first ? first : span->first;
  span->end = end > span->end ? end : span->end;
  return true;
}

/* Spans in the order of their sectors, with gaps between them. */
struct union_of_spans {
  struct gp_span spans[4 * GP_CPU_SPANS];
  uint32_t count;
};

/* False without room for one more. */
static bool unite(struct union_of_spans *all, struct gp_span new) {
  uint32_t low = 0, high = all->count;
  while (low < high) { /* the first span ending at or behind its start */
    uint32_t middle = (low + high) / 2;
    if (all->spans[middle].end < new.first)
      low = middle + 1;
    else
      high = middle;
  }
  for (; high < all->count && all->spans[high].first <= new.end; high++)
    grow_span(&new, all->spans[high].first, all->spans[high].end);
  if (low == high && all->count == sizeof all->spans / sizeof *all->spans)
    return false;
  memmove(all->spans + low + 1, all->spans + high, (all->count - high) * sizeof new);
  all->spans[low] = new;
  all->count += 1 + low - high;
  return true;
}

/* Rows of a plane grow until they touch. */
static void join_touching(struct gp_spans *all) {
  struct union_of_spans together;
  together.count = 0;
  for (uint32_t i = 0; i < all->count; i++)
    (void)unite(&together, all->spans[i]); /* there is room for all */
  memcpy(all->spans, together.spans, together.count * sizeof *together.spans);
  all->count = together.count;
  all->scattered = all->count > GP_CPU_SPANS / 2;
}

/* Spans may overlap: counting merges them. */
static uint8_t add_span(struct gp_spans *all, uint64_t first, uint64_t end) {
  if (all->count == GP_CPU_SPANS && !all->scattered)
    join_touching(all);
  uint32_t place = all->count;
  if (place < GP_CPU_SPANS) {
    all->count++;
  } else {
    place = all->oldest++ % GP_CPU_SPANS;
    mark_span(&all->spans[place]);
    all->in_map = true;
    all->replaced++;
  }
  all->spans[place] = (struct gp_span){first, end};
  return (uint8_t)place;
}

static inline uint8_t *place_of(struct gp_spans *all, uint64_t sector) {
  return &all->at[sector * 0x9E3779B97F4A7C15u >> 56];
}

/* Another span that these sectors touch, as one grown by neighbours with a halo; all->count: none. */
static uint32_t touching_span(const struct gp_spans *all, uint64_t first, uint64_t end) {
  uint32_t span = all->count;
  while (span-- && (first > all->spans[span].end || end < all->spans[span].first))
    ;
  return span < all->count ? span : all->count;
}

static void record_in_other_span(struct gp_spans *all, uint64_t first, uint64_t end) {
  uint32_t span = touching_span(all, first, end);
  if (span < all->count) {
    (void)grow_span(&all->spans[span], first, end);
    all->grown++;
  } else {
    span = add_span(all, first, end);
  }
  *place_of(all, first) = *place_of(all, end) = (uint8_t)span;
  if (all->replaced > TRIED && all->replaced > all->grown)
    leave_spans(all);
}

/* Records sectors [first, end). The next access mostly continues this span or repeats it. */
static inline void record_sectors(struct gp_spans *all, uint64_t first, uint64_t end) {
  if (all->useless) {
    mark(gp_cpu_sectors->sectors + first, end - first);
    all->in_map = true;
    return;
  }
  const uint8_t span = *place_of(all, first);
  struct gp_span *known = &all->spans[span];
  if (span >= all->count || !grow_span(known, first, end)) {
    record_in_other_span(all, first, end);
    return;
  }
  all->grown++;
  if (end == known->end) /* the neighbour's access begins there, with a halo a sector before */
    *place_of(all, end) = *place_of(all, end - 1) = span;
}

/* Counts the sectors of a launch recorded in spans alone: true, and their number in `sectors`. Otherwise moves all of
 * them into the map. */
static bool take_spans(struct gp_worker *const *workers, uint32_t count, uint64_t *sectors) {
  struct union_of_spans together;
  together.count = 0;
  bool fits = !map_is_marked;
  for (uint32_t i = 0; i < count; i++) {
    const struct gp_spans *all = &workers[i]->spans;
    if (!all->entered)
      continue;
    fits = fits && !all->in_map;
    for (uint32_t s = 0; fits && s < all->count; s++)
      fits = unite(&together, all->spans[s]);
  }
  for (uint32_t s = 0; fits && s < together.count; s++)
    *sectors += together.spans[s].end - together.spans[s].first;
  for (uint32_t i = 0; i < count; i++) {
    if (!workers[i]->spans.entered)
      continue;
    if (!fits)
      leave_spans(&workers[i]->spans);
    workers[i]->spans.count = 0;
    workers[i]->spans.entered = false;
  }
  return fits;
}

static void record_elsewhere(struct gp_worker *worker, uint64_t address, uint64_t bytes) {
  if (worker && bytes && !gp_cluster_owner(worker, address) && !gp_worker_owns_stack(worker, address))
    gp_sectors_record_outside(worker, address, bytes);
}

/* Looking for the worker of the thread is a call: once for each entry. */
static inline void record_access(struct gp_worker *worker, uint64_t address, uint64_t bytes) {
  uint64_t offset = address - gp_cpu_sectors->base;
  if (worker && offset < gp_cpu_sectors->size && bytes <= gp_cpu_sectors->size - offset && bytes)
    record_sectors(&worker->home->spans, offset / SECTOR_BYTES, (offset + bytes - 1) / SECTOR_BYTES + 1);
  else
    record_elsewhere(worker, address, bytes);
}

void __gpuprof_cpu_record_access(void *pointer, uint64_t bytes) {
  if (!skipping)
    record_access(gp_cpu_worker, (uint64_t)pointer, bytes);
}

/* ---- Far rows ------------------------------------------------------------------------------------------ */
/* Lane l of a warp often accesses elements l, l + 32, l + 64, …: each lane's accesses skip sectors, those of all lanes
 * together do not. Rows of one step are therefore kept, and joined with neighbouring ones before they are recorded. */

static void record_far_row(struct gp_spans *all, const struct gp_far_row *row) {
  if (row->step < row->bytes + SECTOR_BYTES) { /* joined rows have left no sector out */
    const uint64_t end = row->first + (row->count - 1) * row->step + row->bytes;
    record_sectors(all, row->first / SECTOR_BYTES, (end - 1) / SECTOR_BYTES + 1);
    return;
  }
  for (uint64_t i = 0, first = row->first; i < row->count; i++, first += row->step)
    record_sectors(all, first / SECTOR_BYTES, (first + row->bytes - 1) / SECTOR_BYTES + 1);
}

/* Records the accesses from the number `from` on. */
static void record_rest(struct gp_spans *all, const struct gp_far_row *row, uint64_t from) {
  struct gp_far_row rest = {row->first + from * row->step, row->step, row->count - from, row->bytes};
  if (rest.count)
    record_far_row(all, &rest);
}

/* Joins the new row to the kept one. False: a sector could lie between them, or their counts are too different. */
static inline bool join_far_row(struct gp_spans *all, struct gp_far_row *kept, const struct gp_far_row *new) {
  enum { LEFT_OVER = 8 }; /* accesses joined for each one recorded by itself */
  if (kept->step != new->step || new->first >= kept->first + kept->bytes + SECTOR_BYTES ||
      kept->first >= new->first + new->bytes + SECTOR_BYTES)
    return false;
  if (kept->count != new->count) {
    const uint64_t common = kept->count < new->count ? kept->count : new->count;
    if ((kept->count + new->count - 2 * common) * LEFT_OVER > common)
      return false;
    record_rest(all, kept, common);
    record_rest(all, new, common);
    kept->count = common;
  }
  const uint64_t end = kept->first + kept->bytes, new_end = new->first + new->bytes;
  kept->first = kept->first < new->first ? kept->first : new->first;
  kept->bytes = (end > new_end ? end : new_end) - kept->first;
  return true;
}

static void keep_far_row(struct gp_worker *home, const struct gp_far_row *new) {
  struct gp_far_rows *kept = &home->far_rows;
  for (uint32_t i = 0; i < GP_CPU_FAR_ROWS; i++)
    if (kept->rows[i].count && join_far_row(&home->spans, &kept->rows[i], new))
      return;
  struct gp_far_row *place = &kept->rows[kept->oldest++ % GP_CPU_FAR_ROWS];
  kept->some = true;
  record_rest(&home->spans, place, 0);
  *place = *new;
}

static void record_kept(struct gp_worker *home) {
  if (!home->far_rows.some)
    return;
  for (uint32_t i = 0; i < GP_CPU_FAR_ROWS; i++)
    record_rest(&home->spans, &home->far_rows.rows[i], 0);
  home->far_rows = (struct gp_far_rows){0};
}

/* True if a span holds all sectors from the row's first to its last one, as that of a tile holds its neighbours' halos.
 * A look at many spans would cost more than it saves. */
static bool is_in_span(const struct gp_spans *all, const struct gp_far_row *row) {
  enum { FEW = 8 };
  const uint64_t first = row->first / SECTOR_BYTES;
  const uint64_t end = (row->first + (row->count - 1) * row->step + row->bytes - 1) / SECTOR_BYTES + 1;
  for (uint32_t i = 0; i < all->count && i < FEW; i++)
    if (all->spans[i].first <= first && end <= all->spans[i].end)
      return true;
  return false;
}

__attribute__((noinline)) static void record_row_with_gaps(struct gp_worker *worker, uint64_t address,
                                                           uint64_t step, uint64_t count, uint64_t bytes) {
  const struct gp_far_row row = {address - gp_cpu_sectors->base, step, count, bytes};
  uint64_t all;
  if (worker && row.first < gp_cpu_sectors->size && !__builtin_mul_overflow(count - 1, step, &all) &&
      !__builtin_add_overflow(all, bytes, &all) && all <= gp_cpu_sectors->size - row.first) {
    if (!is_in_span(&worker->home->spans, &row))
      keep_far_row(worker->home, &row);
    return;
  }
  for (uint64_t i = 0; i < count; i++)
    record_access(worker, address + i * step, bytes);
}

static inline void record_row(struct gp_worker *worker, uint64_t address, uint64_t step, uint64_t count,
                              uint64_t bytes) {
  if (!count || !bytes)
    return;
  if ((int64_t)step < 0) { /* from the lowest on */
    address += (count - 1) * step;
    step = -step;
  }
  if (step < bytes + SECTOR_BYTES) /* every sector from the first to the last is accessed */
    record_access(worker, address, (count - 1) * step + bytes);
  else
    record_row_with_gaps(worker, address, step, count, bytes);
}

void __gpuprof_cpu_record_row(void *first, uint64_t step, uint64_t count, uint64_t bytes) {
  if (!skipping)
    record_row(gp_cpu_worker, (uint64_t)first, step, count, bytes);
}

/* True if this worker has recorded the same rows before in this launch. Threads of other rows and blocks
 * often access the same memory. */
static bool is_known(struct gp_worker *worker, const struct gp_rows *rows) {
  enum { NEW_ROWS = 256 };
  if (!worker)
    return false;
  uint64_t hash = (rows->first ^ rows->turn_step ^ rows->turns << 32) * 0x9E3779B97F4A7C15u;
  /* Most would only fill the table then; the others find out if rows repeat. */
  if (worker->new_rows > NEW_ROWS && hash >> 60)
    return false;
  struct gp_known_rows *known = &worker->rows[hash >> 32 & (GP_CPU_ROWS_KNOWN - 1)];
  if (known->launch == worker->launches && known->rows.first == rows->first &&
      known->rows.step == rows->step && known->rows.count == rows->count &&
      known->rows.bytes == rows->bytes && known->rows.turn_step == rows->turn_step &&
      known->rows.turns == rows->turns) {
    worker->new_rows = 0;
    return true;
  }
  worker->new_rows++;
  *known = (struct gp_known_rows){*rows, worker->launches};
  return false;
}

static bool is_dense(uint64_t step) { return step + SECTOR_BYTES <= 2 * SECTOR_BYTES; }

void __gpuprof_cpu_record_rows(void *first, uint64_t step, uint64_t count, uint64_t bytes, uint64_t turn_step,
                               uint64_t turns) {
  struct gp_rows rows = {(uint64_t)first, step, count, bytes, turn_step, turns};
  if (skipping || !count || !turns)
    return;
  struct gp_worker *worker = gp_cpu_worker;
  if (is_known(worker, &rows))
    return;
  /* Turns run along the dense direction: whole ranges at a time. */
  if (!is_dense(step) && is_dense(turn_step))
    rows = (struct gp_rows){rows.first, turn_step, turns, bytes, step, count};
  if (is_dense(rows.step)) { /* a row is one range */
    if ((int64_t)rows.step < 0) {
      rows.first += (rows.count - 1) * rows.step;
      rows.step = -rows.step;
    }
    record_row(worker, rows.first, rows.turn_step, rows.turns, (rows.count - 1) * rows.step + bytes);
    return;
  }
  for (uint64_t i = 0; i < rows.turns; i++)
    record_row(worker, rows.first + i * rows.turn_step, rows.step, rows.count, bytes);
}

static bool are_equal(const uint64_t *numbers, uint64_t count) {
  uint64_t differing = 0;
  for (uint64_t i = 1; i < count; i++)
    differing |= numbers[i] ^ numbers[0];
  return !differing;
}

/* Loops of lanes mostly end together; else some lanes have one more iteration: iterations of all lanes first. */
void __gpuprof_cpu_record_lanes(void *first, uint64_t step, uint64_t count, uint64_t bytes, uint64_t turn_step,
                                void *turns) {
  const uint64_t *each = turns;
  if (skipping || !count)
    return;
  if (are_equal(each, count)) {
    __gpuprof_cpu_record_rows(first, step, count, bytes, turn_step, each[0]);
    return;
  }
  uint64_t common = UINT64_MAX;
  for (uint64_t i = 0; i < count; i++)
    common = each[i] < common ? each[i] : common;
  __gpuprof_cpu_record_rows(first, step, count, bytes, turn_step, common);
  for (uint64_t i = 0; i < count; i++)
    if (each[i] > common)
      record_row(gp_cpu_worker, (uint64_t)first + i * step + common * turn_step, turn_step, each[i] - common,
                 bytes);
}

/* ---- Counting ------------------------------------------------------------------------------------------ */

/* Adds up marks (bytes of 0 or 1) and clears them. */
static uint64_t take_marks(uint8_t *marks, uint64_t count) {
  uint64_t sum = 0, i = 0, words[8];
  for (; i + sizeof words <= count; i += sizeof words) {
    memcpy(words, marks + i, sizeof words);
    uint64_t both = 0; /* a byte holds up to eight */
    for (int w = 0; w < 8; w++)
      both += words[w];
    if (both) {
      sum += both * 0x0101010101010101 >> 56;
      memset(marks + i, 0, sizeof words);
    }
  }
  for (; i < count; i++) {
    sum += marks[i];
    marks[i] = 0;
  }
  return sum;
}

/* A part of the kernel's table of this process's pages, a word a page. Allocations mostly lie close together: one read
 * serves several. */
static struct {
  struct gp_own_file file;
  bool is_open;          /* in this launch */
  uint64_t first, count; /* pages of the part */
  uint64_t entries[512];
} page_table = {.file = GP_NO_OWN_FILE};

static bool open_page_table(void) {
  struct gp_own_file *file = &page_table.file;
  page_table.count = 0;
  if (gp_own_file_is_kept(file))
    return true;
  if (file->descriptor < 0 && file->process == getpid())
    return false; /* it was tried */
  gp_own_file_close(file);
  gp_own_file_keep(file, open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  return file->descriptor >= 0;
}

/* False: the table cannot be read there. */
static bool look_at_page(uint64_t page, bool *exists) {
  if (page - page_table.first >= page_table.count) {
    const ssize_t bytes = pread(page_table.file.descriptor, page_table.entries, sizeof page_table.entries,
                                (off_t)(page * sizeof *page_table.entries));
    page_table.first = page;
    page_table.count = bytes < 0 ? 0 : (uint64_t)bytes / sizeof *page_table.entries;
    if (!page_table.count)
      return false;
  }
  *exists = page_table.entries[page - page_table.first] & PAGE_EXISTS;
  return true;
}

/* The same for whole pages of marks. Never written pages are skipped, and pages without a mark of this launch
 * are given back. The cost of a launch thus follows its footprint, not the allocated memory. */
static uint64_t take_pages(uint8_t *marks, uint64_t pages) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < pages; i++) {
    uint8_t *at = marks + i * PAGE_BYTES;
    bool exists;
    if (!look_at_page((uint64_t)at / PAGE_BYTES, &exists))
      return sum + take_marks(at, (pages - i) * PAGE_BYTES);
    if (!exists)
      continue;
    uint64_t touched = take_marks(at, PAGE_BYTES);
    if (!touched)
      madvise(at, PAGE_BYTES, MADV_DONTNEED);
    sum += touched;
  }
  return sum;
}

static void take_allocation(const struct gp_allocation *allocation, void *sectors) {
  uint64_t first = (allocation->address - gp_cpu_sectors->base) / SECTOR_BYTES;
  uint64_t count = (allocation->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
  uint8_t *marks = gp_cpu_sectors->sectors + first;
  uint64_t *sum = sectors;
  if (count < LOOK_AT_PAGES_FROM || !page_table.is_open) {
    *sum += take_marks(marks, count);
    return;
  }
  uint64_t head = -(uint64_t)marks % PAGE_BYTES, pages = (count - head) / PAGE_BYTES;
  uint64_t tail = count - head - pages * PAGE_BYTES;
  *sum += take_marks(marks, head) + take_pages(marks + head, pages) + take_marks(marks + count - tail, tail);
}

static uint64_t take_all(struct gp_worker *const *workers, uint32_t count) {
  uint64_t sectors = 0;
  for (uint32_t i = 0; i < count; i++)
    if (workers[i]->spans.entered)
      record_kept(workers[i]);
  if (!take_spans(workers, count, &sectors)) {
    page_table.is_open = open_page_table();
    gp_arena_each(take_allocation, &sectors);
  }
  struct gp_sector_set *all = &workers[0]->touched;
  for (uint32_t i = 1; i < count; i++) {
    struct gp_sector_set *set = &workers[i]->touched;
    for (size_t slot = 0; set->used && slot < set->capacity; slot++)
      if (set->slots[slot])
        insert(all, set->slots[slot]);
    clear(set);
  }
  sectors += all->used;
  clear(all);
  return sectors * SECTOR_BYTES;
}

/* Compiled code marks unpredictable accesses itself, wanted or not. An unwanted launch marks a map of the
 * same size. Only its used pages exist. */
static bool have_unwanted(void) {
  if (!unwanted_marks && gp_cpu_sectors->size) {
    void *map = mmap(NULL, gp_cpu_sectors->size / SECTOR_BYTES + PAGE_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    unwanted_marks = map == MAP_FAILED ? NULL : map;
  }
  return unwanted_marks != NULL;
}

void gp_sectors_begin(bool wanted, bool tells_all) {
  skipping = !wanted && have_unwanted();
  map_is_marked = !tells_all;
  if (!skipping)
    return;
  wanted_marks = gp_cpu_sectors->sectors;
  gp_cpu_sectors->sectors = unwanted_marks;
}

/* Each worker prepares and closes its own records: their memory is in its core's cache. */
void gp_sectors_enter(struct gp_worker *worker) {
  struct gp_spans *all = &worker->spans;
  all->count = all->oldest = all->grown = all->replaced = 0;
  all->in_map = all->useless = map_is_marked;
  all->scattered = false;
  all->entered = true;
  if (worker->far_rows.some)
    worker->far_rows = (struct gp_far_rows){0};
}

void gp_sectors_end(struct gp_worker *worker) {
  if (!skipping)
    record_kept(worker);
  else
    worker->spans.entered = false; /* nobody takes its records */
}

static void leave(void) {
  if (skipping && wanted_marks)
    gp_cpu_sectors->sectors = wanted_marks;
  skipping = false;
}

uint64_t gp_sectors_take(struct gp_worker *const *workers, uint32_t count) {
  if (!skipping)
    return take_all(workers, count);
  leave();
  return 0;
}

void gp_sectors_abandon(void) {
  leave();
  if (gp_cpu_sectors->size)
    madvise(gp_cpu_sectors->sectors, gp_cpu_sectors->size / SECTOR_BYTES, MADV_DONTNEED);
}
