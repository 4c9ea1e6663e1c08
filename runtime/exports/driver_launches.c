// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exports/driver_launches.h"

#include "exports/cuda_functions.h"
#include "launch/launch_hook.h"

#include <pthread.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define PER_THREAD_STREAM ((void *)2)
#define INVALID_VALUE 1
#define NO_DEVICE 100

/* The public headers declaring these functions are CUDA's, and never included here. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

typedef int plain_launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                         void **, void **);
typedef int cooperative_launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                               void *, void **);
typedef int configured_launch(const struct gp_cuda_driver_launch *, void *, void **, void **);

/* ---- The driver's own, or a device's ---- */
static struct {
  plain_launch *plain, *plain_ptsz;
  cooperative_launch *cooperative, *cooperative_ptsz;
  configured_launch *configured, *configured_ptsz;
  int (*parameter)(const void *function, size_t index, size_t *offset, size_t *bytes);
} driver;

static const struct {
  const char *name;
  void *slot;
} names[] = {
    {"cuLaunchKernel", &driver.plain},
    {"cuLaunchKernel_ptsz", &driver.plain_ptsz},
    {"cuLaunchCooperativeKernel", &driver.cooperative},
    {"cuLaunchCooperativeKernel_ptsz", &driver.cooperative_ptsz},
    {"cuLaunchKernelEx", &driver.configured},
    {"cuLaunchKernelEx_ptsz", &driver.configured_ptsz},
    {"cuFuncGetParamInfo", &driver.parameter},
};

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static void load(void) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    *(void **)names[i].slot = gp_cuda_functions()->driver(names[i].name);
}

/* ---- One launch ---- */
struct driver_launch {
  struct gp_cuda_driver_launch c;
  void *function, **arguments, **extra;
  plain_launch *plain;
  cooperative_launch *cooperative;
  configured_launch *configured;
};

static int perform(void *closure) {
  const struct driver_launch *l = closure;
  const struct gp_cuda_driver_launch *c = &l->c;
  if (l->configured)
    return l->configured(c, l->function, l->arguments, l->extra);
  if (l->cooperative)
    return l->cooperative(l->function, c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1],
                          c->block[2], c->dynamic_shared_bytes, c->stream, l->arguments);
  if (l->plain)
    return l->plain(l->function, c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1], c->block[2],
                    c->dynamic_shared_bytes, c->stream, l->arguments, l->extra);
  return NO_DEVICE;
}

/* Arguments may be one block of memory: CU_LAUNCH_PARAM_BUFFER_POINTER. Newer drivers report their offsets in
 * it. */
#define PARAMETERS_MAXIMUM 1024
static int split_block(const struct driver_launch *l, void **arguments) {
  enum { END = 0, POINTER = 1 };
  char *block = NULL;
  for (void **option = l->extra; *option != (void *)END; option += 2)
    if (*option == (void *)POINTER)
      block = option[1];
  size_t count = 0, offset, bytes;
  if (!block || !driver.parameter)
    return -1;
  for (; count < PARAMETERS_MAXIMUM && !driver.parameter(l->function, count, &offset, &bytes); count++)
    arguments[count] = block + offset;
  return count < PARAMETERS_MAXIMUM ? 0 : -1;
}

static int launch(struct driver_launch l, int of_thread) {
  void *split[PARAMETERS_MAXIMUM];
  pthread_once(&loaded, load);
  const int is_block = l.extra && !l.arguments;
  if (gp_cuda_functions()->before_driver_launch)
    gp_cuda_functions()->before_driver_launch();
  if (is_block && gp_cuda_functions()->splits_arguments) {
    if (split_block(&l, split))
      return INVALID_VALUE;
    l.arguments = split;
  }
  const int is_split = is_block && (l.arguments || !split_block(&l, split));
  const struct gp_launch launch = {.function = l.function,
                                   .grid = {l.c.grid[0], l.c.grid[1], l.c.grid[2]},
                                   .block = {l.c.block[0], l.c.block[1], l.c.block[2]},
                                   .dynamic_shared_bytes = l.c.dynamic_shared_bytes,
                                   .stream = of_thread && !l.c.stream ? PER_THREAD_STREAM : l.c.stream,
                                   .arguments = is_split ? split : l.arguments,
                                   .has_argument_block = is_block && !is_split,
                                   .cooperative = l.cooperative != NULL,
                                   .attributes = l.c.attributes,
                                   .attribute_count = l.c.attribute_count};
  return gp_launch(launch, perform, &l);
}

/* ---- In the driver's name ---- */
#define GRID                                                                                                 \
  unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared_bytes,       \
      void *stream
#define CONFIGURATION                                                                                        \
  {.grid = {gx, gy, gz}, .block = {bx, by, bz}, .dynamic_shared_bytes = shared_bytes, .stream = stream}

#define PLAIN(name, slot, of_thread)                                                                         \
  EXPORT int name(void *function, GRID, void **arguments, void **extra) {                                    \
    pthread_once(&loaded, load);                                                                             \
    return launch((struct driver_launch){.c = CONFIGURATION,                                                 \
                                         .function = function,                                               \
                                         .arguments = arguments,                                             \
                                         .extra = extra,                                                     \
                                         .plain = driver.slot},                                              \
                  of_thread);                                                                                \
  }
PLAIN(cuLaunchKernel, plain, 0)
PLAIN(cuLaunchKernel_ptsz, plain_ptsz, 1)

#define COOPERATIVE(name, slot, of_thread)                                                                   \
  EXPORT int name(void *function, GRID, void **arguments) {                                                  \
    pthread_once(&loaded, load);                                                                             \
    return launch(                                                                                           \
        (struct driver_launch){                                                                              \
            .c = CONFIGURATION, .function = function, .arguments = arguments, .cooperative = driver.slot},   \
        of_thread);                                                                                          \
  }
COOPERATIVE(cuLaunchCooperativeKernel, cooperative, 0)
COOPERATIVE(cuLaunchCooperativeKernel_ptsz, cooperative_ptsz, 1)

#define CONFIGURED(name, slot, of_thread)                                                                    \
  EXPORT int name(const struct gp_cuda_driver_launch *c, void *function, void **arguments, void **extra) {           \
    pthread_once(&loaded, load);                                                                             \
    if (!c)                                                                                                  \
      return driver.slot ? driver.slot(c, function, arguments, extra) : NO_DEVICE;                           \
    return launch((struct driver_launch){.c = *c,                                                            \
                                         .function = function,                                               \
                                         .arguments = arguments,                                             \
                                         .extra = extra,                                                     \
                                         .configured = driver.slot},                                         \
                  of_thread);                                                                                \
  }
CONFIGURED(cuLaunchKernelEx, configured, 0)
CONFIGURED(cuLaunchKernelEx_ptsz, configured_ptsz, 1)

void *gp_driver_hook(const char *name, int per_thread) {
  static const struct {
    const char *name;
    void *hooks[2];
  } ours[] = {
      {"cuLaunchKernel", {cuLaunchKernel, cuLaunchKernel_ptsz}},
      {"cuLaunchCooperativeKernel", {cuLaunchCooperativeKernel, cuLaunchCooperativeKernel_ptsz}},
      {"cuLaunchKernelEx", {cuLaunchKernelEx, cuLaunchKernelEx_ptsz}},
  };
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (!strcmp(ours[i].name, name))
      return ours[i].hooks[per_thread != 0];
  return NULL;
}
