/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A command line of 'gpuprof cc', read once. */
#ifndef GP_TOOL_REQUEST_H
#define GP_TOOL_REQUEST_H

#include "cc/line.h"
#include "cc/nvcc.h"

#include <stdbool.h>
#include <stddef.h>

struct request {
  struct line passed;             /* to the compiler */
  struct line launchers;          /* programs that start the compiler, such as ccache */
  struct line c_files, c_options; /* of separate commands: see "C files beside a standard of C++" in steps.c */
  const char *output;             /* of -o, or null */
  bool print, print_flags, help, cpu, no_link, has_architecture, has_cuda_path, chose_driver, relocatable;
  bool links_device_code;         /* objects of -fgpu-rdc, which the link need not mention */
  bool has_own_architecture;      /* the user gave -fplugin-arg-gpuprof-arch= */
  size_t architectures;           /* how many were given */
  int highest_architecture;       /* 90 of --cuda-gpu-arch=sm_90; 0: none was given */
  bool has_language;              /* the user gave -x */
  bool is_cuda;                   /* and it is -x cuda */
  const char *language;           /* of the -x in force, or null */
  bool has_standard;              /* the user gave -std= */
  bool has_cxx_standard;          /* and it is one of C++ */
  bool has_optimization;          /* the user gave -O, or -fsanitize=, which wants the code as it is written */
  const char *device;             /* of --gpuprof-device, or null */
  const char *device_only;        /* nvcc's flag that asks for GPU code alone, or null */
  enum nvcc_every every;          /* architectures of -arch=all */
  struct line sources, options;   /* what is compiled; all options but -o */
  struct line objects;            /* the other inputs */
  size_t cuda_sources, other_sources, inputs;
};

/* Reads nvcc's plan; strings of the request stay the plan's. Returns an exit code, after a message. */
int request_take(struct request *request, const struct nvcc_plan *plan);
/* One option, with its next argument or null. */
void request_add_option(struct request *request, const char *option, const char *value);
/* clang's name of a file's language by nvcc's rules: cuda, c, or none where clang decides by the ending. */
const char *language_of(const char *input);
/* "FOLDER/app.ENDING" of in/app.cu; without a folder (null) "app.ENDING". The caller frees it. */
char *output_of(const char *source, const char *folder, const char *ending);
void request_free(struct request *request);

#endif
