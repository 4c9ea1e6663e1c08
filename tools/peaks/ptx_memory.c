// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/ptx_memory.h"

#include "peaks/ptx_parts.h"

#include <string.h>

#define ACCESS_BYTES 16

unsigned stream_buffers(const struct stream *stream) {
  static const unsigned buffers[] = {
      [STREAM_READ] = 1, [STREAM_WRITE] = 1, [STREAM_COPY] = 2, [STREAM_TRIAD] = 3};
  return buffers[stream->kind];
}

static void write_values(struct text *ptx, unsigned number) {
  text_format(ptx, "{%%v%u_0, %%v%u_1, %%v%u_2, %%v%u_3}", number, number, number, number);
}

static void declare_values(struct text *ptx, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    text_format(ptx, ".reg .b32 %%v%u_0, %%v%u_1, %%v%u_2, %%v%u_3;\n", i, i, i, i);
}

static void add_values(struct text *ptx, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = 0; j < 4; ++j)
      text_format(ptx, "add.u32 %%sum, %%sum, %%v%u_%u;\n", i, j);
}

/* ---- Streams: access i of a thread is one width of the grid behind access i - 1 ---- */

static void load_all(struct text *ptx, const struct stream *stream, unsigned buffer, unsigned first) {
  text_add(ptx, "mov.u64 %place, %at;\n");
  for (unsigned i = 0; i < buffer; ++i)
    text_add(ptx, "add.u64 %place, %place, %size;\n");
  for (unsigned i = 0; i < stream->unroll; ++i) {
    text_format(ptx, "%s ", stream->load);
    write_values(ptx, first + i);
    text_add(ptx, ", [%place];\nadd.u64 %place, %place, %stride;\n");
  }
}

static void store_all(struct text *ptx, const struct stream *stream, unsigned first) {
  text_add(ptx, "mov.u64 %place, %at;\n");
  for (unsigned i = 0; i < stream->unroll; ++i) {
    text_format(ptx, "%s [%%place], ", stream->store);
    write_values(ptx, stream->kind == STREAM_WRITE ? 0 : first + i);
    text_add(ptx, ";\nadd.u64 %place, %place, %stride;\n");
  }
}

/* b + x·c, with x from the number of the pass: 1. */
static void multiply_add(struct text *ptx, const struct stream *stream) {
  text_add(ptx, ".reg .f32 %x, %p, %q;\ncvt.rn.f32.u32 %x, %one;\n");
  for (unsigned i = 0; i < stream->unroll; ++i)
    for (unsigned j = 0; j < 4; ++j)
      text_format(ptx,
                  "mov.b32 %%p, %%v%u_%u;\nmov.b32 %%q, %%v%u_%u;\nfma.rn.f32 %%p, %%q, %%x, %%p;\nmov.b32 "
                  "%%v%u_%u, %%p;\n",
                  i, j, stream->unroll + i, j, i, j);
}

static void set_values(struct text *ptx) {
  for (unsigned j = 0; j < 4; ++j)
    text_format(ptx, "mov.b32 %%v0_%u, %uU;\n", j, STREAM_WRITTEN + j);
}

static void write_stream_body(struct text *ptx, const struct stream *stream) {
  switch (stream->kind) {
  case STREAM_READ:
    load_all(ptx, stream, 0, 0);
    add_values(ptx, stream->unroll);
    break;
  case STREAM_WRITE:
    store_all(ptx, stream, 0);
    break;
  case STREAM_COPY:
    load_all(ptx, stream, 1, 0);
    store_all(ptx, stream, 0);
    break;
  case STREAM_TRIAD:
    load_all(ptx, stream, 1, 0);
    load_all(ptx, stream, 2, stream->unroll);
    multiply_add(ptx, stream);
    store_all(ptx, stream, 0);
    break;
  }
}

static void write_stream(struct text *ptx, const struct benchmark *benchmark) {
  const struct stream *stream = benchmark->shape;
  ptx_begin(ptx, benchmark);
  declare_values(ptx, 2 * stream->unroll);
  text_format(ptx,
              ".reg .u64 %%place, %%stride, %%jump, %%end;\n.reg .u32 %%one;\n.reg .pred %%inside;\n"
              "min.u32 %%one, %%n, 1;\n"
              "mov.u32 %%t, %%nctaid.x;\nmul.lo.u32 %%t, %%t, %%width;\nmul.wide.u32 %%stride, %%t, %u;\n"
              "mul.lo.u64 %%jump, %%stride, %u;\nadd.u64 %%end, %%in, %%size;\n",
              ACCESS_BYTES, stream->unroll);
  if (stream->kind == STREAM_WRITE)
    set_values(ptx);
  ptx_loop(ptx);
  text_format(ptx, "mad.wide.u32 %%at, %%all, %u, %%in;\nPASS:\n", ACCESS_BYTES);
  write_stream_body(ptx, stream);
  text_add(ptx, "add.u64 %at, %at, %jump;\nsetp.lt.u64 %inside, %at, %end;\n@%inside bra PASS;\n");
  ptx_loop_end(ptx);
  ptx_end(ptx);
}

static void fill_nothing(const struct benchmark *benchmark, enum benchmark_operands operands, void *input) {
  (void)benchmark, (void)operands;
  memset(input, 0, BENCHMARK_INPUT_BYTES);
}

/* Sums depend on the size: measure.c knows it, and looks at what is stored. */
static bool expect_nothing(const struct benchmark *benchmark, enum benchmark_operands operands,
                           unsigned thread, uint64_t iterations, uint32_t *word) {
  (void)benchmark, (void)operands, (void)thread, (void)iterations, (void)word;
  return false;
}

const struct benchmark_family stream_family = {write_stream, fill_nothing, expect_nothing};

/* ---- Windows ---- */

static const char fill_window[] = ".reg .u32 %slot, %word;\n.reg .pred %filling;\n"
                                  "ld.global.b32 %word, [%in];\n"
                                  "mov.u32 %slot, %thread;\n"
                                  "FILL:\n"
                                  "mad.lo.u32 %u, %slot, 4, %t;\n"
                                  "st.shared.b32 [%u], %word;\n"
                                  "add.u32 %slot, %slot, %width;\n"
                                  "setp.lt.u32 %filling, %slot, @;\n"
                                  "@%filling bra FILL;\n"
                                  "bar.sync 0;\n";

static void begin_shared(struct text *ptx, const struct window *window) {
  text_format(ptx, ".shared .align 16 .b8 window[%u];\nmov.u32 %%t, window;\nmov.u32 %%base, %%t;\n",
              window->bytes);
  const char *at = strchr(fill_window, '@');
  text_bytes(ptx, fill_window, (size_t)(at - fill_window));
  text_unsigned(ptx, window->bytes / 4);
  text_add(ptx, at + 1);
}

static void write_window(struct text *ptx, const struct benchmark *benchmark) {
  const struct window *window = benchmark->shape;
  const unsigned row = ACCESS_BYTES * benchmark->threads;
  ptx_begin(ptx, benchmark);
  declare_values(ptx, window->unroll);
  text_add(ptx, ".reg .u32 %offset, %base, %inner, %mask;\n.reg .u64 %place;\n"
                "cvt.u32.u64 %mask, %size;\nsub.u32 %mask, %mask, 1;\n");
  if (window->is_shared)
    begin_shared(ptx, window);
  text_format(ptx, "mul.lo.u32 %%inner, %%thread, %u;\n", ACCESS_BYTES);
  text_format(ptx, "mul.lo.u32 %%offset, %%block, %u;\n", window->spread ? row * window->unroll : 0);
  ptx_loop(ptx);
  text_add(ptx, "and.b32 %t, %offset, %mask;\nadd.u32 %t, %t, %inner;\n");
  if (window->is_shared)
    text_add(ptx, "add.u32 %t, %t, %base;\n");
  else
    text_add(ptx, "cvt.u64.u32 %place, %t;\nadd.u64 %place, %place, %in;\n");
  for (unsigned i = 0; i < window->unroll; ++i) {
    text_format(ptx, "%s ", window->load);
    write_values(ptx, i);
    text_format(ptx, ", [%s+%u];\n", window->is_shared ? "%t" : "%place", row * i);
  }
  add_values(ptx, window->unroll);
  text_format(ptx, "add.u32 %%offset, %%offset, %u;\n", row * window->unroll);
  ptx_loop_end(ptx);
  ptx_end(ptx);
}

static void fill_words(const struct benchmark *benchmark, enum benchmark_operands operands, void *input) {
  (void)benchmark, (void)operands;
  const uint32_t word = STREAM_WORD;
  for (unsigned i = 0; i < BENCHMARK_INPUT_BYTES; i += sizeof word)
    memcpy((char *)input + i, &word, sizeof word);
}

static bool expect_words(const struct benchmark *benchmark, enum benchmark_operands operands, unsigned thread,
                         uint64_t iterations, uint32_t *word) {
  const struct window *window = benchmark->shape;
  (void)operands, (void)thread;
  *word = (uint32_t)(iterations * window->unroll * (ACCESS_BYTES / sizeof *word)) * STREAM_WORD;
  return true;
}

const struct benchmark_family window_family = {write_window, fill_words, expect_words};

/* ---- Shapes ---- */

const struct stream stream_read = {STREAM_READ, 8, "ld.global.v4.b32", NULL};
const struct stream stream_write = {STREAM_WRITE, 8, NULL, "st.global.v4.b32"};
const struct stream stream_copy = {STREAM_COPY, 8, "ld.global.v4.b32", "st.global.v4.b32"};
const struct stream stream_triad = {STREAM_TRIAD, 4, "ld.global.v4.b32", "st.global.v4.b32"};

const struct window window_l2 = {.load = "ld.global.cg.v4.b32", .unroll = 4, .spread = true};
const struct window window_l1 = {.load = "ld.global.ca.v4.b32", .unroll = 2, .bytes = 32 << 10};
const struct window window_shared = {
    .load = "ld.shared.v4.b32", .unroll = 2, .bytes = 32 << 10, .is_shared = true};
