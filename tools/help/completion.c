// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help/completion.h"

#include "common/commands.h"
#include "common/say.h"
#include "help/topics.h"

#include <stdio.h>
#include <string.h>

#define MADE "Made by 'gpuprof help --completion="

/* Prints `command`'s options by a function of the shell. */
static void for_options(const struct command *command, void (*print)(const struct command *, const struct help_row *)) {
  struct help_row rows[OPTION_COUNT];
  const size_t count = options_rows(command, rows);
  for (size_t i = 0; i < count; ++i)
    print(command, &rows[i]);
}

static void print_commands(void) {
  for (size_t i = 0; i < command_count(); ++i)
    printf("%s ", command_at(i)->name);
}

static void print_topics(void) {
  for (size_t i = 0; i < help_topic_count; ++i)
    printf("%s ", help_topics[i].name);
}

static bool takes_file(const struct help_row *option) { return option->values && !strcmp(option->values, "FILE"); }

/* Text within single quotes; characters of `special` get a backslash. */
static void print_quoted(const char *string, const char *special, const char *quote) {
  for (; *string; ++string)
    if (*string == '\'')
      fputs(quote, stdout);
    else
      printf(strchr(special, *string) ? "\\%c" : "%c", *string);
}

/* ---- bash: where the function finds nothing, the shell completes names of files ---- */
static void print_bash_option(const struct command *command, const struct help_row *option) {
  (void)command;
  printf("%s%s ", option->name, option->values ? "=" : "");
}

static void print_bash(void) {
  printf("# bash completion for gpuprof. " MADE "bash'.\n"
         "_gpuprof() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" = 1 ]; then words='");
  print_commands();
  printf("--version'\n"
         "  else\n"
         "    case ${COMP_WORDS[1]},$word in\n"
         "      help,[!-]*|help,) words='");
  print_commands();
  print_topics();
  printf("' ;;\n");
  for (size_t i = 0; i < command_count(); ++i) {
    printf("      %s,-*) words='", command_at(i)->name);
    for_options(command_at(i), print_bash_option);
    printf("' ;;\n");
  }
  printf("    esac\n"
         "  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "  [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null\n"
         "}\n"
         "complete -o default -F _gpuprof gpuprof\n");
}

/* ---- zsh ---- */
static void print_zsh_word(const char *name, const char *summary) {
  printf("    '%s:", name);
  print_quoted(summary, ":\\", "'\\''");
  printf("'\n");
}

static void print_zsh_option(const struct command *command, const struct help_row *option) {
  (void)command;
  printf(" '%s%s[", option->name, option->values ? "=" : "");
  print_quoted(option->help, "[]:\\", "'\\''");
  printf("]");
  if (option->values)
    printf(":%s:%s", option->values, takes_file(option) ? "_files" : "");
  printf("'");
}

static void print_zsh(void) {
  printf("#compdef gpuprof\n# " MADE "zsh'.\n_gpuprof() {\n  local -a commands=(\n");
  for (size_t i = 0; i < command_count(); ++i)
    print_zsh_word(command_at(i)->name, command_at(i)->summary);
  printf("  )\n  local -a topics=(\n");
  for (size_t i = 0; i < help_topic_count; ++i)
    print_zsh_word(help_topics[i].name, help_topics[i].summary);
  printf("  )\n"
         "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
         "  local command=$words[2]\n"
         "  (( CURRENT-- )); shift words\n"
         "  case $command in\n");
  for (size_t i = 0; i < command_count(); ++i) {
    const bool is_help = command_at(i)->run == run_help;
    printf("    %s) _arguments", command_at(i)->name);
    for_options(command_at(i), print_zsh_option);
    printf(is_help ? "; _describe command commands; _describe topic topics ;;\n" : " '*:file:_files' ;;\n");
  }
  printf("  esac\n}\ncompdef _gpuprof gpuprof\n");
}

/* ---- fish ---- */
static void print_fish_option(const struct command *command, const struct help_row *option) {
  printf("complete -c gpuprof -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name + strlen("--"));
  if (option->letter)
    printf(" -s %c", option->letter);
  if (option->values)
    printf(takes_file(option) ? " -r -F" : " -x");
  printf(" -d '");
  print_quoted(option->help, "\\", "\\'");
  printf("'\n");
}

static void print_fish(void) {
  printf("# fish completion for gpuprof. " MADE "fish'.\n"
         "complete -c gpuprof -n '__fish_seen_subcommand_from help' -f -a '");
  print_commands();
  print_topics();
  printf("'\n");
  for (size_t i = 0; i < command_count(); ++i) {
    printf("complete -c gpuprof -n __fish_use_subcommand -f -a %s -d '", command_at(i)->name);
    print_quoted(command_at(i)->summary, "\\", "\\'");
    printf("'\n");
    for_options(command_at(i), print_fish_option);
  }
}

int completion_print(const struct command *self, const char *shell) {
  static const struct {
    const char *name;
    void (*print)(void);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  for (size_t i = 0; i < sizeof shells / sizeof *shells; ++i)
    if (!strcmp(shells[i].name, shell)) {
      shells[i].print();
      return EXIT_GOOD;
    }
  return misuse(self->name, "there is no completion for '%s'; choose bash, zsh or fish.", shell);
}
