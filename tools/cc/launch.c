// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/launch.h"

#include "cc/line.h"
#include "cc/toolchain.h"
#include "cc/words.h"
#include "common/process.h"
#include "common/say.h"
#include "common/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char compiles_option[] = "--launch", links_option[] = "--launch-link";
static const char launcher_option[] = "--compiler-launcher=";

/* What stands before `--` and behind it. */
struct launch {
  struct line words;     /* options of `gpuprof cc` */
  struct line launchers; /* programs that start the compiler, such as ccache */
  int count;             /* of the command */
  char **command;        /* the compiler that the build system would run, and its arguments */
};

static bool has_one_of(const struct launch *launch, const char *const *list) {
  for (int i = 1; i < launch->count; ++i)
    if (is_one_of(launch->command[i], list))
      return true;
  return false;
}

/* Of the options that a build system gives to compiles, those whose value may end as a source does. */
static bool has_value(const char *option) {
  static const char *const options[] = {"-o", "-MF", "-MT", "-MQ", "-D", "-I", "-isystem", "-include", NULL};
  return is_one_of(option, options);
}

static bool names_cuda_source(const struct launch *launch) {
  for (int i = 1; i < launch->count; ++i) {
    const char *argument = launch->command[i], *next = i + 1 < launch->count ? launch->command[i + 1] : "";
    if (!strcmp(argument, "-x") && (!strcmp(next, "cu") || !strcmp(next, "cuda")))
      return true;
    if (!strcmp(argument, "-xcu") || !strcmp(argument, "-xcuda"))
      return true;
    if (has_value(argument))
      ++i;
    else if (argument[0] != '-' && ends_with(argument, ".cu"))
      return true;
  }
  return false;
}

/* Into an object: device code alone (PTX) has no half on the host that could register it. */
static bool compiles_cuda(const struct launch *launch) {
  static const char *const compiles[] = {"-c", "--compile", "-dc", "--device-c", NULL};
  static const char *const others[] = {"-ptx",    "--ptx",    "-cubin",  "--cubin", "-fatbin",
                                       "--fatbin", "-E",       "-M",      "-MM",     "--cuda-device-only",
                                       "-dlink",  "--device-link", NULL};
  return has_one_of(launch, compiles) && !has_one_of(launch, others) && names_cuda_source(launch);
}

/* Options that gpuprof's CMake package gave to the source: they are clang's. */
static bool has_plugin(const struct launch *launch) {
  for (int i = 1; i < launch->count; ++i)
    if (begins_with(launch->command[i], "-fplugin=") && ends_with(launch->command[i], "/gpuprof.so"))
      return true;
  return false;
}

static bool links_device_code_by_nvcc(const struct launch *launch) {
  static const char *const options[] = {"-dlink", "--device-link", NULL};
  return has_one_of(launch, options);
}

/* `program` and the arguments of the command, then `options` (or null), take this process's place. */
static int execute(const struct launch *launch, const char *program, const char *const *options) {
  struct line line = {0};
  line_add_all(&line, &launch->launchers);
  line_add(&line, program);
  for (int i = 1; i < launch->count; ++i)
    line_add(&line, launch->command[i]);
  for (; options && *options; ++options)
    line_add(&line, *options);
  fflush(NULL);
  execvp(line.items[0], line.items);
  int code = fail("cannot run '%s': %s; install it, or correct the compiler or launcher of the build.", line.items[0],
                  strerror(errno));
  line_free(&line);
  return code;
}

/* clang in place of another compiler, whose warnings and precompiled headers it does not know, and whose linker does
 * not read its bitcode. */
static int execute_clang(const struct launch *launch) {
  static const char *const options[] = {"-Wno-unknown-warning-option", "-Wno-ignored-gch",
                                        "-Wno-ignored-optimization-argument", "-fno-lto", NULL};
  char *compiler = compiler_find();
  int code = compiler ? execute(launch, compiler, options)
                      : fail("no clang++ of version %d, which the plugin was built for: install the package clang-%d.",
                             GPUPROF_LLVM_MAJOR, GPUPROF_LLVM_MAJOR);
  free(compiler);
  return code;
}

/* `gpuprof cc` with the words before `--` and the command's arguments. */
static int compile(const struct command *self, const struct launch *launch) {
  struct line line = {0};
  for (size_t i = 0; i < launch->launchers.count; ++i)
    line_push(&line, format_string("%s%s", launcher_option, launch->launchers.items[i]));
  line_add_all(&line, &launch->words);
  for (int i = 1; i < launch->count; ++i)
    line_add(&line, launch->command[i]);
  int code = run_cc(self, (int)line.count, line.items);
  line_free(&line);
  return code;
}

/* `gpuprof cc -dlink` of the objects of a link. */
static int link_device_code(const struct launch *launch, const char *output) {
  struct line line = {0};
  char *self = realpath("/proc/self/exe", NULL);
  line_add(&line, self ? self : "gpuprof");
  line_add(&line, "cc");
  line_add(&line, "-dlink");
  line_add_all(&line, &launch->words);
  for (int i = 1; i < launch->count; ++i)
    line_add(&line, launch->command[i]);
  line_add(&line, "-o"); /* the last one holds */
  line_add(&line, output);
  int code = process_run(line.items, "install gpuprof again");
  line_free(&line);
  free(self);
  return code;
}

/* The build system's link stays as it is: it has one more object, with the linked device code. */
static int link_with_device_code(const struct launch *launch) {
  struct line line = {0};
  char *folder = temporary_folder();
  if (!folder)
    return EXIT_UNUSABLE;
  char *object = format_string("%s/device.o", folder);
  for (int i = 0; i < launch->count; ++i)
    line_add(&line, launch->command[i]);
  line_add(&line, object);
  int code = link_device_code(launch, object);
  if (!code)
    code = process_run(line.items, "install it, or correct the linker of the build");
  temporary_folder_remove(folder);
  free(object);
  line_free(&line);
  return code;
}

static bool take(struct launch *launch, int argc, char **argv) {
  int i = 0;
  for (; i < argc && strcmp(argv[i], "--"); ++i)
    if (begins_with(argv[i], launcher_option))
      line_add(&launch->launchers, argv[i] + sizeof launcher_option - 1);
    else
      line_add(&launch->words, argv[i]);
  launch->command = argv + i + 1;
  launch->count = argc - i - 1;
  return launch->count > 0;
}

static int run(const struct command *self, const struct launch *launch, bool links) {
  static const char *const cpu[] = {"--cpu", NULL};
  bool for_cpu = false;
  for (size_t i = 0; i < launch->words.count; ++i)
    for_cpu |= is_one_of(launch->words.items[i], cpu);
  if (links && !for_cpu && !links_device_code_by_nvcc(launch))
    return link_with_device_code(launch);
  if (!links && has_plugin(launch))
    return execute_clang(launch);
  if (!links && compiles_cuda(launch))
    return compile(self, launch);
  return execute(launch, launch->command[0], NULL);
}

bool cc_launches(const char *argument) {
  return !strcmp(argument, compiles_option) || !strcmp(argument, links_option);
}

int cc_launch(const struct command *self, int argc, char **argv) {
  struct launch launch = {0};
  bool links = !strcmp(argv[0], links_option);
  int code = take(&launch, argc - 1, argv + 1)
                 ? run(self, &launch, links)
                 : misuse(self->name, "%s needs the compiler's command behind --: gpuprof cc %s -- nvcc -c app.cu.",
                          argv[0], argv[0]);
  line_free(&launch.words);
  line_free(&launch.launchers);
  return code;
}
