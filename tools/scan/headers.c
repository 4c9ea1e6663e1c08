// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/headers.h"

#include "cc/toolchain.h"
#include "common/file.h"
#include "common/say.h"
#include "scan/cuda_shims.inc"

#define FIRST_MAJOR_WITHOUT_SHIMS 22 /* as gpuprof cc: see cc/added_flags.c */
#define FIRST_MAJOR_FOR_CUDA_13 19

const char *const headers_shims = cuda_shims;

/* Kernels and launches both stand in the host's half. */
static void add_common(struct line *cuda) {
  line_add(cuda, "-x");
  line_add(cuda, "cuda");
  line_add(cuda, "--cuda-host-only");
  line_add(cuda, "-nocudalib");
  line_add(cuda, "-Wno-everything");
  line_add(cuda, "-ferror-limit=0");
}

static void add_toolkit(struct line *cuda, const struct toolkit *toolkit, const struct installation *installation) {
  /* As 'gpuprof cc' does: CUDA's includes for nvcc, and functions missing in clang's headers. */
  static const char *const included[] = {"assert.h", "stdio.h", "time.h", HEADERS_SHIMS};
  add_common(cuda);
  line_push(cuda, format_string("--cuda-path=%s", toolkit->root));
  if (GPUPROF_LLVM_MAJOR < FIRST_MAJOR_WITHOUT_SHIMS && toolkit->version / 1000 >= 13 && installation->shims) {
    line_add(cuda, "-isystem");
    line_push(cuda, format_string("%s/include", installation->shims));
  }
  if (GPUPROF_LLVM_MAJOR < FIRST_MAJOR_FOR_CUDA_13 && toolkit->version / 1000 >= 13) {
    line_add(cuda, "-std=c++17");
    line_add(cuda, "-Xclang");
    line_add(cuda, "-fcuda-allow-variadic-functions");
  }
  line_add(cuda, "-isystem");
  line_push(cuda, format_string("%s/include/cccl", toolkit->root));
  for (size_t i = 0; i < sizeof included / sizeof *included; ++i) {
    line_add(cuda, "-include");
    line_add(cuda, included[i]);
  }
}

static void add_own(struct line *cuda, const char *minicuda) {
  add_common(cuda);
  line_add(cuda, "-nocudainc");
  line_add(cuda, "-isystem");
  line_add(cuda, minicuda);
  line_add(cuda, "-include");
  line_add(cuda, "cuda_runtime.h");
}

static void add_host(struct line *host, const struct toolkit *toolkit, const struct installation *installation) {
  line_add(host, "-Wno-everything");
  line_add(host, "-idirafter");
  line_push(host, toolkit->root ? format_string("%s/include", toolkit->root) : copy_string(installation->minicuda));
}

/* Includes of gpuprof.h are found as 'gpuprof cc' finds them. */
static void add_gpuprof(struct line *line, const struct installation *installation) {
  if (line->count && installation->headers)
    line_push(line, format_string("-I%s", installation->headers));
}

int headers_find(struct headers *headers, bool own_alone) {
  struct installation installation = {0};
  struct toolkit toolkit = {0};
  int code = EXIT_GOOD;
  installation_find(&installation);
  if (!own_alone)
    toolkit_find(&toolkit);
  if (installation.minicuda)
    add_own(&headers->own, installation.minicuda);
  if (toolkit.version >= CUDA_OLDEST)
    add_toolkit(&headers->toolkit, &toolkit, &installation);
  if (!headers->own.count && !headers->toolkit.count)
    code = fail("gpuprof's own CUDA headers are missing (lib/gpuprof/minicuda); install gpuprof again, or install the CUDA "
                "toolkit and set CUDA_PATH.");
  else
    add_host(&headers->host, &toolkit, &installation);
  add_gpuprof(&headers->own, &installation);
  add_gpuprof(&headers->toolkit, &installation);
  add_gpuprof(&headers->host, &installation);
  toolkit_free(&toolkit);
  installation_free(&installation);
  return code;
}

void headers_free(struct headers *headers) {
  line_free(&headers->own);
  line_free(&headers->toolkit);
  line_free(&headers->host);
}
