/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The program's calls of sigaction(), signal() and the like pass through libgpuprof. So handlers may stay installed between
 * launches and are still seen by nobody: they are taken out before such a call.
 */
#ifndef GP_SIGNAL_CALLS_H
#define GP_SIGNAL_CALLS_H

#include <signal.h>

/* Told before each call about a signal, on the calling thread. Async-signal-safe. */
typedef void gp_signal_watcher(int signal);
typedef int gp_sigaction_function(int signal, const struct sigaction *action, struct sigaction *before);

/* From now on `watcher` is told. Returns libc's sigaction(), which tells nobody; null where other definitions than these come
 * first in the process: then nobody is told. */
gp_sigaction_function *gp_signal_calls_watch(gp_signal_watcher *watcher);

#endif
