// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/request.h"

#include "cc/clang_options.h"
#include "cc/cuda_home.h"
#include "cc/link_objects.h"
#include "cc/words.h"
#include "common/say.h"
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

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
  request->architectures += begins_with(option, "--cuda-gpu-arch=") || begins_with(option, "--offload-arch=");
  request->has_own_architecture |= begins_with(option, "-fplugin-arg-gpuprof-arch=");
  note_architecture(request, option);
  request->relocatable |= !strcmp(option, "-fgpu-rdc");
  request->chose_driver |=
      !strcmp(option, "--offload-new-driver") || !strcmp(option, "--no-offload-new-driver");
  request->has_cuda_path |= begins_with(option, "--cuda-path=");
  request->has_standard |= begins_with(option, "-std=");
  request->has_optimization |= begins_with(option, "-O") || begins_with(option, "-fsanitize=");
  request->cpu |= !strcmp(option, "-fplugin-arg-gpuprof-device=cpu");
}

/* nvcc's languages. clang++ takes C for C++, whose names are others. */
const char *language_of(const char *input) {
  if (ends_with(input, ".cu"))
    return "cuda";
  return ends_with(input, ".c") ? "c" : "none";
}

static void take_input(struct request *request, const char *input) {
  static const char *const sources[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".c", ".cp", ".i", ".ii", NULL};
  const char *language = language_of(input);
  bool is_cuda = request->has_language ? request->is_cuda : !strcmp(language, "cuda");
  bool is_other = request->has_language && !is_cuda;
  if (!strcmp(language, "c") && request->has_cxx_standard && !request->has_language) {
    line_add(&request->c_files, input);
    line_add(&request->sources, input);
    return;
  }
  ++request->inputs;
  for (size_t i = 0; !is_cuda && sources[i]; ++i)
    is_other |= ends_with(input, sources[i]);
  request->cuda_sources += is_cuda;
  request->other_sources += is_other;
  line_add(is_cuda || is_other ? &request->sources : &request->objects, input);
  if (strcmp(language, request->language ? request->language : "none") && !request->has_language) {
    line_add(&request->passed, "-x"); /* holds for all files after it */
    line_add(&request->passed, language);
    request->language = language;
  }
  line_add(&request->passed, input);
}

/* What nvcc makes of a source on its way to an object. */
static bool is_gpu_code(const char *input) {
  static const char *const endings[] = {".ptx", ".cubin", ".fatbin", ".gpu", ".ltoir"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i)
    if (ends_with(input, endings[i]))
      return true;
  return false;
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

static void take_language(struct request *request, const char *language) {
  request->has_language = strcmp(language, "none") != 0;
  request->is_cuda = !strcmp(language, "cuda");
}

/* With its value joined, or in the next argument. */
static bool is_option(const char *option, const char *value, const char *letter, const char *word) {
  return value ? !strcmp(option, letter) || !strcmp(option, word) : begins_with(option, letter);
}

void request_add_option(struct request *request, const char *option, const char *value) {
  bool is_output = is_option(option, value, "-o", "--output");
  bool is_language = is_option(option, value, "-x", "--language");
  if (is_output)
    request->output = value ? value : option + 2;
  if (is_language)
    take_language(request, value ? value : option + 2);
  note_option(request, option);
  line_add(&request->passed, option);
  if (value)
    line_add(&request->passed, value);
  if (is_output)
    return;
  line_add(&request->options, option);
  if (value)
    line_add(&request->options, value);
  if (is_language || is_cxx_standard(option))
    return;
  line_add(&request->c_options, option);
  if (value)
    line_add(&request->c_options, value);
}

static int take_argument(struct request *request, const struct nvcc_plan *plan, size_t *index) {
  static const char device[] = "--gpuprof-device=", launcher[] = "--compiler-launcher=";
  const char *argument = plan->line.items[*index];
  const char *next = *index + 1 < plan->line.count ? plan->line.items[*index + 1] : NULL;
  if (!strcmp(argument, "--print"))
    request->print = true;
  else if (!strcmp(argument, "--print-compile-flags"))
    request->print_flags = true;
  else if (!strcmp(argument, "--cpu"))
    request->cpu = true;
  else if (!strcmp(argument, "--help") || !strcmp(argument, "-h"))
    request->help = true;
  else if (begins_with(argument, launcher))
    line_add(&request->launchers, argument + sizeof launcher - 1);
  else if (begins_with(argument, device))
    return take_device(plan->self, request, argument + sizeof device - 1);
  else if (is_gpu_code(argument) && argument[0] != '-')
    return misuse(plan->self->name,
                  "'%s' is code for a GPU, and gpuprof counts sources: give it the file that it is from.",
                  argument);
  else if (argument[0] != '-' || !argument[1])
    take_input(request, argument);
  else if (next && clang_option_has_value(argument))
    request_add_option(request, argument, plan->line.items[++*index]);
  else
    request_add_option(request, argument, NULL);
  return 0;
}

/* Code for a GPU alone, into a file that is named as nvcc names it. */
static void take_product(struct request *request, const struct nvcc_plan *plan) {
  static const struct {
    enum nvcc_product product;
    const char *flag, *step;
  } kinds[] = {{NVCC_PTX, "-ptx", "-S"}, {NVCC_CUBIN, "-cubin", "-c"}, {NVCC_FATBIN, "-fatbin", "-c"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (plan->product == kinds[i].product) {
      request->device_only = kinds[i].flag;
      request_add_option(request, "--cuda-device-only", NULL);
      request_add_option(request, kinds[i].step, NULL);
    }
  if (plan->product == NVCC_LIBRARY)
    request_add_option(request, "-c", NULL);
}

/* A link finds device code by itself; what -dlink has linked is not linked again. */
static void note_objects(struct request *request) {
  if (request->no_link)
    return;
  if (!objects_have_linked_code(&request->objects))
    request->links_device_code = objects_have_device_code(&request->passed);
  else if (!request->sources.count)
    request->relocatable = false;
}

/* "out/app.o" of app.cu, where nvcc writes it. */
static void name_output(struct request *request, const struct nvcc_plan *plan) {
  bool one =
      request->sources.count == 1 && request->no_link && !request->output && plan->product != NVCC_LIBRARY;
  if (!one || (!plan->folder && !request->device_only))
    return;
  const char *ending = request->device_only ? request->device_only + 1 : "o";
  char *output = output_of(request->sources.items[0], plan->folder, ending);
  request_add_option(request, "-o", output);
  request->output = request->passed.items[request->passed.count - 1];
  free(output);
}

char *output_of(const char *source, const char *folder, const char *ending) {
  const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source, *dot = strrchr(name, '.');
  int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
  return folder ? format_string("%s/%.*s.%s", folder, length, name, ending)
                : format_string("%.*s.%s", length, name, ending);
}

int request_take(struct request *request, const struct nvcc_plan *plan) {
  int code = 0;
  request->every = plan->every;
  request->cpu = cuda_home_chose_cpu();
  request->has_architecture |= plan->every != NVCC_NAMED;
  request->print |= plan->dry_run;
  for (size_t i = 0; i < plan->line.count; ++i)
    request->has_cxx_standard |= is_cxx_standard(plan->line.items[i]);
  for (size_t i = 0; !code && i < plan->line.count; ++i)
    code = take_argument(request, plan, &i);
  take_product(request, plan);
  note_objects(request);
  name_output(request, plan);
  if (!code && request->device_only && request->architectures > 1)
    return misuse(plan->self->name, "'%s' writes code for one architecture: name one with -arch=sm_90.",
                  request->device_only);
  if (!code && request->no_link && request->output && request->c_files.count &&
      request->c_files.count + request->inputs > 1 && plan->product != NVCC_LIBRARY)
    return misuse(plan->self->name, "-o names one file, and here each source becomes one: leave out -o.");
  return code;
}

void request_free(struct request *request) {
  line_free(&request->passed);
  line_free(&request->launchers);
  line_free(&request->c_files);
  line_free(&request->c_options);
  line_free(&request->sources);
  line_free(&request->options);
  line_free(&request->objects);
}
