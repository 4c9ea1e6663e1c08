// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof doctor: tries each thing gpuprof needs and says what is missing and what to do. */
#include "cc/by_hand.h"
#include "cc/toolchain.h"
#include "common/commands.h"
#include "common/file.h"
#include "common/say.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum verdict { GOOD, OPTIONAL, MISSING };

/* One line: what, how it stands, what to do about it (where there is something). */
static void say_line(enum verdict verdict, const char *what, const char *found, const char *advice) {
  static const char *const signs[] = {"ok", "-", "MISSING"};
  printf("  %-8s %-15s %s\n", signs[verdict], what, found);
  if (advice)
    printf("  %-8s %-15s -> %s\n", "", "", advice);
}

/* ---- What compiling needs ---- */
/* The plugin loads if an empty file compiles with it; otherwise the compiler's first line says why not. */
static bool plugin_loads(const char *compiler, const char *plugin, struct text *reason) {
  char *command = format_string("'%s' '-fplugin=%s' -fsyntax-only -x c++ /dev/null 2>&1", compiler, plugin);
  FILE *pipe = strchr(compiler, '\'') || strchr(plugin, '\'') ? NULL : popen(command, "r");
  char line[512] = "";
  free(command);
  if (!pipe)
    return false;
  while (fgets(line, sizeof line, pipe))
    if (!reason->length)
      text_format(reason, "%.*s", (int)strcspn(line, "\n"), line);
  int status = pclose(pipe);
  return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool check_compiler(const struct installation *installation) {
  char *compiler = compiler_find(),
       *advice = format_string("install the package clang-%d.", GPUPROF_LLVM_MAJOR);
  struct text reason = {0};
  bool good = compiler != NULL;
  say_line(good ? GOOD : MISSING, "clang++", good ? compiler : "none of the version the plugin was built for",
           good ? NULL : advice);
  if (!installation->plugin) {
    say_line(MISSING, "plugin", "no lib/gpuprof/gpuprof.so beside this command",
             "build gpuprof with GPUPROF_BUILD_PLUGIN=ON, or install it again.");
    good = false;
  } else if (compiler && !plugin_loads(compiler, installation->plugin, &reason)) {
    say_line(MISSING, "plugin", reason.length ? text_get(&reason) : "it does not load",
             "build gpuprof for this compiler: cmake -DGPUPROF_LLVM=MAJOR.");
    good = false;
  } else {
    say_line(GOOD, "plugin", installation->plugin, NULL);
  }
  text_free(&reason);
  free(advice);
  free(compiler);
  return good;
}

/* gpuprof cc chooses what works; a command typed by hand gets clang's own default. */
static void check_by_hand(void) {
  char *compiler = compiler_find();
  const bool wants = compiler && by_hand_wants_wrapper(compiler);
  const bool good = compiler && (!wants || compiler_has_tool(compiler, LINKER_WRAPPER));
  char *advice = format_string("install the package clang-tools-%d, or add --no-offload-new-driver, as gpuprof cc does.",
                               GPUPROF_LLVM_MAJOR);
  if (compiler)
    say_line(good ? GOOD : OPTIONAL, "clang++ by hand",
             good ? "links CUDA programs; its flags: gpuprof cc --print app.cu -o app"
                  : "no " LINKER_WRAPPER ", by which this clang++ links CUDA programs",
             good ? NULL : advice);
  free(advice);
  free(compiler);
}

/* The first file that one of the patterns matches, or null. The caller frees it. */
static char *first_match(char *const *patterns, size_t count) {
  char *found = NULL;
  for (size_t i = 0; !found && i < count; ++i) {
    glob_t files;
    if (!glob(patterns[i], 0, NULL, &files))
      found = copy_string(files.gl_pathv[0]);
    globfree(&files);
  }
  return found;
}

/* libclang is opened by scan alone; here it is looked for where scan does. */
static void check_scan(void) {
  char *compiler = compiler_find(), *bin = compiler ? file_real_folder(compiler) : NULL;
  char *patterns[] = {format_string("%s/../lib/libclang-%d.so*", bin ? bin : "", GPUPROF_LLVM_MAJOR),
                      format_string("%s/../lib/libclang.so*", bin ? bin : ""),
                      format_string("/usr/lib/*/libclang-%d.so*", GPUPROF_LLVM_MAJOR)};
  char *found = first_match(patterns, sizeof patterns / sizeof *patterns);
  char *real = found ? realpath(found, NULL) : NULL;
  char *advice = format_string("needed for gpuprof scan only: install the package libclang1-%d.", GPUPROF_LLVM_MAJOR);
  say_line(real ? GOOD : OPTIONAL, "libclang", real ? real : "none", real ? NULL : advice);
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; ++i)
    free(patterns[i]);
  free(advice);
  free(real);
  free(found);
  free(bin);
  free(compiler);
}

static bool check_library(const struct installation *installation) {
  say_line(installation->library ? GOOD : MISSING, "libgpuprof.so",
           installation->library ? installation->library : "not beside this command",
           installation->library ? NULL : "build gpuprof completely, or install it again.");
  return installation->library != NULL;
}

/* libgpuprof opens it from its own folder. */
static bool check_cpu_device(const struct installation *installation) {
  char *file = installation->library ? format_string("%s/libgpuprof-cpu.so", installation->library) : NULL;
  const bool there = file && file_exists(file);
  say_line(there ? GOOD : OPTIONAL, "CPU device", there ? file : "no libgpuprof-cpu.so beside libgpuprof.so",
           there ? NULL : "needed to run without a GPU: build gpuprof with GPUPROF_CPU_DEVICE=ON, or install it again.");
  free(file);
  return there;
}

static bool check_headers(const struct installation *installation, const struct toolkit *toolkit) {
  struct text found = {0}, version = {0};
  toolkit_version(&version, toolkit->version);
  bool old = toolkit->root && toolkit->version < CUDA_OLDEST;
  if (toolkit->root)
    text_format(&found, "%s in %s (%s)", text_get(&version), toolkit->root, toolkit->named_by);
  say_line(old             ? MISSING
           : toolkit->root ? GOOD
                           : OPTIONAL,
           "CUDA toolkit", toolkit->root ? text_get(&found) : "none",
           old             ? "it is too old: set CUDA_PATH to CUDA 11.8 or newer."
           : toolkit->root ? NULL
                           : "needed for GPUs only: install it and set CUDA_PATH.");
  say_line(installation->minicuda ? GOOD : OPTIONAL, "own headers",
           installation->minicuda ? installation->minicuda : "none",
           installation->minicuda ? NULL : "needed to compile without a toolkit: install gpuprof again.");
  text_free(&found);
  text_free(&version);
  return !old && (toolkit->root || installation->minicuda);
}

/* ---- What running on a GPU needs ---- */
static bool opens(const char *const *names, struct text *found) {
  for (; *names; ++names)
    if (dlopen(*names, RTLD_LAZY | RTLD_LOCAL)) {
      text_add(found, *names);
      return true;
    }
  return false;
}

static bool in_toolkit(const struct toolkit *toolkit, const char *const *paths, struct text *found) {
  for (; toolkit->root && *paths; ++paths) {
    char *path = format_string("%s/%s", toolkit->root, *paths);
    bool there = file_exists(path);
    text_add(found, there ? path : "");
    free(path);
    if (there)
      return true;
  }
  return false;
}

/* The names of the GPUs, or in `reason` why there is none. */
static bool find_gpu(struct text *names, const char **reason) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  int (*initialise)(unsigned) = NULL, (*count_devices)(int *) = NULL, (*device_name)(char *, int, int) = NULL;
  int count = 0;
  if (driver) {
    *(void **)&initialise = dlsym(driver, "cuInit");
    *(void **)&count_devices = dlsym(driver, "cuDeviceGetCount");
    *(void **)&device_name = dlsym(driver, "cuDeviceGetName");
  }
  *reason = !driver ? "no driver (libcuda.so.1)" : "the driver finds no GPU";
  if (!initialise || !count_devices || !device_name || initialise(0) || count_devices(&count))
    return false;
  for (int i = 0; i < count; ++i) {
    char name[128] = "";
    if (!device_name(name, sizeof name, i))
      text_format(names, "%s%s", i ? ", " : "", name);
  }
  return count > 0;
}

static bool check_gpu(const struct toolkit *toolkit, bool cpu_device) {
  static const char *const runtimes[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", NULL};
  static const char *const runtime_paths[] = {"lib64/libcudart.so", "lib64/libcudart.so.13",
                                              "lib64/libcudart.so.12", NULL};
  static const char *const tracers[] = {"libcupti.so.13", "libcupti.so.12", NULL};
  static const char *const tracer_paths[] = {"extras/CUPTI/lib64/libcupti.so", "lib64/libcupti.so.13",
                                             "lib64/libcupti.so", "lib64/libcupti.so.12", NULL};
  static const char *const nvtx_paths[] = {"include/nvtx3/nvToolsExt.h", NULL};
  struct text names = {0}, runtime = {0}, tracer = {0}, nvtx = {0};
  const char *reason;
  bool gpu = find_gpu(&names, &reason);
  say_line(gpu ? GOOD : OPTIONAL, "GPU", gpu ? text_get(&names) : reason,
           gpu          ? NULL
           : cpu_device ? "programs run on the CPU device: exact counts, no GPU time."
                        : "programs compiled here run on another machine, which has a GPU.");
  bool has_runtime = opens(runtimes, &runtime) || in_toolkit(toolkit, runtime_paths, &runtime);
  say_line(has_runtime ? GOOD : OPTIONAL, "libcudart", has_runtime ? text_get(&runtime) : "none",
           has_runtime ? NULL : "needed on a GPU: install the CUDA runtime, or set CUDA_PATH.");
  bool has_tracer = opens(tracers, &tracer) || in_toolkit(toolkit, tracer_paths, &tracer);
  say_line(has_tracer ? GOOD : OPTIONAL, "CUPTI", has_tracer ? text_get(&tracer) : "none",
           has_tracer
               ? NULL
               : "kernel times come from events, which are too long for short kernels: install cuda-cupti.");
  bool has_nvtx = in_toolkit(toolkit, nvtx_paths, &nvtx);
  say_line(has_nvtx ? GOOD : OPTIONAL, "NVTX", has_nvtx ? text_get(&nvtx) : "no header at build time",
           has_nvtx ? NULL : "needed for ranges in Nsight only: install cuda-nvtx and build gpuprof again.");
  text_free(&names);
  text_free(&runtime);
  text_free(&tracer);
  text_free(&nvtx);
  return gpu;
}

int run_doctor(const struct command *self, const struct arguments *arguments) {
  struct installation installation = {0};
  struct toolkit toolkit = {0};
  if (arguments->rest_count)
    return misuse(self->name, "'doctor' takes no arguments, and got '%s'.", arguments->rest[0]);
  installation_find(&installation);
  toolkit_find(&toolkit);
  printf("gpuprof %s, built for clang %d\n\ncompiling\n", GPUPROF_VERSION, GPUPROF_LLVM_MAJOR);
  bool compiler = check_compiler(&installation), library = check_library(&installation);
  bool cpu_device = check_cpu_device(&installation);
  bool headers = check_headers(&installation, &toolkit);
  check_by_hand();
  check_scan();
  printf("\nrunning on a GPU\n");
  bool runs = check_gpu(&toolkit, cpu_device) || cpu_device;
  bool good = compiler && library && headers;
  printf("\n%s\n", !good  ? "gpuprof does not work here yet: do what the arrows say."
                   : !runs ? "gpuprof compiles here, and runs where there is a GPU: gpuprof cc app.cu -o app"
                           : "gpuprof works here: gpuprof cc app.cu -o app && gpuprof run -- ./app");
  installation_free(&installation);
  toolkit_free(&toolkit);
  return good ? EXIT_GOOD : EXIT_DIFFERS;
}
