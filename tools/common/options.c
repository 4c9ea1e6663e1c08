// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/options.h"

#include "common/say.h"
#include "common/style.h"
#include "common/text.h"
#include "common/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELP_WIDTH 80     /* where no terminal says how wide it is */
#define OPTION_MEANING 27 /* column in which the meanings of options begin */

static const struct option_row {
  char letter;
  const char *flag, *name, *value, *commands, *help;
} options[OPTION_COUNT] = {
#define GP_OPTION_ROW(id, letter, name, value, commands, help) {letter, "--" name, name, value, commands, help},
    GP_OPTIONS(GP_OPTION_ROW)
#undef GP_OPTION_ROW
};

static bool belongs(const struct option_row *option, const struct command *command) {
  return option->commands[0] == '*' || (command->letter && strchr(option->commands, command->letter));
}

static unsigned distance(const char *a, const char *b) {
  size_t length = strlen(b);
  unsigned row[64];
  if (length >= sizeof row / sizeof *row)
    return 99;
  for (size_t j = 0; j <= length; ++j)
    row[j] = (unsigned)j;
  for (size_t i = 1; a[i - 1]; ++i) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= length; ++j) {
      unsigned above = row[j], change = diagonal + (a[i - 1] != b[j - 1]);
      unsigned add = (above < row[j - 1] ? above : row[j - 1]) + 1;
      row[j] = change < add ? change : add;
      diagonal = above;
    }
  }
  return row[length];
}

const char *nearest_name(const char *word, const char *const *names, size_t count) {
  const char *best = NULL;
  unsigned least = strlen(word) < 4 ? 2 : 3;
  for (size_t i = 0; i < count; ++i)
    if (distance(word, names[i]) < least) {
      least = distance(word, names[i]);
      best = names[i];
    }
  return best;
}

static int unknown_option(const struct command *command, const char *given) {
  const char *names[OPTION_COUNT];
  size_t count = 0;
  for (size_t i = 0; i < OPTION_COUNT; ++i)
    if (belongs(&options[i], command))
      names[count++] = options[i].name;
  size_t dashes = strspn(given, "-");
  char *word = strndup(given + dashes, strcspn(given + dashes, "="));
  const char *near = word ? nearest_name(word, names, count) : NULL;
  free(word);
  if (near)
    return misuse(command->name, "unknown option '%s' for '%s'; did you mean '--%s'?", given, command->name,
                  near);
  return misuse(command->name, "unknown option '%s' for '%s'.", given, command->name);
}

/* Finds the option that argv[*index] names; takes its value, from the next argument if need be. */
static int take_option(const struct command *command, int argc, char **argv, int *index,
                       struct arguments *arguments) {
  const char *given = argv[*index], *value = NULL;
  for (size_t i = 0; i < OPTION_COUNT; ++i) {
    const struct option_row *option = &options[i];
    size_t length = strlen(option->name);
    bool is_short = given[1] != '-';
    bool match = is_short ? option->letter && given[1] == option->letter
                          : !strncmp(given + 2, option->name, length) && strchr("=", given[2 + length]);
    if (!match || !belongs(option, command))
      continue;
    if (is_short)
      value = given[2] ? given + 2 : NULL;
    else
      value = given[2 + length] ? given + 3 + length : NULL;
    if (!option->value && value)
      return misuse(command->name, "option '--%s' takes no value.", option->name);
    if (option->value && !value && *index + 1 < argc)
      value = argv[++*index];
    if (option->value && (!value || !*value))
      return misuse(command->name, "option '--%s' needs a value: --%s=%s.", option->name, option->name,
                    option->value);
    arguments->values[i] = option->value ? value : "";
    arguments->given[arguments->given_count++] = (struct given_option){(enum option)i, arguments->values[i]};
    return 0;
  }
  return unknown_option(command, given);
}

int options_parse(const struct command *command, int argc, char **argv, struct arguments *arguments) {
  bool options_end = false, dashes = false;
  arguments->rest = allocate(((size_t)argc + 1) * sizeof *arguments->rest);
  arguments->given = allocate(((size_t)argc + 1) * sizeof *arguments->given);
  for (int i = 0; i < argc; ++i) {
    bool is_option = !options_end && argv[i][0] == '-' && argv[i][1];
    if (is_option && !strcmp(argv[i], "--")) {
      options_end = dashes = true;
    } else if (is_option) {
      int code = take_option(command, argc, argv, &i, arguments);
      if (code)
        return code;
    } else {
      arguments->rest[arguments->rest_count++] = argv[i];
      arguments->rest_split += !dashes;
      options_end = options_end || command->rest_is_command;
    }
  }
  return 0;
}

size_t options_rows(const struct command *command, struct help_row *rows) {
  size_t count = 0;
  for (size_t i = 0; i < OPTION_COUNT; ++i)
    if (belongs(&options[i], command))
      rows[count++] = (struct help_row){
          .letter = options[i].letter, .name = options[i].flag, .values = options[i].value, .help = options[i].help};
  for (size_t i = 0; command->own_options && i < *command->own_option_count && count < OPTION_COUNT; ++i)
    rows[count++] = command->own_options[i];
  return count;
}

static void add_details(struct text *out, const struct style *style, const char *details) {
  text_add(out, "\n");
  if (is_list(details))
    text_format(out, "%s\n", details);
  else
    write_wrapped(out, style, details, 0);
}

void options_help(const struct command *command) {
  const struct style style = style_choose("-", "auto", false, HELP_WIDTH);
  struct help_row rows[OPTION_COUNT];
  const struct help_table table = {rows, options_rows(command, rows), OPTION_MEANING};
  struct text list = {0}, out = {0};
  char *exits = format_string("%s.", command->exits);
  text_format(&out, "usage: gpuprof %s %s\n\n%s.\n", command->name, command->usage, command->summary);
  if (command->details)
    add_details(&out, &style, command->details);
  help_table_text(&list, &style, &table);
  text_format(&out, "\noptions:\n%s\nexit code:\n  ", text_get(&list));
  write_wrapped(&out, &style, exits, 2);
  fputs(text_get(&out), stdout);
  free(exits);
  text_free(&list);
  text_free(&out);
}
