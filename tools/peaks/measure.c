// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/measure.h"

#include "peaks/limits.h"
#include "peaks/ptx_memory.h"

#include <stdlib.h>
#include <string.h>

#define CHECKED_ITERATIONS 3u
#define WINDOW_MS 10.0 /* events are 5 us off */
#define WINDOW_MS_LEAST 5.0
#define RUNS 7u
#define RUNS_QUICK 3u
#define ROUNDS_MOST 12       /* of finding the number of iterations */
#define LIMIT_TOLERANCE 1.02 /* clocks are read a little before or after the run */
#define STREAM_BYTES_MOST ((size_t)2 << 30)

struct run {
  const struct measurement *measurement;
  const struct benchmark *benchmark;
  struct peak *peak;
  struct driver_kernel kernel;
  struct driver_launch launch;
  size_t threads; /* of the grid */
  uint64_t input;
  uint64_t buffers; /* of a stream, or a window of memory; 0: the kernel reads the input */
  uint32_t *words;  /* of the threads */
};

static bool refuse(struct run *run, const char *why) {
  text_add(&run->peak->reason, why);
  return false;
}

static bool is_stream(const struct run *run) { return run->benchmark->family == &stream_family; }
static const struct stream *stream_of(const struct run *run) { return run->benchmark->shape; }
static bool is_window_of_memory(const struct run *run) {
  return run->benchmark->group == GROUP_L1 || run->benchmark->group == GROUP_L2;
}

bool benchmark_suits(const struct benchmark *benchmark, unsigned capability) {
  return capability >= benchmark->target && (!benchmark->last || capability <= benchmark->last);
}

/* ---- Memory ---- */

static size_t power_of_two_within(size_t bytes) {
  size_t power = 1;
  while (2 * power <= bytes)
    power *= 2;
  return power;
}

/* Each pass of a stream is whole: a multiple of what the grid moves at once. */
static size_t stream_bytes(const struct run *run) {
  const size_t step = run->threads * 16 * stream_of(run)->unroll;
  size_t most = run->measurement->gpu->free_bytes / 2 / stream_buffers(stream_of(run));
  if (most > STREAM_BYTES_MOST)
    most = STREAM_BYTES_MOST;
  return most / step * step;
}

static size_t window_bytes(const struct run *run) {
  const struct window *window = run->benchmark->shape;
  return window->bytes ? window->bytes : power_of_two_within(run->measurement->gpu->l2_bytes / 2);
}

static bool allocate_buffers(struct run *run) {
  struct driver_launch *launch = &run->launch;
  size_t buffers = 1;
  if (is_stream(run)) {
    launch->size = stream_bytes(run);
    buffers = stream_buffers(stream_of(run));
  } else if (is_window_of_memory(run)) {
    launch->size = window_bytes(run);
  } else {
    const struct window *window = run->benchmark->shape;
    launch->size = run->benchmark->group == GROUP_SHARED ? window->bytes : 0;
    return true;
  }
  run->buffers = launch->size ? driver_allocate(buffers * launch->size) : 0;
  if (!run->buffers || !driver_set_words(run->buffers, STREAM_WORD, buffers * launch->size))
    return refuse(run, "the GPU's memory has no room for it");
  launch->in = run->buffers;
  return true;
}

static bool prepare(struct run *run) {
  const struct gpu *gpu = run->measurement->gpu;
  struct driver_launch *launch = &run->launch;
  launch->threads = run->benchmark->threads;
  launch->blocks = gpu->sm_count * run->benchmark->blocks_per_sm;
  run->threads = (size_t)launch->threads * launch->blocks;
  run->words = allocate(run->threads * sizeof *run->words);
  launch->out = driver_allocate(run->threads * sizeof *run->words);
  launch->in = run->input = driver_allocate(BENCHMARK_INPUT_BYTES);
  launch->clocks = driver_allocate(16);
  if (!launch->out || !launch->in || !launch->clocks)
    return refuse(run, "the GPU's memory has no room for it");
  return allocate_buffers(run);
}

static void release(struct run *run) {
  driver_unload(&run->kernel);
  driver_free(run->launch.out);
  driver_free(run->input);
  driver_free(run->launch.clocks);
  driver_free(run->buffers);
  free(run->words);
}

static bool put_input(struct run *run, enum benchmark_operands operands) {
  char input[BENCHMARK_INPUT_BYTES];
  run->benchmark->family->fill(run->benchmark, operands, input);
  return driver_put(run->input, input, sizeof input) ? true
                                                     : refuse(run, "its input cannot be copied to the GPU");
}

/* ---- Results ---- */

/* Sums of a stream that reads: each thread has read its share of the buffer in each iteration. */
static uint32_t wanted_of_stream(const struct run *run) {
  const uint64_t words = run->launch.size / sizeof(uint32_t) / run->threads;
  return stream_of(run)->kind == STREAM_READ ? (uint32_t)(words * run->launch.iterations) * STREAM_WORD : 0;
}

/* What a thread must have left. It is computed for the threads of a warp after a short run, and for the first after a long
 * one. Other threads must leave what the same thread of the first block has left. */
static uint32_t wanted_word(const struct run *run, enum benchmark_operands operands, size_t thread) {
  uint32_t word = 0;
  const bool is_computed = thread < (operands == BENCHMARK_COUNTING ? BENCHMARK_WARP : 1);
  if (is_stream(run))
    return wanted_of_stream(run);
  if (is_computed && run->benchmark->family->expect(run->benchmark, operands, (unsigned)thread,
                                                    run->launch.iterations, &word))
    return word;
  return run->words[thread % run->benchmark->threads];
}

static bool words_are_right(const struct run *run, enum benchmark_operands operands) {
  for (size_t i = 0; i < run->threads; ++i)
    if (run->words[i] != wanted_word(run, operands, i))
      return false;
  return true;
}

/* What a stream leaves in its first buffer: looked at in both ends. */
static bool stored_is_right(const struct run *run) {
  enum { PIECE = 4096 };
  uint32_t words[PIECE];
  const struct stream *stream = stream_of(run);
  for (int end = 0; end < 2; ++end) {
    if (!driver_get(words, run->buffers + (end ? run->launch.size - sizeof words : 0), sizeof words))
      return false;
    for (uint32_t i = 0; i < PIECE; ++i) {
      const uint32_t wanted = stream->kind == STREAM_WRITE   ? STREAM_WRITTEN + i % 4
                              : stream->kind == STREAM_TRIAD ? STREAM_WORD + (1u << 23) /* 1 + 1·1 */
                                                             : STREAM_WORD;
      if (words[i] != wanted)
        return false;
    }
  }
  return true;
}

static bool results_are_right(struct run *run, enum benchmark_operands operands) {
  if (!driver_get(run->words, run->launch.out, run->threads * sizeof *run->words))
    return refuse(run, "its results cannot be read");
  if (!words_are_right(run, operands) || (is_stream(run) && !stored_is_right(run)))
    return refuse(run, "its results are not those of the work it was given: the rate would mean nothing");
  return true;
}

/* ---- Times ---- */

static void read_clocks(void *closure) {
  struct run *run = closure;
  run->peak->clocks = clocks_now(run->measurement->nvml);
}

static bool time_it(struct run *run, double *milliseconds) {
  return driver_run(&run->kernel, &run->launch, read_clocks, run, milliseconds, &run->peak->reason);
}

static bool check(struct run *run) {
  double milliseconds = 0;
  run->launch.iterations = CHECKED_ITERATIONS;
  return put_input(run, BENCHMARK_COUNTING) && time_it(run, &milliseconds) &&
         results_are_right(run, BENCHMARK_COUNTING);
}

/* Raises the number of iterations until a run is long enough. */
static bool find_iterations(struct run *run) {
  double milliseconds = 0;
  for (int round = 0; round < ROUNDS_MOST; ++round) {
    if (!time_it(run, &milliseconds))
      return false;
    if (milliseconds >= WINDOW_MS_LEAST)
      return true;
    const double factor = milliseconds > 0.05 ? WINDOW_MS / milliseconds : 64;
    run->launch.iterations = (uint32_t)(run->launch.iterations * (factor > 64 ? 64 : factor) + 1);
  }
  return refuse(run, "no number of iterations makes it last: its work was optimised away");
}

static double work_of(const struct run *run) {
  static const double buffers_moved[] = {
      [STREAM_READ] = 1, [STREAM_WRITE] = 1, [STREAM_COPY] = 2, [STREAM_TRIAD] = 3};
  if (is_stream(run))
    return run->launch.iterations * (double)run->launch.size * buffers_moved[stream_of(run)->kind];
  return run->launch.iterations * (double)run->threads * run->benchmark->work;
}

/* Clocks and nanoseconds of the first thread. */
static double clock_of_kernel(const struct run *run) {
  uint64_t spans[2] = {0, 0};
  if (!driver_get(spans, run->launch.clocks, sizeof spans) || !spans[1])
    return 0;
  const double hz = 1e9 * (double)spans[0] / (double)spans[1];
  return hz > 1e8 && hz < 1e10 ? hz : 0;
}

static bool repeat(struct run *run) {
  struct peak *peak = run->peak;
  double slowest = 0, milliseconds = 0;
  peak->runs = run->measurement->is_quick ? RUNS_QUICK : RUNS;
  for (unsigned i = 0; i < peak->runs; ++i) {
    if (!time_it(run, &milliseconds))
      return false;
    slowest = milliseconds > slowest ? milliseconds : slowest;
    if (peak->window_ms && milliseconds >= peak->window_ms)
      continue;
    peak->window_ms = milliseconds;
    peak->clock_hz = clock_of_kernel(run);
  }
  peak->spread_percent = 100 * (1 - peak->window_ms / slowest);
  peak->per_second = work_of(run) / (peak->window_ms / 1e3);
  return true;
}

/* ---- The unit's limit ---- */

static bool is_possible(struct run *run) {
  struct peak *peak = run->peak;
  const struct gpu *gpu = run->measurement->gpu;
  const double clock = peak->clock_hz ? peak->clock_hz : 1e3 * gpu->clock_khz;
  peak->per_clock = clock ? peak->per_second / clock / gpu->sm_count : 0;
  const double limit = limit_per_clock(run->benchmark, gpu->capability), pins = limit_of_memory(gpu);
  if (limit && peak->per_clock > limit * LIMIT_TOLERANCE)
    text_format(&peak->reason,
                "%.4g per clock and multiprocessor is more than the %.4g its units can do: the work was "
                "optimised away",
                peak->per_clock, limit);
  if (run->benchmark->group == GROUP_DRAM && pins && peak->per_second > pins * LIMIT_TOLERANCE)
    text_format(&peak->reason,
                "%.4g TB/s is more than the %.4g TB/s of the memory's pins: caches did the work",
                peak->per_second / 1e12, pins / 1e12);
  return !peak->reason.length;
}

static bool carry_out(struct run *run, const char *ptx) {
  return driver_compile(&run->kernel, ptx, &run->peak->reason) && prepare(run) && check(run) &&
         put_input(run, BENCHMARK_LASTING) && find_iterations(run) && repeat(run) &&
         results_are_right(run, BENCHMARK_LASTING) && is_possible(run);
}

void measure(const struct measurement *measurement, const struct benchmark *benchmark, struct peak *peak) {
  struct run run = {.measurement = measurement, .benchmark = benchmark, .peak = peak};
  struct text ptx = {0};
  *peak = (struct peak){.benchmark = benchmark};
  benchmark_ptx(benchmark, &ptx);
  if (!carry_out(&run, text_get(&ptx)))
    peak->per_second = 0;
  release(&run);
  text_free(&ptx);
}
