/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fiber switch: saves what a called function must preserve, changes the stack, and goes on there.
 *   void gp_cpu_switch(void **save, void *load)
 * A new fiber's first frame (see gp_fiber_prepare) returns into gp_cpu_fiber_entry, which calls r13(r12).
 */
#if !defined(__x86_64__)
#error "the CPU device needs x86-64: write this switch for your machine"
#endif
  .text
  .globl gp_cpu_switch
  .hidden gp_cpu_switch
  .type gp_cpu_switch, @function
  .p2align 4
gp_cpu_switch:
  .cfi_startproc
  endbr64
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .cfi_endproc
  .size gp_cpu_switch, .-gp_cpu_switch

  .globl gp_cpu_fiber_entry
  .hidden gp_cpu_fiber_entry
  .type gp_cpu_fiber_entry, @function
  .p2align 4
gp_cpu_fiber_entry:
  .cfi_startproc
  .cfi_undefined %rip /* the outermost frame: debuggers and unwinders stop here */
  movq %r12, %rdi
  callq *%r13
  ud2
  .cfi_endproc
  .size gp_cpu_fiber_entry, .-gp_cpu_fiber_entry
  .section .note.GNU-stack, "", @progbits
