// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof help: the overview, one command, or a list of words; in a terminal, as Markdown or as manual pages. */
#include "help/help.h"

#include "common/commands.h"
#include "common/say.h"
#include "common/text.h"
#include "common/write.h"
#include "common/help_table.h"
#include "help/completion.h"
#include "help/man_pages.h"
#include "help/topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_WIDTH 80 /* where no terminal says how wide it is */

#define COMMANDS_MOST 64
#define SUMMARY 11       /* column in which the summaries of commands begin */
#define TOPIC_SUMMARY 31 /* and of what 'gpuprof help' explains */

static size_t command_rows(struct help_row *rows) {
  size_t count = 0;
  for (; count < command_count() && count < COMMANDS_MOST; ++count)
    rows[count] = (struct help_row){.name = command_at(count)->name, .help = command_at(count)->summary};
  return count;
}

static void overview_topics(struct text *out) {
  text_format(out, "\nhelp:\n  %-*s%s\n", TOPIC_SUMMARY - 2, "gpuprof help COMMAND", "About one command");
  for (size_t i = 0; i < help_topic_count; ++i)
    text_format(out, "  gpuprof help %-*s%s\n", TOPIC_SUMMARY - 15, help_topics[i].name, help_topics[i].summary);
  text_format(out, "  %-*s%s\n", TOPIC_SUMMARY - 2, "gpuprof --version", "The version");
}

void help_overview(FILE *stream) {
  const struct style style = style_choose("-", "never", false, FILE_WIDTH);
  struct help_row rows[COMMANDS_MOST];
  const struct help_table table = {rows, command_rows(rows), SUMMARY};
  struct text out = {0};
  text_add(&out, "usage: gpuprof COMMAND [arguments]\n\nExact FLOP and byte counts, regions and rooflines for CUDA.\n\n"
                 "commands:\n");
  help_table_text(&out, &style, &table);
  overview_topics(&out);
  text_add(&out, "\na first roofline:\n  gpuprof cc app.cu -o app && gpuprof run --output app.json -- ./app\n"
                 "  gpuprof report app.json && gpuprof plot app.json -o app.svg\n");
  fputs(text_get(&out), stream);
  text_free(&out);
}

static void print(struct text *out) {
  fwrite(text_get(out), 1, out->length, stdout);
  text_free(out);
}

/* ---- Topics ---- */

static const struct help_topic *find_topic(const char *name) {
  for (size_t i = 0; i < help_topic_count; ++i)
    if (!strcmp(help_topics[i].name, name))
      return &help_topics[i];
  return NULL;
}

static void topic_text(const struct help_topic *topic) {
  const struct style style = style_choose("-", "auto", false, FILE_WIDTH);
  struct text out = {0};
  write_wrapped(&out, &style, topic->before, 0);
  help_table_text(&out, &style, &topic->table);
  print(&out);
}

static void topic_markdown(const struct help_topic *topic) {
  struct text out = {0};
  help_table_markdown(&out, &topic->table);
  print(&out);
}

/* ---- Commands as Markdown ---- */

static void markdown_details(struct text *out, const char *details) {
  if (is_list(details))
    text_format(out, "```text\n%s\n```\n", details);
  else
    help_markdown_wrapped(out, details, 0);
  text_add(out, "\n");
}

static void markdown_exits(struct text *out, const char *exits) {
  char *sentence = format_string("Exit code: %s.", exits);
  text_add(out, "\n");
  help_markdown_wrapped(out, sentence, 0);
  free(sentence);
}

static void command_markdown(struct text *out, const struct command *command) {
  struct help_row rows[OPTION_COUNT];
  const struct help_table table = {.rows = rows, .count = options_rows(command, rows)};
  text_format(out, "%s## gpuprof %s\n", out->length ? "\n" : "", command->name);
  text_format(out, "`gpuprof %s%s%s`\n\n%s.\n\n", command->name, command->usage[0] ? " " : "", command->usage,
              command->summary);
  if (command->details)
    markdown_details(out, command->details);
  help_table_markdown(out, &table);
  markdown_exits(out, command->exits);
}

static void all_commands_markdown(void) {
  struct text out = {0};
  for (size_t i = 0; i < command_count(); ++i)
    command_markdown(&out, command_at(i));
  print(&out);
}

/* ---- The command ---- */

#define NAMES_MOST 256

/* The topic that has the word in its list, and its row; null if none has. */
static const struct help_topic *find_word(const char *name, const struct help_row **row) {
  static const char prefix[] = "-fplugin-arg-gpuprof-";
  if (!strncmp(name, prefix, sizeof prefix - 1))
    name += sizeof prefix - 1;
  for (size_t i = 0; i < help_topic_count; ++i)
    for (size_t k = 0; k < help_topics[i].table.count; ++k) {
      *row = &help_topics[i].table.rows[k];
      if ((*row)->name && !strcmp((*row)->name, name))
        return &help_topics[i];
    }
  return NULL;
}

static int word_help(const struct help_topic *topic, const struct help_row *row) {
  const struct style style = style_choose("-", "auto", false, FILE_WIDTH);
  const struct help_table table = {.rows = row, .count = 1};
  struct text out = {0};
  help_table_text(&out, &style, &table);
  text_format(&out, "One of the %s: gpuprof help %s\n", topic->name, topic->name);
  print(&out);
  return EXIT_GOOD;
}

/* Commands and topics, and behind them the words of all topics. Stores the number of the former. */
static size_t all_names(const char **names, size_t *listed) {
  size_t count = 0;
  for (size_t i = 0; i < command_count() && count < NAMES_MOST; ++i)
    names[count++] = command_at(i)->name;
  for (size_t i = 0; i < help_topic_count && count < NAMES_MOST; ++i)
    names[count++] = help_topics[i].name;
  *listed = count;
  for (size_t i = 0; i < help_topic_count; ++i)
    for (size_t k = 0; k < help_topics[i].table.count && count < NAMES_MOST; ++k)
      if (help_topics[i].table.rows[k].name)
        names[count++] = help_topics[i].table.rows[k].name;
  return count;
}

static int unknown_name(const struct command *self, const char *name) {
  const char *names[NAMES_MOST];
  struct text list = {0};
  size_t listed;
  const size_t count = all_names(names, &listed);
  for (size_t i = 0; i < listed; ++i)
    text_format(&list, "%s%s", i ? ", " : "", names[i]);
  const char *near = nearest_name(name, names, count);
  const char *did = near ? "; did you mean '" : "", *you = near ? near : "", *mean = near ? "'?" : ".";
  const int code = misuse(self->name, "there is no help about '%s'%s%s%s There is about %s.", name, did, you, mean, list.data);
  text_free(&list);
  return code;
}

static int command_help(const struct command *command, bool markdown) {
  struct text out = {0};
  if (!markdown) {
    options_help(command);
    return EXIT_GOOD;
  }
  command_markdown(&out, command);
  print(&out);
  return EXIT_GOOD;
}

static int topic_help(const struct help_topic *topic, bool markdown) {
  if (markdown)
    topic_markdown(topic);
  else
    topic_text(topic);
  return EXIT_GOOD;
}

int run_help(const struct command *self, const struct arguments *arguments) {
  const char *name = arguments->rest_count ? arguments->rest[0] : NULL;
  const bool markdown = arguments->values[OPTION_MARKDOWN] != NULL;
  const char *folder = arguments->values[OPTION_MAN], *shell = arguments->values[OPTION_COMPLETION];
  if (name && (folder || shell))
    return misuse(self->name, "'--man' and '--completion' are about all of gpuprof; leave out '%s'.", name);
  if (arguments->rest_count > 1)
    return misuse(self->name, "'help' takes one name: gpuprof help %s.", name);
  if (folder || shell)
    return folder ? man_pages_write(folder) : completion_print(self, shell);
  if (!name && markdown)
    all_commands_markdown();
  if (!name && !markdown)
    help_overview(stdout);
  if (!name)
    return EXIT_GOOD;
  if (command_named(name))
    return command_help(command_named(name), markdown);
  if (find_topic(name))
    return topic_help(find_topic(name), markdown);
  const struct help_row *row;
  const struct help_topic *topic = find_word(name, &row);
  return topic ? word_help(topic, row) : unknown_name(self, name);
}
