/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The core of libgpuprof for libgpuprof-cpu.so: functions of the core's names, passing the calls on. The CPU
 * device is therefore written as if linked with the core, and unit tests link it so.
 */
#ifndef GP_CORE_CALLS_H
#define GP_CORE_CALLS_H

struct gp_core_calls;

/* Call it first. Only gp_lock_know(), called by constructors, may run before. */
void gp_core_calls_open(const struct gp_core_calls *core);

#endif
