// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof peaks: measures the ceilings of the GPUs of this machine, or lists those of chips. */
#include "common/commands.h"
#include "common/file.h"
#include "common/say.h"
#include "peaks/chip_list.h"
#include "peaks/results.h"
#include "report/chips.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TABLE_WIDTH 100

/* ---- What is measured ---- */

static bool is_word(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ',') && (!at[length] || at[length] == ','))
      return true;
  return false;
}

/* --only names rows, their groups or their ceilings. */
static bool is_wanted(const char *only, const struct benchmark *benchmark) {
  return !only || is_word(only, benchmark->id) || is_word(only, benchmark->ceiling) ||
         is_word(only, benchmark_group_names[benchmark->group]);
}

/* The first word of the list that names nothing, or null. The caller frees it. */
static char *unknown_word(const char *list) {
  for (const char *at = list; *at; at += *at == ',') {
    const size_t length = strcspn(at, ",");
    char *word = strndup(at, length);
    bool found = false;
    const struct benchmark *benchmark;
    for (size_t i = 0; !found && word && (benchmark = benchmark_at(i)); ++i)
      found = is_wanted(word, benchmark);
    if (!found)
      return word;
    free(word);
    at += length;
  }
  return NULL;
}

/* ---- One GPU ---- */

static void read_driver(struct results *results) {
  struct text version = {0};
  snprintf(results->driver, sizeof results->driver, "%s", clocks_driver());
  if (!*results->driver && !file_read_regular("/sys/module/nvidia/version", sizeof results->driver, &version))
    snprintf(results->driver, sizeof results->driver, "%.*s", (int)strcspn(text_get(&version), "\n"),
             text_get(&version));
  text_free(&version);
}

static void read_date(struct results *results) {
  const time_t now = time(NULL);
  struct tm calendar;
  strftime(results->date, sizeof results->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &calendar));
}

static void measure_all(struct results *results, const struct arguments *arguments) {
  const struct measurement measurement = {.gpu = &results->gpu,
                                          .nvml = clocks_open(results->gpu.bus),
                                          .is_quick = arguments->values[OPTION_PEAKS_QUICK]};
  const char *only = arguments->values[OPTION_ONLY];
  const bool shows_progress = isatty(STDERR_FILENO);
  const struct benchmark *benchmark;
  results->is_whole = !only;
  for (size_t i = 0; (benchmark = benchmark_at(i)); ++i) {
    if (!benchmark_suits(benchmark, results->gpu.capability) || !is_wanted(only, benchmark))
      continue;
    if (shows_progress)
      fprintf(stderr, "\r\033[KGPU %d: %s", results->gpu.index, benchmark->title);
    measure(&measurement, benchmark, &results->peaks[results->count++]);
  }
  if (shows_progress)
    fputs("\r\033[K", stderr);
  read_driver(results);
}

static void show(const struct results *results, const struct arguments *arguments) {
  struct text out = {0};
  const struct style style = style_choose("-", "never", false, TABLE_WIDTH);
  if (arguments->values[OPTION_JSON])
    results_json(&out, results);
  else
    results_table(&out, results, &style);
  fputs(text_get(&out), stdout);
  text_free(&out);
}

static int keep(const struct results *results) {
  char *path = NULL;
  if (!results->is_whole || !*results->gpu.uuid)
    return EXIT_GOOD;
  const int code = results_keep(results, &path);
  if (code == EXIT_GOOD)
    tell("reports of this GPU use these ceilings from now on: %s", path);
  free(path);
  return code;
}

static int measure_gpu(int index, const struct arguments *arguments) {
  static struct results results;
  const char *reason = driver_select(index, &results.gpu);
  results.count = 0;
  if (reason)
    return fail("GPU %d cannot be measured: %s.", index, reason);
  const struct gp_chip *chip = gp_chip_of_device(results.gpu.name, results.gpu.sm_count);
  results.chip = chip ? chip->id : NULL;
  read_date(&results);
  measure_all(&results, arguments);
  show(&results, arguments);
  int code = keep(&results);
  if (!code && results_missing(&results))
    code = EXIT_DIFFERS;
  results_free(&results);
  driver_release(&results.gpu);
  return code;
}

static int measure_gpus(const struct command *self, const struct arguments *arguments) {
  const char *device = arguments->values[OPTION_PEAKS_DEVICE];
  int count = 0, worst = EXIT_GOOD;
  const char *reason = driver_open(&count);
  if (reason)
    return fail("%s, so that nothing can be measured; 'gpuprof peaks --list' shows what datasheets say.",
                reason);
  if (device &&
      (!*device || device[strspn(device, "0123456789")] || strlen(device) > 3 || atoi(device) >= count))
    return misuse(self->name, "--device is the number of a GPU, 0 to %d here, not '%s'.", count - 1, device);
  for (int i = 0; i < count; ++i) {
    const int code = !device || atoi(device) == i ? measure_gpu(i, arguments) : EXIT_GOOD;
    worst = code > worst ? code : worst;
  }
  return worst;
}

/* ---- Without a GPU ---- */

static int list(const struct command *self, const struct arguments *arguments) {
  struct text out = {0};
  const struct style style = style_choose("-", "never", false, TABLE_WIDTH);
  int code = EXIT_GOOD;
  if (!arguments->rest_count)
    chip_list(&out, &style);
  for (size_t i = 0; i < arguments->rest_count && !code; ++i)
    if (!chip_show(&out, arguments->rest[i]))
      code = misuse(self->name, "'%s' is no chip that gpuprof knows; 'gpuprof peaks --list' shows them.",
                    arguments->rest[i]);
  if (!code)
    fputs(text_get(&out), stdout);
  text_free(&out);
  return code;
}

static int write_ptx(const char *folder) {
  const struct benchmark *benchmark;
  int code = EXIT_GOOD;
  mkdir(folder, 0777);
  for (size_t i = 0; !code && (benchmark = benchmark_at(i)); ++i) {
    struct text ptx = {0};
    char *path = format_string("%s/%s.sm_%u%s.ptx", folder, benchmark->id, benchmark->target,
                               benchmark->exact_target ? "a" : "");
    benchmark_ptx(benchmark, &ptx);
    code = file_write(path, text_get(&ptx), ptx.length);
    free(path);
    text_free(&ptx);
  }
  return code;
}

int run_peaks(const struct command *self, const struct arguments *arguments) {
  const char *only = arguments->values[OPTION_ONLY];
  if (arguments->values[OPTION_LIST])
    return list(self, arguments);
  if (arguments->rest_count)
    return misuse(self->name, "'%s' is not expected; chips are named behind --list.", arguments->rest[0]);
  if (arguments->values[OPTION_PTX])
    return write_ptx(arguments->values[OPTION_PTX]);
  char *unknown = only ? unknown_word(only) : NULL;
  if (!unknown)
    return measure_gpus(self, arguments);
  const int code =
      misuse(self->name,
             "--only knows no '%s'; its words are groups (core, tensor, special, integer, dram, l2, l1, "
             "shared), precisions (bf16) and rows (tensor-bf16).",
             unknown);
  free(unknown);
  return code;
}
