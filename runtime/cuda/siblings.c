#include "siblings.h"

#include "cuda_real.h"
#include "modules.h"

#include <pthread.h>
#include <stdio.h>

#define ATTRIBUTE_DYNAMIC_SHARED_BYTES 8 /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */

static struct {
  int (*function_of)(void **function, const void *host);
  int (*module_of)(void **module, void *function);
  int (*find_function)(void **function, void *module, const char *name);
  int (*set_attribute)(void *function, int attribute, int value);
  int (*attribute)(int *value, int attribute, void *function);
  int (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
                void *stream, void **arguments, void **extra);
  int (*launch_cooperative)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            unsigned shared, void *stream, void **arguments);
} driver;

static const struct {
  const char *name;
  void *slot;
} names[] = {
    {"cudaGetFuncBySymbol", &driver.function_of},
    {"cuFuncGetModule", &driver.module_of},
    {"cuModuleGetFunction", &driver.find_function},
    {"cuFuncSetAttribute", &driver.set_attribute},
    {"cuFuncGetAttribute", &driver.attribute},
    {"cuLaunchKernel", &driver.launch},
    {"cuLaunchCooperativeKernel", &driver.launch_cooperative},
};

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static int usable;
static void load(void) {
  usable = 1;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    *(void **)names[i].slot = gp_cuda_symbol(names[i].name);
    usable &= *(void **)names[i].slot != NULL;
  }
}

enum gp_sibling_problem gp_sibling_find(const void *host, const char *suffix, struct gp_sibling *sibling) {
  void *original;
  char name[4096];
  const char *plain = gp_modules_function_name(host);
  pthread_once(&loaded, load);
  if (!usable)
    return GP_SIBLING_DRIVER;
  if (!plain || driver.function_of(&original, host) || driver.module_of(&sibling->module, original))
    return GP_SIBLING_MODULE;
  if (snprintf(name, sizeof name, "%s%s", plain, suffix) >= (int)sizeof name ||
      driver.find_function(&sibling->function, sibling->module, name))
    return GP_SIBLING_NONE;
  return GP_SIBLING_FOUND;
}

struct search {
  const void *function, *host;
};

static int look_in(struct gp_module *module, void *closure) {
  struct search *search = closure;
  void *function;
  for (const struct gp_function *f = module->functions; f && !search->host; f = f->next)
    if (!driver.function_of(&function, f->host) && function == search->function)
      search->host = f->host;
  return search->host != NULL;
}

const void *gp_sibling_host(const void *function) {
  struct search search = {function, NULL};
  pthread_once(&loaded, load);
  if (usable)
    gp_modules_each(look_in, &search);
  return search.host;
}

const char *gp_sibling_problem_text(enum gp_sibling_problem problem) {
  return problem == GP_SIBLING_DRIVER ? "the driver is older than CUDA 11"
                                      : "the driver does not know its module";
}

/* CUfunction_attribute: of those that can be set, what a launch may depend on. */
static const int settable[] = {
    ATTRIBUTE_DYNAMIC_SHARED_BYTES,
    9,          /* preferred share of shared memory */
    11, 12, 13, /* required size of clusters */
    14,         /* clusters of any size */
};

void gp_sibling_take_attributes(const struct gp_sibling *sibling, const void *host) {
  void *original;
  if (driver.function_of(&original, host))
    return;
  for (size_t i = 0; i < sizeof settable / sizeof *settable; i++) {
    int wanted, there;
    if (!driver.attribute(&wanted, settable[i], original) &&
        (driver.attribute(&there, settable[i], sibling->function) || wanted != there))
      driver.set_attribute(sibling->function, settable[i], wanted);
  }
}

int gp_sibling_launch(const struct gp_sibling *sibling, const struct gp_sibling_launch *l) {
  unsigned shared = (unsigned)l->dynamic_shared_bytes;
  if (shared)
    driver.set_attribute(sibling->function, ATTRIBUTE_DYNAMIC_SHARED_BYTES, (int)shared);
  if (l->cooperative)
    return driver.launch_cooperative(sibling->function, l->grid.x, l->grid.y, l->grid.z, l->block.x,
                                     l->block.y, l->block.z, shared, l->stream, l->arguments);
  return driver.launch(sibling->function, l->grid.x, l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z,
                       shared, l->stream, l->arguments, NULL);
}
