// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/settings.h"

#include "base/input.h"
#include "base/log.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <regex.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

struct problems {
  struct gp_settings_problem *list;
  size_t count;
};

static void complain(struct problems *problems, const char *about, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void complain(struct problems *problems, const char *about, const char *format, ...) {
  if (problems->count == GP_SETTINGS_PROBLEMS)
    return;
  struct gp_settings_problem *p = &problems->list[problems->count++];
  snprintf(p->about, sizeof p->about, "%s", about);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(p->text, sizeof p->text, format, arguments);
  va_end(arguments);
}

/* ---- Kinds of values. A parser returns null for an accepted value, or else a description of valid ones.
 * ---- */

static const char *take_text(void *field, const char *value) {
  char *copy = strdup(value);
  if (!copy)
    return "a shorter text: memory is exhausted";
  free(*(char **)field);
  *(char **)field = copy;
  return NULL;
}

static const char *take_path(void *field, const char *value) {
  return value[0] ? take_text(field, value) : "the name of a file";
}

static const char *take_switch(void *field, const char *value) {
  if (strcmp(value, "0") && strcmp(value, "1"))
    return "0 or 1";
  *(int *)field = value[0] == '1';
  return NULL;
}

static int read_whole(uint64_t *number, const char *value, uint64_t least, uint64_t most) {
  char *end;
  errno = 0;
  unsigned long long n = strtoull(value, &end, 10);
  if (!isdigit((unsigned char)value[0]) || *end || errno || n < least || n > most)
    return 0;
  *number = n;
  return 1;
}

static const char *take_count(void *field, const char *value) {
  return read_whole(field, value, 0, UINT64_MAX) ? NULL : "a whole number from 0";
}

static const char *take_steps(void *field, const char *value) {
  _Static_assert(GP_SETTINGS_STEPS == 4194304, "the sentence says so");
  return read_whole(field, value, 16, GP_SETTINGS_STEPS) ? NULL : "a number of lines from 16 to 4194304";
}

static const char *take_cpu_devices(void *field, const char *value) {
  _Static_assert(GP_SETTINGS_CPU_DEVICES == 16, "the sentence says so");
  return read_whole(field, value, 1, GP_SETTINGS_CPU_DEVICES) ? NULL : "a number of devices from 1 to 16";
}

static const char *take_cpu_workers(void *field, const char *value) {
  return read_whole(field, value, 1, UINT64_MAX) ? NULL : "a number of threads from 1";
}

static const char *take_cpu_fill(void *field, const char *value) {
  if (strcmp(value, "pattern") && strcmp(value, "zero"))
    return "pattern or zero";
  *(int *)field = !strcmp(value, "zero");
  return NULL;
}

static const char *take_device(void *field, const char *value) {
  if (strcmp(value, "gpu") && strcmp(value, "cpu"))
    return "gpu or cpu";
  return take_text(field, value);
}

static const char *take_unique(void *field, const char *value) {
  static const struct {
    const char *word;
    enum gp_unique unique;
  } words[] = {{"auto", GP_UNIQUE_AUTO}, {"0", GP_UNIQUE_OFF}, {"1", GP_UNIQUE_ON}, {"clones", GP_UNIQUE_CLONES}, {"host", GP_UNIQUE_HOST}, {"copies", GP_UNIQUE_MARKING}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(value, words[i].word)) {
      *(enum gp_unique *)field = words[i].unique;
      return NULL;
    }
  return "auto, 0, 1, host, clones or copies";
}

static const char *take_memory(void *field, const char *value) {
  static const char *const words[] = {[GP_MEMORY_NOT_SEEN] = "off", [GP_MEMORY_SEEN] = "on", [GP_MEMORY_STACKS] = "stacks"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(value, words[i])) {
      *(enum gp_memory_setting *)field = (enum gp_memory_setting)i;
      return NULL;
    }
  return "off, on or stacks";
}

static const char *take_schedule(void *field, const char *value) {
  if (strcmp(value, "fair") && strcmp(value, "strict"))
    return "fair or strict";
  *(int *)field = !strcmp(value, "strict");
  return NULL;
}

/* glibc copies repeated expressions: nested repetitions of a short text fill all memory. */
#define REPETITIONS_MAXIMUM 8u
static int has_few_repetitions(const char *expression) {
  enum { PLUS = 1, BRACE = 6 };
  size_t sum = 0;
  for (; *expression; expression++)
    sum += *expression == '+' ? PLUS : *expression == '{' ? BRACE : 0;
  return sum <= REPETITIONS_MAXIMUM;
}

static const char *take_expression(void *field, const char *value) {
  regex_t expression;
  if (!has_few_repetitions(value))
    return "a regular expression with at most eight times +, or once {} and twice +";
  if (regcomp(&expression, value, REG_EXTENDED | REG_NOSUB))
    return "an extended regular expression, such as attention|softmax";
  regfree(&expression);
  return take_text(field, value);
}

static const char *take_level(void *field, const char *value) {
  static const char *const names[] = {"error", "warn", "note", "debug"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(value, names[i])) {
      *(enum gp_level *)field = (enum gp_level)i;
      return NULL;
    }
  return "error, warn, note or debug";
}

static const char *take_hardware(void *field, const char *value) {
  static const char right[] = "off, bytes, check, or names of metrics separated by commas, such as lts__t_bytes.sum";
  const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,";
  if (strcmp(value, "off") && strcmp(value, "bytes") && strcmp(value, "check") && (strspn(value, allowed) < strlen(value) || !strstr(value, "__")))
    return right;
  return take_text(field, value);
}

static const struct setting {
  const char *name;
  size_t offset;
  const char *(*take)(void *field, const char *value);
  const char *standard; /* "": the member stays 0 */
} table[] = {
#define GPUPROF_SETTING(name, member, kind, values, standard, help)                                                   \
  {#name, offsetof(struct gp_settings, member), take_##kind, standard},
#include "gpuprof/settings.inc"
};
#define TABLE_SIZE (sizeof table / sizeof *table)
#define LARGEST_FILE (1 << 20) /* bytes of a settings file */
#define PREFIX "GPUPROF_"

static const struct setting *find(const char *name) {
  for (size_t i = 0; i < TABLE_SIZE; i++)
    if (!strcmp(name, table[i].name))
      return &table[i];
  return NULL;
}

#define LONGEST_NAME 64
#define FEW_EDITS 2 /* of a misspelt name */

/* Characters to insert, delete or replace; more than FEW_EDITS where a name is too long to be one. */
static unsigned edits_between(const char *given, const char *name) {
  const size_t length = strlen(name);
  unsigned row[LONGEST_NAME]; /* edits from the characters of `given` so far to each beginning of `name` */
  if (strlen(given) >= LONGEST_NAME || length >= LONGEST_NAME)
    return FEW_EDITS + 1;
  for (unsigned j = 0; j <= length; j++)
    row[j] = j;
  for (unsigned i = 1; given[i - 1]; i++) {
    unsigned diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= length; j++) {
      const unsigned above = row[j], replaced = diagonal + (given[i - 1] != name[j - 1]);
      const unsigned added = (above < row[j - 1] ? above : row[j - 1]) + 1;
      row[j] = replaced < added ? replaced : added;
      diagonal = above;
    }
  }
  return row[length];
}

static const char *nearest(const char *given) {
  const char *best = NULL;
  unsigned fewest = FEW_EDITS + 1;
  for (size_t i = 0; i < TABLE_SIZE; i++) {
    const unsigned edits = edits_between(given, table[i].name);
    if (edits < fewest) {
      fewest = edits;
      best = table[i].name;
    }
  }
  return best;
}

static void complain_unknown(const char *name, struct problems *problems) {
  const char *meant = nearest(name);
  if (meant)
    complain(problems, name, "there is no such setting, so it is ignored; did you mean %s?", meant);
  else
    complain(problems, name, "there is no such setting, so it is ignored; 'gpuprof help settings' lists them");
}

static const char *take_value(struct gp_settings *settings, const struct setting *setting, const char *value) {
  return setting->take((char *)settings + setting->offset, value);
}

static void take(struct gp_settings *settings, const char *name, const char *value, struct problems *problems) {
  const struct setting *setting = find(name);
  if (!setting) {
    complain_unknown(name, problems);
    return;
  }
  const char *right = take_value(settings, setting, value);
  if (right)
    complain(problems, name, "the value '%.100s' is ignored: it must be %s", value, right);
}

/* ---- The file: lines NAME=value, with or without the prefix; # begins a comment. ---- */

static char *trim(char *text) {
  while (isspace((unsigned char)*text))
    text++;
  char *end = text + strlen(text);
  while (end > text && isspace((unsigned char)end[-1]))
    end--;
  *end = 0;
  return text;
}

static void take_line(struct gp_settings *settings, char *line, const char *path, unsigned number,
                      struct problems *problems) {
  line = trim(line);
  if (!line[0] || line[0] == '#')
    return;
  char *equals = strchr(line, '=');
  if (!equals) {
    complain(problems, path, "line %u is ignored: it must read NAME=value", number);
    return;
  }
  *equals = 0;
  char *key = trim(line), name[128] = PREFIX;
  size_t used = strncmp(key, PREFIX, strlen(PREFIX)) ? strlen(PREFIX) : 0;
  for (; *key && used + 1 < sizeof name; key++)
    name[used++] = (char)toupper((unsigned char)*key);
  name[used] = 0;
  if (!strcmp(name, "GPUPROF_CONFIG")) /* its value is the path of this file */
    complain(problems, path, "line %u is ignored: a settings file names no other; set GPUPROF_CONFIG in the environment", number);
  else
    take(settings, name, trim(equals + 1), problems);
}

/* A file named by mistake must not fill the memory. */
static FILE *open_settings(const char *path) {
  FILE *file = gp_input_open(path);
  struct stat facts;
  if (!file || (!fstat(fileno(file), &facts) && facts.st_size <= LARGEST_FILE))
    return file;
  fclose(file);
  errno = EFBIG;
  return NULL;
}

static void take_file(struct gp_settings *settings, const char *path, struct problems *problems) {
  FILE *file = open_settings(path);
  if (!file) {
    complain(problems, "GPUPROF_CONFIG", "cannot read '%.100s': %s; give a file with lines NAME=value", path, strerror(errno));
    return;
  }
  char *line = NULL;
  size_t size = 0;
  for (unsigned number = 1; getline(&line, &size, file) >= 0; number++)
    take_line(settings, line, path, number, problems);
  free(line);
  fclose(file);
}

static void take_environment(struct gp_settings *settings, char **environment, int config, struct problems *problems) {
  for (char **entry = environment; *entry; entry++) {
    const char *equals = strchr(*entry, '=');
    if (!equals || strncmp(*entry, PREFIX, strlen(PREFIX)) || equals - *entry >= 128)
      continue;
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)(equals - *entry), *entry);
    if (config == !strcmp(name, "GPUPROF_CONFIG"))
      take(settings, name, equals + 1, problems);
  }
}

static void take_defaults(struct gp_settings *settings) {
  *settings = (struct gp_settings){0};
  for (size_t i = 0; i < TABLE_SIZE; i++)
    if (table[i].standard[0])
      take_value(settings, &table[i], table[i].standard);
}

size_t gp_settings_load(struct gp_settings *settings, char **environment, struct gp_settings_problem *list) {
  struct problems problems = {list, 0};
  take_defaults(settings);
  take_environment(settings, environment, 1, &problems);
  if (settings->config)
    take_file(settings, settings->config, &problems);
  take_environment(settings, environment, 0, &problems);
  return problems.count;
}

void gp_settings_free(struct gp_settings *settings) {
  char *const texts[] = {settings->output, settings->device,   settings->chip,  settings->filter,
                         settings->trace,  settings->hardware, settings->config, settings->unique_file,
                         settings->library, settings->peaks,  settings->times_only, settings->times_file};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    free(texts[i]);
  *settings = (struct gp_settings){0};
}

static struct gp_settings process_settings;
static struct gp_settings_problem process_problems[GP_SETTINGS_PROBLEMS];
static size_t process_problem_count;
static pthread_once_t loaded = PTHREAD_ONCE_INIT, reported = PTHREAD_ONCE_INIT;

/* A program with the rights of another user than its caller is not profiled. The caller would choose the
 * places of files, by the settings or the current folder. */
static void load(void) {
  char *none[] = {NULL};
  const int foreign = getauxval(AT_SECURE) != 0;
  process_problem_count = gp_settings_load(&process_settings, foreign || !environ ? none : environ, process_problems);
  if (foreign)
    process_settings.enable = 0;
}

static __thread int reporting;

static void report(void) {
  reporting = 1;
  for (size_t i = 0; i < process_problem_count; i++)
    gp_log(GP_WARN, process_problems[i].about, "%s", process_problems[i].text);
  reporting = 0;
}

/* Set at last: a launch asks 15 times. */
static _Atomic int complete;

static __attribute__((noinline)) const struct gp_settings *complete_settings(void) {
  pthread_once(&loaded, load);
  if (!reporting) { /* gp_log() asks for the level while problems are being reported */
    pthread_once(&reported, report);
    atomic_store_explicit(&complete, 1, memory_order_release);
  }
  return &process_settings;
}

const struct gp_settings *gp_settings(void) {
  return atomic_load_explicit(&complete, memory_order_acquire) ? &process_settings : complete_settings();
}

/* ---- Names of files ---- */

char *gp_settings_expand(const char *pattern, long process, const char *rank, const char *host, long long seconds) {
  char *result = NULL;
  size_t bytes;
  FILE *stream = open_memstream(&result, &bytes);
  if (!stream)
    return NULL;
  for (const char *c = pattern; *c; c++) {
    switch (*c == '%' ? c[1] : 0) {
    case 'p': fprintf(stream, "%ld", process); break;
    case 'r': fputs(rank ? rank : "0", stream); break;
    case 'h': fputs(host, stream); break;
    case 't': fprintf(stream, "%lld", seconds); break;
    case '%': fputc('%', stream); break;
    default: fputc(*c, stream); continue;
    }
    c++;
  }
  fclose(stream);
  return result;
}
