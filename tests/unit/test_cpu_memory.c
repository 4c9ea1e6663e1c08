// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Device memory, copies, unique bytes, printf, events, properties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cpu_kernel.h"
#include "cuda-api/work/api.h"
#include "engine/format.h"
#include "memory/share.h"
#include "sanitized.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2 };

static void fresh_memory_is_aligned_and_not_zero(void **state) {
  (void)state;
  unsigned char *a, *b;
  assert_int_equal(gp_cpu_cudaMalloc((void **)&a, 100), 0);
  assert_int_equal(gp_cpu_cudaMalloc((void **)&b, 1), 0);
  assert_int_equal((uint64_t)a % 256, 0);
  assert_int_equal((uint64_t)b % 256, 0);
  assert_true(b >= a + 100 || b + 1 <= a);
  for (int i = 0; i < 100; i++)
    assert_int_equal(a[i], 0xCD);
  assert_int_equal(gp_cpu_cudaFree(a), 0);
  assert_int_equal(gp_cpu_cudaFree(a), GP_ERROR_INVALID_VALUE);
  assert_int_equal(gp_cpu_cudaFreeHost(b), GP_ERROR_INVALID_VALUE);
  assert_int_equal(gp_cpu_cudaFree(b), 0);
  assert_int_equal(gp_cpu_cudaFree(NULL), 0);
  gp_cpu_cudaGetLastError();
}

static void freed_memory_is_given_again(void **state) {
  (void)state;
  size_t free_before, free_after, total;
  void *pointers[50], *large;
  gp_cpu_cudaMemGetInfo(&free_before, &total);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 50; i++)
      assert_int_equal(gp_cpu_cudaMalloc(&pointers[i], 1000 * (size_t)(i + 1)), 0);
    for (int i = 0; i < 50; i += 2)
      assert_int_equal(gp_cpu_cudaFree(pointers[i]), 0);
    assert_int_equal(gp_cpu_cudaMalloc(&large, 5 << 20), 0);
    for (int i = 1; i < 50; i += 2)
      assert_int_equal(gp_cpu_cudaFree(pointers[i]), 0);
    assert_int_equal(gp_cpu_cudaFree(large), 0);
  }
  gp_cpu_cudaMemGetInfo(&free_after, &total);
  assert_int_equal(free_after, free_before);
  assert_int_equal(gp_cpu_cudaMalloc(&large, total + 1), GP_ERROR_MEMORY_ALLOCATION);
  assert_int_equal(gp_cpu_cudaGetLastError(), GP_ERROR_MEMORY_ALLOCATION);
  assert_int_equal(gp_cpu_cudaGetLastError(), 0);
}

static void copies_stay_within_an_allocation(void **state) {
  (void)state;
  char *device, host[64] = "text", back[64] = "";
  assert_int_equal(gp_cpu_cudaMalloc((void **)&device, 64), 0);
  assert_int_equal(gp_cpu_cudaMemcpy(device, host, 64, HOST_TO_DEVICE), 0);
  assert_int_equal(gp_cpu_cudaMemcpy(back, device, 64, DEVICE_TO_HOST), 0);
  assert_string_equal(back, "text");
  assert_int_equal(gp_cpu_cudaMemcpy(device, host, 65, HOST_TO_DEVICE), GP_ERROR_INVALID_VALUE);
  assert_int_equal(gp_cpu_cudaMemset(device + 1, 0, 64), GP_ERROR_INVALID_VALUE);
  assert_int_equal(gp_cpu_cudaMemcpy(device, host, 4, 9), GP_ERROR_INVALID_DIRECTION);
  assert_int_equal(gp_cpu_cudaMemcpy(NULL, host, 4, HOST_TO_DEVICE), GP_ERROR_INVALID_VALUE);
  assert_int_equal(gp_cpu_cudaFree(device), 0);
  assert_int_equal(gp_cpu_cudaMemcpy(back, device, 4, DEVICE_TO_HOST), GP_ERROR_INVALID_VALUE);
  gp_cpu_cudaGetLastError();
}

static void two_dimensional_copies_keep_their_pitches(void **state) {
  (void)state;
  char *device, host[3][5] = {"abcd", "efgh", "ijkl"}, back[3][4];
  size_t pitch;
  assert_int_equal(gp_cpu_cudaMallocPitch((void **)&device, &pitch, 4, 3), 0);
  assert_true(pitch >= 4);
  assert_int_equal(gp_cpu_cudaMemcpy2D(device, pitch, host, 5, 4, 3, HOST_TO_DEVICE), 0);
  assert_int_equal(device[pitch * 2 + 1], 'j');
  assert_int_equal(gp_cpu_cudaMemcpy2D(back, 4, device, pitch, 4, 3, DEVICE_TO_HOST), 0);
  assert_memory_equal(back, "abcdefghijkl", 12);
  assert_int_equal(gp_cpu_cudaMemcpy2D(back, 3, device, pitch, 4, 3, DEVICE_TO_HOST), GP_ERROR_INVALID_PITCH);
  gp_cpu_cudaFree(device);
  gp_cpu_cudaGetLastError();
}

/* ---- Unique bytes -------------------------------------------------------------------------------------- */

/* The calls of compiled code before a global access. */
static void mark(char *address, uint64_t bytes) {
  uint64_t offset = (uint64_t)address - __gpuprof_cpu_sectors.base;
  if (offset < __gpuprof_cpu_sectors.size && bytes <= 32) {
    __gpuprof_cpu_sectors.sectors[offset / 32] = 1;
    __gpuprof_cpu_sectors.sectors[(offset + bytes - 1) / 32] = 1;
  } else {
    __gpuprof_cpu_record_access(address, bytes);
  }
}

static char *device_memory, host_memory[4096] __attribute__((aligned(32)));

static void begin_launch(struct gp_worker *const *workers, uint32_t count, bool wanted, bool tells_all) {
  gp_sectors_begin(wanted, tells_all);
  for (uint32_t i = 0; i < count; i++)
    gp_sectors_enter(workers[i]);
}

static void touch_body(thread *t, void **arguments) {
  (void)arguments;
  for (int i = 0; i < 10; i++)
    mark(device_memory + 4 * t->tid_x, 4);         /* 64 threads: 256 bytes, 8 sectors */
  mark(device_memory + 1024 + 30, 4);              /* across a boundary: 2 sectors */
  mark(device_memory + 2048 + 8, 100);             /* long: 4 sectors */
  mark(host_memory + 64 + 32 * (t->tid_x % 3), 8); /* outside: 3 sectors */
  mark(host_memory + 1024, 64);                    /* outside and long: 2 sectors */
  mark(t->shared, 4);                              /* shared memory is not global */
  mark((char *)&t, 8);                             /* neither is the stack */
}

static uint64_t touched_by(uint32_t blocks) {
  struct gp_worker *workers[1] = {gp_worker_create(0, NULL)};
  struct gpuprof_cpu_kernel kernel = {.name = "hand_written", .thread = touch_body};
  struct gp_cpu_launch launch = {
      .kernel = &kernel, .grid = {blocks, 1, 1}, .block = {64, 1, 1}, .threads = 64};
  begin_launch(workers, 1, true, false);
  gp_worker_prepare(workers[0], &launch);
  for (uint32_t block = 0; block < blocks; block++)
    gp_worker_run_block(workers[0], block);
  uint64_t bytes = gp_sectors_take(workers, 1);
  assert_int_equal(gp_sectors_take(workers, 1), 0);
  return bytes;
}

static void unique_bytes_are_sectors_touched_once(void **state) {
  (void)state;
  assert_int_equal(gp_cpu_cudaMalloc((void **)&device_memory, 4096), 0);
  assert_int_equal(touched_by(1), 32 * (8 + 2 + 4 + 3 + 2));
  assert_int_equal(touched_by(5), 32 * (8 + 2 + 4 + 3 + 2));
  gp_cpu_cudaFree(device_memory);
}

static uint64_t sparse_step;

static void sparse_body(thread *t, void **arguments) {
  (void)arguments;
  if (!t->tid_x)
    for (uint64_t at = 0; at < 64 << 20; at += sparse_step)
      mark(device_memory + at, 4);
}

/* A large allocation; launches touch a little of it, then much, then nothing. */
static void unique_bytes_of_large_memory(void **state) {
  (void)state;
  struct gp_worker *workers[1] = {gp_worker_create(0, NULL)};
  struct gpuprof_cpu_kernel kernel = {.name = "hand_written", .thread = sparse_body};
  struct gp_cpu_launch launch = {.kernel = &kernel, .grid = {1, 1, 1}, .block = {1, 1, 1}, .threads = 1};
  static const uint64_t steps[] = {1 << 20, 32, 1 << 30, 4096, 64};
  char *padding;
  assert_int_equal(gp_cpu_cudaMalloc((void **)&padding, 1234567), 0); /* marks do not begin at a page */
  assert_int_equal(gp_cpu_cudaMalloc((void **)&device_memory, 64 << 20), 0);
  gp_worker_prepare(workers[0], &launch);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    sparse_step = steps[i];
    begin_launch(workers, 1, true, false);
    gp_worker_run_block(workers[0], 0);
    uint64_t touches = ((64 << 20) + sparse_step - 1) / sparse_step;
    assert_int_equal(gp_sectors_take(workers, 1), 32 * touches);
  }
  assert_int_equal(gp_sectors_take(workers, 1), 0);
  gp_cpu_cudaFree(device_memory);
  gp_cpu_cudaFree(padding);
}

/* Rows of accesses, told by calls: from `first` on, `apart` from one to the next. */
static const struct rows {
  uint64_t first, apart, count; /* of the rows */
  uint64_t step, accesses, bytes;
} many_rows[][2] = {
    {{0, 1024, 500, 4, 256, 4}, {1 << 20, 1024, 500, 4, 256, 4}},   /* two arrays, row after row */
    {{1 << 20, -1024, 500, 4, 256, 4}, {1 << 19, 0, 500, 4, 8, 4}}, /* downwards; the same again and again */
    {{0, 1000, 500, 4, 300, 4}, {1 << 19, 96, 500, 32, 5, 8}},      /* into one another */
    {{0, 4096, 500, 4, 10, 4}, {64, 4096, 500, 4, 10, 4}},          /* more gaps than can be kept */
    {{0, 8192, 50, 4, 10, 4}, {4096, 8192, 50, 4, 10, 4}},          /* a few more than can be kept */
    {{31, 64, 500, 2, 1, 2}, {1 << 19, 64, 500, 64, 20, 8}},        /* across a boundary; with gaps */
};
static const struct rows *told;
static uint8_t expected_sectors[(4 << 20) / 32];

static void rows_body(thread *t, void **arguments) {
  (void)arguments;
  for (uint64_t i = 0; i < told[0].count; i++)
    for (int n = 0; n < 2; n++)
      if (i % t->nctaid_x == t->ctaid_x)
        __gpuprof_cpu_record_row((void *)((uint64_t)device_memory + told[n].first + i * told[n].apart), told[n].step,
                                told[n].accesses, told[n].bytes);
}

/* The sectors of rows_body()'s accesses, by looking at each byte. */
static uint64_t expected_bytes(void) {
  uint64_t sectors = 0;
  memset(expected_sectors, 0, sizeof expected_sectors);
  for (int n = 0; n < 2; n++)
    for (uint64_t i = 0; i < told[n].count; i++)
      for (uint64_t a = 0; a < told[n].accesses; a++)
        for (uint64_t b = 0; b < told[n].bytes; b++)
          expected_sectors[(told[n].first + i * told[n].apart + a * told[n].step + b) / 32] = 1;
  for (size_t s = 0; s < sizeof expected_sectors; s++)
    sectors += expected_sectors[s];
  return 32 * sectors;
}

/* By several threads of the machine, whose rows lie between one another's, or one; where compiled code marks
 * something itself too, and where it does not. */
static void unique_bytes_of_rows_do_not_depend_on_how_they_are_kept(void **state) {
  (void)state;
  struct gp_worker *workers[] = {gp_worker_create(0, NULL), gp_worker_create(1, NULL)};
  struct gpuprof_cpu_kernel kernel = {.name = "hand_written", .thread = rows_body};
  assert_int_equal(gp_cpu_cudaMalloc((void **)&device_memory, 4 << 20), 0);
  for (size_t c = 0; c < sizeof many_rows / sizeof *many_rows; c++)
    for (uint32_t way = 0; way < 4; way++) {
      const uint32_t blocks = 1 + way % 2;
      told = many_rows[c];
      begin_launch(workers, 2, true, way < 2);
      for (uint32_t block = 0; block < blocks; block++) {
        struct gp_cpu_launch launch = {
            .kernel = &kernel, .grid = {blocks, 1, 1}, .block = {1, 1, 1}, .threads = 1};
        gp_worker_prepare(workers[block], &launch);
        gp_worker_run_block(workers[block], block);
      }
      assert_int_equal(gp_sectors_take(workers, 2), expected_bytes());
      assert_int_equal(gp_sectors_take(workers, 2), 0);
    }
  gp_cpu_cudaFree(device_memory);
}

/* Accesses of neighbouring threads in loops: iterations of rows. */
static const struct turns {
  uint64_t step, count, bytes, turn_step, turns;
} many_turns[] = {
    {4, 32, 4, 128, 64},   /* one row after the other */
    {128, 32, 4, 4, 32},   /* the same, across */
    {4, 32, 4, 129, 64},   /* a byte between them */
    {4, 32, 4, 192, 64},   /* every second one left out */
    {4, 32, 4, 156, 64},   /* as far apart as leaves no sector out */
    {4, 32, 4, 160, 64},   /* a sector left out */
    {4, 32, 4, 16, 64},    /* into one another */
    {4, 32, 4, 0, 64},     /* the same each time */
    {-4, 32, 4, -128, 64}, /* downwards */
    {40, 32, 8, 2048, 64}, /* with gaps */
    {2, 1, 2, 4096, 1},    /* one access */
    {4, 0, 4, 128, 64},    /* none */
};
static const struct turns *turned;
enum { MIDDLE = 2 << 20 };

static void turns_body(thread *t, void **arguments) {
  (void)t, (void)arguments;
  __gpuprof_cpu_record_rows(device_memory + MIDDLE, turned->step, turned->count, turned->bytes,
                           turned->turn_step, turned->turns);
}

static void unique_bytes_of_turns_are_those_of_their_accesses(void **state) {
  (void)state;
  struct gp_worker *workers[] = {gp_worker_create(0, NULL)};
  struct gpuprof_cpu_kernel kernel = {.name = "hand_written", .thread = turns_body};
  struct gp_cpu_launch launch = {.kernel = &kernel, .grid = {1, 1, 1}, .block = {1, 1, 1}, .threads = 1};
  assert_int_equal(gp_cpu_cudaMalloc((void **)&device_memory, 4 << 20), 0);
  for (size_t c = 0; c < sizeof many_turns / sizeof *many_turns; c++) {
    uint64_t sectors = 0;
    turned = &many_turns[c];
    memset(expected_sectors, 0, sizeof expected_sectors);
    for (uint64_t turn = 0; turn < turned->turns; turn++)
      for (uint64_t i = 0; i < turned->count; i++)
        for (uint64_t b = 0; b < turned->bytes; b++)
          expected_sectors[(MIDDLE + turn * turned->turn_step + i * turned->step + b) / 32] = 1;
    for (size_t s = 0; s < sizeof expected_sectors; s++)
      sectors += expected_sectors[s];
    begin_launch(workers, 1, true, true);
    gp_worker_prepare(workers[0], &launch);
    gp_worker_run_block(workers[0], 0);
    assert_int_equal(gp_sectors_take(workers, 1), 32 * sectors);
  }
  gp_cpu_cudaFree(device_memory);
}

/* The same, with iterations of each lane's own. */
static uint64_t turns_of_lanes[32];

static void lanes_body(thread *t, void **arguments) {
  (void)t, (void)arguments;
  __gpuprof_cpu_record_lanes(device_memory + MIDDLE, turned->step, turned->count, turned->bytes, turned->turn_step,
                             turns_of_lanes);
}

static void unique_bytes_of_lanes_with_turns_of_their_own(void **state) {
  (void)state;
  static const uint64_t forms[][2] = {{0, 1}, {10, 1}, {31, 1}, {5, 0}, {16, 64}, {0, 0}}; /* the first ones have more */
  struct gp_worker *workers[] = {gp_worker_create(0, NULL)};
  struct gpuprof_cpu_kernel kernel = {.name = "hand_written", .thread = lanes_body};
  struct gp_cpu_launch launch = {.kernel = &kernel, .grid = {1, 1, 1}, .block = {1, 1, 1}, .threads = 1};
  assert_int_equal(gp_cpu_cudaMalloc((void **)&device_memory, 4 << 20), 0);
  for (size_t c = 0; c < sizeof many_turns / sizeof *many_turns; c++)
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
      uint64_t sectors = 0;
      turned = &many_turns[c];
      memset(expected_sectors, 0, sizeof expected_sectors);
      for (uint64_t i = 0; i < turned->count; i++) {
        turns_of_lanes[i] = f == 5 ? i : turned->turns + (i < forms[f][0] ? forms[f][1] : 0);
        for (uint64_t turn = 0; turn < turns_of_lanes[i]; turn++)
          for (uint64_t b = 0; b < turned->bytes; b++)
            expected_sectors[(MIDDLE + turn * turned->turn_step + i * turned->step + b) / 32] = 1;
      }
      for (size_t s = 0; s < sizeof expected_sectors; s++)
        sectors += expected_sectors[s];
      begin_launch(workers, 1, true, true);
      gp_worker_prepare(workers[0], &launch);
      gp_worker_run_block(workers[0], 0);
      assert_int_equal(gp_sectors_take(workers, 1), 32 * sectors);
    }
  gp_cpu_cudaFree(device_memory);
}

/* Lane l of each warp accesses elements l, l + 32, … of a row of its own, and of a vector that all share. */
static struct walk {
  uint64_t warps, columns;
} walk;
enum { VECTOR = 3 << 20 };

static void walk_body(thread *t, void **arguments) {
  (void)t, (void)arguments;
  for (uint64_t warp = 0; warp < walk.warps; warp++)
    for (uint64_t lane = 0; lane < 32; lane++) {
      const uint64_t count = (walk.columns - lane + 31) / 32;
      __gpuprof_cpu_record_row(device_memory + 4 * (warp * walk.columns + lane), 128, count, 4);
      __gpuprof_cpu_record_row(device_memory + VECTOR + 4 * lane, 128, count, 4);
    }
}

/* Each lane's accesses skip sectors; those of a warp do not, and are recorded together. */
static void unique_bytes_of_lanes_that_walk_together_are_recorded_together(void **state) {
  (void)state;
  static const struct walk walks[] = {{8, 2048}, {8, 2049}, {8, 2079}, {1, 4096}, {50, 320}};
  struct gp_worker *workers[] = {gp_worker_create(0, NULL)};
  struct gpuprof_cpu_kernel kernel = {.name = "hand_written", .thread = walk_body};
  struct gp_cpu_launch launch = {.kernel = &kernel, .grid = {1, 1, 1}, .block = {1, 1, 1}, .threads = 1};
  assert_int_equal(gp_cpu_cudaMalloc((void **)&device_memory, 4 << 20), 0);
  for (size_t c = 0; c < sizeof walks / sizeof *walks; c++) {
    walk = walks[c];
    begin_launch(workers, 1, true, true);
    gp_worker_prepare(workers[0], &launch);
    gp_worker_run_block(workers[0], 0);
    const uint64_t rows = 4 * walk.warps * walk.columns, vector = 4 * walk.columns;
    assert_int_equal(gp_sectors_take(workers, 1), (rows + 31) / 32 * 32 + (vector + 31) / 32 * 32);
    /* a range for a warp, at times one for the vector, and the last column of at most 31 lanes on each of both */
    assert_in_range(workers[0]->spans.grown, 0, 2 + 64 * walk.warps);
    if (walk.columns % 32 == 0)
      assert_in_range(workers[0]->spans.grown, 0, 2 + 2 * walk.warps);
    assert_int_equal(workers[0]->spans.replaced, 0);
  }
  gp_cpu_cudaFree(device_memory);
}

/* Rows of many forms, whose neighbours follow with equal, nearly equal and other counts, up and down. */
enum { FORMS = 400, ROWS_OF_FORM = 40 };
static struct gp_far_row random_rows[ROWS_OF_FORM];

static uint32_t drawn(uint32_t most) {
  static uint32_t seed = 2026;
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % (most + 1);
}

static void draw_rows(void) {
  static const uint64_t steps[] = {33, 36, 64, 65, 100, 128, 512, 1000};
  const uint64_t step = steps[drawn(7)], count = 1 + drawn(40), bytes = 1 + drawn(16);
  uint64_t first = (1 << 20) + drawn(1 << 12);
  for (int i = 0; i < ROWS_OF_FORM; i++) {
    const uint32_t way = drawn(20);
    first += way == 0 ? drawn(1 << 12) : way == 1 ? -(uint64_t)drawn(200) : way == 2 ? bytes + 31 + drawn(1) : bytes;
    random_rows[i] = (struct gp_far_row){first, way == 3 ? step + 1 : way == 4 ? -step : step,
                                         way == 5 ? drawn(40) : way < 9 && count > 1 ? count - 1 : count, bytes};
  }
}

static void random_rows_body(thread *t, void **arguments) {
  (void)t, (void)arguments;
  for (const struct gp_far_row *row = random_rows; row < random_rows + ROWS_OF_FORM; row++)
    __gpuprof_cpu_record_row(device_memory + row->first, row->step, row->count, row->bytes);
}

static void unique_bytes_of_joined_rows_are_those_of_their_accesses(void **state) {
  (void)state;
  struct gp_worker *workers[] = {gp_worker_create(0, NULL)};
  struct gpuprof_cpu_kernel kernel = {.name = "hand_written", .thread = random_rows_body};
  struct gp_cpu_launch launch = {.kernel = &kernel, .grid = {1, 1, 1}, .block = {1, 1, 1}, .threads = 1};
  assert_int_equal(gp_cpu_cudaMalloc((void **)&device_memory, 4 << 20), 0);
  for (int form = 0; form < FORMS; form++) {
    uint64_t sectors = 0;
    draw_rows();
    memset(expected_sectors, 0, sizeof expected_sectors);
    for (const struct gp_far_row *row = random_rows; row < random_rows + ROWS_OF_FORM; row++)
      for (uint64_t i = 0; i < row->count; i++)
        for (uint64_t b = 0; b < row->bytes; b++)
          expected_sectors[(row->first + i * row->step + b) / 32] = 1;
    for (size_t s = 0; s < sizeof expected_sectors; s++)
      sectors += expected_sectors[s];
    begin_launch(workers, 1, true, form % 2);
    gp_worker_prepare(workers[0], &launch);
    gp_worker_run_block(workers[0], 0);
    assert_int_equal(gp_sectors_take(workers, 1), 32 * sectors);
  }
  gp_cpu_cudaFree(device_memory);
}

/* ---- printf -------------------------------------------------------------------------------------------- */

static void check_format(const char *format, const void *arguments, const char *expected, uint32_t count) {
  size_t bytes;
  uint32_t taken;
  char *text = gp_format_device(format, arguments, &bytes, &taken);
  assert_string_equal(text, expected);
  assert_int_equal(bytes, strlen(expected));
  assert_int_equal(taken, count);
  free(text);
}

static void printf_reads_packed_arguments(void **state) {
  (void)state;
  const struct {
    int i;
    double d;
    unsigned u;
    long long l;
    const char *s;
    int c;
    void *p;
    int width;
    float unused;
    double e;
  } packed = {-5, 1.5, 255, 1ll << 40, "text", 'x', (void *)0x10, 6, 0, 2.25};
  check_format("%d %f %x %lld %s %c %p|", &packed, "-5 1.500000 ff 1099511627776 text x 0x10|", 7);
  check_format("100%% plain", NULL, "100% plain", 0);
  check_format("", NULL, "", 0);
  const struct {
    int width;
    double d;
    size_t z;
  } starred = {9, 3.14159, 42};
  check_format("%*.2f|%-5zu|", &starred, "     3.14|42   |", 3);
  const struct {
    long long a, b;
  } wide = {-1, 7};
  check_format("%ld %5llu", &wide, "-1     7", 2);
}

static void printf_has_no_longest_text(void **state) {
  (void)state;
  static char line[5000];
  memset(line, 'y', sizeof line - 1);
  const char *argument = line;
  check_format("%s", &argument, line, 1);
}

/* ---- Streams, events, properties ----------------------------------------------------------------------- */

static void events_measure_time_in_order(void **state) {
  (void)state;
  void *start, *end, *untimed;
  float milliseconds = -1;
  assert_int_equal(gp_cpu_cudaEventCreate(&start), 0);
  assert_int_equal(gp_cpu_cudaEventCreate(&end), 0);
  assert_int_equal(gp_cpu_cudaEventCreateWithFlags(&untimed, 2), 0);
  assert_int_equal(gp_cpu_cudaEventElapsedTime(&milliseconds, start, end), GP_ERROR_INVALID_HANDLE);
  gp_cpu_cudaEventRecord(start, NULL);
  gp_cpu_cudaEventRecord(untimed, NULL);
  for (volatile int i = 0; i < 100000; i++)
    ;
  gp_cpu_cudaEventRecord(end, NULL);
  assert_int_equal(gp_cpu_cudaEventElapsedTime(&milliseconds, start, end), 0);
  assert_true(milliseconds > 0 && milliseconds < 1000);
  assert_int_equal(gp_cpu_cudaEventElapsedTime(&milliseconds, start, untimed), GP_ERROR_INVALID_HANDLE);
  gp_cpu_cudaEventDestroy(start);
  gp_cpu_cudaEventDestroy(end);
  gp_cpu_cudaEventDestroy(untimed);
  gp_cpu_cudaGetLastError();
}

static void properties_and_attributes_agree(void **state) {
  (void)state;
  char properties[1032];
  int warp, threads, major;
  memset(properties, 0x55, sizeof properties);
  assert_int_equal(gp_cpu_cudaGetDeviceProperties(properties, 0), 0);
  assert_memory_equal(properties, "CPU device", 10);
  gp_cpu_cudaDeviceGetAttribute(&warp, 10, 0);
  gp_cpu_cudaDeviceGetAttribute(&threads, 1, 0);
  gp_cpu_cudaDeviceGetAttribute(&major, 75, 0);
  assert_int_equal(*(int *)(properties + 308), 32);
  assert_int_equal(warp, 32);
  assert_int_equal(*(int *)(properties + 320), threads);
  assert_int_equal(*(int *)(properties + 360), major);
  assert_int_equal(properties[sizeof properties - 1], 0);
  assert_int_equal(gp_cpu_cudaGetDeviceProperties(properties, 1), GP_ERROR_INVALID_DEVICE);
  gp_cpu_cudaGetLastError();
}

static void errors_have_cudas_names(void **state) {
  (void)state;
  assert_string_equal(gp_cpu_cudaGetErrorName(0), "cudaSuccess");
  assert_string_equal(gp_cpu_cudaGetErrorString(700), "an illegal memory access was encountered");
  assert_string_equal(gp_cpu_cudaGetErrorName(12345), "unrecognized error code");
}

/* ---- Memory of other processes ------------------------------------------------------------------------- */

enum { PAGE = 4096 };

/* Maps memory that was exported, as another process would. */
static char *open_exported(char *memory, uint64_t bytes, uint64_t *allocation) {
  uint64_t offset;
  int file;
  assert_true(gp_share_export((uint64_t)memory, bytes, &file, &offset));
  return (char *)gp_share_open(getpid(), file, offset, bytes, allocation);
}

/* Three allocations have the same addresses: one that is exported, a mapping, and one that is exported again. */
static void memory_is_exported_where_other_memory_was_mapped(void **state) {
  (void)state;
  char *other, *first, *second;
  uint64_t of_other, of_second;
  assert_int_equal(gp_cpu_cudaMalloc((void **)&first, 4 * PAGE), 0);
  assert_int_equal(gp_cpu_cudaMalloc((void **)&other, 2 * PAGE), 0);
  uint64_t offset;
  int file;
  assert_true(gp_share_export((uint64_t)first, 4 * PAGE, &file, &offset));
  assert_int_equal(gp_cpu_cudaFree(first), 0);
  char *mapped = open_exported(other, 2 * PAGE, &of_other);
  assert_in_range((uint64_t)mapped, (uint64_t)first, (uint64_t)first + 2 * PAGE);
  gp_share_close(of_other);
  assert_int_equal(gp_cpu_cudaMalloc((void **)&second, 4 * PAGE), 0);
  assert_ptr_equal(second, first);
  memset(second, 7, 4 * PAGE);
  char *view = open_exported(second, 4 * PAGE, &of_second);
  assert_non_null(view);
  assert_memory_equal(view, second, 4 * PAGE);
  gp_share_close(of_second);
  gp_cpu_cudaFree(second);
  gp_cpu_cudaFree(other);
}

/* ---- Forks --------------------------------------------------------------------------------------------- */

static _Atomic bool has_marked, may_end;

static void marking_body(thread *t, void **arguments) {
  (void)arguments;
  for (uint32_t i = 0; i < 64; i++)
    mark(device_memory + 4096 + 32 * i, 4);
  atomic_store(&has_marked, true);
  while (!atomic_load(&may_end))
    __gpuprof_cpu_yield(t);
}

static void *launch_marking(void *unused) {
  gp_cpu_launch_id = 1; /* its unique bytes are wanted */
  run_kernel(marking_body, 1, 1, NULL);
  return unused;
}

static void a_child_counts_no_bytes_of_a_launch_under_way_at_its_fork(void **state) {
  (void)state;
  SKIP_IF(THREAD_SANITIZED,
          "in a child of a process with threads ThreadSanitizer follows neither new threads nor fibers");
  pthread_t launching;
  int status = -1;
  assert_int_equal(gp_cpu_cudaMalloc((void **)&device_memory, 8192), 0);
  assert_int_equal(pthread_create(&launching, NULL, launch_marking, NULL), 0);
  while (!atomic_load(&has_marked))
    usleep(100);
  const pid_t child = fork();
  if (!child)
    _exit(touched_by(1) != 32 * (8 + 2 + 4 + 3 + 2));
  atomic_store(&may_end, true);
  pthread_join(launching, NULL);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  gp_cpu_cudaFree(device_memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fresh_memory_is_aligned_and_not_zero),
      cmocka_unit_test(freed_memory_is_given_again),
      cmocka_unit_test(copies_stay_within_an_allocation),
      cmocka_unit_test(two_dimensional_copies_keep_their_pitches),
      cmocka_unit_test(unique_bytes_are_sectors_touched_once),
      cmocka_unit_test(unique_bytes_of_large_memory),
      cmocka_unit_test(unique_bytes_of_rows_do_not_depend_on_how_they_are_kept),
      cmocka_unit_test(unique_bytes_of_turns_are_those_of_their_accesses),
      cmocka_unit_test(unique_bytes_of_lanes_with_turns_of_their_own),
      cmocka_unit_test(unique_bytes_of_lanes_that_walk_together_are_recorded_together),
      cmocka_unit_test(unique_bytes_of_joined_rows_are_those_of_their_accesses),
      cmocka_unit_test(printf_reads_packed_arguments),
      cmocka_unit_test(printf_has_no_longest_text),
      cmocka_unit_test(events_measure_time_in_order),
      cmocka_unit_test(properties_and_attributes_agree),
      cmocka_unit_test(errors_have_cudas_names),
      cmocka_unit_test(memory_is_exported_where_other_memory_was_mapped),
      cmocka_unit_test(a_child_counts_no_bytes_of_a_launch_under_way_at_its_fork),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
