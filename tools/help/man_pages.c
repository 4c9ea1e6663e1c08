// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help/man_pages.h"

#include "common/commands.h"
#include "common/file.h"
#include "common/say.h"
#include "common/text.h"
#include "help/topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text for man(7): nothing in it is a request, and hyphens stay what a shell reads. */
static void add_escaped(struct text *page, const char *string, size_t length) {
  if (length && *string == '.')
    text_add(page, "\\&");
  for (size_t i = 0; i < length; ++i)
    switch (string[i]) {
    case '\\': text_add(page, "\\e"); break;
    case '-': text_add(page, "\\-"); break;
    case '\'': text_add(page, "\\(aq"); break;
    default: text_bytes(page, &string[i], 1);
    }
}

static void add_words(struct text *page, const char *string) { add_escaped(page, string, strlen(string)); }

static void add_line(struct text *page, const char *string) {
  add_words(page, string);
  text_add(page, "\n");
}

/* Lines are joined and filled; indented ones stay as they are. */
static void add_paragraphs(struct text *page, const char *lines) {
  bool is_literal = false;
  while (*lines) {
    const size_t length = strcspn(lines, "\n");
    const bool is_indented = *lines == ' ';
    if (is_indented != is_literal)
      text_add(page, is_indented ? ".PP\n.nf\n" : ".fi\n.PP\n");
    is_literal = is_indented;
    add_escaped(page, lines, length);
    text_add(page, "\n");
    lines += length + (lines[length] == '\n');
  }
  text_add(page, is_literal ? ".fi\n" : "");
}

static void add_head(struct text *page, const char *name, int section, const char *summary) {
  text_add(page, ".\\\" Made by 'gpuprof help --man'.\n.TH ");
  add_words(page, name);
  text_format(page, " %d \"\" \"gpuprof " GPUPROF_VERSION "\" \"gpuprof\"\n.nh\n.ad l\n.SH NAME\n", section);
  add_words(page, name);
  text_add(page, " \\- ");
  add_line(page, summary);
}

/* ---- Lists of words ---- */
static void add_row(struct text *page, const struct help_row *row) {
  text_add(page, ".TP\n");
  if (row->letter)
    text_format(page, "\\fB\\-%c\\fR, ", row->letter);
  text_add(page, "\\fB");
  add_words(page, row->name);
  text_add(page, "\\fR");
  if (row->values && *row->values) {
    text_add(page, "=\\fI");
    add_words(page, row->values);
    text_add(page, "\\fR");
  }
  text_add(page, "\n");
  add_words(page, row->help);
  if (row->standard && *row->standard) {
    text_add(page, " (default ");
    add_words(page, row->standard);
    text_add(page, ")");
  }
  text_add(page, "\n");
}

static void add_rows(struct text *page, const struct help_row *rows, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (rows[i].title) {
      text_add(page, ".SS ");
      add_line(page, rows[i].title);
    } else {
      add_row(page, &rows[i]);
    }
}

/* ---- References to the other pages ---- */
static void add_reference(struct text *page, const char *name, int section) {
  text_add(page, ".br\n\\fBgpuprof\\-");
  add_words(page, name);
  text_format(page, "\\fR(%d)\n", section);
}

static void add_references(struct text *page) {
  text_add(page, ".SH SEE ALSO\n\\fBgpuprof\\fR(1)\n");
  for (size_t i = 0; i < command_count(); ++i)
    add_reference(page, command_at(i)->name, 1);
  for (size_t i = 0; i < help_topic_count; ++i)
    add_reference(page, help_topics[i].name, 7);
  text_add(page, ".PP\nThe manual is in share/doc/gpuprof below the prefix of the installation.\n");
}

/* ---- Pages ---- */
static int write_page(const char *folder, const char *name, int section, struct text *page) {
  char *path = format_string("%s/%s.%d", folder, name, section);
  add_references(page);
  const int code = file_write(path, text_get(page), page->length);
  text_free(page);
  free(path);
  return code;
}

static int write_command(const char *folder, const struct command *command) {
  char *name = format_string("gpuprof-%s", command->name);
  struct help_row rows[OPTION_COUNT];
  struct text page = {0};
  add_head(&page, name, 1, command->summary);
  text_format(&page, ".SH SYNOPSIS\n\\fBgpuprof %s\\fR ", command->name);
  add_line(&page, command->usage);
  text_add(&page, ".SH DESCRIPTION\n");
  add_paragraphs(&page, command->details ? command->details : command->summary);
  text_add(&page, ".SH OPTIONS\n");
  add_rows(&page, rows, options_rows(command, rows));
  text_add(&page, ".SH EXIT STATUS\n");
  add_line(&page, command->exits);
  const int code = write_page(folder, name, 1, &page);
  free(name);
  return code;
}

static int write_topic(const char *folder, const struct help_topic *topic) {
  char *name = format_string("gpuprof-%s", topic->name);
  struct text page = {0};
  add_head(&page, name, 7, topic->summary);
  text_add(&page, ".SH DESCRIPTION\n");
  if (topic->before)
    add_paragraphs(&page, topic->before);
  add_rows(&page, topic->table.rows, topic->table.count);
  const int code = write_page(folder, name, 7, &page);
  free(name);
  return code;
}

static int write_overview(const char *folder) {
  struct text page = {0};
  add_head(&page, "gpuprof", 1, "exact FLOP and byte counts, regions and rooflines for CUDA");
  text_add(&page, ".SH SYNOPSIS\n\\fBgpuprof\\fR \\fICOMMAND\\fR [arguments]\n.SH DESCRIPTION\n"
                  "\\fBgpuprof cc\\fR compiles a CUDA program with the plugin. The program writes its counts as a JSON\n"
                  "document, which the other commands show, draw and compare.\n.PP\n.nf\n");
  add_line(&page, "  gpuprof cc app.cu -o app && gpuprof run --output app.json -- ./app");
  add_line(&page, "  gpuprof report app.json && gpuprof plot app.json -o app.svg");
  text_add(&page, ".fi\n.SH COMMANDS\n");
  for (size_t i = 0; i < command_count(); ++i)
    add_row(&page, &(struct help_row){.name = command_at(i)->name, .help = command_at(i)->summary});
  text_add(&page, ".SH OPTIONS\n");
  add_row(&page, &(struct help_row){.name = "--version", .help = "the version"});
  add_row(&page, &(struct help_row){.name = "--help", .help = "the commands"});
  text_add(&page, ".SH ENVIRONMENT\n");
  add_row(&page, &(struct help_row){.name = "CUDA_PATH, CUDA_HOME", .help = "the CUDA toolkit that 'gpuprof cc' uses"});
  add_row(&page, &(struct help_row){.name = "GPUPROF_*", .help = "settings of a profiled program: gpuprof-settings(7)"});
  return write_page(folder, "gpuprof", 1, &page);
}

int man_pages_write(const char *folder) {
  int code = folder_exists(folder) ? write_overview(folder)
                                   : fail("there is no folder '%s' for the manual pages: make it first.", folder);
  for (size_t i = 0; !code && i < command_count(); ++i)
    code = write_command(folder, command_at(i));
  for (size_t i = 0; !code && i < help_topic_count; ++i)
    code = write_topic(folder, &help_topics[i]);
  return code;
}
