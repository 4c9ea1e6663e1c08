/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the document goes, and how it gets there: GPUPROF_OUTPUT, else, with a sentence, a fallback: gpuprof-PID.json in the
 * folder in which the program was started, in TMPDIR or in /tmp. All functions may be called by any thread.
 */
#ifndef GP_OUTPUT_H
#define GP_OUTPUT_H

#include <stdatomic.h>
#include <stdio.h>

/* Writes the document to a stream. Returns 0, or -1 if the document is not whole. */
typedef int gp_output_writer(FILE *stream, void *closure);

/* Chooses the place, if none is chosen: makes folders, and says at once what cannot be written. Cheap when repeated. */
void gp_output_choose(void);
extern _Atomic int gp_output_chosen;
static inline void gp_output_prepare(void) {
  if (!atomic_load_explicit(&gp_output_chosen, memory_order_relaxed))
    gp_output_choose();
}
/* Replaces the document; a device, a pipe or an open descriptor gets one more. Where the place has become unusable it is a
 * fallback that is written. Returns 0, or -1 after one sentence; an older document then is as it was. */
int gp_output_write(gp_output_writer *write, void *closure);
/* Does each write replace the one before? What writes the document again and again asks first. */
int gp_output_is_replaced(void);
/* The file that was written last; empty where none is replaced. */
void gp_output_file(char *path, size_t bytes);
/* Says at the end where the document is, if a fallback was written. */
void gp_output_tell(void);
/* A forked child chooses anew. */
void gp_output_in_child(void);

#endif
