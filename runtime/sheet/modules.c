// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sheet/modules.h"

#include "base/demangle.h"
#include "base/exported.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/process_calls.h"
#include "base/state.h"
#include "sheet/units.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096

GP_RWLOCK(lock, GP_LOCK_MODULES)
static struct gp_module *modules, **modules_end = &modules;
static struct gp_function *buckets[BUCKETS];
static _Atomic(struct gp_unit *) units;

static struct gp_function **bucket_of(const void *host) {
  uint64_t mixed = ((uint64_t)(uintptr_t)host >> 4) * 0x9e3779b97f4a7c15u;
  return &buckets[mixed >> 52];
}

/* ---- Registration ---- */

static _Atomic int lost;

int gp_modules_lost(void) { return atomic_load(&lost); }

static void lose(const char *what) {
  atomic_store(&lost, 1);
  gp_log_exhausted(what);
}

void **gp_modules_register_fatbin(void *wrapper) {
  struct gp_module *module = calloc(1, sizeof *module);
  if (!module) {
    lose("a CUDA module");
    return NULL;
  }
  module->wrapper = wrapper;
  module->functions_end = &module->functions;
  module->variables_end = &module->variables;
  pthread_rwlock_wrlock(&lock);
  *modules_end = module;
  modules_end = &module->next;
  pthread_rwlock_unlock(&lock);
  return (void **)module;
}

void gp_modules_register_function(void **handle, const void *host_function, const char *device_name) {
  struct gp_module *module = (struct gp_module *)handle;
  struct gp_function *function = module ? calloc(1, sizeof *function) : NULL;
  if (!function) {
    lose(device_name);
    return;
  }
  *function = (struct gp_function){.module = module, .host = host_function, .name = device_name};
  pthread_rwlock_wrlock(&lock);
  *module->functions_end = function;
  module->functions_end = &function->next;
  struct gp_function **end = bucket_of(host_function);
  while (*end) /* look-ups find the first registration of a stub */
    end = &(*end)->chain;
  *end = function;
  pthread_rwlock_unlock(&lock);
}

static void add_variable(void **handle, struct gp_variable value) {
  struct gp_module *module = (struct gp_module *)handle;
  struct gp_variable *variable = module ? malloc(sizeof *variable) : NULL;
  if (!variable) {
    lose(value.name);
    return;
  }
  *variable = value;
  variable->module = module;
  pthread_rwlock_wrlock(&lock);
  *module->variables_end = variable;
  module->variables_end = &variable->next;
  pthread_rwlock_unlock(&lock);
}

void gp_modules_register_variable(void **handle, const void *shadow, const char *device_name, size_t bytes,
                                  int constant) {
  add_variable(handle,
               (struct gp_variable){.shadow = shadow, .name = device_name, .bytes = bytes, .constant = constant});
}

void gp_modules_register_managed(void **handle, const void *pointer, const void *initial, const char *device_name,
                                 size_t bytes, uint32_t alignment) {
  add_variable(handle, (struct gp_variable){.shadow = pointer,
                                            .initial = initial,
                                            .name = device_name,
                                            .bytes = bytes,
                                            .alignment = alignment});
}

void gp_modules_register_end(void **handle) {
  if (handle)
    ((struct gp_module *)handle)->complete = 1;
}

static void unlink_module(struct gp_module *module) {
  for (struct gp_function *f = module->functions; f; f = f->next) {
    struct gp_function **link = bucket_of(f->host);
    while (*link && *link != f)
      link = &(*link)->chain;
    if (*link)
      *link = f->chain;
  }
  struct gp_module **link = &modules;
  while (*link != module)
    link = &(*link)->next;
  *link = module->next;
  if (modules_end == &module->next)
    modules_end = link;
}

static _Atomic uint64_t left;

uint64_t gp_modules_left(void) { return atomic_load(&left); }

void **gp_modules_unregister_fatbin(void **handle) {
  struct gp_module *module = (struct gp_module *)handle;
  if (!module)
    return NULL;
  atomic_fetch_add(&left, 1);
  gp_process_calls.module_leaves(module);
  atomic_fetch_add(&left, 1); /* its end may have launched clones: what was found for them is old, too */
  pthread_rwlock_wrlock(&lock);
  unlink_module(module);
  pthread_rwlock_unlock(&lock);
  void **real = module->real;
  for (struct gp_function *f = module->functions, *next; f; f = next) {
    next = f->next;
    free(f);
  }
  for (struct gp_variable *v = module->variables, *next; v; v = next) {
    next = v->next;
    free(v);
  }
  free(module);
  return real;
}

int gp_modules_each(int (*visit)(struct gp_module *module, void *closure), void *closure) {
  int result = 0;
  pthread_rwlock_rdlock(&lock);
  for (struct gp_module *m = modules; m && !result; m = m->next)
    result = visit(m, closure);
  pthread_rwlock_unlock(&lock);
  return result;
}

/* ---- Units ---- */

struct gp_unit *gp_units(void) { return atomic_load(&units); }

static const char *text_of(const char *text) { return text ? text : ""; }

static char *copy(const char *text) {
  static char none[1];
  char *own = text && text[0] ? strdup(text) : none;
  if (!own)
    gp_log_exhausted("how a file was compiled");
  return own ? own : none;
}

/* A library opened again and again alternates between two units. The caller holds the lock. */
static struct gp_unit *replaced_unit(const struct gpuprof_host_unit *host) {
  gp_assert_held(&lock);
  for (struct gp_unit *unit = gp_units(); unit; unit = unit->next)
    if (unit->replaced && !strcmp(unit->source, text_of(host->source)) &&
        !strcmp(unit->compiler, text_of(host->compiler)) && !strcmp(unit->options, text_of(host->options)))
      return unit;
  return NULL;
}

/* Its sheet stays until the next one is read: a document may be just finding it by a kernel that has left the unit. */
static void use_again(struct gp_unit *unit) {
  unit->state = GP_UNIT_UNREAD;
  memset(unit->counters, 0, sizeof unit->counters);
  unit->replaced = 0;
}

static struct gp_unit *new_unit(const struct gpuprof_host_unit *host) {
  struct gp_unit *unit = calloc(1, sizeof *unit);
  if (!unit)
    return NULL;
  unit->source = copy(host->source);
  unit->compiler = copy(host->compiler);
  unit->options = copy(host->options);
  unit->next = atomic_load(&units);
  atomic_store(&units, unit);
  return unit;
}

GP_EXPORT void __gpuprof_register_unit(struct gpuprof_host_unit *host) {
  if (host->abi_version != GPUPROF_ABI_VERSION) {
    gp_log(GP_ERROR, "", "an object was compiled for version %u of gpuprof's interface, but this library has version "
                         "%u: it is not profiled; compile it again with the gpuprof that is installed",
           host->abi_version, GPUPROF_ABI_VERSION);
    return;
  }
  gp_demangle_prepare();
  pthread_rwlock_wrlock(&lock);
  struct gp_unit *again = replaced_unit(host), *unit = again ? again : new_unit(host);
  if (again)
    use_again(again);
  if (unit)
    unit->host = host;
  host->runtime = unit;
  pthread_rwlock_unlock(&lock);
  if (!unit) {
    lose(host->source ? host->source : "a file");
    return;
  }
  if (gp_state() != GP_OFF)
    gp_report_needed(); /* a program without launches gets a report saying so */
}

GP_EXPORT void __gpuprof_unregister_unit(struct gpuprof_host_unit *host) {
  struct gp_unit *unit = host->runtime;
  if (!unit)
    return;
  gp_process_calls.unit_leaves(unit);
  pthread_rwlock_wrlock(&lock);
  unit->host = NULL;
  host->runtime = NULL;
  unit->replaced |= unit->state != GP_UNIT_READ; /* then nothing refers to it */
  for (struct gp_module *m = modules; m; m = m->next)
    if (m->unit == unit) {
      m->unit = NULL;
      for (struct gp_function *f = m->functions; f; f = f->next)
        f->lowered = NULL;
    }
  pthread_rwlock_unlock(&lock);
}

/* The caller holds the lock. Racing writers store the same value. */
static struct gp_unit *unit_of(struct gp_module *module) {
  gp_assert_held(&lock);
  struct gp_unit *unit = __atomic_load_n(&module->unit, __ATOMIC_ACQUIRE);
  if (unit)
    return unit;
  for (unit = gp_units(); unit; unit = unit->next)
    if (unit->host && unit->host->fatbin_wrapper && unit->host->fatbin_wrapper == module->wrapper) {
      __atomic_store_n(&module->unit, unit, __ATOMIC_RELEASE);
      return unit;
    }
  return NULL;
}

/* ---- Lookups ---- */

/* Kernels are looked up mostly in their order: each search begins behind the latest result. */
static const struct gpuprof_cpu_kernel *kernel_in(struct gp_unit *unit, const char *name) {
  const struct gpuprof_host_unit *host = unit->host;
  const uint64_t count = host && host->cpu_kernels ? host->cpu_kernel_count : 0;
  const uint64_t first = atomic_load_explicit(&unit->next_kernel, memory_order_relaxed);
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t at = (first + i) % count;
    if (!strcmp(host->cpu_kernels[at].name, name)) {
      atomic_store_explicit(&unit->next_kernel, (uint32_t)at + 1, memory_order_relaxed);
      return &host->cpu_kernels[at];
    }
  }
  return NULL;
}

const struct gpuprof_cpu_kernel *gp_modules_cpu_kernel_of(struct gp_function *f) {
  gp_assert_held(&lock);
  const struct gpuprof_cpu_kernel *kernel = __atomic_load_n(&f->lowered, __ATOMIC_ACQUIRE);
  if (kernel)
    return kernel;
  struct gp_unit *own = unit_of(f->module);
  if (own)
    kernel = kernel_in(own, f->name);
  for (struct gp_unit *unit = gp_units(); unit && !own && !kernel; unit = unit->next)
    kernel = kernel_in(unit, f->name);
  if (kernel)
    __atomic_store_n(&f->lowered, kernel, __ATOMIC_RELEASE);
  return kernel;
}

const struct gpuprof_cpu_kernel *gp_modules_cpu_kernel(const void *host_function) {
  const struct gpuprof_cpu_kernel *kernel = NULL;
  pthread_rwlock_rdlock(&lock);
  for (struct gp_function *f = *bucket_of(host_function); f && !kernel; f = f->chain)
    if (f->host == host_function)
      kernel = gp_modules_cpu_kernel_of(f);
  pthread_rwlock_unlock(&lock);
  return kernel;
}

static const struct gpuprof_cpu_kernel *sibling_of(struct gp_function *f, const char *suffix) {
  struct gp_unit *unit = unit_of(f->module);
  char *name = NULL;
  if (!unit || asprintf(&name, "%s%s", f->name, suffix) < 0)
    return NULL;
  const struct gpuprof_cpu_kernel *sibling = kernel_in(unit, name);
  free(name);
  return sibling;
}

const struct gpuprof_cpu_kernel *gp_modules_cpu_sibling(const void *host_function, const char *suffix) {
  const struct gpuprof_cpu_kernel *sibling = NULL;
  pthread_rwlock_rdlock(&lock);
  for (struct gp_function *f = *bucket_of(host_function); f; f = f->chain)
    if (f->host == host_function) { /* gp_modules_cpu_kernel() runs the first one */
      sibling = sibling_of(f, suffix);
      break;
    }
  pthread_rwlock_unlock(&lock);
  return sibling;
}

static const struct gpuprof_cpu_variable *variable_in(const struct gp_unit *unit, const char *name) {
  const struct gpuprof_host_unit *host = unit ? unit->host : NULL;
  for (uint64_t i = 0; host && host->cpu_variables && i < host->cpu_variable_count; i++)
    if (!strcmp(host->cpu_variables[i].name, name))
      return &host->cpu_variables[i];
  return NULL;
}

const struct gpuprof_cpu_variable *gp_modules_cpu_variable(const void *shadow) {
  const struct gpuprof_cpu_variable *variable = NULL;
  pthread_rwlock_rdlock(&lock);
  for (struct gp_module *m = modules; m && !variable; m = m->next)
    for (struct gp_variable *v = m->variables; v && !variable; v = v->next)
      if (v->shadow == shadow)
        variable = variable_in(unit_of(m), v->name);
  pthread_rwlock_unlock(&lock);
  return variable;
}

const char *gp_modules_function_name(const void *host_function) {
  const char *name = NULL;
  pthread_rwlock_rdlock(&lock);
  for (struct gp_function *f = *bucket_of(host_function); f && !name; f = f->chain)
    if (f->host == host_function)
      name = f->name;
  pthread_rwlock_unlock(&lock);
  return name;
}

uint32_t gp_modules_cuda_version(void) {
  uint32_t version = 0;
  pthread_rwlock_rdlock(&lock);
  for (struct gp_unit *unit = gp_units(); unit; unit = unit->next)
    if (unit->host && unit->host->cuda_version > version)
      version = unit->host->cuda_version;
  pthread_rwlock_unlock(&lock);
  return version;
}

int gp_modules_each_unit(int (*visit)(struct gpuprof_host_unit *unit, void *closure), void *closure) {
  int result = 0;
  pthread_rwlock_rdlock(&lock);
  for (struct gp_unit *unit = gp_units(); unit && !result; unit = unit->next)
    if (unit->host)
      result = visit(unit->host, closure);
  pthread_rwlock_unlock(&lock);
  return result;
}

size_t gp_modules_units_of(const void *host_function, struct gp_unit **found, size_t capacity) {
  size_t count = 0;
  pthread_rwlock_rdlock(&lock);
  for (struct gp_function *f = *bucket_of(host_function); f; f = f->chain) {
    struct gp_unit *unit = f->host == host_function ? unit_of(f->module) : NULL;
    if (unit && count < capacity)
      found[count] = unit;
    count += unit != NULL;
  }
  pthread_rwlock_unlock(&lock);
  return count;
}
