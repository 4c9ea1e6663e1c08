/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The entries that compiled kernels call (gpuprof/cpu_entries.inc), exported here so that programs link libgpuprof alone.
 * Each is a jump through a slot, which is filled when libgpuprof-cpu.so is opened.
 */
#if !defined(__x86_64__)
#error "the CPU device needs x86-64: write these jumps for your machine"
#endif
#define GPUPROF_CPU_ENTRY(schedule, result, name, parameters) \
  .pushsection .data.gp_cpu_entry_slots, "aw"; \
  .Lslot_##name: .quad 0; \
  .popsection; \
  .globl name; \
  .type name, @function; \
  .p2align 4; \
  name: endbr64; \
  jmpq *.Lslot_##name(%rip); \
  .size name, .-name;

  .section .data.gp_cpu_entry_slots, "aw"
  .globl gp_cpu_entry_slots
  .hidden gp_cpu_entry_slots
  .type gp_cpu_entry_slots, @object
  .p2align 6
gp_cpu_entry_slots:
  .text
#include "gpuprof/cpu_entries.inc"
  .section .note.GNU-stack, "", @progbits
