// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/nvcc_flags.h"

#include "cc/nvcc.h"
#include "cc/words.h"
#include "common/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct nvcc_flag flags[] = {
#define NVCC_GROUP(title) {.text = title},
#define NVCC_SAME(long, short, value, clang, text)                                                           \
  {long, short, value, NVCC_IS_SAME, clang, NULL, NULL, text},
#define NVCC_MAP(long, short, value, clang, text)                                                            \
  {long, short, value, NVCC_IS_MAPPED, clang, NULL, NULL, text},
#define NVCC_BOOL(long, short, when_true, when_false, text)                                                  \
  {long, short, "true|false", NVCC_IS_MAPPED, when_true, when_false, NULL, text},
#define NVCC_TAKE(long, short, value, take, clang, text)                                                     \
  {long, short, value, NVCC_IS_TAKEN, clang, NULL, nvcc_take_##take, text},
#define NVCC_IGNORED(long, short, value, text) {long, short, value, NVCC_IS_IGNORED, "", NULL, NULL, text},
#define NVCC_REFUSED(long, short, value, text) {long, short, value, NVCC_IS_REFUSED, "", NULL, NULL, text},
#include "cc/nvcc_flags.def"
};
#define FLAG_COUNT (sizeof flags / sizeof *flags)

static bool is_group(const struct nvcc_flag *flag) { return !flag->long_name; }

/* ---- Looking up ---- */
/* nvcc takes -name and --name where both are long. */
static const char *bare(const char *name) { return name + strspn(name, "-"); }

static bool is_letter(const char *name) { return strlen(name) == 2; }

/* Values that may stand directly behind these letters; clang reads other joined values itself. */
static bool is_joined_value(const char *name, const char *behind) {
  return !strcmp(name, "-t") ? strspn(behind, "0123456789") == strlen(behind) : !strcmp(name, "-x") && !strcmp(behind, "cu");
}

/* `argument` is `name`, alone or with =value; of some single letters also with the value directly behind it. */
static bool names(const struct nvcc_flag *flag, const char *name, const char *argument, const char **value) {
  size_t dashes = strspn(name, "-");
  if (strncmp(argument, name, dashes) != 0 ||
      (is_letter(name) ? argument[1] != name[1] : !begins_with(bare(argument), bare(name))))
    return false;
  const char *behind = is_letter(name) ? argument + 2 : bare(argument) + strlen(bare(name));
  *value = *behind == '=' ? behind + 1 : NULL;
  if (*value)
    return *flag->value;
  if (*behind && is_joined_value(name, behind))
    *value = behind;
  return !*behind || *value;
}

static bool is_named(const struct nvcc_flag *flag, const char *argument, const char **value) {
  if (is_group(flag) || argument[0] != '-' || !argument[1])
    return false;
  if (flag->handling != NVCC_IS_SAME)
    return names(flag, flag->short_name, argument, value) || names(flag, flag->long_name, argument, value);
  /* clang reads -std=c++17 and -I FOLDER itself, but not -std c++17, -I=FOLDER nor --compile. */
  bool takes_equals = begins_with(flag->clang, flag->short_name) && flag->clang[strlen(flag->short_name)] == '=';
  if (takes_equals && !strcmp(argument, flag->short_name)) {
    *value = NULL;
    return true;
  }
  if (!begins_with(argument, "--"))
    return !takes_equals && names(flag, flag->short_name, argument, value) && *value;
  return names(flag, flag->long_name, argument, value);
}

const struct nvcc_flag *nvcc_flag_find(const char *argument, const char **value) {
  for (size_t i = 0; i < FLAG_COUNT; ++i)
    if (is_named(&flags[i], argument, value))
      return &flags[i];
  return NULL;
}

bool nvcc_flag_is_list(const struct nvcc_flag *flag) { return ends_with(flag->value, ",..."); }

bool nvcc_flag_allows(const struct nvcc_flag *flag, const char *value) {
  const char *at = flag->value;
  if (!strchr(at, '|') && strcmp(at, "64") && strcmp(at, "on"))
    return *value;
  for (; *at; at += strspn(at, "|")) {
    size_t length = strcspn(at, "|");
    if ((strlen(value) == length && !strncmp(at, value, length)) || !strncmp(at, "...", length))
      return *value;
    at += length;
  }
  return false;
}

/* ---- Unknown flags ---- */
/* clang's families, which begin alike or resemble a flag of nvcc. */
static bool can_be_clangs(const char *argument) {
  static const char *const families[] = {
      "-f",      "-W",        "-m",       "-O",    "-g",   "-D",     "-I",
      "-L",      "-l",        "-M",       "-U",    "-std", "-Xarch", "-Xclang",
      "-Xcuda-", "--cuda-",   "-include", "-dump", "-i",   "-T",     "--print",
      "-print",  "--offload", "--hip",    "-B",    "-z",   "-cuid",  "--relocatable-pch",
      NULL};
  for (size_t i = 0; families[i]; ++i)
    if (begins_with(argument, families[i]))
      return !begins_with(argument, "-gen") && !begins_with(argument, "-max") &&
             !begins_with(argument, "-line");
  return strlen(bare(argument)) < 4;
}

const char *nvcc_flag_nearest(const char *argument) {
  if (can_be_clangs(argument))
    return NULL;
  const char *names[FLAG_COUNT];
  size_t count = 0, dashes = strspn(argument, "-");
  for (size_t i = 0; i < FLAG_COUNT; ++i) {
    if (is_group(&flags[i]) || flags[i].handling == NVCC_IS_SAME)
      continue;
    const char *name = dashes > 1 ? flags[i].long_name : flags[i].short_name;
    if (strspn(name, "-") == dashes)
      names[count++] = name;
  }
  char *word = strndup(argument, strcspn(argument, "="));
  const char *near = word ? nearest_name(word, names, count) : NULL;
  bool alike = near && !strncmp(bare(near), bare(argument), 2);
  free(word);
  return alike ? near : NULL;
}

/* ---- Printing ---- */
/* clang's flags with the value's name in place of %. */
static void print_template(const char *clang, const char *value) {
  size_t length =
      nvcc_flag_is_list(&(struct nvcc_flag){.value = value}) ? strlen(value) - strlen(",...") : strlen(value);
  if (strchr(value, '|') && strcmp(value, "true|false"))
    value = "VALUE", length = strlen(value);
  for (const char *at = clang; *at; ++at)
    if (*at == '%')
      printf("%.*s", (int)length, value);
    else
      putchar(*at);
}

static void print_meaning(const struct nvcc_flag *flag, const char *quote) {
  if (flag->handling == NVCC_IS_IGNORED || flag->handling == NVCC_IS_REFUSED) {
    fputs(flag->handling == NVCC_IS_IGNORED ? "ignored" : "refused", stdout);
    return;
  }
  if (*flag->clang) {
    fputs(quote, stdout);
    print_template(flag->clang, flag->value);
    fputs(quote, stdout);
  }
  if (flag->if_false)
    printf("; false: %s%s%s", quote, flag->if_false, quote);
}

/* One name where both differ by a dash only. */
static void print_names(const struct nvcc_flag *flag, const char *quote) {
  if (strcmp(bare(flag->short_name), bare(flag->long_name)) != 0)
    printf("%s%s%s, ", quote, flag->short_name, quote);
  printf("%s%s%s", quote, flag->long_name, quote);
}

static void print_row(const struct nvcc_flag *flag) {
  bool has_meaning = *flag->clang || flag->handling == NVCC_IS_IGNORED || flag->handling == NVCC_IS_REFUSED;
  fputs("  ", stdout);
  print_names(flag, "");
  printf("%s%s\n      ", *flag->value ? " " : "", flag->value);
  print_meaning(flag, "");
  const char *between = flag->handling == NVCC_IS_IGNORED || flag->handling == NVCC_IS_REFUSED ? ": " : "; ";
  printf("%s%s\n", has_meaning && *flag->text ? between : "", flag->text);
}

/* A table's own mark is written as an entity. */
static void print_cell(const char *text) {
  for (; *text; ++text)
    if (*text == '|')
      fputs("\\|", stdout);
    else
      putchar(*text);
}

static void print_markdown_row(const struct nvcc_flag *flag) {
  fputs("| ", stdout);
  print_names(flag, "`");
  if (*flag->value) {
    fputs(" ", stdout);
    print_cell(flag->value);
  }
  fputs(" | ", stdout);
  print_meaning(flag, "`");
  printf(" | %s |\n", flag->text);
}

void nvcc_flags_print(bool markdown) {
  for (size_t i = 0; i < FLAG_COUNT; ++i) {
    const struct nvcc_flag *flag = &flags[i];
    if (is_group(flag))
      printf(markdown ? "%s## %s\n| nvcc | here | remark |\n|---|---|---|\n" : "%s%s:\n", i ? "\n" : "",
             flag->text);
    else
      (markdown ? print_markdown_row : print_row)(flag);
  }
}
