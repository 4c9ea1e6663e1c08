#include "report.h"

#include "addresses.h"
#include "kernels.h"
#include "launch.h"
#include "locks.h"
#include "log.h"
#include "output.h"
#include "report_builds.h"
#include "report_hardware.h"
#include "report_json.h"
#include "runtime.h"
#include "settings.h"
#include "unique.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHIP_WITHOUT_GPU "h200"

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
  for (const struct gp_kernel *kernel = gp_kernels(); kernel; kernel = kernel->next)
    if (kernel->records)
      return kernel->records->device;
  return 0;
}

static int describe_device(struct gp_device_info *info) {
  if (!gp_device_kind_in_use()) {
    gp_remark("device", "no kernel was launched");
    return -1;
  }
  int error = gp_device()->describe(first_device(), info);
  if (error)
    gp_remark("device", "it could not be described: %s", gp_device()->error_text(error));
  return error;
}

/* A GPU has its own roof; with none, the roof is that of the chip that was asked for. */
static const struct gp_chip *choose_chip(const struct gp_device_info *device) {
  const char *wanted = gp_settings()->chip;
  const struct gp_chip *chip = NULL;
  int on_gpu = device && !strcmp(device->kind, "gpu");
  if (on_gpu)
    chip = gp_chip_by_device_name(device->name);
  if (chip)
    return chip;
  if (wanted && !(chip = gp_chip_by_id(wanted)))
    gp_log(GP_WARN, "GPUPROF_CHIP", "'%.40s' is not in the table of chips; known are v100, t4, a100, a100-80, rtx4090, "
                                    "l40s, h100, h200 and b200", wanted);
  if (on_gpu && !chip)
    gp_remark("ceilings", "'%s' is not in the table of chips: set GPUPROF_CHIP to one that is alike to get a roof",
              device->name);
  if (on_gpu)
    return chip;
  return chip ? chip : gp_chip_by_id(CHIP_WITHOUT_GPU);
}

static void remark_on_run(const struct gp_device_info *device, const struct gp_chip *chip) {
  if (device && !strcmp(device->kind, "cpu"))
    gp_remark("roofline", "the program ran on the CPU device: counts are exact, but there is no GPU time, so that points "
                          "are placed at the roof of '%s' (GPUPROF_CHIP)", chip->id);
  gp_report_builds_remark();
  const struct gp_settings *s = gp_settings();
  if (gp_addresses_untimed())
    gp_remark("time_ns", "not measured: with this GPUPROF_UNIQUE kernels mark the memory they touch, which takes time");
  else if (gp_launches_untimed())
    gp_remark("time_ns", "the times of %llu launches never came", (unsigned long long)gp_launches_untimed());
  if (device && !strcmp(device->kind, "gpu") && s->unique == GP_UNIQUE_OFF && !s->unique_file)
    gp_remark("bytes.unique", "not looked for: GPUPROF_UNIQUE is 0; without them there is no DRAM roof");
  if (s->trace)
    gp_log(GP_WARN, "GPUPROF_TRACE", "this version writes no trace");
  if (s->energy)
    gp_log(GP_WARN, "GPUPROF_ENERGY", "this version measures no energy");
}

/* ---- The document ---- */

struct document {
  const struct gp_report_facts *facts;
  const struct gp_aggregate *aggregate;
};

static int write_document(FILE *stream, void *closure) {
  const struct document *document = closure;
  return gp_report_json(stream, document->facts, document->aggregate);
}

static int gather_and_write(void) {
  char command[4096], compiler[512], options[1024], host[256] = "", start_time[32];
  time_t seconds = (time_t)gp_start_seconds();
  struct tm calendar;
  read_command(command, sizeof command);
  join_units(compiler, sizeof compiler, offsetof(struct gp_unit, compiler));
  join_units(options, sizeof options, offsetof(struct gp_unit, options));
  gethostname(host, sizeof host - 1);
  strftime(start_time, sizeof start_time, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &calendar));
  if (gp_device_kind_in_use()) {
    gp_device()->synchronize(); /* an error here shows again when counters are read */
    gp_device()->flush();
  }
  struct gp_device_info info;
  const struct gp_device_info *device = describe_device(&info) ? NULL : &info;
  struct gp_report_facts facts = {.tool_version = GPUPROF_VERSION,
                                  .command = command,
                                  .host = host,
                                  .start_time = start_time,
                                  .compiler = compiler,
                                  .plugin_options = options,
                                  .rank = gp_settings_rank(),
                                  .world_size = gp_settings_world_size(),
                                  .pid = (long)getpid(),
                                  .duration_ns = gp_now() - gp_start_ns(),
                                  .warmup = gp_settings()->warmup,
                                  .launches_ns = gp_launches_hook_ns(),
                                  .device = device,
                                  .chip = choose_chip(device)};
  remark_on_run(device, facts.chip);
  struct gp_aggregate *aggregate = gp_aggregate_make();
  int result = -1;
  if (aggregate && gp_settings()->unique_file)
    gp_unique_apply(aggregate, gp_settings()->unique_file);
  if (aggregate)
    gp_report_hardware_remark(aggregate);
  if (aggregate) {
    struct document document = {&facts, aggregate};
    result = gp_output_write(write_document, &document);
    gp_aggregate_free(aggregate);
  } else {
    gp_log(GP_ERROR, "", "memory is exhausted: the report is not written");
  }
  return result;
}

GP_MUTEX(lock, GP_LOCK_REPORT)

int gp_report_write(void) {
  pthread_mutex_lock(&lock);
  int result = gather_and_write();
  pthread_mutex_unlock(&lock);
  return result;
}
