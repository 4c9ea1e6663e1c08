// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/cuda_real.h"

#include "base/log.h"
#include "base/settings.h"
#include "base/state.h"
#include "cuda/cupti.h"
#include "cuda/nvtx.h"
#include "exports/registration.h"
#include "sheet/modules.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Libraries ---- */
static void *driver, *runtime_library;

static void *driver_symbol(const char *name) { return driver ? dlsym(driver, name) : NULL; }

static void *open_named(const char *const *names, int flags) {
  for (; *names; names++) {
    void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL | flags);
    if (library)
      return library;
  }
  return NULL;
}

static void *open_below(const char *prefix, const char *const *names, const char *const *folders) {
  for (; prefix && prefix[0] && *folders; folders++)
    for (const char *const *name = names; *name; name++) {
      char path[4096];
      if (snprintf(path, sizeof path, "%s/%s/%s", prefix, *folders, *name) >= (int)sizeof path)
        continue;
      void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
      if (library)
        return library;
    }
  return NULL;
}

/* "<folder of the libcudart in use>/..": its toolkit, wherever installed. */
static const char *runtime_prefix(char buffer[4096]) {
  Dl_info info;
  void *symbol = runtime_library ? dlsym(runtime_library, "cudaMalloc") : NULL;
  if (!symbol || !dladdr(symbol, &info) || !info.dli_fname || !strrchr(info.dli_fname, '/'))
    return NULL;
  int folder = (int)(strrchr(info.dli_fname, '/') - info.dli_fname);
  return snprintf(buffer, 4096, "%.*s/..", folder, info.dli_fname) < 4096 ? buffer : NULL;
}

void *gp_cuda_open_library(const char *const *names, const char *const *folders) {
  char buffer[4096];
  const char *const prefixes[] = {runtime_prefix(buffer), secure_getenv("CUDA_PATH"), secure_getenv("CUDA_HOME"),
                                  "/usr/local/cuda"};
  void *library = open_named(names, RTLD_NOLOAD);
  if (!library)
    library = open_named(names, 0);
  for (size_t i = 0; !library && i < sizeof prefixes / sizeof *prefixes; i++)
    library = open_below(prefixes[i], names, folders);
  return library;
}

/* The version used to compile the program comes first: structures and signatures differ between majors. */
static void *open_runtime(void) {
  static const char *const orders[][4] = {
      {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", NULL},
      {"libcudart.so.12", "libcudart.so.13", "libcudart.so.11.0", NULL},
      {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13", NULL},
  };
  static const char *const folders[] = {"lib64", "lib", "targets/x86_64-linux/lib", NULL};
  uint32_t major = gp_modules_cuda_version() / 1000;
  return gp_cuda_open_library(orders[major == 12 ? 1 : major == 11 ? 2 : 0], folders);
}

/* ---- Is a GPU usable? ---- */
/* The argument of __cudaRegisterFatBinary, and its target. */
struct fatbin_header {
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t payload_bytes;
};
struct fatbin_wrapper {
  uint32_t magic, version;
  const struct fatbin_header *data;
};
#define FATBIN_WRAPPER_MAGIC 0x466243b1u
#define FATBIN_MAGIC 0xba55ed50u

/* A program built for the CPU device alone carries an empty fat binary. */
static int has_gpu_code(const struct gp_module *module) {
  const struct fatbin_wrapper *wrapper = module->wrapper;
  return wrapper && wrapper->magic == FATBIN_WRAPPER_MAGIC && wrapper->data &&
         wrapper->data->magic == FATBIN_MAGIC && wrapper->data->payload_bytes;
}

struct code_survey {
  int modules, with_code;
};

static int survey_module(struct gp_module *module, void *closure) {
  struct code_survey *survey = closure;
  survey->modules++;
  survey->with_code += has_gpu_code(module);
  return 0;
}

static int program_is_for_cpu_only(void) {
  struct code_survey survey = {0, 0};
  gp_modules_each(survey_module, &survey);
  return survey.modules && !survey.with_code;
}

static int driver_has_device(void) {
  static const char *const names[] = {"libcuda.so.1", NULL};
  driver = open_named(names, 0);
  int (*initialize)(unsigned) = NULL;
  int (*count_devices)(int *) = NULL;
  *(void **)&initialize = driver_symbol("cuInit");
  *(void **)&count_devices = driver_symbol("cuDeviceGetCount");
  int count = 0;
  return initialize && count_devices && !initialize(0) && !count_devices(&count) && count > 0;
}

/* A libcudart newer than the driver opens, and then refuses every call. */
static int runtime_works(void) {
  int (*count_devices)(int *) = NULL;
  const char *(*text)(int) = NULL;
  *(void **)&count_devices = dlsym(runtime_library, "cudaGetDeviceCount");
  *(void **)&text = dlsym(runtime_library, "cudaGetErrorString");
  int count = 0, error = count_devices && text ? count_devices(&count) : -1;
  if (!error && count > 0)
    return 1;
  gp_log(GP_WARN, "GPU",
         "the CUDA runtime cannot use it (%s); install a newer driver, or set CUDA_PATH to a toolkit "
         "that is not newer than the driver",
         error > 0 ? text(error)
         : error   ? "cudaGetDeviceCount is missing"
                   : "it sees no device");
  return 0;
}

static int look_for_gpu(void) {
  if (program_is_for_cpu_only()) {
    gp_log(gp_settings()->device ? GP_WARN : GP_DEBUG, "GPU",
           "this program was built for the CPU device only; build it without device=cpu to run it on a GPU");
    return 0;
  }
  if (!driver_has_device())
    return 0;
  runtime_library = open_runtime();
  if (!runtime_library)
    gp_log(GP_WARN, "GPU",
           "a GPU is here, but no libcudart.so.13, .12 or .11.0 was found; set CUDA_PATH to the CUDA "
           "toolkit, or put the folder of libcudart into LD_LIBRARY_PATH");
  return runtime_library && runtime_works();
}

static pthread_once_t looked = PTHREAD_ONCE_INIT;
static int usable;
static void look_once(void) { usable = look_for_gpu(); }

int gp_cuda_usable(void) {
  pthread_once(&looked, look_once);
  return usable;
}

void *gp_cuda_symbol(const char *name) {
  void *symbol = driver_symbol(name);
  return symbol || !runtime_library ? symbol : dlsym(runtime_library, name);
}

/* ---- Registration ---- */
/* The entry points called by compiled code before main. */
static struct {
  void **(*fatbin)(void *wrapper);
  void (*fatbin_end)(void **handle);
  void (*unregister)(void **handle);
  void (*function)(void **handle, const void *host, const char *device, const char *name, int thread_limit,
                   void *tid, void *bid, void *block, void *grid, int *warp_size);
  void (*variable)(void **handle, const void *shadow, const char *address, const char *name, int external,
                   size_t bytes, int constant, int global);
  void (*managed)(void **handle, const void *pointer, const char *address, const char *name, int external,
                  size_t bytes, int constant, int global);
  char (*initialize)(void **handle);
} entry;

static const struct {
  const char *name;
  void *slot;
} entry_names[] = {
    {"__cudaRegisterFatBinary", &entry.fatbin},       {"__cudaRegisterFatBinaryEnd", &entry.fatbin_end},
    {"__cudaUnregisterFatBinary", &entry.unregister}, {"__cudaRegisterFunction", &entry.function},
    {"__cudaRegisterVar", &entry.variable},           {"__cudaRegisterManagedVar", &entry.managed},
    {"__cudaInitModule", &entry.initialize},
};

static struct gp_cudart table;
static atomic_int table_ready;

/* libcudart was opened after the program's modules had registered, and ends before them. After the start of
 * exit() their handles must not be given back to it. */
static atomic_int exiting;
static void note_exit(void) { atomic_store(&exiting, 1); }

static void real_function(const struct gp_module *module, const void *host, const char *name) {
  if (module && module->real && entry.function)
    entry.function(module->real, host, name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static void real_variable(const struct gp_module *module, const struct gp_variable *variable) {
  if (!module || !module->real)
    return;
  /* Only managed variables have an alignment. */
  if (variable->alignment && entry.managed)
    entry.managed(module->real, variable->shadow, variable->name, variable->name, 0, variable->bytes, 0, 0);
  else if (!variable->alignment && entry.variable)
    entry.variable(module->real, variable->shadow, variable->name, variable->name, 0, variable->bytes,
                   variable->constant, 0);
}

static void real_fatbin(struct gp_module *module) {
  if (!module->real && entry.fatbin && has_gpu_code(module))
    module->real = entry.fatbin(module->wrapper);
}

static void real_end(const struct gp_module *module) {
  if (module && module->real && entry.fatbin_end)
    entry.fatbin_end(module->real);
}

static void real_unregister(void **real) {
  if (entry.unregister && !atomic_load(&exiting))
    entry.unregister(real);
}

static char real_initialize(void **real) { return entry.initialize ? entry.initialize(real) : 1; }

static const struct gp_registration_receiver receiver = {
    .fatbin = real_fatbin,
    .function = real_function,
    .variable = real_variable,
    .end = real_end,
    .unregister = real_unregister,
    .initialize = real_initialize,
};

static void open_real(void) {
  /* CUPTI must be started before a context to see all of it. */
  if (gp_state() != GP_OFF)
    gp_cupti_start();
  gp_cudart_load(&table, runtime_library);
  for (size_t i = 0; i < sizeof entry_names / sizeof *entry_names; i++)
    *(void **)entry_names[i].slot = dlsym(runtime_library, entry_names[i].name);
}

/* Call it after the replay: libcudart registers its own exit() handlers there, and those run after
 * gpuprof's. */
static void after_replay(void) {
  atexit(note_exit);
  if (!gp_nvtx_available())
    gp_remark("NVTX",
              "regions are not shown to NVIDIA's tools, since gpuprof was built without NVTX's headers; build it "
              "with a CUDA toolkit at hand");
}

const struct gp_cudart *gp_cuda_real(void) {
  if (atomic_load_explicit(&table_ready, memory_order_acquire))
    return &table;
  if (gp_registration_receive(&receiver, open_real))
    after_replay();
  atomic_store_explicit(&table_ready, 1, memory_order_release);
  return &table;
}

/* ---- Calls of gpuprof's own ---- */

int gp_cuda_enter(void) {
  int mode = GP_CUDA_CAPTURE_MODE_RELAXED;
  gp_cuda_real()->cudaThreadExchangeStreamCaptureMode(&mode);
  return mode;
}

int gp_cuda_leave(int mode, int error) {
  if (error)
    gp_cuda_real()->cudaGetLastError();
  gp_cuda_real()->cudaThreadExchangeStreamCaptureMode(&mode);
  return error;
}
