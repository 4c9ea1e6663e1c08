// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report.h"

#include "base/clock.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/ranks.h"
#include "base/settings.h"
#include "base/state.h"
#include "clones/addresses.h"
#include "core/gate.h"
#include "core/kernels.h"
#include "launch/energy_sampler.h"
#include "launch/launch_hook.h"
#include "launch/launch_times.h"
#include "report/kernel_code.h"
#include "report/output.h"
#include "report/report_builds.h"
#include "report/report_energy.h"
#include "report/report_hardware.h"
#include "report/report_json.h"
#include "report/report_occupancy.h"
#include "report/times_file.h"
#include "report/unique_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHIP_WITHOUT_GPU "h200"

GP_MUTEX(lock, GP_LOCK_REPORT)
static char last_path[4096]; /* of the last written document */

static int is_passing(enum gp_occasion occasion) { return occasion == GP_ON_THE_WAY || occasion == GP_AT_A_SUDDEN_END; }

/* ---- Facts ---- */

static void read_command(char *text, size_t size) {
  FILE *file = fopen("/proc/self/cmdline", "re");
  size_t length = file ? fread(text, 1, size - 1, file) : 0;
  if (file)
    fclose(file);
  while (length && !text[length - 1])
    length--;
  text[length] = 0;
  for (size_t i = 0; i < length; i++)
    if (!text[i])
      text[i] = ' ';
}

/* The different values of a text over all units, joined by "; ". */
static void join_units(char *text, size_t size, size_t offset) {
  text[0] = 0;
  for (const struct gp_unit *unit = gp_units(); unit; unit = unit->next) {
    const char *value = *(char *const *)((const char *)unit + offset);
    size_t used = strlen(text);
    if (value[0] && !strstr(text, value))
      snprintf(text + used, size - used, "%s%s", used ? "; " : "", value);
  }
}

static int first_device(void) {
  int device = -1;
  gp_records_lock();
  for (const struct gp_kernel *kernel = gp_kernels(); kernel && device < 0; kernel = kernel->next)
    if (kernel->records)
      device = kernel->records->device;
  gp_records_unlock();
  return device < 0 ? 0 : device;
}

/* A query once a second is too much for some devices. A device may also be gone when the last document is
 * written, as drivers shut down in exit handlers. */
static int describe(enum gp_occasion occasion, int device, struct gp_device_info *info) {
  static struct gp_device_info known; /* guarded by the lock */
  static int is_known;
  const int is_same = is_known && known.index == device;
  if (!is_same || !is_passing(occasion)) {
    struct gp_device_info fresh = {0};
    const int error = gp_device()->describe(device, &fresh);
    if (error && !is_same)
      return error;
    if (!error) {
      known = fresh;
      is_known = 1;
    }
  }
  *info = known;
  return 0;
}

/* The first launch may be running still. A driver's locks may be held by it, so only a device without one is asked then. */
static int has_device(void) { return gp_device_is_in_use() || (gp_gate_count() && !gp_device()->idle); }

static int describe_device(enum gp_occasion occasion, struct gp_device_info *info) {
  const int error = describe(occasion, first_device(), info);
  if (error)
    gp_remark("device", "it could not be described: %s", gp_device()->error_text(error));
  return error;
}

/* A GPU has its own roof; without one, the requested chip's roof is used. */
static const struct gp_chip *choose_chip(const struct gp_device_info *device) {
  const char *wanted = gp_settings()->chip;
  const struct gp_chip *chip = NULL;
  int on_gpu = device && gp_device()->has_time;
  if (on_gpu)
    chip = gp_chip_of_device(device->name, device->sm_count);
  if (chip)
    return chip;
  if (wanted && !(chip = gp_chip_by_id(wanted)))
    gp_log(GP_WARN, "GPUPROF_CHIP", "'%.40s' is not in the table of chips; 'gpuprof peaks --list' shows it", wanted);
  if (on_gpu && !chip)
    gp_remark("ceilings", "'%s' is not in the table of chips: set GPUPROF_CHIP to one that is alike to get a roof",
              device->name);
  if (on_gpu)
    return chip;
  return chip ? chip : gp_chip_by_id(CHIP_WITHOUT_GPU);
}

static void remark_on_run(const struct gp_device_info *device, const struct gp_chip *chip) {
  if (device && !gp_device()->has_time)
    gp_remark("roofline", "the program ran on the CPU device: %sthere is no GPU time, so that points are placed at the roof of '%s' "
                          "(GPUPROF_CHIP)", gp_settings()->sample > 1 ? "" : "counts are exact, but ", chip->id);
  gp_report_builds_remark();
  const struct gp_settings *s = gp_settings();
  if (gp_addresses_untimed())
    gp_remark("time_ns", "not measured: with this GPUPROF_UNIQUE kernels mark the memory they touch, which takes time");
  else if (s->times_only)
    gp_remark("time_ns", "of plain kernels, which nothing counted (GPUPROF_TIMES_ONLY)");
  else if (gp_launches_untimed())
    gp_remark("time_ns", "the times of %llu launches never came", (unsigned long long)gp_launches_untimed());
  if (device && s->unique == GP_UNIQUE_OFF && !s->unique_file)
    gp_remark("bytes.unique", "not looked for: GPUPROF_UNIQUE is 0; without them there is no DRAM roof");
}

/* ---- The document ---- */

struct document {
  const struct gp_report_facts *facts;
  const struct gp_aggregate *aggregate;
};

static int write_json(FILE *stream, void *closure) {
  const struct document *document = closure;
  return gp_report_json(stream, document->facts, document->aggregate);
}

static int out_of_memory(void) {
  gp_log(GP_ERROR, "", "memory is exhausted: the report is not written");
  return -1;
}

/* The process's start from /proc: with host and process number it shows if the process lives. */
static uint64_t read_process_start(void) {
  char text[1024];
  unsigned long long ticks = 0;
  FILE *file = fopen("/proc/self/stat", "re");
  const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose(file);
  text[length] = 0;
  const char *at = strrchr(text, ')'); /* the program's name may contain any character */
  for (int field = 2; at && field < 22; field++)
    at = strchr(at + 1, ' ');
  return at && sscanf(at, "%llu", &ticks) == 1 ? ticks : 0;
}

/* The storage of the facts' texts. */
struct texts {
  char command[4096], compiler[512], options[1024], host[256], start_time[32];
};

static struct gp_report_facts gather_facts(const struct gp_report_cause *cause, struct texts *texts) {
  time_t seconds = (time_t)gp_start_seconds();
  struct tm calendar;
  read_command(texts->command, sizeof texts->command);
  join_units(texts->compiler, sizeof texts->compiler, offsetof(struct gp_unit, compiler));
  join_units(texts->options, sizeof texts->options, offsetof(struct gp_unit, options));
  texts->host[0] = texts->host[sizeof texts->host - 1] = 0;
  gethostname(texts->host, sizeof texts->host - 1);
  strftime(texts->start_time, sizeof texts->start_time, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &calendar));
  return (struct gp_report_facts){.tool_version = GPUPROF_VERSION,
                                  .command = texts->command,
                                  .host = texts->host,
                                  .start_time = texts->start_time,
                                  .compiler = texts->compiler,
                                  .plugin_options = texts->options,
                                  .pid = (long)getpid(),
                                  .how = cause->how,
                                  .signal = cause->signal,
                                  .process_start = read_process_start(),
                                  .warmup = gp_settings()->warmup,
                                  .filter = gp_settings()->filter};
}

static void remark_on_no_device(const struct gp_snapshot *snapshot) {
  if (snapshot->running || gp_device_is_in_use())
    gp_remark("device", "it is not described: no launch had ended before this was written");
  else
    gp_remark("device", "no kernel was launched");
}

static void remark_on_snapshot(const struct gp_snapshot *snapshot) {
  if (snapshot->running == 1)
    gp_remark("context.end", "1 launch was running when this was written: it is not among the launches, and what it had "
                             "done by then is counted in part");
  else if (snapshot->running)
    gp_remark("context.end", "%u launches were running when this was written: they are not among the launches, and what they had "
                             "done by then is counted in part", snapshot->running);
  else if (!snapshot->exact)
    gp_remark("context.end", "launches went on, or waited on the device, while this was written, since waiting for them would have "
                             "held up the program: counts may be of moments a little apart, and of launches that have not ended");
}

/* Of this rank: the same one in both runs. */
static char *times_path(const char *pattern) {
  char rank[32] = "0";
  if (gp_ranks()->launcher)
    snprintf(rank, sizeof rank, "%lld", (long long)gp_ranks()->rank);
  return gp_settings_expand(pattern, (long)getpid(), rank, "", gp_start_seconds());
}

/* A process without launches, as a forked one may be, leaves a file of times to the others. */
static void write_times(struct gp_reading *reading, const char *pattern) {
  char *path = times_path(pattern);
  if (path && (reading->record_count || access(path, F_OK)))
    gp_times_file_write(reading, path);
  free(path);
}

static struct gp_times_match apply_times(struct gp_reading *reading, const char *pattern) {
  struct gp_times_match match = {.why = "this process launched no kernel"};
  char *path = reading->record_count ? times_path(pattern) : NULL;
  if (path)
    match = gp_times_file_apply(reading, path);
  free(path);
  return match;
}

/* 'gpuprof run --exact': launches are complete at the end of the program alone. */
static void exchange_times(struct gp_reading *reading, int is_last, struct gp_report_facts *facts) {
  const struct gp_settings *s = gp_settings();
  if (s->times_only && is_last)
    write_times(reading, s->times_only);
  if (!s->times_file)
    return;
  if (is_last)
    facts->times = apply_times(reading, s->times_file);
  else
    snprintf(facts->times.why, sizeof facts->times.why, "the program had not ended");
  if (facts->times.matched)
    gp_remark("time_ns", "of a run without counters that launched the same; the time line, copies and host times are of the run that "
                         "counted");
  else if (is_last && reading->record_count)
    gp_log(GP_WARN, "exact", "the times are of the run with counters: %s", facts->times.why);
}

/* Reads counts, and facts known only during the snapshot. */
static struct gp_aggregate *take_snapshot(const struct gp_report_cause *cause, struct gp_report_facts *facts) {
  struct gp_aggregate *aggregate = gp_aggregate_prepare();
  gp_snapshot_begin(cause->occasion, cause->excused);
  const int failed = aggregate ? gp_aggregate_read(aggregate) : 0;
  const int is_last = cause->how && !is_passing(cause->occasion);
  facts->launches_ns = gp_launches_hook_ns();
  facts->snapshot = gp_snapshot_end();
  facts->counted_until_ns = facts->snapshot.taken_ns - gp_start_ns();
  facts->duration_ns = gp_now() - gp_start_ns();
  if (aggregate && !failed)
    exchange_times(aggregate->reading, is_last, facts);
  if (aggregate && (failed || gp_aggregate_add_up(aggregate, !facts->snapshot.exact))) {
    gp_aggregate_free(aggregate);
    aggregate = NULL;
  }
  remark_on_snapshot(&facts->snapshot);
  return aggregate;
}

static void remark_on_estimates(const struct gp_row *kernels) {
  uint64_t plain = 0, of = 0;
  for (const struct gp_row *row = kernels->children; row; row = row->next) {
    plain += row->plain_launches;
    of += row->plain_launches ? row->launches : 0;
  }
  if (plain && !gp_settings()->times_only)
    gp_remark("estimate", "GPUPROF_SAMPLE=%llu counted %llu of %llu launches: counts of rows with 'estimate' are of these, for all "
                          "launches in the proportion of their threads; times are of the other launches, with plain kernels",
              (unsigned long long)gp_settings()->sample, (unsigned long long)(of - plain), (unsigned long long)of);
}

static int write_document(const struct gp_report_cause *cause, struct gp_report_facts *facts) {
  struct gp_device_info info;
  if (cause->how && !is_passing(cause->occasion))
    gp_energy_finish();
  gp_report_energy_remark();
  const int asks = has_device();
  if (is_passing(cause->occasion) && asks)
    gp_device()->select(first_device()); /* on the journal's own thread */
  facts->device = !asks || describe_device(cause->occasion, &info) ? NULL : &info;
  facts->asks_device = !is_passing(cause->occasion);
  facts->chip = choose_chip(facts->device);
  remark_on_run(facts->device, facts->chip);
  gp_kernel_code_learn(gp_multiprocessors_of(facts->device, facts->chip).architecture);
  struct gp_aggregate *aggregate = take_snapshot(cause, facts);
  if (!aggregate)
    return out_of_memory();
  if (!asks)
    remark_on_no_device(&facts->snapshot);
  if (gp_settings()->unique_file)
    gp_unique_apply(aggregate, gp_settings()->unique_file);
  gp_report_hardware_remark(aggregate);
  remark_on_estimates(&aggregate->kernels);
  struct document document = {facts, aggregate};
  int result = gp_output_write(write_json, &document);
  gp_aggregate_free(aggregate);
  if (!result)
    gp_output_file(last_path, sizeof last_path);
  return result;
}

static int gather_and_write(const struct gp_report_cause *cause) {
  struct texts texts;
  if (cause->occasion == GP_ON_THE_WAY && !gp_output_is_replaced())
    return 1;
  struct gp_report_facts facts = gather_facts(cause, &texts);
  gp_log_begin_document();
  int result = write_document(cause, &facts);
  gp_log_end_document();
  return result;
}

int gp_report_write(const struct gp_report_cause *cause) {
  gp_report_hold();
  int result = gather_and_write(cause);
  gp_report_release();
  return result;
}

void gp_report_name_signal(int signal) {
  static const char key[] = "\"signal\": null";
  char text[512], number[] = "    ";
  int file = open(last_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  const ssize_t length = file < 0 ? -1 : pread(file, text, sizeof text, 0);
  const char *found = length > 0 ? memmem(text, (size_t)length, key, sizeof key - 1) : NULL;
  for (size_t i = sizeof number - 1; i-- > 0 && signal; signal /= 10)
    number[i] = (char)('0' + signal % 10);
  if (found && pwrite(file, number, 4, found - text + (ssize_t)sizeof key - 1 - 4) < 0)
    found = NULL;
  if (file >= 0)
    close(file);
}

/* ---- One document at a time ---- */

void gp_report_hold(void) { pthread_mutex_lock(&lock); }
void gp_report_release(void) { pthread_mutex_unlock(&lock); }
