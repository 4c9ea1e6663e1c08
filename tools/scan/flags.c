// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/flags.h"

#include "cc/clang_options.h"
#include "cc/nvcc.h"
#include "cc/nvcc_flags.h"
#include "cc/words.h"
#include "common/file.h"
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

#define RESPONSE_DEPTH 4 /* files of flags that name files of flags */

/* clang's flags with an effect on parsing. */
enum flag_kind {
  FLAG_VALUE, /* -DNAME, -D NAME, -std=c++17 */
  FLAG_PATH,  /* the same with a folder or file */
  FLAG_ALONE  /* and what begins so */
};
static const struct {
  const char *name;
  enum flag_kind kind;
} flags[] = {
    /* Longer names first. */
    {"-include-pch", FLAG_ALONE}, {"-include", FLAG_PATH},        {"-imacros", FLAG_PATH},    {"-isystem", FLAG_PATH},
    {"-iquote", FLAG_PATH},       {"-idirafter", FLAG_PATH},      {"-isysroot", FLAG_PATH},   {"--sysroot=", FLAG_PATH},
    {"--cuda-path=", FLAG_PATH},  {"-std=", FLAG_VALUE},          {"-I", FLAG_PATH},          {"-D", FLAG_VALUE},
    {"-U", FLAG_VALUE},           {"-fopenmp", FLAG_ALONE},       {"-pthread", FLAG_ALONE},   {"-fms-extensions", FLAG_ALONE},
    {"-fno-rtti", FLAG_ALONE},    {"-fno-exceptions", FLAG_ALONE}, {"-ffast-math", FLAG_ALONE}, {"-fgpu-rdc", FLAG_ALONE},
    {"-march=", FLAG_ALONE},      {"-mavx", FLAG_ALONE},          {"-msse", FLAG_ALONE},      {"-mfma", FLAG_ALONE},
    {"-nostdinc", FLAG_ALONE},    {"-ftemplate-depth=", FLAG_VALUE}, {"-fchar8_t", FLAG_ALONE},
};

struct flag_reader {
  struct line *out;
  const char *folder;
  bool *is_cuda;
  unsigned depth;
};

static void take_all(struct flag_reader *reader, const struct line *given);

static char *absolute(const char *path, const char *folder) {
  return *path == '/' || !folder ? copy_string(path) : format_string("%s/%s", folder, path);
}

/* ---- clang's ---- */
/* A header to include may also be one of the folders of headers. */
static void add_clang(struct flag_reader *reader, const char *name, bool is_path, const char *value) {
  char *path = absolute(value, reader->folder);
  bool is_file = is_path && (strncmp(name, "-i", 2) || file_exists(path) || folder_exists(path));
  line_push(reader->out, format_string("%s%s", name, is_file ? path : value));
  free(path);
}

/* Takes an argument of clang's, with the next one where it is its value. Returns how many were taken. */
static size_t take_clang(struct flag_reader *reader, const char *argument, const char *next) {
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
    const char *value = argument + strlen(flags[i].name);
    if (!begins_with(argument, flags[i].name))
      continue;
    if (flags[i].kind == FLAG_ALONE)
      line_add(reader->out, argument);
    else if (*value || next)
      add_clang(reader, flags[i].name, flags[i].kind == FLAG_PATH, *value ? value : next);
    return 1 + (flags[i].kind != FLAG_ALONE && !*value && next);
  }
  if (begins_with(argument, "-x")) {
    const char *language = argument[2] ? argument + 2 : next;
    *reader->is_cuda |= language && (!strcmp(language, "cu") || !strcmp(language, "cuda"));
  }
  return 1 + (next && clang_option_has_value(argument));
}

/* ---- nvcc's ---- */
static void take_file(struct flag_reader *reader, const char *name) {
  struct line words = {0};
  struct text content = {0};
  char *path = absolute(name, reader->folder);
  if (reader->depth < RESPONSE_DEPTH && !file_read_source(path, &content)) {
    words_split(&words, text_get(&content));
    ++reader->depth;
    take_all(reader, &words);
    --reader->depth;
  }
  free(path);
  text_free(&content);
  line_free(&words);
}

static void take_list(struct flag_reader *reader, const char *value) {
  struct line words = {0};
  words_and_values_split(&words, value);
  take_all(reader, &words);
  line_free(&words);
}

static void take_clang_all(struct flag_reader *reader, const struct line *words) {
  for (size_t i = 0; i < words->count;)
    i += take_clang(reader, words->items[i], i + 1 < words->count ? words->items[i + 1] : NULL);
}

/* What a flag of nvcc is for clang, with `value` in place of each %. */
static void take_template(struct flag_reader *reader, const char *template, const char *value) {
  struct line words = {0};
  nvcc_add_template(&words, template, value);
  take_clang_all(reader, &words);
  line_free(&words);
}

static void take_templates(struct flag_reader *reader, const char *template, const char *values) {
  struct line words = {0};
  values_split(&words, values);
  for (size_t i = 0; i < words.count; ++i)
    take_template(reader, template, words.items[i]);
  line_free(&words);
}

static void take_nvcc(struct flag_reader *reader, const struct nvcc_flag *flag, const char *value) {
  if (!strcmp(flag->long_name, "--compiler-options"))
    take_list(reader, value);
  else if (!strcmp(flag->long_name, "--options-file"))
    take_file(reader, value);
  else if (!strcmp(flag->long_name, "--x"))
    *reader->is_cuda |= !strcmp(value, "cu") || !strcmp(value, "cuda");
  else if (flag->handling != NVCC_IS_SAME && flag->handling != NVCC_IS_MAPPED)
    return;
  else if (nvcc_flag_is_list(flag))
    take_templates(reader, flag->clang, value);
  else
    take_template(reader, flag->if_false && !strcmp(value, "false") ? flag->if_false : flag->clang, value);
}

/* ---- All ---- */
static void take_all(struct flag_reader *reader, const struct line *given) {
  for (size_t i = 0; i < given->count;) {
    const char *argument = given->items[i], *next = i + 1 < given->count ? given->items[i + 1] : NULL, *value = NULL;
    const struct nvcc_flag *flag = nvcc_flag_find(argument, &value);
    if (*argument == '@')
      take_file(reader, argument + 1);
    if (!flag) {
      i += *argument == '-' ? take_clang(reader, argument, next) : 1;
      continue;
    }
    bool takes_next = *flag->value && !value && next;
    take_nvcc(reader, flag, value ? value : takes_next ? next : "");
    i += 1 + takes_next;
  }
}

void flags_take(struct line *out, const struct line *given, const char *folder, bool *is_cuda) {
  struct flag_reader reader = {.out = out, .folder = folder, .is_cuda = is_cuda};
  take_all(&reader, given);
}
