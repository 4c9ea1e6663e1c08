// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The loader takes the stub driver for libcuda.so.1 by its SONAME, as long as no other was opened before. */
#include "cpu/beside.h"
#include "cpu/stub_callers.h"
#include "cpu/stub_driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* On machines with these files the driver is not opened before the program needs it. */
static int has_gpu_files(void) {
  static const char *const files[] = {"/dev/nvidiactl", "/dev/nvgpu", "/dev/nvhost-gpu", "/dev/dxg"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (!access(files[i], F_OK))
      return 1;
  return 0;
}

/* Settings are not read yet, since the program may still set them. */
static int is_cpu_chosen(void) {
  const char *wanted = secure_getenv("GPUPROF_DEVICE");
  return wanted && !strcmp(wanted, "cpu");
}

static int has_no_gpu(void) {
  return is_cpu_chosen() || (!has_gpu_files() && !dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL));
}

static void open_once(void) {
  static char path[PATH_MAX];
  if (!has_no_gpu() || gp_find_beside(path, "gpuprof/libgpuprof-stub-driver.so"))
    return;
  void *stub = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  void (*listen)(void (*)(void)) = NULL;
  if (stub)
    *(void **)&listen = dlsym(stub, "gp_stub_driver_listen");
  if (listen)
    listen(gp_stub_driver_called);
}

void gp_stub_driver_open(void) {
  static pthread_once_t opened = PTHREAD_ONCE_INIT;
  pthread_once(&opened, open_once);
}

/* Libraries that are opened before the first module registers may open the driver, too. */
__attribute__((constructor)) static void open_if_chosen(void) {
  if (is_cpu_chosen())
    gp_stub_driver_open();
}
