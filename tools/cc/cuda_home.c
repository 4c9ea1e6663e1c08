// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/cuda_home.h"

#include "cc/words.h"
#include "common/file.h"
#include "common/say.h"
#include "common/text.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A link to the toolkit; to NO_TOOLKIT where there is none. */
#define MARK "gpuprof-toolkit"
#define NO_TOOLKIT "none"

/* The folder that is filled. After the first failure nothing more is done. */
struct home {
  char *path;
  int reason; /* an errno, or 0 */
};

/* ---- Filling ---- */
static void make_folder(struct home *home, const char *below) {
  char *path = format_string("%s/%s", home->path, below);
  for (char *slash = path; !home->reason && slash;) {
    slash = strchr(slash + 1, '/');
    if (slash)
      *slash = 0;
    if (mkdir(path, 0777) && errno != EEXIST)
      home->reason = errno;
    if (slash)
      *slash = '/';
  }
  free(path);
}

static bool write_text(const char *path, const char *content) {
  FILE *file = fopen(path, "we");
  bool good = file && fputs(content, file) >= 0;
  return file && !fclose(file) && good;
}

/* A link to `target`, or a file of `content`, in one step: other processes see the old one or the new one. */
static void put(struct home *home, const char *below, const char *target, const char *content) {
  char *path = format_string("%s/%s", home->path, below);
  char *fresh = format_string("%s.%d", path, (int)getpid());
  if (!home->reason && ((target ? symlink(target, fresh) : !write_text(fresh, content)) || rename(fresh, path))) {
    home->reason = errno;
    unlink(fresh);
  }
  free(fresh);
  free(path);
}

/* Links to all that a folder holds, but to files named in `but`. */
static void link_all(struct home *home, const char *from, const char *below, const char *const *but) {
  DIR *folder = home->reason ? NULL : opendir(from);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    if (entry->d_name[0] == '.' || is_one_of(entry->d_name, but))
      continue;
    char *name = *below ? format_string("%s/%s", below, entry->d_name) : copy_string(entry->d_name);
    char *target = format_string("%s/%s", from, entry->d_name);
    put(home, name, target, NULL);
    free(target);
    free(name);
  }
  if (folder)
    closedir(folder);
}

/* ld reads text in place of a library as a script of its own. */
static void put_library(struct home *home, const struct installation *installation, const char *name,
                        const char *behind) {
  char *below = format_string("lib64/%s", name), *calls = installation_local_calls(installation);
  char *others = behind ? format_string(" AS_NEEDED(\"%s\")", behind) : copy_string("");
  char *first = calls ? format_string("\"%s\" ", calls) : copy_string("");
  char *script = format_string("/* gpuprof's library has the CUDA runtime's functions. */\nINPUT(%s\"%s/libgpuprof.so\"%s)\n",
                               first, installation->library, others);
  put(home, below, NULL, script);
  free(script);
  free(first);
  free(others);
  free(calls);
  free(below);
}

/* Where a program that names lib64 as its run path finds it. */
static void put_own_library(struct home *home, const struct installation *installation) {
  static const char *const names[] = {"libgpuprof.so", "libgpuprof.so.0"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char *below = format_string("lib64/%s", names[i]);
    char *target = format_string("%s/%s", installation->library, names[i]);
    put(home, below, target, NULL);
    free(target);
    free(below);
  }
}

static void fill_from_toolkit(struct home *home, const struct installation *installation,
                              const struct toolkit *toolkit) {
  static const char *const own[] = {"bin", "lib", "lib64", MARK, NULL}, *const compiler[] = {NVCC_NAME, NULL};
  static const char *const runtime[] = {"libcudart.so", "libcudart_static.a", NULL};
  char *bin = format_string("%s/bin", toolkit->root), *lib = format_string("%s/lib64", toolkit->root);
  char *shared = format_string("%s/libcudart.so", lib);
  link_all(home, toolkit->root, "", own);
  link_all(home, bin, "bin", compiler);
  link_all(home, lib, "lib64", runtime);
  put_library(home, installation, runtime[0], file_exists(shared) ? shared : NULL);
  put_library(home, installation, runtime[1], NULL);
  put(home, MARK, toolkit->root, NULL);
  free(shared);
  free(lib);
  free(bin);
}

static void fill_without_toolkit(struct home *home, const struct installation *installation) {
  static const char *const libraries[] = {"libcudart.so", "libcudart_static.a", "libcuda.so"};
  put(home, "include", installation->minicuda, NULL);
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; ++i)
    put_library(home, installation, libraries[i], NULL);
  put(home, "lib64/libcudadevrt.a", NULL, "!<arch>\n"); /* CMake links it; the CPU device needs none */
  make_folder(home, "nvvm/libdevice");                  /* CMake looks for it */
  put(home, MARK, NO_TOOLKIT, NULL);
}

/* For `cmake -C`: programs find the library without a word of their project. */
static void put_cmake_cache(struct home *home) {
  put(home, "gpuprof.cmake", NULL,
      "# cmake -C FILE: gpuprof cc is the CUDA compiler.\n"
      "set(CMAKE_CUDA_COMPILER \"${CMAKE_CURRENT_LIST_DIR}/bin/nvcc\" CACHE FILEPATH \"gpuprof cc as nvcc\")\n"
      "set(CUDAToolkit_ROOT \"${CMAKE_CURRENT_LIST_DIR}\" CACHE PATH \"folder of gpuprof cc --cuda-home\")\n"
      "set(CMAKE_BUILD_RPATH \"${CMAKE_CURRENT_LIST_DIR}/lib64\" CACHE STRING \"folder of libgpuprof\")\n");
}

static void fill(struct home *home, const struct installation *installation, const struct toolkit *toolkit) {
  char *self = realpath("/proc/self/exe", NULL);
  make_folder(home, "bin");
  make_folder(home, "lib64");
  put(home, "bin/" NVCC_NAME, self ? self : "gpuprof", NULL);
  put(home, "lib", "lib64", NULL);
  put_own_library(home, installation);
  put_cmake_cache(home);
  if (toolkit->root)
    fill_from_toolkit(home, installation, toolkit);
  else
    fill_without_toolkit(home, installation);
  free(self);
}

/* ---- Where ---- */
/* One folder for each toolkit's version, so that builds with different toolkits do not disturb each other. */
static char *default_path(const struct toolkit *toolkit) {
  const char *cache = getenv("XDG_CACHE_HOME"), *user = getenv("HOME");
  struct text version = {0};
  toolkit_version(&version, toolkit->version);
  const char *kind = toolkit->root ? text_get(&version) : "cpu";
  char *path = NULL;
  if (cache && *cache == '/')
    path = format_string("%s/gpuprof/cuda-home-%s", cache, kind);
  else if (user && *user == '/')
    path = format_string("%s/.cache/gpuprof/cuda-home-%s", user, kind);
  text_free(&version);
  return path;
}

static char *absolute(const char *path) {
  char here[PATH_MAX];
  return *path == '/' || !getcwd(here, sizeof here) ? copy_string(path) : format_string("%s/%s", here, path);
}

/* A folder of something else is left alone. */
static bool is_usable(const char *path) {
  char *mark = format_string("%s/" MARK, path), target[PATH_MAX];
  DIR *folder = opendir(path);
  size_t entries = 0;
  while (folder && readdir(folder))
    ++entries;
  bool usable = entries <= 2 || readlink(mark, target, sizeof target) > 0; /* 2: . and .. */
  if (folder)
    closedir(folder);
  free(mark);
  return usable;
}

int cuda_home_make(const struct installation *installation, const char *path, bool cpu) {
  struct toolkit toolkit = {0};
  if (!cpu)
    toolkit_find(&toolkit);
  struct home home = {.path = path ? absolute(path) : default_path(&toolkit)};
  int code = 0;
  if (!installation->library || (!toolkit.root && !installation->minicuda))
    code =
        fail("libgpuprof.so or gpuprof's CUDA headers are not beside this command: install gpuprof again.");
  else if (!home.path)
    code = fail("HOME names no folder to put it in: name one with --cuda-home=FOLDER.");
  else if (!is_usable(home.path))
    code = fail("'%s' is in use for something else: name another folder with --cuda-home=FOLDER.", home.path);
  if (!code)
    fill(&home, installation, &toolkit);
  if (!code && home.reason)
    code = fail("cannot fill '%s': %s; name another folder with --cuda-home=FOLDER.", home.path,
                strerror(home.reason));
  if (!code)
    puts(home.path);
  toolkit_free(&toolkit);
  free(home.path);
  return code;
}

bool cuda_home_toolkit(const char *path, char **toolkit) {
  char *mark = format_string("%s/" MARK, path), target[PATH_MAX];
  ssize_t length = readlink(mark, target, sizeof target - 1);
  free(mark);
  *toolkit = NULL;
  if (length <= 0)
    return false;
  target[length] = 0;
  if (strcmp(target, NO_TOOLKIT))
    *toolkit = copy_string(target);
  return true;
}

void cuda_home_enter(const char *program) {
  char *found = strchr(program, '/') ? copy_string(program) : file_on_path(program);
  char *slash = found ? strrchr(found, '/') : NULL, *toolkit = NULL;
  char *home = slash ? format_string("%.*s/..", (int)(slash - found), found) : NULL;
  char *real = home ? realpath(home, NULL) : NULL;
  if (real && cuda_home_toolkit(real, &toolkit))
    setenv("CUDA_PATH", real, 1);
  free(toolkit);
  free(real);
  free(home);
  free(found);
}

bool cuda_home_chose_cpu(void) {
  const char *path = getenv("CUDA_PATH"), *home = getenv("CUDA_HOME");
  const char *named = path && *path ? path : home;
  char *toolkit = NULL;
  bool is_home = named && *named && cuda_home_toolkit(named, &toolkit), chosen = is_home && !toolkit;
  free(toolkit);
  return chosen;
}
