// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The stack says which call of the program led to the stub driver: cublasCreate() of cuBLAS, not the function
 * of the driver. Programs that only ask whether there is a GPU get no message.
 */
#include "cpu/stub_callers.h"

#include "base/log.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>

/* The start of a library's file name, and its product. A longer name precedes its beginning. */
static const struct library {
  const char *file, *name;
} libraries[] = {
    {"libcublasLt", "cuBLASLt"}, {"libcublas", "cuBLAS"},   {"libcudnn", "cuDNN"},       {"libcufft", "cuFFT"},
    {"libcurand", "cuRAND"},     {"libcusolver", "cuSOLVER"}, {"libcusparse", "cuSPARSE"}, {"libcutensor", "cuTENSOR"},
    {"libnccl", "NCCL"},         {"libnpp", "NPP"},         {"libnvjpeg", "nvJPEG"},
};

static int begins(const char *text, const char *start) { return !strncmp(text, start, strlen(start)); }

static const struct library *library_of(const char *file) {
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (begins(file, libraries[i].file))
      return &libraries[i];
  return NULL;
}

/* Frames of these stand between a library's own frames, and between them and the stub driver. */
static int is_between(const char *file) {
  static const char *const names[] = {"libgpuprof", "libcudart", "libc.so", "libpthread"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (begins(file, names[i]))
      return 1;
  return 0;
}

static const char *file_name(const char *path) {
  const char *end = strrchr(path, '/');
  return end ? end + 1 : path;
}

struct call {
  const struct library *library; /* null: not known */
  const char *function;
};

/* The outermost exported function among the innermost frames of known libraries. A return address may lie
 * behind its function's end. */
static struct call find_call(void *const *addresses, int count) {
  struct call call = {NULL, NULL};
  for (int i = 0; i < count; i++) {
    Dl_info info;
    if (!dladdr((char *)addresses[i] - 1, &info) || !info.dli_fname)
      break;
    const char *file = file_name(info.dli_fname);
    const struct library *library = library_of(file);
    if (library && info.dli_sname)
      call = (struct call){library, info.dli_sname};
    else if (!library && !is_between(file))
      break;
  }
  return call;
}

/* "cublasCreate_v2" is cublasCreate in CUDA's headers, and "pncclCommInitAll" is ncclCommInitAll. */
static int name_length(const char *function) {
  const char *version = strstr(function, "_v");
  return (int)(version ? (size_t)(version - function) : strlen(function));
}

void gp_stub_driver_called(void) {
  enum { DEPTH = 64 };
  void *addresses[DEPTH];
  const struct call call = find_call(addresses, backtrace(addresses, DEPTH));
  if (!call.library)
    return;
  const char *function = call.function + begins(call.function, "pnccl");
  char name[128];
  snprintf(name, sizeof name, "%.*s()", name_length(function), function);
  gp_log(GP_WARN, name,
         "%s computes on a GPU only, and this program runs on the CPU device, so the call fails; run the program where there is a "
         "GPU (GPUPROF_DEVICE=gpu), or call kernels of your own in its place",
         call.library->name);
}
