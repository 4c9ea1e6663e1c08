// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/benchmarks.h"

#include "peaks/ptx_chains.h"
#include "peaks/ptx_matrices.h"
#include "peaks/ptx_memory.h"

const char *const benchmark_group_names[] = {[GROUP_CORE] = "core",       [GROUP_TENSOR] = "tensor", [GROUP_SPECIAL] = "special",
                                             [GROUP_INTEGER] = "integer", [GROUP_DRAM] = "dram",     [GROUP_L2] = "l2",
                                             [GROUP_L1] = "l1",           [GROUP_SHARED] = "shared"};

/* Steps of an iteration times the work of one: 2 FLOPs of an fma, 4 of a packed one. */
#define CHAINS(id, title, ceiling, instruction, group, ptx, target, chains, steps, work)                                          \
  {id, title, ceiling, instruction, group, ptx, target, 0, false, &chains_family, &chains, 256, 4, (steps) * (work)},
/* 2·m·n·k of a product over the threads that share it. */
#define MMA(id, title, ceiling, instruction, ptx, target, last, shape, products, flops)                                                  \
  {id, title, ceiling, instruction, GROUP_TENSOR, ptx, target, last, false, &mma_family, &shape, 256, 2, (products) * (flops) / 32.0},
#define WGMMA(id, title, ceiling, instruction, shape, flops)                                                                       \
  {id, title, ceiling, instruction, GROUP_TENSOR, 80, 90, 90, true, &wgmma_family, &shape, 256, 1, 16 * (flops) / 128.0},
#define WINDOW(id, title, instruction, group, shape, threads, blocks, unroll)                                                      \
  {id, title, "read", instruction, group, 64, 70, 0, false, &window_family, &shape, threads, blocks, 16.0 * (unroll)},
#define STREAM(id, title, ceiling, shape)                                                                                          \
  {id, title, ceiling, "ld/st.global.v4", GROUP_DRAM, 64, 70, 0, false, &stream_family, &shape, 512, 2, 0},

static const struct benchmark benchmarks[] = {
    CHAINS("fp64", "FP64 FMA", "fp64", "fma.rn.f64", GROUP_CORE, 64, 70, chains_fp64, 8 * 32, 2)
    CHAINS("fp32", "FP32 FMA", "fp32", "fma.rn.f32", GROUP_CORE, 64, 70, chains_fp32, 8 * 64, 2)
    CHAINS("fp16", "FP16 FMA, two at a time", "fp16", "fma.rn.f16x2", GROUP_CORE, 64, 70, chains_fp16, 8 * 64, 4)
    CHAINS("bf16", "BF16 FMA, two at a time", "bf16", "fma.rn.bf16x2", GROUP_CORE, 70, 80, chains_bf16, 8 * 64, 4)
    WGMMA("tensor-bf16-wgmma", "BF16, wgmma", "bf16", "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", wgmma_bf16, 2.0 * 64 * 256 * 16)
    MMA("tensor-bf16", "BF16, mma.sync", "bf16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 70, 80, 0, mma_bf16, 8 * 16, 4096)
    WGMMA("tensor-fp16-wgmma", "FP16, wgmma", "fp16", "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", wgmma_fp16, 2.0 * 64 * 256 * 16)
    MMA("tensor-fp16", "FP16, mma.sync", "fp16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 70, 80, 0, mma_fp16, 8 * 16, 4096)
    MMA("tensor-fp16-sums-fp16", "FP16 with FP16 sums, mma.sync", "fp16", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 70, 80, 0, mma_fp16_fp16, 8 * 2, 4096)
    MMA("tensor-fp16-k8", "FP16, mma.sync of k = 8", "fp16", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 65, 75, 75, mma_turing, 4 * 16, 2048)
    MMA("tensor-fp16-k4", "FP16, mma.sync of k = 4", "fp16", "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 64, 70, 72, mma_volta, 4 * 16, 2048)
    WGMMA("tensor-tf32-wgmma", "TF32, wgmma", "tf32", "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32", wgmma_tf32, 2.0 * 64 * 256 * 8)
    MMA("tensor-tf32", "TF32, mma.sync", "tf32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 70, 80, 0, mma_tf32, 8 * 16, 2048)
    WGMMA("tensor-fp8-wgmma", "FP8, wgmma", "fp8", "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3", wgmma_fp8, 2.0 * 64 * 256 * 32)
    MMA("tensor-fp8", "FP8, mma.sync", "fp8", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", 84, 89, 89, mma_fp8, 8 * 8, 8192)
    MMA("tensor-fp8-sm120", "FP8, mma.sync", "fp8", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", 87, 120, 0, mma_fp8, 8 * 8, 8192)
    WGMMA("tensor-int8-wgmma", "INT8, wgmma", "int8", "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8", wgmma_int8, 2.0 * 64 * 256 * 32)
    MMA("tensor-int8", "INT8, mma.sync", "int8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 70, 80, 0, mma_int8, 8 * 16, 8192)
    MMA("tensor-int8-k16", "INT8, mma.sync of k = 16", "int8", "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", 65, 75, 75, mma_turing_int8, 8 * 16, 2048)
    MMA("tensor-fp64-k16", "FP64, mma.sync of k = 16", "fp64", "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 78, 90, 0, mma_fp64_wide, 4 * 8, 4096)
    MMA("tensor-fp64", "FP64, mma.sync", "fp64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 70, 80, 0, mma_fp64, 8 * 8, 512)
    CHAINS("special", "special functions", "special", "rsqrt.approx.ftz.f32", GROUP_SPECIAL, 64, 70, chains_special, 4 * 32, 1)
    CHAINS("multiply-add", "integer multiply-add", "multiply_add", "mad.lo.u32", GROUP_INTEGER, 64, 70, chains_multiply_add, 8 * 32, 1)
    CHAINS("add", "integer add", "add", "add.u32", GROUP_INTEGER, 64, 70, chains_add, 8 * 32, 2)
    CHAINS("logic", "integer logic", "logic", "lop3.b32", GROUP_INTEGER, 64, 70, chains_logic, 8 * 16, 2)
    CHAINS("popc", "population count", "popc", "popc.b32", GROUP_INTEGER, 64, 70, chains_popc, 8 * 16, 1)
    STREAM("dram-read", "DRAM read", "read", stream_read)
    STREAM("dram-write", "DRAM write", "write", stream_write)
    STREAM("dram-copy", "DRAM copy", "copy", stream_copy)
    STREAM("dram-triad", "DRAM triad", "triad", stream_triad)
    WINDOW("l2", "L2 read", "ld.global.cg.v4", GROUP_L2, window_l2, 512, 4, 4)
    WINDOW("l1", "L1 read", "ld.global.ca.v4", GROUP_L1, window_l1, 512, 2, 2)
    WINDOW("shared", "shared memory read", "ld.shared.v4", GROUP_SHARED, window_shared, 512, 2, 2)
};

const struct benchmark *benchmark_at(size_t index) {
  return index < sizeof benchmarks / sizeof *benchmarks ? &benchmarks[index] : NULL;
}

void benchmark_ptx(const struct benchmark *benchmark, struct text *ptx) { benchmark->family->write(ptx, benchmark); }

bool benchmark_moves_bytes(const struct benchmark *benchmark) { return benchmark->group >= GROUP_DRAM; }

bool benchmark_is_mma_sync(const struct benchmark *benchmark) { return benchmark->family == &mma_family; }
