/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The program's calls of sigaction(), signal() and the like pass through libgpuprof. Handlers may therefore
 * stay installed between launches unseen: they are removed before such a call.
 */
#ifndef GP_SIGNAL_CALLS_H
#define GP_SIGNAL_CALLS_H

#include <signal.h>

/* Called before each call about a signal, on the calling thread. Async-signal-safe. */
typedef void gp_signal_watcher(int signal);
typedef int gp_sigaction_function(int signal, const struct sigaction *action, struct sigaction *before);

/* Sets `watcher` to be called from now on. Returns libc's sigaction(), for calls without the watcher. Null if
 * other definitions precede these in the process: the watcher is then never called. */
gp_sigaction_function *gp_signal_calls_watch(gp_signal_watcher *watcher);

#endif
