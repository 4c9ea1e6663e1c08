// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exports/registration.h"

#include "base/locks.h"
#include "base/process_calls.h"
#include "exports/cudart.h"

#include <pthread.h>
#include <stdatomic.h>

/* Held during a registration or the replay: each registration reaches the receiver once. */
GP_MUTEX(lock, GP_LOCK_REGISTRATION)
static _Atomic(const struct gp_registration_receiver *) current; /* null: none yet */

/* The caller holds the lock. */
static const struct gp_registration_receiver *receiver(void) {
  gp_assert_held(&lock);
  return atomic_load(&current);
}

static int replay(struct gp_module *module, void *closure) {
  const struct gp_registration_receiver *to = closure;
  to->fatbin(module);
  for (const struct gp_function *f = module->functions; f; f = f->next)
    to->function(module, f->host, f->name);
  for (const struct gp_variable *v = module->variables; v; v = v->next)
    to->variable(module, v);
  if (module->complete)
    to->end(module);
  return 0;
}

int gp_registration_receive(const struct gp_registration_receiver *to, void (*open)(void)) {
  pthread_mutex_lock(&lock);
  const int is_first = !receiver();
  if (is_first) {
    open();
    gp_modules_each(replay, (void *)(uintptr_t)to);
    atomic_store(&current, to);
  }
  pthread_mutex_unlock(&lock);
  return is_first;
}

void **gp_register_fatbin(void *wrapper) {
  gp_process_calls.before_registration();
  pthread_mutex_lock(&lock);
  void **handle = gp_modules_register_fatbin(wrapper);
  if (handle && receiver())
    receiver()->fatbin((struct gp_module *)handle);
  pthread_mutex_unlock(&lock);
  return handle;
}

void gp_register_function(void **handle, const void *host, const char *name) {
  pthread_mutex_lock(&lock);
  gp_modules_register_function(handle, host, name);
  if (receiver())
    receiver()->function((struct gp_module *)handle, host, name);
  pthread_mutex_unlock(&lock);
}

static void pass_variable(void **handle, const struct gp_variable *variable) {
  if (receiver())
    receiver()->variable((struct gp_module *)handle, variable);
}

void gp_register_variable(void **handle, const void *shadow, const char *name, size_t bytes, int constant) {
  const struct gp_variable variable = {.shadow = shadow, .name = name, .bytes = bytes, .constant = constant};
  pthread_mutex_lock(&lock);
  gp_modules_register_variable(handle, shadow, name, bytes, constant);
  pass_variable(handle, &variable);
  pthread_mutex_unlock(&lock);
}

void gp_register_managed(void **handle, void **pointer, const char *name, size_t bytes) {
  /* nvcc passes no alignment; the guarantee of cudaMallocManaged replaces it. */
  enum { ALIGNMENT = 256 };
  const struct gp_variable variable = {.shadow = pointer, .name = name, .bytes = bytes, .alignment = ALIGNMENT};
  pthread_mutex_lock(&lock);
  gp_modules_register_managed(handle, pointer, NULL, name, bytes, ALIGNMENT);
  pass_variable(handle, &variable);
  pthread_mutex_unlock(&lock);
}

void gp_register_end(void **handle) {
  pthread_mutex_lock(&lock);
  gp_modules_register_end(handle);
  if (receiver())
    receiver()->end((struct gp_module *)handle);
  pthread_mutex_unlock(&lock);
}

void gp_unregister_fatbin(void **handle) {
  /* Without the lock: saving the module's counts may make CUDA calls. */
  void **real = gp_modules_unregister_fatbin(handle);
  const struct gp_registration_receiver *to = atomic_load(&current);
  if (real && to)
    to->unregister(real);
}

char gp_initialize_module(void **handle) {
  gp_cudart();
  void **real = handle ? ((struct gp_module *)handle)->real : NULL;
  const struct gp_registration_receiver *to = atomic_load(&current);
  return real && to ? to->initialize(real) : 1;
}
