// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/ptx_matrices.h"

#include "peaks/ptx_parts.h"

#include <string.h>

/* ---- Sums ---- */

static const struct sums_row {
  const char *type, *zero, *add; /* `add`: a sum's bits to %sum */
} sums_rows[] = {
    [SUMS_FP32] = {"f32", "0f00000000", "mov.b32 %t, %c@;\nadd.u32 %sum, %sum, %t;"},
    [SUMS_FP64] = {"f64", "0d0000000000000000",
                   "mov.b64 {%t, %u}, %c@;\nadd.u32 %sum, %sum, %t;\nadd.u32 %sum, %sum, %u;"},
    [SUMS_INT32] = {"b32", "0", "add.u32 %sum, %sum, %c@;"},
    [SUMS_FP16] = {"b32", "0", "add.u32 %sum, %sum, %c@;"},
};

static void begin_sums(struct text *ptx, const struct matrices *matrices, unsigned count) {
  const struct sums_row *sums = &sums_rows[matrices->sums];
  text_format(ptx, ".reg .%s %%c<%u>;\n", sums->type, count);
  for (unsigned i = 0; i < count; ++i)
    text_format(ptx, "mov.%s %%c%u, %s;\n", sums->type, i, sums->zero);
}

static void end_sums(struct text *ptx, const struct matrices *matrices, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    ptx_line(ptx, sums_rows[matrices->sums].add, i);
}

static void write_registers(struct text *ptx, const char *name, unsigned first, unsigned count) {
  text_add(ptx, "{");
  for (unsigned i = 0; i < count; ++i)
    text_format(ptx, "%s%%%s%u", i ? ", " : "", name, first + i);
  text_add(ptx, "}");
}

/* A sum of `value` ones, folded. */
static uint32_t bits_of_sum(enum sums sums, uint64_t value) {
  const float single = (float)value;
  const double number = (double)value;
  uint32_t word;
  uint64_t words;
  memcpy(&word, &single, sizeof word);
  memcpy(&words, &number, sizeof words);
  switch (sums) {
  case SUMS_FP32:
    return word;
  case SUMS_FP64:
    return (uint32_t)words + (uint32_t)(words >> 32);
  case SUMS_FP16:
    word = (word >> 13) - ((127 - 15) << 10);
    return word << 16 | word;
  case SUMS_INT32:
    break;
  }
  return (uint32_t)value;
}

/* ---- Operands: ones, which need the least power. A ceiling must be what kernels with many zeros reach, too ---- */

static void fill_matrices(const struct benchmark *benchmark, enum benchmark_operands operands, void *input) {
  const struct matrices *matrices = benchmark->shape;
  uint64_t *words = input;
  (void)operands;
  for (size_t i = 0; i < BENCHMARK_INPUT_BYTES / sizeof *words; ++i)
    words[i] = matrices->ones;
}

/* As long as the sums hold every whole number. */
static bool expect_matrices(const struct benchmark *benchmark, enum benchmark_operands operands, unsigned thread,
                            uint64_t iterations, uint32_t *word) {
  const struct matrices *matrices = benchmark->shape;
  (void)thread;
  *word = matrices->count * matrices->c * bits_of_sum(matrices->sums, iterations * matrices->unroll * matrices->k);
  return operands == BENCHMARK_COUNTING || matrices->sums == SUMS_FP64 || matrices->sums == SUMS_INT32;
}

/* ---- mma.sync ---- */

static void load_operands(struct text *ptx, const struct matrices *matrices) {
  const char *type = matrices->sums == SUMS_FP64 ? "f64" : "b32";
  text_format(ptx, ".reg .%s %%a<%u>, %%b<%u>;\nmad.wide.u32 %%at, %%lane, 128, %%in;\n", type, matrices->a, matrices->b);
  for (unsigned i = 0; i < matrices->a; ++i)
    text_format(ptx, "ld.global.%s %%a%u, [%%at+%u];\n", type, i, 8 * i);
  for (unsigned i = 0; i < matrices->b; ++i)
    text_format(ptx, "ld.global.%s %%b%u, [%%at+%u];\n", type, i, 8 * (matrices->a + i));
}

static void write_product(struct text *ptx, const struct matrices *matrices, const char *instruction, unsigned number) {
  text_format(ptx, "%s ", instruction);
  write_registers(ptx, "c", number * matrices->c, matrices->c);
  text_add(ptx, ", ");
  write_registers(ptx, "a", 0, matrices->a);
  text_add(ptx, ", ");
  write_registers(ptx, "b", 0, matrices->b);
  text_add(ptx, ", ");
  write_registers(ptx, "c", number * matrices->c, matrices->c);
  text_add(ptx, ";\n");
}

static void write_mma(struct text *ptx, const struct benchmark *benchmark) {
  const struct matrices *matrices = benchmark->shape;
  ptx_begin(ptx, benchmark);
  load_operands(ptx, matrices);
  begin_sums(ptx, matrices, matrices->count * matrices->c);
  ptx_loop(ptx);
  for (unsigned step = 0; step < matrices->unroll; ++step)
    for (unsigned i = 0; i < matrices->count; ++i)
      write_product(ptx, matrices, benchmark->instruction, i);
  ptx_loop_end(ptx);
  end_sums(ptx, matrices, matrices->count * matrices->c);
  ptx_end(ptx);
}

const struct benchmark_family mma_family = {write_mma, fill_matrices, expect_matrices};

/* ---- wgmma: both operands in shared memory, in rows of 128 bytes with the swizzle of that width ---- */

#define WGMMA_ROWS (64 + 256)
#define WGMMA_BYTES (WGMMA_ROWS * 128)

/* Swizzle of 128 bytes; groups of eight rows are 1,024 bytes apart. */
static const char descriptors[] = ".reg .b64 %desc_a, %desc_b, %layout;\n"
                                  ".reg .pred %true;\n"
                                  "setp.eq.u32 %true, %sum, %sum;\n"
                                  "mov.u64 %layout, 0x4000004000010000;\n"
                                  "mov.u32 %t, tiles;\n"
                                  "shr.u32 %t, %t, 4;\n"
                                  "cvt.u64.u32 %desc_a, %t;\n"
                                  "or.b64 %desc_a, %desc_a, %layout;\n"
                                  "add.s64 %desc_b, %desc_a, 512;\n";

static const char fill_tiles[] = ".reg .u32 %word, %place;\n"
                                 ".reg .pred %filling;\n"
                                 "mov.u32 %place, %thread;\n"
                                 "FILL:\n"
                                 "and.b32 %t, %place, 2047;\n"
                                 "mad.wide.u32 %at, %t, 4, %in;\n"
                                 "ld.global.b32 %word, [%at];\n"
                                 "mov.u32 %t, tiles;\n"
                                 "mad.lo.u32 %t, %place, 4, %t;\n"
                                 "st.shared.b32 [%t], %word;\n"
                                 "add.u32 %place, %place, %width;\n"
                                 "setp.lt.u32 %filling, %place, 10240;\n"
                                 "@%filling bra FILL;\n"
                                 "bar.sync 0;\n"
                                 "fence.proxy.async;\n"
                                 "bar.sync 0;\n";

/* The four slices of 32 bytes of the rows, one after the other. */
static void write_slice(struct text *ptx, const struct benchmark *benchmark, unsigned step) {
  const struct matrices *matrices = benchmark->shape;
  text_format(ptx, "add.s64 %%slice_a, %%desc_a, %u;\nadd.s64 %%slice_b, %%desc_b, %u;\n%s ", 2 * (step % 4), 2 * (step % 4),
              benchmark->instruction);
  write_registers(ptx, "c", 0, matrices->c);
  text_format(ptx, ", %%slice_a, %%slice_b, %%true%s;\n", matrices->tail);
}

static void write_wgmma(struct text *ptx, const struct benchmark *benchmark) {
  const struct matrices *matrices = benchmark->shape;
  ptx_begin(ptx, benchmark);
  text_format(ptx, ".shared .align 1024 .b8 tiles[%u];\n.reg .b64 %%slice_a, %%slice_b;\n", WGMMA_BYTES);
  text_add(ptx, fill_tiles);
  text_add(ptx, descriptors);
  begin_sums(ptx, matrices, matrices->c);
  ptx_loop(ptx);
  text_add(ptx, "wgmma.fence.sync.aligned;\n");
  for (unsigned step = 0; step < matrices->unroll; ++step)
    write_slice(ptx, benchmark, step);
  text_add(ptx, "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
  ptx_loop_end(ptx);
  end_sums(ptx, matrices, matrices->c);
  ptx_end(ptx);
}

const struct benchmark_family wgmma_family = {write_wgmma, fill_matrices, expect_matrices};

/* ---- Shapes ---- */

#define BOTH(word) (UINT64_C(word) << 32 | UINT64_C(word))
const struct matrices mma_volta = {.types = "f16", .a = 2, .b = 2, .c = 8, .k = 4, .ones = BOTH(0x3c003c00), .count = 4, .unroll = 16};
const struct matrices mma_turing = {.types = "f16", .a = 2, .b = 1, .c = 4, .k = 8, .ones = BOTH(0x3c003c00), .count = 4, .unroll = 16};
const struct matrices mma_turing_int8 = {.types = "s8", .a = 1, .b = 1, .c = 2, .k = 16, .sums = SUMS_INT32, .ones = BOTH(0x01010101),
                                         .count = 8, .unroll = 16};
const struct matrices mma_bf16 = {.types = "bf16", .a = 4, .b = 2, .c = 4, .k = 16, .ones = BOTH(0x3f803f80), .count = 8, .unroll = 16};
const struct matrices mma_fp16 = {.types = "f16", .a = 4, .b = 2, .c = 4, .k = 16, .ones = BOTH(0x3c003c00), .count = 8, .unroll = 16};
const struct matrices mma_fp16_fp16 = {.types = "f16", .a = 4, .b = 2, .c = 2, .k = 16, .sums = SUMS_FP16, .ones = BOTH(0x3c003c00),
                                       .count = 8, .unroll = 2};
const struct matrices mma_tf32 = {.types = "tf32", .a = 4, .b = 2, .c = 4, .k = 8, .ones = BOTH(0x3f800000), .count = 8, .unroll = 16};
const struct matrices mma_int8 = {.types = "s8", .a = 4, .b = 2, .c = 4, .k = 32, .sums = SUMS_INT32, .ones = BOTH(0x01010101),
                                  .count = 8, .unroll = 16};
const struct matrices mma_fp8 = {.types = "e4m3", .a = 4, .b = 2, .c = 4, .k = 32, .ones = BOTH(0x38383838), .count = 8, .unroll = 8};
const struct matrices mma_fp64 = {.types = "f64", .a = 1, .b = 1, .c = 2, .k = 4, .sums = SUMS_FP64, .ones = UINT64_C(0x3ff0000000000000),
                                  .count = 8, .unroll = 8};
const struct matrices mma_fp64_wide = {.types = "f64", .a = 8, .b = 4, .c = 4, .k = 16, .sums = SUMS_FP64,
                                       .ones = UINT64_C(0x3ff0000000000000), .count = 4, .unroll = 8};

const struct matrices wgmma_bf16 = {.types = "bf16", .c = 128, .k = 16, .ones = BOTH(0x3f803f80), .count = 1, .unroll = 16, .tail = ", 1, 1, 0, 0"};
const struct matrices wgmma_fp16 = {.types = "f16", .c = 128, .k = 16, .ones = BOTH(0x3c003c00), .count = 1, .unroll = 16, .tail = ", 1, 1, 0, 0"};
const struct matrices wgmma_tf32 = {.types = "tf32", .c = 128, .k = 8, .ones = BOTH(0x3f800000), .count = 1, .unroll = 16, .tail = ", 1, 1"};
const struct matrices wgmma_fp8 = {.types = "e4m3", .c = 128, .k = 32, .ones = BOTH(0x38383838), .count = 1, .unroll = 16, .tail = ", 1, 1"};
const struct matrices wgmma_int8 = {.types = "s8", .c = 128, .k = 32, .sums = SUMS_INT32, .ones = BOTH(0x01010101), .count = 1,
                                    .unroll = 16, .tail = ""};
