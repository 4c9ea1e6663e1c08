/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The lock held by a launch while its blocks run: one launch at a time uses the workers. */
#ifndef GP_CPU_LAUNCHING_H
#define GP_CPU_LAUNCHING_H

void gp_cpu_launching_lock(void);
void gp_cpu_launching_unlock(void);
/* Calls f(closure) while no kernel runs. */
void gp_cpu_exclusive(void (*f)(void *), void *closure);
/* Waits for the end of a kernel run by another thread of the program, if any. */
void gp_cpu_wait(void);

#endif
