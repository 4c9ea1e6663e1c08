// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The names precede libc's if the program links libgpuprof or preloads it. All may be called in signal
 * handlers and in children of vfork(): nothing is allocated or locked.
 */
#include "base/signal_calls.h"

#include "base/exported.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

typedef void handler(int signal);
typedef handler *set_handler(int signal, handler *handler);

static _Atomic(gp_signal_watcher *) watcher;

static void tell(int signal) {
  gp_signal_watcher *const told = atomic_load_explicit(&watcher, memory_order_acquire);
  if (told)
    told(signal);
}

/* The functions of libc, or of a library between. Constructors of other libraries may call them before this
 * library's have run. */
static struct {
  gp_sigaction_function *sigaction;
  set_handler *signal, *sysv_signal, *sigset;
  int (*sigignore)(int signal);
  int (*siginterrupt)(int signal, int interrupts);
} next;

static void find(const char *name, void *function) { *(void **)function = dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void find_all(void) {
  find("signal", &next.signal);
  find("sysv_signal", &next.sysv_signal);
  find("sigset", &next.sigset);
  find("sigignore", &next.sigignore);
  find("siginterrupt", &next.siginterrupt);
  find("sigaction", &next.sigaction);
}

static void find_once(void) {
  if (!next.sigaction)
    find_all();
}

static int missing(void) {
  errno = ENOSYS;
  return -1;
}

static handler *set(int signal, handler *handler, set_handler *const *setter) {
  find_once();
  tell(signal);
  if (*setter)
    return (*setter)(signal, handler);
  missing();
  return SIG_ERR;
}

GP_EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *before) {
  find_once();
  tell(signal);
  return next.sigaction ? next.sigaction(signal, action, before) : missing();
}

GP_EXPORT handler *signal(int signal, handler *handler) { return set(signal, handler, &next.signal); }
GP_EXPORT handler *bsd_signal(int signal, handler *handler) { return set(signal, handler, &next.signal); }
GP_EXPORT handler *ssignal(int signal, handler *handler) { return set(signal, handler, &next.signal); }
GP_EXPORT handler *sysv_signal(int signal, handler *handler) { return set(signal, handler, &next.sysv_signal); }
GP_EXPORT handler *__sysv_signal(int signal, handler *handler) { return set(signal, handler, &next.sysv_signal); }
GP_EXPORT handler *sigset(int signal, handler *handler) { return set(signal, handler, &next.sigset); }

GP_EXPORT int sigignore(int signal) {
  find_once();
  tell(signal);
  return next.sigignore ? next.sigignore(signal) : missing();
}

GP_EXPORT int siginterrupt(int signal, int interrupts) {
  find_once();
  tell(signal);
  return next.siginterrupt ? next.siginterrupt(signal, interrupts) : missing();
}

/* ---- Watching ---- */

/* True if this library's definition of a name comes first. */
static int is_first(const char *name) {
  Dl_info own, first;
  void *const found = dlsym(RTLD_DEFAULT, name);
  return found && dladdr(&next, &own) && dladdr(found, &first) && own.dli_fbase == first.dli_fbase;
}

gp_sigaction_function *gp_signal_calls_watch(gp_signal_watcher *told) {
  if (!next.sigaction || !is_first("sigaction") || !is_first("signal"))
    return NULL;
  atomic_store_explicit(&watcher, told, memory_order_release);
  return next.sigaction;
}
