// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof cc: the compiler's command line with every flag that gpuprof and CUDA need. */
#include "cc/added_flags.h"
#include "cc/architectures.h"
#include "cc/cuda_home.h"
#include "cc/launch.h"
#include "cc/line.h"
#include "cc/nvcc.h"
#include "cc/nvcc_flags.h"
#include "cc/request.h"
#include "cc/steps.h"
#include "cc/toolchain.h"
#include "cc/words.h"
#include "common/commands.h"
#include "common/file.h"
#include "common/process.h"
#include "common/say.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CUDA_OF_OWN_HEADERS 12000 /* CUDA_VERSION in cpu-device/headers/cuda.h */

const char cc_details[] =
    "Arguments are clang's and nvcc's: those of nvcc become clang's (--nvcc-flags lists them). Without an -O option CUDA "
    "files are compiled with -O3, as nvcc compiles kernels (not with -fsanitize=NAME). Options of the plugin are "
    "-fplugin-arg-gpuprof-NAME=VALUE; 'gpuprof help plugin-options' lists them. The CUDA toolkit is the one in --cuda-path, "
    "CUDA_PATH, CUDA_HOME, that of nvcc on PATH, or the one in /usr/local/cuda, /opt/cuda or /usr/lib/cuda. Without a toolkit "
    "the program is compiled for the CPU device.";

const struct help_row cc_options[] = {
    {.name = "--print", .help = "print the command and run nothing"},
    {.name = "--print-compile-flags", .help = "print the flags that compile a .cu file, for build systems; run nothing"},
    {.name = "--nvcc-flags", .help = "print the fate of each flag of nvcc (--nvcc-flags=markdown: as tables)"},
    {.name = "--cuda-home",
     .help = "make a folder that serves as CUDA_HOME, whose bin/nvcc is this command, and print its path "
             "(--cuda-home=FOLDER: make this one)"},
    {.name = "--cpu",
     .help = "compile for the CPU device alone, with gpuprof's own CUDA headers: needs no toolkit (with "
             "--cuda-path=FOLDER: with that toolkit's headers)"},
    {.name = "--gpuprof-device", .values = "NAME", .help = "both (default with a toolkit), gpu or cpu"},
    {.name = "--launch",
     .help = "for build systems, as in --launch [OPTION...] -- COMPILER ARGUMENT...: run the compiler's command, but "
             "compile CUDA sources as 'gpuprof cc OPTION...' does"},
    {.name = "--launch-link", .help = "the same for links of relocatable device code"},
    {.name = "--compiler-launcher", .values = "PROGRAM", .help = "start the compiler by PROGRAM, as by ccache"},
};
const size_t cc_option_count = sizeof cc_options / sizeof *cc_options;

/* ---- Printing and running ---- */
/* Build systems name the compiler and the files themselves; they need what stands between. */
static int print_compile_flags(const struct installation *installation, struct request *request) {
  struct line line = {0};
  request->cuda_sources = 1;
  request->inputs = 0;
  line_add(&request->passed, "-x");
  line_add(&request->passed, "cuda");
  int code = compiler_line(&line, installation, request);
  if (!code)
    line_print(&line, 1);
  line_free(&line);
  return code;
}

static char *advice_without(const char *program) {
  return strcmp(program, "ar") ? format_string("install the package clang-%d", GPUPROF_LLVM_MAJOR)
                               : copy_string("install the package binutils");
}

/* One command takes this process's place; of several the first that fails ends it. */
static int run_all(const struct steps *steps) {
  int code = 0;
  if (steps->count == 1) {
    char *const *items = steps->lines[0].items;
    fflush(NULL);
    execvp(items[0], items);
    int reason = errno;
    char *advice = advice_without(items[0]);
    code = fail("cannot run '%s': %s; %s.", items[0], strerror(reason), advice);
    free(advice);
  }
  for (size_t i = 0; !code && i < steps->count; ++i) {
    char *advice = advice_without(steps->lines[i].items[0]);
    code = process_run(steps->lines[i].items, advice);
    free(advice);
  }
  return code;
}

static int compile(struct request *request, const struct installation *installation,
                   const struct nvcc_plan *plan) {
  struct steps steps = {0};
  bool needs_folder = steps_need_folder(request, plan);
  char *folder = needs_folder ? temporary_folder() : NULL;
  int code =
      needs_folder && !folder ? EXIT_UNUSABLE : steps_make(&steps, installation, request, plan, folder);
  for (size_t i = 0; !code && request->print && i < steps.count; ++i)
    line_print(&steps.lines[i], 0);
  if (!code && !request->print)
    code = run_all(&steps);
  if (folder)
    temporary_folder_remove(folder);
  steps_free(&steps);
  return code;
}

/* ---- Other answers than a program ---- */
/* What build systems look for in the answer of nvcc: its name, and a line with "release 13.0,". */
static int print_version(void) {
  struct toolkit toolkit;
  struct text version = {0};
  toolkit_find(&toolkit);
  toolkit_version(&version, toolkit.root ? toolkit.version : CUDA_OF_OWN_HEADERS);
  printf("nvcc: NVIDIA (R) Cuda compiler driver, replaced by gpuprof cc %s with clang %d\n"
         "Cuda compilation tools, release %s, V%s.0\nBuild cuda_%s/gpuprof-%s\n",
         GPUPROF_VERSION, GPUPROF_LLVM_MAJOR, text_get(&version), text_get(&version), text_get(&version),
         GPUPROF_VERSION);
  text_free(&version);
  toolkit_free(&toolkit);
  return EXIT_GOOD;
}

static int print_architectures(const char *prefix) {
  struct line names = {0};
  architectures_every(&names, INT_MAX, false);
  for (size_t i = 0; i < names.count; ++i)
    printf("%s%s\n", prefix, names.items[i] + strlen("sm_"));
  line_free(&names);
  return EXIT_GOOD;
}

static int build_request(const struct nvcc_plan *plan) {
  struct request request = {0};
  struct installation installation = {0};
  int code = request_take(&request, plan);
  if (!code && request.help) {
    options_help(plan->self);
  } else if (!code && !request.print_flags && !request.passed.count && !request.c_files.count) {
    code = misuse(plan->self->name, "'cc' needs a file to compile: gpuprof cc app.cu -o app.");
  } else if (!code) {
    installation_find(&installation);
    code = request.print_flags ? print_compile_flags(&installation, &request)
                               : compile(&request, &installation, plan);
  }
  installation_free(&installation);
  request_free(&request);
  return code;
}

static int make_cuda_home(const char *folder, bool cpu) {
  struct installation installation = {0};
  installation_find(&installation);
  int code = cuda_home_make(&installation, folder, cpu);
  installation_free(&installation);
  return code;
}

/* Arguments that stand alone and ask for no program. */
static bool is_question(int argc, char **argv, int *code) {
  static const char home[] = "--cuda-home";
  bool cpu = argc == 2 && (!strcmp(argv[0], "--cpu") || !strcmp(argv[1], "--cpu"));
  const char *argument = argc == 1 || cpu ? argv[cpu && !strcmp(argv[0], "--cpu")] : "", *value = strchr(argument, '=');
  if (!strcmp(argument, "--nvcc-flags") || !strcmp(argument, "--nvcc-flags=markdown"))
    nvcc_flags_print(value);
  else if (!strcmp(argument, home) || (value && value[1] && begins_with(argument, home)))
    *code = make_cuda_home(value ? value + 1 : NULL, cpu);
  else
    return false;
  return true;
}

int run_cc(const struct command *self, int argc, char **argv) {
  struct nvcc_plan plan = {.self = self};
  int code = 0;
  if (is_question(argc, argv, &code))
    return code;
  if (argc && cc_launches(argv[0]))
    return cc_launch(self, argc, argv);
  code = nvcc_translate(&plan, argc, argv);
  if (!code && plan.version)
    code = print_version();
  else if (!code && (plan.list_real || plan.list_virtual))
    code = print_architectures(plan.list_real ? "sm_" : "compute_");
  else if (!code)
    code = build_request(&plan);
  nvcc_plan_free(&plan);
  return code;
}
