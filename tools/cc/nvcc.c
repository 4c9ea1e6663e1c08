// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/nvcc.h"

#include "cc/architectures.h"
#include "cc/clang_options.h"
#include "cc/nvcc_flags.h"
#include "cc/words.h"
#include "common/file.h"
#include "common/say.h"
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

/* Its name since clang 18. */
#if GPUPROF_LLVM_MAJOR >= 18
#define APPROXIMATE_FUNCTIONS "-fgpu-approx-transcendentals"
#else
#define APPROXIMATE_FUNCTIONS "-fcuda-approx-transcendentals"
#endif
#define DEEPEST_OPTIONS_FILE 8
#define LARGEST_OPTIONS_FILE (16u << 20)

/* ---- Flags that become others ---- */
void nvcc_add_template(struct line *line, const char *template, const char *value) {
  while (*template) {
    size_t length = strcspn(template, " ");
    const char *mark = memchr(template, '%', length);
    if (mark)
      line_push(line, format_string("%.*s%s%.*s", (int)(mark - template), template, value,
                                    (int)(template + length - mark - 1), mark + 1));
    else
      line_push(line, format_string("%.*s", (int)length, template));
    template += length + (template[length] == ' ');
  }
}

static int map(struct nvcc_plan *plan, const struct nvcc_flag *flag, const char *value) {
  const char *template = flag->if_false && !strcmp(value, "false") ? flag->if_false : flag->clang;
  if (!nvcc_flag_is_list(flag)) {
    nvcc_add_template(&plan->line, template, value);
    return 0;
  }
  struct line words = {0};
  if (flag->handling == NVCC_IS_SAME) /* folders, files and names */
    values_split(&words, value);
  else
    words_and_values_split(&words, value);
  for (size_t i = 0; i < words.count; ++i)
    nvcc_add_template(&plan->line, template, words.items[i]);
  line_free(&words);
  return 0;
}

/* ---- Architectures ---- */
static int add_architecture(struct nvcc_plan *plan, struct line *line, const char *name) {
  if (!strcmp(name, "all") || !strcmp(name, "all-major")) {
    plan->every = strcmp(name, "all") ? NVCC_EVERY_MAJOR : NVCC_EVERY;
    return 0;
  }
  if (!strcmp(name, "native")) {
    architectures_native(line);
    return 0;
  }
  char *real = architecture_real(name);
  if (!real)
    return misuse(plan->self->name, "'%s' is no GPU architecture: name one as sm_90 or compute_90.", name);
  if (!line_has(line, real))
    line_add(line, real);
  free(real);
  return 0;
}

int nvcc_take_architecture(struct nvcc_plan *plan, const char *given) {
  return add_architecture(plan, &plan->named, given);
}

int nvcc_take_code(struct nvcc_plan *plan, const char *given) {
  struct line words = {0};
  int code = 0;
  words_and_values_split(&words, given);
  for (size_t i = 0; !code && i < words.count; ++i)
    code = add_architecture(plan, &plan->codes, words.items[i]);
  line_free(&words);
  return code;
}

/* arch=compute_80,code=sm_80 or arch=compute_80,code=[sm_80,compute_80]: the code counts, else the arch. */
int nvcc_take_generate(struct nvcc_plan *plan, const char *given) {
  const char *codes = strstr(given, "code=");
  char *plain = copy_string(codes ? codes + strlen("code=") : given);
  for (char *at = plain; *at; ++at)
    if (strchr("[]\"", *at))
      *at = ' ';
  struct line words = {0};
  int code = 0;
  words_and_values_split(&words, plain);
  for (size_t i = 0; !code && i < words.count; ++i)
    code = add_architecture(plan, &plan->named,
                            words.items[i] + (begins_with(words.items[i], "arch=") ? strlen("arch=") : 0));
  if (!words.count)
    code = misuse(plan->self->name, "'-gencode' needs a value: -gencode=arch=compute_90,code=sm_90.");
  line_free(&words);
  free(plain);
  return code;
}

int nvcc_take_list_real(struct nvcc_plan *plan, const char *given) {
  (void)given;
  plan->list_real = true;
  return 0;
}

int nvcc_take_list_virtual(struct nvcc_plan *plan, const char *given) {
  (void)given;
  plan->list_virtual = true;
  return 0;
}

/* -code takes the place of -arch. */
static void finish_architectures(struct nvcc_plan *plan) {
  const struct line *line = plan->codes.count ? &plan->codes : &plan->named;
  for (size_t i = 0; i < line->count; ++i)
    line_push(&plan->line, format_string("--cuda-gpu-arch=%s", line->items[i]));
}

/* ---- Mathematics and optimization ---- */
int nvcc_take_fast_math(struct nvcc_plan *plan, const char *given) {
  (void)given;
  plan->math.fast = true;
  return 0;
}

#define TAKE_MATH(name)                                                                                      \
  int nvcc_take_##name(struct nvcc_plan *plan, const char *given) {                                          \
    plan->math.name = strcmp(given, "true") ? "false" : "true";                                              \
    return 0;                                                                                                \
  }
TAKE_MATH(ftz)
TAKE_MATH(prec_div)
TAKE_MATH(prec_sqrt)
#undef TAKE_MATH

/* LLVM takes an option of -mllvm once only. A precise function costs what it costs with nvcc: 2 is a rounded division,
 * 1 nvcc's without rounding, 0 that of fast mathematics. */
static void finish_math(struct nvcc_plan *plan) {
  const struct nvcc_math *math = &plan->math;
  bool flush = math->ftz ? !strcmp(math->ftz, "true") : math->fast;
  const char *division = math->prec_div ? strcmp(math->prec_div, "true") ? math->fast ? "0" : "1" : "2"
                         : math->fast   ? "0"
                                        : NULL;
  const char *root = math->prec_sqrt ? strcmp(math->prec_sqrt, "true") ? "0" : "1" : math->fast ? "0" : NULL;
  if (math->fast)
    nvcc_add_template(&plan->line, APPROXIMATE_FUNCTIONS " -Xarch_device -fapprox-func", "");
  if (flush)
    nvcc_add_template(&plan->line, "-fgpu-flush-denormals-to-zero", "");
  if (division)
    nvcc_add_template(&plan->line, "-mllvm -nvptx-prec-divf32=%", division);
  if (root)
    nvcc_add_template(&plan->line, "-mllvm -nvptx-prec-sqrtf32=%", root);
  if (math->fast || flush)
    nvcc_add_template(&plan->line, "-fplugin-arg-gpuprof-math=%", math->fast ? "fast" : "flush");
}

int nvcc_take_device_debug(struct nvcc_plan *plan, const char *given) {
  (void)given;
  plan->device_debug = true;
  return 0;
}

int nvcc_take_device_optimization(struct nvcc_plan *plan, const char *given) {
  (void)given;
  plan->device_optimization = true;
  return 0;
}

/* Behind every -O: -G has the last word. */
static void finish_debug(struct nvcc_plan *plan) {
  if (plan->device_debug)
    nvcc_add_template(&plan->line, plan->device_optimization ? "-g" : "-g -O0 --cuda-noopt-device-debug", "");
}

/* ---- Steps ---- */
#define TAKE_PRODUCT(name, kind)                                                                             \
  int nvcc_take_##name(struct nvcc_plan *plan, const char *given) {                                          \
    (void)given;                                                                                             \
    plan->product = kind;                                                                                    \
    return 0;                                                                                                \
  }
TAKE_PRODUCT(device_link, NVCC_DEVICE_LINK)
TAKE_PRODUCT(library, NVCC_LIBRARY)
TAKE_PRODUCT(ptx, NVCC_PTX)
TAKE_PRODUCT(cubin, NVCC_CUBIN)
TAKE_PRODUCT(fatbin, NVCC_FATBIN)
#undef TAKE_PRODUCT

int nvcc_take_run(struct nvcc_plan *plan, const char *given) {
  (void)given;
  plan->run = true;
  return 0;
}

int nvcc_take_run_arguments(struct nvcc_plan *plan, const char *given) {
  words_and_values_split(&plan->run_arguments, given);
  return 0;
}

int nvcc_take_dry_run(struct nvcc_plan *plan, const char *given) {
  (void)given;
  plan->dry_run = true;
  return 0;
}

int nvcc_take_version(struct nvcc_plan *plan, const char *given) {
  (void)given;
  plan->version = true;
  return 0;
}

/* One of clang's two compiles is enough, and all that -o has room for. */
static int add_one_pass(struct nvcc_plan *plan, const char *option) {
  plan->one_pass = true;
  line_add(&plan->line, option);
  return 0;
}

int nvcc_take_preprocess(struct nvcc_plan *plan, const char *given) {
  (void)given;
  return add_one_pass(plan, "-E");
}

int nvcc_take_dependencies(struct nvcc_plan *plan, const char *given) {
  (void)given;
  return add_one_pass(plan, "-M");
}

int nvcc_take_own_dependencies(struct nvcc_plan *plan, const char *given) {
  (void)given;
  return add_one_pass(plan, "-MM");
}

static void finish_one_pass(struct nvcc_plan *plan) {
  static const char *const chosen[] = {"--cuda-host-only", "--cuda-device-only", "--offload-host-only",
                                       "--offload-device-only", NULL};
  for (size_t i = 0; i < plan->line.count; ++i)
    if (is_one_of(plan->line.items[i], chosen))
      return;
  if (plan->one_pass)
    line_add(&plan->line, "--cuda-host-only");
}

/* ---- Files ---- */
int nvcc_take_folder(struct nvcc_plan *plan, const char *given) {
  free(plan->folder);
  plan->folder = copy_string(given);
  return 0;
}

int nvcc_take_language(struct nvcc_plan *plan, const char *given) {
  line_add(&plan->line, "-x");
  line_add(&plan->line, strcmp(given, "cu") ? given : "cuda");
  return 0;
}

int nvcc_take_machine(struct nvcc_plan *plan, const char *given) {
  (void)given;
  line_add(&plan->line, "-m64");
  return 0;
}

static int take_arguments(struct nvcc_plan *plan, int argc, char *const *argv);

static int take_file_of_options(struct nvcc_plan *plan, const char *path) {
  struct text content = {0};
  struct line words = {0};
  if (plan->depth == DEEPEST_OPTIONS_FILE)
    return fail("'%s' is read by an options file that it names, or by too many of them: take it out there.",
                path);
  const char *why = file_read_regular(path, LARGEST_OPTIONS_FILE, &content);
  if (why)
    return fail("cannot read the options file '%s': %s; correct its name, or leave it out.", path, why);
  words_split(&words, text_get(&content));
  ++plan->depth;
  int code = take_arguments(plan, (int)words.count, words.items);
  --plan->depth;
  line_free(&words);
  text_free(&content);
  return code;
}

int nvcc_take_options_file(struct nvcc_plan *plan, const char *given) {
  struct line words = {0};
  int code = 0;
  values_split(&words, given);
  for (size_t i = 0; !code && i < words.count; ++i)
    code = take_file_of_options(plan, words.items[i]);
  line_free(&words);
  return code;
}

/* ---- Options for other tools ---- */
/* Options of the host compiler that clang's device compile takes as well, needs, or leaves to the linker. */
static bool is_for_all(const char *option) {
  static const char *const beginnings[] = {
      "-D",         "-I",          "-U",         "-isystem",   "-include",     "-iquote",
      "-idirafter", "-fPI",        "-fpi",       "-fopenmp",   "-pthread",     "-Wl,",
      "-Wa,",       "-Wp,",        "-l",         "-L",         "-static",      "-shared",
      "-rdynamic",  "-pie",        "-no-pie",    "-fsanitize", "-pg",          "-g",
      "-M",         "-B",          "--coverage", "-std=",      "-fvisibility", "-w",
      "-pipe",      "-save-temps", "-v",         "-c",         "-z",           NULL};
  for (size_t i = 0; beginnings[i]; ++i)
    if (begins_with(option, beginnings[i]))
      return true;
  return option[0] != '-';
}

/* The CPU device compiles kernels with the host's options: levels and fast math of the host alone would be theirs. */
static bool is_left_out(const char *option) {
  return begins_with(option, "-O") || !strcmp(option, "-ffast-math");
}

/* -Xarch_host takes no options with a value in the next argument. */
static void add_host_option(struct line *line, const char *option) {
  if (is_left_out(option))
    return;
  if (!is_for_all(option) && !clang_option_has_value(option))
    line_add(line, "-Xarch_host");
  line_add(line, option);
}

int nvcc_take_host_options(struct nvcc_plan *plan, const char *given) {
  struct line words = {0};
  words_and_values_split(&words, given);
  for (size_t i = 0; i < words.count; ++i)
    if (begins_with(words.items[i], "-Wl") && !words.items[i][3] &&
        i + 1 < words.count) /* -Xcompiler -Wl,-rpath,/x */
      for (; i + 1 < words.count; ++i)
        nvcc_add_template(&plan->line, "-Xlinker %", words.items[i + 1]);
    else {
      add_host_option(&plan->line, words.items[i]);
      if (clang_option_has_value(words.items[i]) && i + 1 < words.count)
        line_add(&plan->line, words.items[++i]);
    }
  line_free(&words);
  return 0;
}

/* ptxas takes its level once, and clang names one. */
int nvcc_take_ptxas_options(struct nvcc_plan *plan, const char *given) {
  struct line words = {0};
  words_and_values_split(&words, given);
  for (size_t i = 0; i < words.count; ++i)
    if (!begins_with(words.items[i], "-O") && !begins_with(words.items[i], "--opt-level"))
      nvcc_add_template(&plan->line, "-Xcuda-ptxas %", words.items[i]);
  line_free(&words);
  return 0;
}

int nvcc_take_archive_options(struct nvcc_plan *plan, const char *given) {
  words_and_values_split(&plan->archive_options, given);
  return 0;
}

/* ---- Messages ---- */
/* A bare -Werror is clang's; the kinds are those of nvcc. */
static bool is_werror_kind(const char *word) {
  static const char *const kinds[] = {"all-warnings",
                                      "cross-execution-space-call",
                                      "default-stream-launch",
                                      "deprecated-declarations",
                                      "ext-lambda-captures-this",
                                      "missing-launch-bounds",
                                      "reorder",
                                      NULL};
  return is_one_of(word, kinds);
}

int nvcc_take_werror(struct nvcc_plan *plan, const char *given) {
  struct line words = {0};
  words_and_values_split(&words, given);
  for (size_t i = 0; i < words.count; ++i)
    if (!strcmp(words.items[i], "all-warnings"))
      line_add(&plan->line, "-Werror");
    else if (!strcmp(words.items[i], "reorder") || !strcmp(words.items[i], "deprecated-declarations") ||
             !is_werror_kind(words.items[i]))
      line_push(&plan->line, format_string("-Werror=%s", words.items[i]));
  line_free(&words);
  return 0;
}

/* ---- The whole line ---- */
static int take_value(struct nvcc_plan *plan, const struct nvcc_flag *flag, const char *argument,
                      const char *value) {
  if (!nvcc_flag_allows(flag, value))
    return misuse(plan->self->name, "'%.*s' is %s, not '%s'.", (int)strcspn(argument, "="), argument,
                  flag->value, value);
  switch (flag->handling) {
  case NVCC_IS_TAKEN:
    return flag->take(plan, value);
  case NVCC_IS_IGNORED:
    return 0;
  default:
    return map(plan, flag, value);
  }
}

static bool is_clangs_too(const struct nvcc_flag *flag, const char *value) {
  static const char *const both[] = {
      "-x", "-E", "-M", "-MM", "-Xlinker", "-Wreorder", "-Wno-deprecated-declarations", NULL};
  return is_one_of(flag->short_name, both) && !(value && !strcmp(value, "cu"));
}

static int take_flag(struct nvcc_plan *plan, const struct nvcc_flag *flag, const char *argument,
                     const char *value) {
  plan->has_nvcc_flag |= !is_clangs_too(flag, value);
  if (flag->handling == NVCC_IS_REFUSED)
    return misuse(plan->self->name, "'%s' is refused: %s.", argument, flag->text);
  if (!*flag->value)
    return flag->handling == NVCC_IS_TAKEN     ? flag->take(plan, "")
           : flag->handling == NVCC_IS_IGNORED ? 0
                                               : map(plan, flag, "");
  if (!value || !*value)
    return misuse(plan->self->name, "'%s' needs a value: %s=%s.", flag->short_name, flag->short_name,
                  flag->value);
  return take_value(plan, flag, argument, value);
}

/* True where `argument` is nvcc's only with one of its values behind it. */
static bool is_clangs(const char *argument, const char *next) {
  return !strcmp(argument, "-Werror") &&
         !(next && (is_werror_kind(next) || strchr(next, ',')) && next[0] != '-');
}

static int take_argument(struct nvcc_plan *plan, int argc, char *const *argv, int *index) {
  const char *argument = argv[*index], *next = *index + 1 < argc ? argv[*index + 1] : NULL, *value = NULL;
  if (argument[0] == '@' && file_exists(argument + 1))
    return take_file_of_options(plan, argument + 1);
  const struct nvcc_flag *flag = is_clangs(argument, next) ? NULL : nvcc_flag_find(argument, &value);
  if (flag) {
    if (*flag->value && !value && next) {
      value = next;
      ++*index;
    }
    return take_flag(plan, flag, argument, value);
  }
  bool has_value = clang_option_has_value(argument);
  const char *near = has_value ? NULL : nvcc_flag_nearest(argument);
  if (near)
    return misuse(plan->self->name, "unknown flag '%s'; did you mean '%s'?", argument, near);
  line_add(&plan->line, argument);
  if (next && has_value) {
    line_add(&plan->line, next);
    ++*index;
  }
  return 0;
}

static int take_arguments(struct nvcc_plan *plan, int argc, char *const *argv) {
  int code = 0;
  for (int i = 0; !code && i < argc; ++i)
    code = take_argument(plan, argc, argv, &i);
  return code;
}

static int take_environment(struct nvcc_plan *plan, const char *variable) {
  const char *flags = getenv(variable);
  struct line words = {0};
  if (flags)
    words_split(&words, flags);
  int code = take_arguments(plan, (int)words.count, words.items);
  line_free(&words);
  return code;
}

int nvcc_translate(struct nvcc_plan *plan, int argc, char *const *argv) {
  int code = take_environment(plan, "NVCC_PREPEND_FLAGS");
  if (!code)
    code = take_arguments(plan, argc, argv);
  if (!code)
    code = take_environment(plan, "NVCC_APPEND_FLAGS");
  if (code)
    return code;
  finish_architectures(plan);
  finish_math(plan);
  finish_debug(plan);
  finish_one_pass(plan);
  if (plan->has_nvcc_flag) /* nvcc does not mind options for steps that it does not take */
    line_add(&plan->line, "-Wno-unused-command-line-argument");
  return 0;
}

void nvcc_plan_free(struct nvcc_plan *plan) {
  line_free(&plan->line);
  line_free(&plan->run_arguments);
  line_free(&plan->archive_options);
  line_free(&plan->named);
  line_free(&plan->codes);
  free(plan->folder);
}
