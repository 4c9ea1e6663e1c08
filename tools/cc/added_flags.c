// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/added_flags.h"

#include "cc/architectures.h"
#include "cc/link_objects.h"
#include "cc/user_arguments.h"
#include "cc/words.h"
#include "common/file.h"
#include "common/say.h"
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_ARCHITECTURE "sm_90"
#define DEFAULT_OPTIMIZATION "-O3"
#define FIRST_MAJOR_WITHOUT_SHIMS 22
/* For which architectures device code is compiled; older ones do not. */
#define FIRST_MAJOR_THAT_TELLS_THE_HOST 22
/* Reads the templates of CUDA 13's C++ library as they are. */
#define FIRST_MAJOR_FOR_CUDA_13 19
/* Links device code by a program that finds nvlink, and not by nvlink itself. */
#define FIRST_MAJOR_WITH_NVLINK_WRAPPER 19
/* Tells that program where the toolkit is. */
#define FIRST_MAJOR_THAT_NAMES_THE_TOOLKIT 22
#define LINKER_WRAPPER "clang-linker-wrapper"

/* By clang's newer driver: device code of several files becomes one. */
static bool links_device_code(const struct request *request) {
  return request->relocatable || request->links_device_code;
}

static void add_plugin(struct line *line, const struct installation *installation,
                       const struct request *request) {
  line_push(line, format_string("-fplugin=%s", installation->plugin));
  if (request->device && strcmp(request->device, "cpu"))
    line_push(line, format_string("-fplugin-arg-gpuprof-device=%s", request->device));
  if (installation->headers)
    line_push(line, format_string("-I%s", installation->headers));
}

static int add_minicuda(struct line *line, const struct installation *installation) {
  if (!installation->minicuda)
    return fail("gpuprof's own CUDA headers are missing (lib/gpuprof/minicuda); install gpuprof again, or "
                "install the "
                "CUDA toolkit and set CUDA_PATH.");
  line_add(line, "--cuda-host-only");
  line_add(line, "-Wno-unknown-cuda-version");
  line_add(line, "-nocudainc");
  line_add(line, "-nocudalib");
  line_add(line, "-isystem");
  line_add(line, installation->minicuda);
  line_add(line, "-include");
  line_add(line, "cuda_runtime.h");
  return 0;
}

static int check_toolkit(const struct toolkit *toolkit) {
  struct text version = {0};
  toolkit_version(&version, toolkit->version);
  int code = 0;
  if (toolkit->version < CUDA_OLDEST)
    code = fail(
        "the CUDA toolkit in '%s' is %s, and gpuprof needs 11.8 or newer; set CUDA_PATH to a newer one, or "
        "compile with --cpu.",
        toolkit->root, text_get(&version));
  else if (toolkit->version / 1000 > CUDA_NEWEST_MAJOR)
    note("the CUDA toolkit in '%s' is %s, newer than what gpuprof is tested with (13); if it fails, set "
         "CUDA_PATH to "
         "CUDA 13.",
         toolkit->root, text_get(&version));
  text_free(&version);
  return code;
}

static bool links_for_gpu(const struct request *request) {
  return links_device_code(request) && !request->cpu && request->inputs && !request->no_link;
}

static void add_shims(struct line *line, const struct installation *installation,
                      const struct toolkit *toolkit, const struct request *request) {
  if (GPUPROF_LLVM_MAJOR >= FIRST_MAJOR_WITHOUT_SHIMS || toolkit->version / 1000 < 13 || !installation->shims)
    return;
  line_add(line, "-isystem");
  line_push(line, format_string("%s/include", installation->shims));
  line_push(line, format_string("-B%s/bin", installation->shims));
  /* clang-linker-wrapper does not look there, but in the toolkit: the last one named. */
  if (links_for_gpu(request))
    line_push(line, format_string("-Wl,--cuda-path=%s/link", installation->shims));
}

/* clang-nvlink-wrapper would look for nvlink in PATH alone. */
static bool nvlink_has_to_be_named(void) {
  return GPUPROF_LLVM_MAJOR >= FIRST_MAJOR_WITH_NVLINK_WRAPPER && GPUPROF_LLVM_MAJOR < FIRST_MAJOR_THAT_NAMES_THE_TOOLKIT;
}

static void add_nvlink(struct line *line, const struct toolkit *toolkit, const struct request *request) {
  if (!nvlink_has_to_be_named() || !links_for_gpu(request))
    return;
  line_add(line, "-Xoffload-linker");
  line_push(line, format_string("--cuda-path=%s", toolkit->root));
}

/* The C++ library of CUDA 13, which cooperative groups include, needs C++17 and declares variadic functions,
 * which older clangs refuse in device code even where nothing calls them. */
static void add_language(struct line *line, const struct toolkit *toolkit, const struct request *request) {
  if (GPUPROF_LLVM_MAJOR >= FIRST_MAJOR_FOR_CUDA_13 || toolkit->version / 1000 < 13)
    return;
  if (!request->has_standard)
    line_add(line, "-std=c++17");
  line_add(line, "-Xclang");
  line_add(line, "-fcuda-allow-variadic-functions");
}

/* The stubs stand for the driver's libraries, which may be absent where a program is linked. */
static void add_library_folders(struct line *line, const struct toolkit *toolkit) {
  char *stubs = format_string("%s/lib64/stubs", toolkit->root);
  line_push(line, format_string("-L%s/lib64", toolkit->root));
  if (folder_exists(stubs))
    line_push(line, format_string("-L%s", stubs));
  free(stubs);
}

/* As NVIDIA's compiler does: C and C++ files include CUDA's headers, and -lcublas is found. */
static void add_toolkit_for_hosts(struct line *line, const struct toolkit *toolkit,
                                  const struct request *request) {
  if (request->other_sources) {
    line_add(line, "-idirafter");
    line_push(line, format_string("%s/include", toolkit->root));
  }
  if (request->inputs && !request->no_link)
    add_library_folders(line, toolkit);
}

static void add_every_architecture(struct line *line, const struct toolkit *toolkit,
                                   const struct request *request) {
  struct line names = {0};
  architectures_every(&names, toolkit->version, request->every == NVCC_EVERY_MAJOR);
  for (size_t i = 0; i < names.count; ++i)
    line_push(line, format_string("--cuda-gpu-arch=%s", names.items[i]));
  line_free(&names);
}

/* nvcc's sources count on these, which CUDA's header includes for nvcc; so do gpuprof's own headers. */
static void add_headers_of_nvcc(struct line *line) {
  static const char *const headers[] = {"assert.h", "stdio.h", "time.h"};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i) {
    line_add(line, "-include");
    line_add(line, headers[i]);
  }
}

static void add_toolkit(struct line *line, const struct installation *installation,
                        const struct toolkit *toolkit, const struct request *request) {
  if (!request->has_cuda_path)
    line_push(line, format_string("--cuda-path=%s", toolkit->root));
  line_add(line, "-Wno-unknown-cuda-version");
  add_shims(line, installation, toolkit, request);
  add_nvlink(line, toolkit, request);
  add_language(line, toolkit, request);
  char *cccl = format_string("%s/include/cccl", toolkit->root);
  if (folder_exists(cccl)) {
    line_add(line, "-isystem");
    line_add(line, cccl);
  }
  free(cccl);
  add_headers_of_nvcc(line);
  if (request->cpu) {
    line_add(line, "--cuda-host-only");
  } else if (request->every != NVCC_NAMED) {
    add_every_architecture(line, toolkit, request);
  } else if (!request->has_architecture) {
    line_add(line, "--cuda-gpu-arch=" DEFAULT_ARCHITECTURE);
    note("compiling for " DEFAULT_ARCHITECTURE
         " (Hopper); name your GPU's architecture with --cuda-gpu-arch=sm_XX.");
  }
  add_toolkit_for_hosts(line, toolkit, request);
}

/* --cuda-path given: that toolkit. Else the one that is found, unless only the CPU device is wanted. */
static int choose_toolkit(struct toolkit *toolkit, const struct request *request) {
  static const char option[] = "--cuda-path=";
  memset(toolkit, 0, sizeof *toolkit);
  if (!request->has_cuda_path) {
    if (!request->cpu)
      toolkit_find(toolkit);
    return toolkit->root ? check_toolkit(toolkit) : 0;
  }
  for (size_t i = 0; i < request->passed.count; ++i)
    if (begins_with(request->passed.items[i], option)) {
      const char *root = request->passed.items[i] + sizeof option - 1;
      free(toolkit->root);
      toolkit->version = toolkit_header_version(root);
      toolkit->root = copy_string(root);
    }
  if (!toolkit->version)
    return fail("there is no CUDA toolkit in '%s' (no include/cuda.h); correct --cuda-path, or leave it out.",
                toolkit->root);
  return check_toolkit(toolkit);
}

/* The CPU device's code is compiled as the GPU's is, and the host's half is told so too: CUDA's libraries
 * choose their kernels by it. Without a word clang would tell it sm_52; older ones tell it nothing. */
static void add_cpu_architecture(struct line *line, const struct request *request, bool cpu) {
  if (cpu && (!request->has_architecture || request->every != NVCC_NAMED)) {
    /* where a compile for the host alone has no use for it, nobody asked for it */
    bool unused = GPUPROF_LLVM_MAJOR < FIRST_MAJOR_THAT_TELLS_THE_HOST;
    if (unused)
      line_add(line, "--start-no-unused-arguments");
    line_add(line, "--cuda-gpu-arch=" DEFAULT_ARCHITECTURE);
    if (unused)
      line_add(line, "--end-no-unused-arguments");
  }
  if (request->highest_architecture && !request->has_own_architecture)
    line_push(line, format_string("-fplugin-arg-gpuprof-arch=sm_%d", request->highest_architecture));
}

static int add_cuda(struct line *line, const struct installation *installation,
                    const struct request *request) {
  struct toolkit toolkit;
  int code = choose_toolkit(&toolkit, request);
  bool cpu = request->cpu || !toolkit.root;
  if (!code && !toolkit.root && request->device && !strcmp(request->device, "gpu"))
    code = fail("no CUDA toolkit found for --gpuprof-device=gpu; install one and set CUDA_PATH, or compile "
                "with --cpu.");
  if (!code && cpu && request->device_only)
    code = fail("'%s' writes code for a GPU, which takes a CUDA toolkit: install one and set CUDA_PATH, or "
                "leave it out.",
                request->device_only);
  if (!code && !toolkit.root && !request->cpu)
    note("no CUDA toolkit found (CUDA_PATH, CUDA_HOME, nvcc on PATH, /usr/local/cuda): compiling for the CPU "
         "device.");
  /* Clang's newer offload driver links through clang-linker-wrapper, which is in a package of its own, and
   * its objects cannot be linked by a plain linker; only separate compilation of device code needs it. */
  if (!code && !request->chose_driver)
    line_add(line, links_device_code(request) ? "--offload-new-driver" : "--no-offload-new-driver");
  if (!code && cpu)
    line_add(line, "-fplugin-arg-gpuprof-device=cpu");
  if (!code)
    add_cpu_architecture(line, request, cpu);
  if (!code && toolkit.root)
    add_toolkit(line, installation, &toolkit, request);
  else if (!code)
    code = add_minicuda(line, installation);
  if (!code)
    line_add(line, "-Wno-error=register"); /* nvcc warns of `register` in C++17 */
  if (toolkit.root)
    setenv("CUDA_PATH", toolkit.root, 1); /* read by the fatbinary shim */
  toolkit_free(&toolkit);
  return code;
}

/* A program of C and C++ files alone may call CUDA's runtime and driver. */
static int add_cuda_for_hosts(struct line *line, const struct installation *installation,
                              const struct request *request) {
  struct toolkit toolkit;
  int code = choose_toolkit(&toolkit, request);
  if (!code && toolkit.root) {
    add_toolkit_for_hosts(line, &toolkit, request);
  } else if (!code && installation->minicuda) {
    line_add(line, "-idirafter");
    line_add(line, installation->minicuda);
  }
  if (request->has_cuda_path)
    line_add(line, "-Wno-unused-command-line-argument");
  toolkit_free(&toolkit);
  return code;
}

/* Objects of -fgpu-rdc: their device code is linked where clang is told of it, which a source in CUDA would do. */
static int add_device_link(struct line *line, const struct installation *installation,
                           const struct request *request) {
  struct toolkit toolkit;
  int code = choose_toolkit(&toolkit, request);
  if (!code && toolkit.root) {
    line_add(line, "--offload-link");
    if (!request->has_cuda_path)
      line_push(line, format_string("--cuda-path=%s", toolkit.root));
    add_shims(line, installation, &toolkit, request);
    add_nvlink(line, &toolkit, request);
    add_library_folders(line, &toolkit);
  }
  toolkit_free(&toolkit);
  return code;
}

/* A process may hold another libcudart for everyone before it opens a shared library. */
static void add_local_calls(struct line *line, const struct installation *installation) {
  char *file = installation_local_calls(installation);
  if (file) {
    line_add(line, "-Xlinker");
    line_add(line, file);
  }
  free(file);
}

/* -lmpi, -lmpi_cxx, -lnccl, …, or a file of one of them: only then is there a call to stand before. */
static bool names_communication(const struct line *passed) {
  static const char *const libraries[] = {"-lmpi", "-lnccl", "libmpi", "libnccl"};
  for (size_t i = 0; i < passed->count; ++i) {
    const char *slash = strrchr(passed->items[i], '/'), *name = slash ? slash + 1 : passed->items[i];
    for (size_t j = 0; j < sizeof libraries / sizeof *libraries; ++j)
      if (begins_with(name, libraries[j]))
        return true;
  }
  return false;
}

/* First of all libraries, so that its cudaLaunchKernel is found before any other. */
static void add_library(struct line *line, const struct installation *installation, const struct line *passed) {
  if (line_has(passed, "-shared"))
    add_local_calls(line, installation);
  line_push(line, format_string("-L%s", installation->library));
  line_push(line, format_string("-Wl,-rpath,%s", installation->library));
  line_add(line, "-Wl,--push-state,--no-as-needed");
  if (names_communication(passed))
    line_add(line, "-lgpuprof-communication");
  line_add(line, "-lgpuprof");
  line_add(line, "-Wl,--pop-state");
}

/* Objects alone: nvcc finds the toolkit's libraries for them too. */
static void add_toolkit_for_objects(struct line *line, const struct request *request) {
  struct toolkit toolkit;
  if (request->cpu || request->has_cuda_path)
    return;
  toolkit_find(&toolkit);
  if (toolkit.root)
    add_library_folders(line, &toolkit);
  toolkit_free(&toolkit);
}

static bool is_without_toolkit(const struct request *request) {
  struct toolkit toolkit;
  if (request->cpu || request->has_cuda_path)
    return request->cpu;
  toolkit_find(&toolkit);
  bool without = !toolkit.root;
  toolkit_free(&toolkit);
  return without;
}

static void add_user_arguments(struct line *line, const struct request *request) {
  struct stand_ins stand_ins = {.headers = request->cuda_sources && line_has(line, "-nocudainc")};
  stand_ins.libraries = user_arguments_name_runtime(&request->passed) && is_without_toolkit(request);
  user_arguments_add(line, &request->passed, &stand_ins);
}

/* To clang an architecture beside -fopenmp asks for OpenMP on the GPU, and so for libomptarget. */
static void add_no_architecture(struct line *line, const struct request *request) {
  if (request->has_architecture && !request->cuda_sources && !links_device_code(request) &&
      line_has(&request->passed, "-fopenmp"))
    line_add(line, "--no-cuda-gpu-arch=all");
}

/* -fopenmp links clang's own library, which is in a package of its own. */
static bool lacks_openmp(const char *compiler, const struct request *request) {
  bool wanted = !request->print && line_has(&request->passed, "-fopenmp");
  bool found = !wanted || compiler_has_library(compiler, "libomp.so");
  for (size_t i = 0; !found && i < request->passed.count; ++i) {
    const char *item = request->passed.items[i];
    char *file = begins_with(item, "-L") ? format_string("%s/libomp.so", item + 2) : NULL;
    found = file && file_exists(file);
    free(file);
  }
  return !found;
}

static int check_compile(const struct installation *installation) {
  return installation->plugin
             ? 0
             : fail("the plugin lib/gpuprof/gpuprof.so is not beside this command: build gpuprof with "
                    "GPUPROF_BUILD_PLUGIN=ON, or install it again.");
}

static int check_link(const struct installation *installation, const struct request *request,
                      const char *compiler) {
  if (links_device_code(request) && !request->chose_driver && !compiler_has_tool(compiler, LINKER_WRAPPER))
    return fail("device code of several files is linked by " LINKER_WRAPPER
                ", which '%s' does not find: install the package clang-tools-%d.",
                compiler, GPUPROF_LLVM_MAJOR);
  if (lacks_openmp(compiler, request))
    return fail(
        "'-fopenmp' needs the OpenMP library of clang, not that of gcc: install the package libomp-%d-dev.",
        GPUPROF_LLVM_MAJOR);
  if (!installation->library)
    return fail("libgpuprof.so is not beside this command: build gpuprof completely, or install it again.");
  return 0;
}

/* The flags of CUDA for what there is: kernels, other sources, objects. */
static int add_toolkit_flags(struct line *line, const struct installation *installation,
                             const struct request *request, bool links) {
  if (request->cuda_sources)
    return add_cuda(line, installation, request);
  int code = request->other_sources ? add_cuda_for_hosts(line, installation, request) : 0;
  if (code || !links)
    return code;
  if (links_device_code(request) && !request->cpu && !request->chose_driver)
    return add_device_link(line, installation, request);
  if (!request->other_sources)
    add_toolkit_for_objects(line, request);
  return 0;
}

int compiler_line(struct line *line, const struct installation *installation, const struct request *request) {
  bool compiles = request->cuda_sources || request->other_sources,
       links = request->inputs && !request->no_link;
  char *compiler = compiler_find();
  if (!compiler)
    return fail("no clang++ of version %d, which the plugin was built for: install the package clang-%d.",
                GPUPROF_LLVM_MAJOR, GPUPROF_LLVM_MAJOR);
  line_add_all(line, &request->launchers);
  line_push(line, compiler);
  int code = compiles ? check_compile(installation) : 0;
  if (!code && links)
    code = check_link(installation, request, compiler);
  if (code)
    return code;
  if (compiles)
    add_plugin(line, installation, request);
  /* Before the user's options: -Xarch_device -O2 has the last word. Build systems have levels of their own. */
  if (request->cuda_sources && !request->has_optimization && !request->print_flags)
    line_add(line, DEFAULT_OPTIMIZATION);
  code = add_toolkit_flags(line, installation, request, links);
  if (links)
    add_library(line, installation, &request->passed);
  if (code)
    return code;
  add_user_arguments(line, request);
  add_no_architecture(line, request);
  return 0;
}

/* ---- -dlink ---- */
/* clang-linker-wrapper up to 21 needs a toolkit with an older fatbinary. */
static char *toolkit_of_wrapper(const struct installation *installation, const struct toolkit *toolkit) {
  if (GPUPROF_LLVM_MAJOR >= FIRST_MAJOR_WITHOUT_SHIMS || toolkit->version / 1000 < 13)
    return copy_string(toolkit->root);
  return format_string("%s/link", installation->shims);
}

static int add_wrapper(struct line *line, const struct installation *installation,
                       const struct toolkit *toolkit, const char *output) {
  char *compiler = compiler_find(), *wrapper = compiler ? compiler_tool(compiler, LINKER_WRAPPER) : NULL;
  free(compiler);
  if (!wrapper)
    return fail("'-dlink' is done by " LINKER_WRAPPER
                ", which is not there: install the package clang-tools-%d.",
                GPUPROF_LLVM_MAJOR);
  if (!installation->shims)
    return fail("gpuprof's shims are not beside this command (lib/gpuprof/shims): install gpuprof again.");
  char *root = toolkit_of_wrapper(installation, toolkit);
  line_push(line, wrapper);
  line_push(line, format_string("--cuda-path=%s", root));
  if (nvlink_has_to_be_named())
    line_push(line, format_string("--device-linker=--cuda-path=%s", toolkit->root));
  line_push(line, format_string("--linker-path=%s/device-link/ld", installation->shims));
  line_add(line, "-o");
  line_add(line, output);
  free(root);
  return 0;
}

int device_link_line(struct line *line, const struct installation *installation,
                     const struct request *request, const char *output) {
  struct toolkit toolkit = {0};
  struct line inputs = {0};
  int code = 0;
  if (!request->cpu)
    objects_with_device_code(&request->passed, &inputs);
  if (inputs.count)
    code = choose_toolkit(&toolkit, request);
  if (!code && toolkit.root && !(code = add_wrapper(line, installation, &toolkit, output))) {
    line_add(
        line,
        "--whole-archive"); /* the host's linker takes members for the sake of code that is not seen here */
    line_add_all(line, &inputs);
    line_add(line, "--no-whole-archive");
  }
  toolkit_free(&toolkit);
  line_free(&inputs);
  return code;
}
