/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The place of the document, and writing it: GPUPROF_OUTPUT or, with a sentence, a fallback. The latter is
 * gpuprof-PID.json in the initial working folder, in TMPDIR or in /tmp. All functions may be called by any
 * thread.
 */
#ifndef GP_OUTPUT_H
#define GP_OUTPUT_H

#include <stdatomic.h>
#include <stdio.h>

/* Writes the document to a stream. Returns 0, or -1 if the document is incomplete. */
typedef int gp_output_writer(FILE *stream, void *closure);

/* Chooses the place, if none is chosen: makes folders, and reports an unwritable place at once. Cheap when
 * repeated. */
void gp_output_choose(void);
extern _Atomic int gp_output_chosen;
static inline void gp_output_prepare(void) {
  if (!atomic_load_explicit(&gp_output_chosen, memory_order_relaxed))
    gp_output_choose();
}
/* Replaces the document; a device, a pipe or an open descriptor gets another one. If the place has become
 * unusable, writes a fallback. Returns 0, or -1 after one sentence; an older document is then unchanged. */
int gp_output_write(gp_output_writer *write, void *closure);
/* True if each write replaces the previous one. Repeated writers ask first. */
int gp_output_is_replaced(void);
/* The last written file; empty if none is replaced. */
void gp_output_file(char *path, size_t bytes);
/* Reports the document's place at the end, if a fallback was written. */
void gp_output_tell(void);
/* To be called in a forked child: it chooses anew; with `apart`, a name other than its parent's. */
void gp_output_in_child(int apart);

#endif
