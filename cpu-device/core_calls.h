/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The core of libgpuprof, as libgpuprof-cpu.so reaches it: its functions have their own names here too, and pass calls on.
 * So the CPU device is written as if it were linked with the core, and unit tests link it so.
 */
#ifndef GP_CORE_CALLS_H
#define GP_CORE_CALLS_H

struct gp_core_calls;

/* Before anything else is called but gp_lock_know(), which constructors do. */
void gp_core_calls_open(const struct gp_core_calls *core);

#endif
