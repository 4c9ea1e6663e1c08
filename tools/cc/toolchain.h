/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The compiler, gpuprof's own files and the CUDA toolkit: found once, used by cc, run and doctor. */
#ifndef GP_TOOL_TOOLCHAIN_H
#define GP_TOOL_TOOLCHAIN_H

#include "common/options.h"
#include "common/text.h"

#define CUDA_OLDEST 11080 /* as CUDA_VERSION counts */
#define CUDA_NEWEST_MAJOR 13

struct installation {
  char *plugin;   /* gpuprof.so, or null */
  char *library;  /* folder of libgpuprof.so, or null */
  char *headers;  /* folder of gpuprof.h, or null */
  char *minicuda; /* folder of gpuprof's own CUDA headers, or null */
  char *shims;    /* folder of what older clangs need beside a new toolkit, or null */
};

struct toolkit {
  char *root;     /* null: none found */
  int version;    /* CUDA_VERSION, 0 = unknown */
  char *named_by; /* "CUDA_PATH" …: who named it */
};

void installation_find(struct installation *installation);
void installation_free(struct installation *installation);
/* The object that shared libraries link beside libgpuprof (runtime/exports/local_calls.c), or null. The caller frees it. */
char *installation_local_calls(const struct installation *installation);
/* The clang++ that the plugin was built for, or null. The caller frees it. */
char *compiler_find(void);
/* True where `compiler` finds the file `name` among its own libraries. */
bool compiler_has_library(const char *compiler, const char *name);
/* The program `tool` that `compiler` would start by itself, or null. The caller frees it. */
char *compiler_tool(const char *compiler, const char *tool);
/* Whether there is one. */
bool compiler_has_tool(const char *compiler, const char *tool);
void toolkit_find(struct toolkit *toolkit);
void toolkit_free(struct toolkit *toolkit);
/* CUDA_VERSION of the toolkit in `root`, 0 if there is none. */
int toolkit_header_version(const char *root);
/* "13.0" of 13000. */
void toolkit_version(struct text *text, int version);

#endif
