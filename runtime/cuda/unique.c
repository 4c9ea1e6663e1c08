#include "unique.h"

#include "cuda_real.h"
#include "device.h"
#include "device_cuda.h"
#include "gpuprof/abi.h"
#include "log.h"
#include "modules.h"
#include "settings.h"
#include "siblings.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define DEVICES 64
#define LEAST_SLOTS 4096u

int gp_unique_wanted(void) { return gp_settings()->unique && gp_device() == &gp_device_cuda; }

/* ---- The launch under way ---- */
static _Thread_local uint64_t current_id;
void gp_unique_begin(uint64_t launch_id) { current_id = launch_id; }
void gp_unique_end(void) { current_id = 0; }

void gp_unique_refuse(const void *function, const char *why) {
  const char *name = gp_modules_function_name(function);
  gp_remark(name ? name : "bytes.unique", "its unique bytes are not known: %s", why);
}

/* ---- The copy and its table ---- */
struct copy {
  struct gp_sibling kernel;
  uint64_t table;
};

static const char *find_copy(const void *host, struct copy *copy) {
  enum gp_sibling_problem problem = gp_sibling_find(host, GPUPROF_UNIQUE_SUFFIX, &copy->kernel);
  if (problem == GP_SIBLING_NONE)
    return "it has no copy that marks them; compile it with -fplugin-arg-gpuprof-unique=on (a kernel that "
           "reaches global "
           "memory by inline PTX or by copies past the registers has none)";
  if (problem)
    return gp_sibling_problem_text(problem);
  copy->table = gp_sibling_variable(&copy->kernel, GPUPROF_UNIQUE_TABLE, sizeof(struct gpuprof_unique_table));
  return copy->table ? NULL : "its module was compiled by another version of the plugin";
}

/* ---- Memory for the table: one a device, used by one launch at a time ---- */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct memory { uint64_t keys, bits, slots; } memories[DEVICES];

/* Enough for every block of the device's memory in use, half full at most. */
static uint64_t slots_wanted(void) {
  size_t available = 0, all = 0;
  uint64_t slots = LEAST_SLOTS;
  if (gp_cuda_real()->cudaMemGetInfo(&available, &all))
    return slots;
  while (slots < 2 * ((all - available) / GPUPROF_UNIQUE_BLOCK_BYTES))
    slots *= 2;
  return slots;
}

static int make_room(struct memory *m) {
  uint64_t slots = slots_wanted();
  if (slots <= m->slots) {
    if (gp_device_cuda_zero(m->keys, m->slots * sizeof(uint64_t)))
      return -1;
    return gp_device_cuda_zero(m->bits, m->slots * GPUPROF_UNIQUE_WORDS * sizeof(uint32_t));
  }
  if (m->slots) {
    gp_device_cuda.release(m->keys);
    gp_device_cuda.release(m->bits);
  }
  *m = (struct memory){0};
  if (gp_device_cuda.allocate(&m->keys, slots * sizeof(uint64_t)))
    return -1;
  if (gp_device_cuda.allocate(&m->bits, slots * GPUPROF_UNIQUE_WORDS * sizeof(uint32_t))) {
    gp_device_cuda.release(m->keys);
    return -1;
  }
  m->slots = slots;
  return 0;
}

void gp_unique_forget(int device) {
  pthread_mutex_lock(&lock);
  if (device >= 0 && device < DEVICES)
    memories[device] = (struct memory){0};
  pthread_mutex_unlock(&lock);
}

/* ---- Launching ---- */
static int start(const struct gp_unique_launch *l, const struct gp_sibling *kernel) {
  const struct gp_sibling_launch launch = {l->grid, l->block, l->arguments, l->dynamic_shared_bytes, l->stream,
                                           l->cooperative};
  return gp_sibling_launch(kernel, &launch);
}

static void tell(const struct gp_unique_launch *l, const struct gpuprof_unique_table *found) {
  if (found->overflow)
    gp_unique_refuse(l->function,
                     "it touched more memory than the device has in use (host or managed memory)");
  else
    gp_launch_unique(current_id, 32 * found->count);
}

static int run_copy(const struct gp_unique_launch *l, const struct copy *copy, struct memory *m, int *error) {
  struct gpuprof_unique_table table = {m->keys, m->bits, m->slots - 1, 0, 0};
  const struct gpuprof_unique_table off = {0};
  if (gp_device_cuda.write(copy->table, &table, sizeof table))
    return 0;
  if ((*error = start(l, &copy->kernel)))
    return 1;
  /* What goes wrong in the kernel shows at the program's next call, as it would without us. */
  if (!gp_device_cuda.read(&table, copy->table, sizeof table)) {
    tell(l, &table);
    gp_device_cuda.write(copy->table, &off, sizeof off);
  }
  return 1;
}

int gp_unique_launch(const struct gp_unique_launch *l, int *error) {
  struct copy copy;
  int device, ran = 0;
  if (!current_id)
    return 0;
  const char *why = find_copy(l->function, &copy);
  if (!why && (gp_device_cuda.current(&device) || device < 0 || device >= DEVICES || gp_cuda_captures()))
    why = "it was launched while a graph was captured";
  if (!why) {
    pthread_mutex_lock(&lock);
    if (make_room(&memories[device]))
      why = "there was no device memory left to mark them in";
    else if (!(ran = run_copy(l, &copy, &memories[device], error)))
      why = "the table to mark them in could not be written";
    pthread_mutex_unlock(&lock);
  }
  if (why)
    gp_unique_refuse(l->function, why);
  return ran;
}
