// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/toolchain.h"

#include "cc/cuda_home.h"
#include "common/file.h"
#include "common/say.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first of some paths that is there, as its own string; null if none is. */
static char *first_there(bool (*there)(const char *), char **candidates, size_t count) {
  char *found = NULL;
  for (size_t i = 0; i < count; ++i) {
    if (!found && there(candidates[i]))
      found = candidates[i];
    else
      free(candidates[i]);
  }
  return found;
}

/* The folder that holds `path`, in the shortest form. */
static char *folder_of(char *path) {
  char *folder = path ? file_real_folder(path) : NULL;
  free(path);
  return folder;
}

static char *canonical(char *path) {
  char *real = path ? realpath(path, NULL) : NULL;
  free(path);
  return real;
}

void installation_find(struct installation *installation) {
  char *bin = file_real_folder("/proc/self/exe");
  const char *base = bin ? bin : ".";
  char *plugins[] = {format_string("%s/../lib/gpuprof/gpuprof.so", base),
                     format_string("%s/../" GPUPROF_LIBDIR "/gpuprof/gpuprof.so", base)};
  char *libraries[] = {format_string("%s/../lib/libgpuprof.so", base),
                       format_string("%s/../" GPUPROF_LIBDIR "/libgpuprof.so", base)};
  char *headers[] = {format_string("%s/../include/gpuprof.h", base)};
  char *minicuda[] = {format_string("%s/../lib/gpuprof/minicuda", base),
                      format_string("%s/../" GPUPROF_LIBDIR "/gpuprof/minicuda", base)};
  char *shims[] = {format_string("%s/../lib/gpuprof/shims", base),
                   format_string("%s/../" GPUPROF_LIBDIR "/gpuprof/shims", base)};
#define FIRST(test, list) first_there(test, list, sizeof list / sizeof *list)
  installation->plugin = canonical(FIRST(file_exists, plugins));
  char *library = FIRST(file_exists, libraries);
  /* Not the real path of the file: libgpuprof.so may be a link into another folder, but its folder is what -L
   * needs. */
  if (library)
    *strrchr(library, '/') = 0;
  installation->library = canonical(library);
  installation->headers = folder_of(FIRST(file_exists, headers));
  installation->minicuda = canonical(FIRST(folder_exists, minicuda));
  installation->shims = canonical(FIRST(folder_exists, shims));
#undef FIRST
  free(bin);
}

void installation_free(struct installation *installation) {
  free(installation->plugin);
  free(installation->library);
  free(installation->headers);
  free(installation->minicuda);
  free(installation->shims);
}

char *installation_local_calls(const struct installation *installation) {
  char *file =
      installation->library ? format_string("%s/gpuprof/local-calls.o", installation->library) : NULL;
  if (file && file_exists(file))
    return file;
  free(file);
  return NULL;
}

/* True for a clang++ of the major this plugin was built for. */
static bool is_right_major(const char *compiler) {
  char *command = format_string("'%s' -dumpversion 2>/dev/null", compiler);
  FILE *pipe = strchr(compiler, '\'') ? NULL : popen(command, "r");
  int major = 0;
  bool read = pipe && fscanf(pipe, "%d", &major) == 1;
  if (pipe)
    pclose(pipe);
  free(command);
  return read && major == GPUPROF_LLVM_MAJOR;
}

#define TEXT_OF(value) #value
#define STRING_OF(value) TEXT_OF(value)
#define LLVM_MAJOR STRING_OF(GPUPROF_LLVM_MAJOR)

char *compiler_find(void) {
  const char *fixed[] = {GPUPROF_CLANGXX, "/usr/lib/llvm-" LLVM_MAJOR "/bin/clang++"};
  char *named = file_on_path("clang++-" LLVM_MAJOR);
  if (*fixed[0] && file_is_program(fixed[0])) {
    free(named);
    return copy_string(fixed[0]);
  }
  if (named)
    return named;
  if (file_is_program(fixed[1]))
    return copy_string(fixed[1]);
  char *plain = file_on_path("clang++");
  if (plain && is_right_major(plain))
    return plain;
  free(plain);
  return NULL;
}

/* clang answers with a path, or with the name as it was. */
bool compiler_has_library(const char *compiler, const char *name) {
  char *command = format_string("'%s' -print-file-name=%s 2>/dev/null", compiler, name);
  FILE *pipe = strchr(compiler, '\'') ? NULL : popen(command, "r");
  char answer[4096] = "";
  bool found = !pipe || (fgets(answer, sizeof answer, pipe) && strchr(answer, '/'));
  if (pipe)
    pclose(pipe);
  free(command);
  return found;
}

/* As clang looks for a tool: beside itself, links followed, then on PATH. */
char *compiler_tool(const char *compiler, const char *tool) {
  char *real = realpath(compiler, NULL), *slash = real ? strrchr(real, '/') : NULL;
  char *beside = slash ? format_string("%.*s/%s", (int)(slash - real), real, tool) : NULL;
  free(real);
  if (beside && file_is_program(beside))
    return beside;
  free(beside);
  return file_on_path(tool);
}

bool compiler_has_tool(const char *compiler, const char *tool) {
  char *path = compiler_tool(compiler, tool);
  free(path);
  return path != NULL;
}

/* ---- The CUDA toolkit ---- */
/* CUDA_VERSION of a cuda.h, or 0. */
int toolkit_header_version(const char *root) {
  char *path = format_string("%s/include/cuda.h", root);
  if (!file_exists(path) && !strcmp(root, "/usr/lib/cuda")) {
    free(path);
    path = copy_string("/usr/include/cuda.h"); /* where Debian's own package has it */
  }
  FILE *file = fopen(path, "r");
  char line[512];
  int version = 0;
  while (file && !version && fgets(line, sizeof line, file))
    if (sscanf(line, " # define CUDA_VERSION %d", &version) != 1)
      version = 0;
  if (file)
    fclose(file);
  free(path);
  return version;
}

static bool try_plain_root(struct toolkit *toolkit, const char *root, const char *named_by) {
  int version = toolkit_header_version(root);
  if (!version)
    return false;
  toolkit->root = copy_string(root);
  toolkit->version = version;
  toolkit->named_by = copy_string(named_by);
  size_t length = strlen(toolkit->root);
  while (length > 1 && toolkit->root[length - 1] == '/')
    toolkit->root[--length] = 0;
  return true;
}

/* A folder of --cuda-home stands for the toolkit that it was made from, or for none. */
static bool try_root(struct toolkit *toolkit, const char *root, const char *named_by) {
  char *behind = NULL;
  if (!cuda_home_toolkit(root, &behind))
    return try_plain_root(toolkit, root, named_by);
  bool found = behind && try_plain_root(toolkit, behind, named_by);
  free(behind);
  return found;
}

static bool try_environment(struct toolkit *toolkit) {
  static const char *const variables[] = {"CUDA_PATH", "CUDA_HOME"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i) {
    const char *root = getenv(variables[i]);
    if (!root || !*root)
      continue;
    if (try_root(toolkit, root, variables[i]))
      return true;
    note("%s is '%s', which is no CUDA toolkit (there is no include/cuda.h); looking elsewhere.",
         variables[i], root);
  }
  return false;
}

/* nvcc on PATH may be that of --cuda-home, which is a link to this command. */
static bool try_home_of(struct toolkit *toolkit, const char *nvcc) {
  const char *slash = nvcc ? strrchr(nvcc, '/') : NULL;
  char *home = slash ? format_string("%.*s/..", (int)(slash - nvcc), nvcc) : NULL, *behind = NULL;
  bool found =
      home && cuda_home_toolkit(home, &behind) && behind && try_root(toolkit, behind, "nvcc on PATH");
  free(behind);
  free(home);
  return found;
}

static bool try_nvcc(struct toolkit *toolkit) {
  char *nvcc = file_on_path("nvcc"), *folder = nvcc ? file_real_folder(nvcc) : NULL;
  char *root = folder ? format_string("%s/..", folder) : NULL;
  char *real = canonical(root);
  bool found =
      try_home_of(toolkit, nvcc) || (real && strcmp(real, "/usr") && try_root(toolkit, real, "nvcc on PATH"));
  free(nvcc);
  free(folder);
  free(real);
  return found;
}

static bool try_prefixes(struct toolkit *toolkit) {
  static const char *const plain[] = {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"};
  if (try_root(toolkit, plain[0], plain[0]))
    return true;
  glob_t found;
  char *newest = NULL;
  int best = 0;
  if (!glob("/usr/local/cuda-*", 0, NULL, &found))
    for (size_t i = 0; i < found.gl_pathc; ++i) {
      int version = toolkit_header_version(found.gl_pathv[i]);
      if (version > best) {
        best = version;
        free(newest);
        newest = copy_string(found.gl_pathv[i]);
      }
    }
  globfree(&found);
  bool good = newest && try_root(toolkit, newest, newest);
  free(newest);
  for (size_t i = 1; !good && i < sizeof plain / sizeof *plain; ++i)
    good = try_root(toolkit, plain[i], plain[i]);
  return good;
}

void toolkit_find(struct toolkit *toolkit) {
  memset(toolkit, 0, sizeof *toolkit);
  if (!cuda_home_chose_cpu() && !try_environment(toolkit) && !try_nvcc(toolkit))
    try_prefixes(toolkit);
}

void toolkit_free(struct toolkit *toolkit) {
  free(toolkit->root);
  free(toolkit->named_by);
}

void toolkit_version(struct text *text, int version) {
  text_format(text, "%d.%d", version / 1000, version % 1000 / 10);
}
