// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/steps.h"

#include "cc/added_flags.h"
#include "cc/words.h"
#include "common/say.h"
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- C files beside a standard of C++ ----
 * clang wants one standard for all files of a command, and refuses C++'s for C. So C files get commands of
 * their own without it, before that of the other files, which links their objects. */
static struct line *next_step(struct steps *steps) {
  steps->lines = reallocate(steps->lines, (steps->count + 1) * sizeof *steps->lines);
  steps->lines[steps->count] = (struct line){0};
  return &steps->lines[steps->count++];
}

/* `output` may be null: where clang puts it. */
static int build_c(struct steps *steps, const struct installation *installation,
                   const struct request *request, const struct line *files, const char *output) {
  struct request own = *request;
  own.passed = request->c_options;
  own.cuda_sources = own.inputs = 0;
  own.other_sources = files->count;
  struct line *line = next_step(steps);
  int code = compiler_line(line, installation, &own);
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

static int build_program(struct steps *steps, const struct installation *installation,
                         struct request *request, const char *folder) {
  const struct line *files = &request->c_files;
  struct line objects = {0};
  int code = 0;
  if (request->no_link && files->count)
    code = build_c(steps, installation, request, files, request->output);
  for (size_t i = 0; !request->no_link && !code && i < files->count; ++i) {
    char *object = object_of(files->items[i], folder, i);
    line_push(&objects, object);
    code =
        build_c(steps, installation, request, &(struct line){.items = &files->items[i], .count = 1}, object);
  }
  if (!code && (objects.count || !files->count || request->inputs)) {
    request->inputs += objects.count;
    line_add_all(&objects, &request->passed);
    struct request rest = *request;
    rest.passed = objects;
    code = compiler_line(next_step(steps), installation, &rest);
  }
  line_free(&objects);
  return code;
}

/* ---- One object for each source ---- */
static int build_object(struct steps *steps, const struct installation *installation,
                        const struct request *request, char *file, const char *object) {
  const char *source = file;
  if (line_has(&request->c_files, source))
    return build_c(steps, installation, request, &(struct line){.items = &file, .count = 1}, object);
  struct request own = *request;
  own.passed = (struct line){0};
  own.cuda_sources = request->has_language ? request->is_cuda : ends_with(source, ".cu");
  own.other_sources = !own.cuda_sources;
  own.inputs = 1;
  line_add_all(&own.passed, &request->options);
  if (!request->has_language) {
    line_add(&own.passed, "-x");
    line_add(&own.passed, language_of(source));
  }
  line_add(&own.passed, source);
  line_add(&own.passed, "-o");
  line_add(&own.passed, object);
  int code = compiler_line(next_step(steps), installation, &own);
  line_free(&own.passed);
  return code;
}

/* A library's object; sources of several folders may have one name. */
static char *member_of(const char *source, const char *folder, const struct line *objects) {
  char *object = output_of(source, folder, "o");
  while (line_has(objects, object)) {
    char *same = object;
    object = format_string("%.*s-%zu.o", (int)(strlen(same) - strlen(".o")), same, objects->count);
    free(same);
  }
  return object;
}

static int build_objects(struct steps *steps, const struct installation *installation,
                         const struct request *request, const struct nvcc_plan *plan, const char *folder,
                         struct line *objects) {
  int code = 0;
  for (size_t i = 0; !code && i < request->sources.count; ++i) {
    char *source = request->sources.items[i];
    line_push(objects, plan->product == NVCC_LIBRARY ? member_of(source, folder, objects) : output_of(source, folder, "o"));
    code = build_object(steps, installation, request, source, objects->items[i]);
  }
  return code;
}

static int build_library(struct steps *steps, const struct installation *installation,
                         const struct request *request, const struct nvcc_plan *plan, const char *folder) {
  struct line objects = {0};
  int code = build_objects(steps, installation, request, plan, folder, &objects);
  struct line *line = next_step(steps);
  line_add(line, "ar");
  line_add(line, "rcs");
  line_add_all(line, &plan->archive_options);
  line_add(line, request->output ? request->output : "a.a");
  line_add_all(line, &objects);
  line_add_all(line, &request->objects);
  line_free(&objects);
  return code;
}

/* On the CPU device the linker of the host does all of it: an empty object takes the place of nvcc's. */
static int add_empty_object(struct line *line, const char *output) {
  char *compiler = compiler_find();
  if (!compiler)
    return fail("no clang++ of version %d, which the plugin was built for: install the package clang-%d.",
                GPUPROF_LLVM_MAJOR, GPUPROF_LLVM_MAJOR);
  line_push(line, compiler);
  line_add(line, "-c");
  line_add(line, "-x");
  line_add(line, "c");
  line_add(line, "/dev/null");
  line_add(line, "-o");
  line_add(line, output);
  return 0;
}

static int build_device_link(struct steps *steps, const struct installation *installation,
                             const struct request *request) {
  struct line *line = next_step(steps);
  const char *output = request->output ? request->output : "a_dlink.o";
  int code = device_link_line(line, installation, request, output);
  return code || line->count ? code : add_empty_object(line, output);
}

static void add_run(struct steps *steps, const struct request *request, const struct nvcc_plan *plan) {
  const char *program = request->output ? request->output : "a.out";
  struct line *line = next_step(steps);
  line_push(line, strchr(program, '/') ? copy_string(program) : format_string("./%s", program));
  line_add_all(line, &plan->run_arguments);
}

/* ---- All ---- */
bool steps_need_folder(const struct request *request, const struct nvcc_plan *plan) {
  bool has_objects =
      plan->product == NVCC_LIBRARY ? request->sources.count : request->c_files.count && !request->no_link;
  return has_objects && !request->print;
}

int steps_make(struct steps *steps, const struct installation *installation, struct request *request,
               const struct nvcc_plan *plan, const char *folder) {
  struct line objects = {0};
  int code = 0;
  if (plan->product == NVCC_DEVICE_LINK)
    return build_device_link(steps, installation, request);
  if (plan->product == NVCC_LIBRARY)
    return build_library(steps, installation, request, plan, folder);
  if (plan->folder && request->no_link && !request->output && request->sources.count)
    code = build_objects(steps, installation, request, plan, plan->folder, &objects);
  else
    code = build_program(steps, installation, request, folder);
  if (!code && plan->run && !request->no_link)
    add_run(steps, request, plan);
  line_free(&objects);
  return code;
}

void steps_free(struct steps *steps) {
  for (size_t i = 0; i < steps->count; ++i)
    line_free(&steps->lines[i]);
  free(steps->lines);
}
