// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/nvcc_identity.h"

#include "cc/cuda_home.h"
#include "cc/toolchain.h"
#include "cc/words.h"
#include "common/file.h"
#include "common/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_ARCHITECTURE "compute_90" /* of gpuprof cc */

static const char identification[] = "CMakeCUDACompilerId.cu";

/* nvcc links by g++; where there is none, the compiler of gpuprof cc serves. */
static char *host_linker(void) {
  char *linker = file_on_path("g++");
  if (!linker)
    linker = compiler_find();
  return linker ? linker : copy_string("g++");
}

/* nvcc prints settings and commands behind #$. CMake looks for the link command with the text of LIBRARIES. */
static void print_settings(const char *home) {
  char *linker = host_linker(), *libraries = format_string("\"-L%s/lib64\"", home);
  const char *path = getenv("PATH");
  fprintf(stderr, "#$ TOP=%s\n#$ PATH=%s/bin:%s\n", home, home, path ? path : "");
  fprintf(stderr, "#$ INCLUDES=\"-I%s/include\"\n#$ LIBRARIES= %s\n", home, libraries);
  fprintf(stderr, "#$ cicc -arch " DEFAULT_ARCHITECTURE "\n");
  fprintf(stderr, "#$ \"%s\" -o \"a.out\" %s -lcudadevrt -lcudart_static -lrt -lpthread -ldl\n", linker, libraries);
  free(libraries);
  free(linker);
}

/* The file reports the compiler as its macros tell: without these as clang. Other files do not get them, as headers
 * would take clang for nvcc. */
static void add_macros(struct line *line, const char *home) {
  int version = toolkit_header_version(home);
  line_add(line, "-D__NVCC__");
  line_push(line, format_string("-D__CUDACC_VER_MAJOR__=%d", version / 1000));
  line_push(line, format_string("-D__CUDACC_VER_MINOR__=%d", version % 1000 / 10));
  line_add(line, "-D__CUDACC_VER_BUILD__=0");
}

void nvcc_identify(struct line *line, int argc, char *const *argv) {
  static const char *const verbose[] = {"-v", "--verbose", NULL};
  const char *home = getenv("CUDA_PATH");
  char *toolkit = NULL;
  bool is_home = home && cuda_home_toolkit(home, &toolkit), is_verbose = false;
  for (int i = 0; i < argc; ++i) {
    line_add(line, argv[i]);
    is_verbose |= is_one_of(argv[i], verbose);
    if (is_home && (!strcmp(argv[i], identification) || ends_with(argv[i], identification)))
      add_macros(line, home);
  }
  if (is_home && is_verbose)
    print_settings(home);
  free(toolkit);
}
