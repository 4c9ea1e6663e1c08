// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/ptx_chains.h"

#include "peaks/ptx_parts.h"

#include <string.h>

static void write_chains(struct text *ptx, const struct benchmark *benchmark) {
  const struct chains *chains = benchmark->shape;
  ptx_begin(ptx, benchmark);
  ptx_line(ptx, chains->declare, chains->count);
  ptx_line(ptx, chains->load, 0);
  for (unsigned i = 0; i < chains->count; ++i) {
    ptx_line(ptx, "add.u32 %u, %lane, @;", i);
    ptx_line(ptx, chains->start, i);
  }
  ptx_loop(ptx);
  for (unsigned step = 0; step < chains->unroll; ++step)
    for (unsigned i = 0; i < chains->count; ++i)
      ptx_line(ptx, chains->step, i);
  ptx_loop_end(ptx);
  for (unsigned i = 0; i < chains->count; ++i)
    ptx_line(ptx, chains->fold, i);
  ptx_end(ptx);
}

static void fill_chains(const struct benchmark *benchmark, enum benchmark_operands operands, void *input) {
  const struct chains *chains = benchmark->shape;
  memset(input, 0, BENCHMARK_INPUT_BYTES);
  memcpy(input, chains->operands[operands], sizeof chains->operands[operands]);
}

static bool expect_chains(const struct benchmark *benchmark, enum benchmark_operands operands,
                          unsigned thread, uint64_t iterations, uint32_t *word) {
  const struct chains *chains = benchmark->shape;
  *word = 0;
  for (unsigned i = 0; chains->after && i < chains->count; ++i)
    *word +=
        chains->after(thread % BENCHMARK_WARP + i, iterations * chains->unroll, chains->operands[operands]);
  return chains->after;
}

const struct benchmark_family chains_family = {write_chains, fill_chains, expect_chains};

/* ---- Floating point ---- */

static uint32_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* x is 1 and y is 1: a step adds 1. x is -1 and y is 1: two steps add nothing, and all counts of steps are even. */
static uint64_t sum_of(uint32_t start, uint64_t steps, const uint64_t *operands) {
  return start + (operands[0] == operands[1] ? steps : 0);
}

static uint32_t after_fp64(uint32_t start, uint64_t steps, const uint64_t *operands) {
  const double value = (double)sum_of(start, steps, operands);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (uint32_t)bits + (uint32_t)(bits >> 32);
}

static uint32_t after_fp32(uint32_t start, uint64_t steps, const uint64_t *operands) {
  return bits_of_float((float)sum_of(start, steps, operands));
}

static uint32_t twice(uint32_t half) { return half << 16 | half; }

static uint32_t after_fp16(uint32_t start, uint64_t steps, const uint64_t *operands) {
  const uint32_t bits = bits_of_float((float)sum_of(start, steps, operands));
  return twice(bits ? (bits >> 13) - ((127 - 15) << 10) : 0);
}

static uint32_t after_bf16(uint32_t start, uint64_t steps, const uint64_t *operands) {
  return twice(bits_of_float((float)sum_of(start, steps, operands)) >> 16);
}

/* Powers of two: a step halves the exponent and turns its sign, until 1 is left: before
 * the first iteration is over. */
static uint32_t after_special(uint32_t start, uint64_t steps, const uint64_t *operands) {
  (void)start, (void)steps, (void)operands;
  return bits_of_float(1);
}

#define ONE_FP64 UINT64_C(0x3ff0000000000000)
#define SIGN_FP64 (UINT64_C(1) << 63)
#define ONE_FP32 UINT64_C(0x3f800000)
#define SIGN_FP32 UINT64_C(0x80000000)
#define ONE_FP16 UINT64_C(0x3c003c00)
#define ONE_BF16 UINT64_C(0x3f803f80)
#define SIGN_HALVES UINT64_C(0x80008000)

const struct chains chains_fp64 = {
    .declare = ".reg .f64 %a<@>, %x;",
    .load = "ld.global.f64 %x, [%in];",
    .start = "cvt.rn.f64.u32 %a@, %u;",
    .step =
        "fma.rn.f64 %a@, %a@, %x, %x;", /* reading three different operands of 64 bits would take longer */
    .fold = "mov.b64 {%t, %u}, %a@;\nadd.u32 %sum, %sum, %t;\nadd.u32 %sum, %sum, %u;",
    .count = 8,
    .unroll = 32,
    .operands = {{ONE_FP64, ONE_FP64}, {ONE_FP64, ONE_FP64}},
    .after = after_fp64};
const struct chains chains_fp32 = {.declare = ".reg .f32 %a<@>, %x, %y;",
                                   .load = "ld.global.f32 %x, [%in];\nld.global.f32 %y, [%in+8];",
                                   .start = "cvt.rn.f32.u32 %a@, %u;",
                                   .step = "fma.rn.f32 %a@, %a@, %x, %y;",
                                   .fold = "mov.b32 %t, %a@;\nadd.u32 %sum, %sum, %t;",
                                   .count = 8,
                                   .unroll = 64,
                                   .operands = {{ONE_FP32, ONE_FP32}, {ONE_FP32, ONE_FP32}},
                                   .after = after_fp32};
const struct chains chains_fp16 = {.declare = ".reg .b32 %a<@>, %x, %y;\n.reg .b16 %h;",
                                   .load = "ld.global.b32 %x, [%in];\nld.global.b32 %y, [%in+8];",
                                   .start = "cvt.rn.f16.u32 %h, %u;\nmov.b32 %a@, {%h, %h};",
                                   .step = "fma.rn.f16x2 %a@, %a@, %x, %y;",
                                   .fold = "add.u32 %sum, %sum, %a@;",
                                   .count = 8,
                                   .unroll = 64,
                                   .operands = {{ONE_FP16, ONE_FP16}, {ONE_FP16 ^ SIGN_HALVES, ONE_FP16}},
                                   .after = after_fp16};
const struct chains chains_bf16 = {.declare = ".reg .b32 %a<@>, %x, %y;\n.reg .f32 %f;",
                                   .load = "ld.global.b32 %x, [%in];\nld.global.b32 %y, [%in+8];",
                                   .start = "cvt.rn.f32.u32 %f, %u;\ncvt.rn.bf16x2.f32 %a@, %f, %f;",
                                   .step = "fma.rn.bf16x2 %a@, %a@, %x, %y;",
                                   .fold = "add.u32 %sum, %sum, %a@;",
                                   .count = 8,
                                   .unroll = 64,
                                   .operands = {{ONE_BF16, ONE_BF16}, {ONE_BF16 ^ SIGN_HALVES, ONE_BF16}},
                                   .after = after_bf16};
const struct chains chains_special = {
    .declare = ".reg .f32 %a<@>;",
    .load = "",
    .start = "shl.b32 %u, %u, 23;\nadd.u32 %u, %u, 0x3f800000;\nmov.b32 %a@, %u;",
    .step = "rsqrt.approx.ftz.f32 %a@, %a@;",
    .fold = "mov.b32 %t, %a@;\nadd.u32 %sum, %sum, %t;",
    .count = 4,
    .unroll = 32,
    .after = after_special};

/* ---- Integers: what the instructions do, done again ---- */

static uint32_t after_multiply_add(uint32_t start, uint64_t steps, const uint64_t *operands) {
  uint32_t a = start;
  for (uint64_t i = 0; i < steps; ++i)
    a = a * (uint32_t)operands[0] + (uint32_t)operands[1];
  return a;
}

static uint32_t after_add(uint32_t start, uint64_t steps, const uint64_t *operands) {
  uint32_t a = start, b = start ^ (uint32_t)operands[0];
  for (uint64_t i = 0; i < steps; ++i) {
    a += b;
    b += a;
  }
  return a + b;
}

static uint32_t after_logic(uint32_t start, uint64_t steps, const uint64_t *operands) {
  const uint32_t x = (uint32_t)operands[0], y = (uint32_t)operands[1];
  uint32_t a = start, b = ~start;
  for (uint64_t i = 0; i < steps; ++i) {
    a = a ^ b ^ x;
    b = (a & b) | (b & y) | (a & y);
  }
  return a + b;
}

static uint32_t after_popc(uint32_t start, uint64_t steps, const uint64_t *operands) {
  (void)operands;
  uint32_t a = start;
  for (uint64_t i = 0; i < steps; ++i)
    a += (uint32_t)__builtin_popcount(a);
  return a;
}

#define LOAD_WORDS "ld.global.b32 %x, [%in];\nld.global.b32 %y, [%in+8];"
#define WORDS                                                                                                \
  {                                                                                                          \
    {0x0019660d, 0x3c6ef35f}, { 0x0019660d, 0x3c6ef35f }                                                     \
  }
const struct chains chains_multiply_add = {.declare = ".reg .b32 %a<@>, %x, %y;",
                                           .load = LOAD_WORDS,
                                           .start = "mov.u32 %a@, %u;",
                                           .step = "mad.lo.u32 %a@, %a@, %x, %y;",
                                           .fold = "add.u32 %sum, %sum, %a@;",
                                           .count = 8,
                                           .unroll = 32,
                                           .operands = WORDS,
                                           .after = after_multiply_add};
const struct chains chains_add = {.declare = ".reg .b32 %a<@>, %b<@>, %x, %y;",
                                  .load = LOAD_WORDS,
                                  .start = "mov.u32 %a@, %u;\nxor.b32 %b@, %u, %x;",
                                  .step = "add.u32 %a@, %a@, %b@;\nadd.u32 %b@, %b@, %a@;",
                                  .fold = "add.u32 %sum, %sum, %a@;\nadd.u32 %sum, %sum, %b@;",
                                  .count = 8,
                                  .unroll = 32,
                                  .operands = WORDS,
                                  .after = after_add};
const struct chains chains_logic = {
    .declare = ".reg .b32 %a<@>, %b<@>, %x, %y;",
    .load = LOAD_WORDS,
    .start = "mov.u32 %a@, %u;\nnot.b32 %b@, %u;",
    .step = "lop3.b32 %a@, %a@, %b@, %x, 0x96;\nlop3.b32 %b@, %a@, %b@, %y, 0xe8;",
    .fold = "add.u32 %sum, %sum, %a@;\nadd.u32 %sum, %sum, %b@;",
    .count = 8,
    .unroll = 16,
    .operands = WORDS,
    .after = after_logic};
const struct chains chains_popc = {.declare = ".reg .b32 %a<@>;",
                                   .load = "",
                                   .start = "mov.u32 %a@, %u;",
                                   .step = "popc.b32 %t, %a@;\nadd.u32 %a@, %a@, %t;",
                                   .fold = "add.u32 %sum, %sum, %a@;",
                                   .count = 8,
                                   .unroll = 16,
                                   .after = after_popc};
