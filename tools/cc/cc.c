// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof cc: the compiler's command line with every flag that gpuprof and CUDA need. */
#include "cc/line.h"
#include "cc/toolchain.h"
#include "common/commands.h"
#include "common/file.h"
#include "common/process.h"
#include "common/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char cc_details[] =
    "Every argument goes to clang++ as it is, but these:\n"
    "  --print               print the command and run nothing\n"
    "  --print-compile-flags print the flags that compile a .cu file, for build systems; run nothing\n"
    "  --cpu                 compile for the CPU device alone, with gpuprof's own CUDA headers: needs no\n"
    "                        toolkit (with --cuda-path=FOLDER: with that toolkit's headers)\n"
    "  --gpuprof-device=NAME both (default with a toolkit), gpu or cpu\n"
    "Without an -O option CUDA files are compiled with -O3, as nvcc compiles kernels (not with -fsanitize=…).\n"
    "Options of the plugin: -fplugin-arg-gpuprof-NAME=VALUE; -fplugin-arg-gpuprof-help lists them.\n"
    "The CUDA toolkit is the one in --cuda-path, CUDA_PATH, CUDA_HOME, that of nvcc on PATH, or the one in\n"
    "/usr/local/cuda, /opt/cuda or /usr/lib/cuda; with none, the program is compiled for the CPU device.";

#define DEFAULT_ARCHITECTURE "sm_90"
#define DEFAULT_OPTIMIZATION "-O3"
#define FIRST_MAJOR_WITHOUT_SHIMS 22
/* For which architectures device code is compiled; older ones do not. */
#define FIRST_MAJOR_THAT_TELLS_THE_HOST 22
/* Reads the templates of CUDA 13's C++ library as they are. */
#define FIRST_MAJOR_FOR_CUDA_13 19
#define LINKER_WRAPPER "clang-linker-wrapper"

/* ---- What the user gave ---- */
struct request {
  struct line passed;             /* to the compiler */
  struct line c_files, c_options; /* of commands of their own: see "C files beside a standard of C++" below */
  const char *output;             /* of -o, or null */
  bool print, print_flags, help, cpu, no_link, has_architecture, has_cuda_path, chose_driver, relocatable;
  bool has_own_architecture; /* the user said what the CPU device's code is compiled as */
  int highest_architecture;  /* 90 of --cuda-gpu-arch=sm_90; 0: none was given */
  bool has_language;         /* the user gave -x */
  const char *language;      /* of the -x in force, or null */
  bool has_standard;         /* the user gave -std= */
  bool has_optimization;     /* the user gave -O, or -fsanitize=, which wants the code as it is written */
  bool has_cxx_standard;     /* and it is one of C++ */
  const char *device;        /* of --gpuprof-device, or null */
  size_t cuda_sources, other_sources, inputs;
};

static bool ends_with(const char *string, const char *ending) {
  size_t length = strlen(string), tail = strlen(ending);
  return length > tail && !strcmp(string + length - tail, ending);
}

static bool begins_with(const char *string, const char *beginning) {
  return !strncmp(string, beginning, strlen(beginning));
}

static bool is_one_of(const char *string, const char *const *list) {
  for (; *list; ++list)
    if (!strcmp(string, *list))
      return true;
  return false;
}

/* Of --cuda-gpu-arch=sm_90 and its like the highest. */
static void note_architecture(struct request *request, const char *option) {
  const char *name = strstr(option, "-arch=sm_");
  int number = name ? atoi(name + strlen("-arch=sm_")) : 0;
  if (number > request->highest_architecture)
    request->highest_architecture = number;
}

static void note_option(struct request *request, const char *option) {
  static const char *const stops[] = {
      "-c",        "-S", "-E", "-M", "-MM", "-fsyntax-only", "--precompile", "-###", "--cuda-device-only",
      "-emit-ast", NULL};
  request->no_link |= is_one_of(option, stops);
  request->has_architecture |= begins_with(option, "--cuda-gpu-arch=") ||
                               begins_with(option, "--offload-arch=") ||
                               begins_with(option, "--no-cuda-gpu-arch=");
  request->has_own_architecture |= begins_with(option, "-fplugin-arg-gpuprof-arch=");
  note_architecture(request, option);
  request->has_language |= begins_with(option, "-x");
  request->relocatable |= !strcmp(option, "-fgpu-rdc");
  request->chose_driver |=
      !strcmp(option, "--offload-new-driver") || !strcmp(option, "--no-offload-new-driver");
  request->has_cuda_path |= begins_with(option, "--cuda-path=");
  request->has_standard |= begins_with(option, "-std=");
  request->has_optimization |= begins_with(option, "-O") || begins_with(option, "-fsanitize=");
  request->cpu |= !strcmp(option, "-fplugin-arg-gpuprof-device=cpu");
}

/* nvcc's languages. clang++ takes C for C++, whose names are others. */
static const char *language_of(const char *input) {
  if (ends_with(input, ".cu"))
    return "cuda";
  return ends_with(input, ".c") ? "c" : "none";
}

static void take_input(struct request *request, const char *input) {
  static const char *const sources[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".c", ".cp", ".i", ".ii", NULL};
  const char *language = language_of(input);
  if (!strcmp(language, "c") && request->has_cxx_standard && !request->has_language) {
    line_add(&request->c_files, input);
    return;
  }
  ++request->inputs;
  request->cuda_sources += ends_with(input, ".cu");
  for (size_t i = 0; sources[i]; ++i)
    request->other_sources += ends_with(input, sources[i]);
  if (strcmp(language, request->language ? request->language : "none") && !request->has_language) {
    line_add(&request->passed, "-x"); /* holds for all files after it */
    line_add(&request->passed, language);
    request->language = language;
  }
  line_add(&request->passed, input);
}

static int take_device(const struct command *self, struct request *request, const char *device) {
  if (strcmp(device, "both") && strcmp(device, "gpu") && strcmp(device, "cpu"))
    return misuse(self->name, "--gpuprof-device is both, gpu or cpu, not '%s'.", device);
  request->device = device;
  request->cpu |= !strcmp(device, "cpu");
  return 0;
}

static bool is_cxx_standard(const char *option) {
  return begins_with(option, "-std=c++") || begins_with(option, "-std=gnu++");
}

/* `value` is the next argument, where the option has one, or null. */
static void take_option(struct request *request, const char *option, const char *value) {
  bool is_output = begins_with(option, "-o"), is_language = begins_with(option, "-x");
  if (is_output)
    request->output = value ? value : option + 2;
  note_option(request, option);
  line_add(&request->passed, option);
  if (value)
    line_add(&request->passed, value);
  if (is_output || is_language || is_cxx_standard(option))
    return;
  line_add(&request->c_options, option);
  if (value)
    line_add(&request->c_options, value);
}

static int take_arguments(const struct command *self, struct request *request, int argc, char **argv) {
  /* Options whose value is the next argument: it is no input. */
  static const char *const with_value[] = {"-o",           "-x",          "-I",
                                           "-L",           "-D",          "-U",
                                           "-isystem",     "-include",    "-Xclang",
                                           "-Xlinker",     "-MF",         "-MT",
                                           "-MQ",          "-B",          "-l",
                                           "-framework",   "-T",          "-target",
                                           "-Xcuda-ptxas", "-Xarch_host", "-Xarch_device",
                                           "-iquote",      "-idirafter",  "-imacros",
                                           "-isysroot",    NULL};
  static const char device[] = "--gpuprof-device=";
  for (int i = 0; i < argc; ++i)
    request->has_cxx_standard |= is_cxx_standard(argv[i]);
  for (int i = 0; i < argc; ++i) {
    const char *argument = argv[i];
    int code = 0;
    if (!strcmp(argument, "--print"))
      request->print = true;
    else if (!strcmp(argument, "--print-compile-flags"))
      request->print_flags = true;
    else if (!strcmp(argument, "--cpu"))
      request->cpu = true;
    else if (!strcmp(argument, "--help") || !strcmp(argument, "-h"))
      request->help = true;
    else if (begins_with(argument, device))
      code = take_device(self, request, argument + sizeof device - 1);
    else if (argument[0] != '-' || !argument[1])
      take_input(request, argument);
    else
      take_option(request, argument, is_one_of(argument, with_value) && i + 1 < argc ? argv[++i] : NULL);
    if (code)
      return code;
  }
  if (request->no_link && request->output && request->c_files.count &&
      request->c_files.count + request->inputs > 1)
    return misuse(self->name, "-o names one file, and here each source becomes one: leave out -o.");
  return 0;
}

/* ---- The flags that are added ---- */
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

static void add_shims(struct line *line, const struct installation *installation,
                      const struct toolkit *toolkit, const struct request *request) {
  if (GPUPROF_LLVM_MAJOR >= FIRST_MAJOR_WITHOUT_SHIMS || toolkit->version / 1000 < 13 || !installation->shims)
    return;
  line_add(line, "-isystem");
  line_push(line, format_string("%s/include", installation->shims));
  line_push(line, format_string("-B%s/bin", installation->shims));
  /* clang-linker-wrapper does not look there, but in the toolkit: the last one named. */
  if (request->relocatable && !request->cpu && request->inputs && !request->no_link)
    line_push(line, format_string("-Wl,--cuda-path=%s/link", installation->shims));
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

/* As NVIDIA's compiler does: C and C++ files include CUDA's headers, and -lcublas is found. */
static void add_toolkit_for_hosts(struct line *line, const struct toolkit *toolkit,
                                  const struct request *request) {
  if (request->other_sources) {
    line_add(line, "-idirafter");
    line_push(line, format_string("%s/include", toolkit->root));
  }
  if (request->inputs && !request->no_link)
    line_push(line, format_string("-L%s/lib64", toolkit->root));
}

static void add_toolkit(struct line *line, const struct installation *installation,
                        const struct toolkit *toolkit, const struct request *request) {
  if (!request->has_cuda_path)
    line_push(line, format_string("--cuda-path=%s", toolkit->root));
  line_add(line, "-Wno-unknown-cuda-version");
  add_shims(line, installation, toolkit, request);
  add_language(line, toolkit, request);
  char *cccl = format_string("%s/include/cccl", toolkit->root);
  if (folder_exists(cccl)) {
    line_add(line, "-isystem");
    line_add(line, cccl);
  }
  free(cccl);
  if (request->cpu) {
    line_add(line, "--cuda-host-only");
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
  if (cpu && !request->has_architecture) {
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
  if (!code && !toolkit.root && !request->cpu)
    note("no CUDA toolkit found (CUDA_PATH, CUDA_HOME, nvcc on PATH, /usr/local/cuda): compiling for the CPU "
         "device.");
  /* Clang's newer offload driver links through clang-linker-wrapper, which is in a package of its own, and
   * its objects cannot be linked by a plain linker; only separate compilation of device code needs it. */
  if (!code && !request->chose_driver)
    line_add(line, request->relocatable ? "--offload-new-driver" : "--no-offload-new-driver");
  if (!code && cpu)
    line_add(line, "-fplugin-arg-gpuprof-device=cpu");
  if (!code)
    add_cpu_architecture(line, request, cpu);
  if (!code && toolkit.root)
    add_toolkit(line, installation, &toolkit, request);
  else if (!code)
    code = add_minicuda(line, installation);
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
static int add_device_link(struct line *line, const struct installation *installation, const struct request *request) {
  struct toolkit toolkit;
  int code = choose_toolkit(&toolkit, request);
  if (!code && toolkit.root) {
    line_add(line, "--offload-link");
    if (!request->has_cuda_path)
      line_push(line, format_string("--cuda-path=%s", toolkit.root));
    add_shims(line, installation, &toolkit, request);
    line_push(line, format_string("-L%s/lib64", toolkit.root));
  }
  toolkit_free(&toolkit);
  return code;
}

/* First of all libraries, so that its cudaLaunchKernel is found before any other. */
static void add_library(struct line *line, const struct installation *installation) {
  line_push(line, format_string("-L%s", installation->library));
  line_push(line, format_string("-Wl,-rpath,%s", installation->library));
  line_add(line, "-Wl,--push-state,--no-as-needed");
  line_add(line, "-lgpuprof");
  line_add(line, "-Wl,--pop-state");
}

static int build(struct line *line, const struct installation *installation, const struct request *request) {
  bool compiles = request->cuda_sources || request->other_sources,
       links = request->inputs && !request->no_link;
  int code = 0;
  char *compiler = compiler_find();
  if (!compiler)
    return fail("no clang++ of version %d, which the plugin was built for: install the package clang-%d.",
                GPUPROF_LLVM_MAJOR, GPUPROF_LLVM_MAJOR);
  line_push(line, compiler);
  if (compiles && !installation->plugin)
    return fail("the plugin lib/gpuprof/gpuprof.so is not beside this command: build gpuprof with "
                "GPUPROF_BUILD_PLUGIN=ON, "
                "or install it again.");
  if (links && request->relocatable && !request->chose_driver && !compiler_has_tool(compiler, LINKER_WRAPPER))
    return fail("-fgpu-rdc is linked by " LINKER_WRAPPER ", which '%s' does not find: install the package "
                "clang-tools-%d.",
                compiler, GPUPROF_LLVM_MAJOR);
  if (links && !installation->library)
    return fail("libgpuprof.so is not beside this command: build gpuprof completely, or install it again.");
  if (compiles)
    add_plugin(line, installation, request);
  /* Before the user's options: -Xarch_device -O2 has the last word. Build systems have levels of their own. */
  if (request->cuda_sources && !request->has_optimization && !request->print_flags)
    line_add(line, DEFAULT_OPTIMIZATION);
  if (request->cuda_sources)
    code = add_cuda(line, installation, request);
  else if (request->other_sources)
    code = add_cuda_for_hosts(line, installation, request);
  if (!code && links && request->relocatable && !request->cpu && !request->chose_driver && !request->cuda_sources)
    code = add_device_link(line, installation, request);
  if (links)
    add_library(line, installation);
  if (!code)
    line_add_all(line, &request->passed);
  return code;
}

/* ---- C files beside a standard of C++ ----
 * clang wants one standard for all files of a command, and refuses C++'s for C. So C files get commands of
 * their own without it, before that of the other files, which links their objects. */
struct commands {
  struct line *lines;
  size_t count;
};

static struct line *next_command(struct commands *commands) {
  commands->lines = reallocate(commands->lines, (commands->count + 1) * sizeof *commands->lines);
  commands->lines[commands->count] = (struct line){0};
  return &commands->lines[commands->count++];
}

/* `output` may be null: where clang puts it. */
static int build_c(struct commands *commands, const struct installation *installation,
                   const struct request *request, const struct line *files, const char *output) {
  struct request own = *request;
  own.passed = request->c_options;
  own.cuda_sources = own.inputs = 0;
  own.other_sources = files->count;
  struct line *line = next_command(commands);
  int code = build(line, installation, &own);
  line_add(line, "-Qunused-arguments"); /* for CUDA and for the linker */
  if (!request->no_link)
    line_add(line, "-c");
  line_add(line, "-x");
  line_add(line, "c");
  line_add_all(line, files);
  if (output) {
    line_add(line, "-o");
    line_add(line, output);
  }
  return code;
}

/* Objects lie in `folder`; without one, where only the commands are printed, they have the files' names. */
static char *object_of(const char *file, const char *folder, size_t number) {
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  return folder ? format_string("%s/%zu.o", folder, number)
                : format_string("%.*s.o", (int)(strlen(name) - strlen(".c")), name);
}

static int build_all(struct commands *commands, const struct installation *installation,
                     struct request *request, const char *folder) {
  const struct line *files = &request->c_files;
  struct line objects = {0};
  int code = 0;
  if (request->no_link && files->count)
    code = build_c(commands, installation, request, files, request->output);
  for (size_t i = 0; !request->no_link && !code && i < files->count; ++i) {
    char *object = object_of(files->items[i], folder, i);
    line_push(&objects, object);
    code = build_c(commands, installation, request, &(struct line){.items = &files->items[i], .count = 1},
                   object);
  }
  if (!code && (objects.count || !files->count || request->inputs)) {
    request->inputs += objects.count;
    line_add_all(&objects, &request->passed);
    struct request rest = *request;
    rest.passed = objects;
    code = build(next_command(commands), installation, &rest);
  }
  line_free(&objects);
  return code;
}

/* ---- Printing and running ---- */
/* Build systems name the compiler and the files themselves; they need what stands between. */
static int print_compile_flags(const struct installation *installation, struct request *request) {
  struct line line = {0};
  request->cuda_sources = 1;
  request->inputs = 0;
  line_add(&request->passed, "-x");
  line_add(&request->passed, "cuda");
  int code = build(&line, installation, request);
  if (!code)
    line_print(&line, 1);
  line_free(&line);
  return code;
}

/* One command takes this process's place; of several the first that fails ends it. */
static int run_all(const struct commands *commands) {
  char *advice = format_string("install the package clang-%d", GPUPROF_LLVM_MAJOR);
  int code = 0;
  if (commands->count == 1) {
    char *const *items = commands->lines[0].items;
    fflush(NULL);
    execvp(items[0], items);
    code = fail("cannot run '%s': %s; %s.", items[0], strerror(errno), advice);
  }
  for (size_t i = 0; !code && i < commands->count; ++i)
    code = process_run(commands->lines[i].items, advice);
  free(advice);
  return code;
}

static int compile(struct request *request, const struct installation *installation) {
  struct commands commands = {0};
  bool needs_folder = request->c_files.count && !request->no_link && !request->print;
  char *folder = needs_folder ? temporary_folder() : NULL;
  int code = needs_folder && !folder ? EXIT_UNUSABLE : build_all(&commands, installation, request, folder);
  for (size_t i = 0; !code && request->print && i < commands.count; ++i)
    line_print(&commands.lines[i], 0);
  if (!code && !request->print)
    code = run_all(&commands);
  if (folder)
    temporary_folder_remove(folder);
  for (size_t i = 0; i < commands.count; ++i)
    line_free(&commands.lines[i]);
  free(commands.lines);
  return code;
}

int run_cc(const struct command *self, int argc, char **argv) {
  struct request request = {0};
  struct installation installation = {0};
  int code = take_arguments(self, &request, argc, argv);
  if (!code && request.help) {
    options_help(self);
  } else if (!code && !request.print_flags && !request.passed.count && !request.c_files.count) {
    code = misuse(self->name, "'cc' needs a file to compile: gpuprof cc app.cu -o app.");
  } else if (!code) {
    installation_find(&installation);
    code =
        request.print_flags ? print_compile_flags(&installation, &request) : compile(&request, &installation);
  }
  installation_free(&installation);
  line_free(&request.passed);
  line_free(&request.c_files);
  line_free(&request.c_options);
  return code;
}
