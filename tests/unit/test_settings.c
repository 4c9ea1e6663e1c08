// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct gp_settings settings;
static struct gp_settings_problem problems[GP_SETTINGS_PROBLEMS];

static size_t load(const char *const *environment) {
  return gp_settings_load(&settings, (char **)environment, problems);
}

static int forget(void **state) {
  (void)state;
  gp_settings_free(&settings);
  return 0;
}

static void defaults_need_no_environment(void **state) {
  (void)state;
  const char *const environment[] = {"PATH=/bin", "GPU=1", NULL};
  assert_int_equal(load(environment), 0);
  assert_string_equal(settings.output, "gpuprof-%p.json");
  assert_int_equal(settings.enable, 1);
  assert_null(settings.device);
  assert_null(settings.chip);
  assert_int_equal(settings.warmup, 0);
  assert_string_equal(settings.hardware, "off");
  assert_int_equal(settings.log, GP_WARN);
}

static void every_setting_is_taken(void **state) {
  (void)state;
  const char *const environment[] = {"GPUPROF_OUTPUT=a=b.json", "GPUPROF_ENABLE=0",     "GPUPROF_DEVICE=cpu",
                                     "GPUPROF_CHIP=a100",       "GPUPROF_WARMUP=3",     "GPUPROF_FILTER=a|b",
                                     "GPUPROF_TRACE=t.json",    "GPUPROF_HARDWARE=check", "GPUPROF_ENERGY=1",
                                     "GPUPROF_LOG=debug",       "GPUPROF_CPU_WORKERS=2",
                                     "GPUPROF_CPU_FILL=zero",   "GPUPROF_LIBRARY=/lib/libgpuprof.so.0", NULL};
  assert_int_equal(load(environment), 0);
  assert_true(settings.cpu_zero);
  assert_string_equal(settings.output, "a=b.json");
  assert_int_equal(settings.enable, 0);
  assert_string_equal(settings.device, "cpu");
  assert_string_equal(settings.chip, "a100");
  assert_int_equal(settings.warmup, 3);
  assert_string_equal(settings.filter, "a|b");
  assert_string_equal(settings.trace, "t.json");
  assert_string_equal(settings.hardware, "check");
  assert_int_equal(settings.energy, 1);
  assert_int_equal(settings.log, GP_DEBUG);
  assert_string_equal(settings.library, "/lib/libgpuprof.so.0");
}

/* The list of values for users equals the accepted ones. */
static void every_word_of_the_table_is_taken(void **state) {
  (void)state;
  static const struct {
    const char *name, *values, *standard;
  } table[] = {
#define GPUPROF_SETTING(name, member, kind, values, standard, help) {#name, values, standard},
#include "gpuprof/settings.inc"
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const char *value = table[i].values;
    while (*value) {
      const size_t length = strcspn(value, "|");
      char entry[128];
      snprintf(entry, sizeof entry, "%s=%.*s", table[i].name, (int)length, value);
      const char *const environment[] = {entry, NULL};
      if (value[0] < 'A' || value[0] > 'Z') {
        if (load(environment))
          fail_msg("%s: '%s'", entry, problems[0].text);
        gp_settings_free(&settings);
      }
      value += length + (value[length] == '|');
    }
    char entry[128];
    snprintf(entry, sizeof entry, "%s=%s", table[i].name, table[i].standard);
    const char *const environment[] = {entry, NULL};
    if (table[i].standard[0] && load(environment))
      fail_msg("%s, its default: '%s'", entry, problems[0].text);
    gp_settings_free(&settings);
  }
}

static void unique_takes_ways_to_find_them(void **state) {
  (void)state;
  static const struct {
    const char *entry;
    enum gp_unique unique;
  } cases[] = {{"PATH=/bin", GP_UNIQUE_AUTO},
               {"GPUPROF_UNIQUE=auto", GP_UNIQUE_AUTO},
               {"GPUPROF_UNIQUE=0", GP_UNIQUE_OFF},
               {"GPUPROF_UNIQUE=1", GP_UNIQUE_ON},
               {"GPUPROF_UNIQUE=clones", GP_UNIQUE_CLONES},
               {"GPUPROF_UNIQUE=host", GP_UNIQUE_HOST},
               {"GPUPROF_UNIQUE=copies", GP_UNIQUE_MARKING}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *const environment[] = {cases[i].entry, NULL};
    assert_int_equal(load(environment), 0);
    assert_int_equal(settings.unique, cases[i].unique);
    gp_settings_free(&settings);
  }
}

static void repetitions_up_to_the_bound_are_taken(void **state) {
  (void)state;
  static const char *const entries[] = {"GPUPROF_FILTER=a++++++++", "GPUPROF_FILTER=(a+){9}b+"};
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    const char *const environment[] = {entries[i], NULL};
    assert_int_equal(load(environment), 0);
    assert_string_equal(settings.filter, strchr(entries[i], '=') + 1);
    gp_settings_free(&settings);
  }
}

static void wrong_values_are_named_and_ignored(void **state) {
  (void)state;
  static const struct {
    const char *entry, *about, *text;
  } cases[] = {
      {"GPUPROF_ENABLE=yes", "GPUPROF_ENABLE", "the value 'yes' is ignored: it must be 0 or 1"},
      {"GPUPROF_DEVICE=tpu", "GPUPROF_DEVICE", "the value 'tpu' is ignored: it must be gpu or cpu"},
      {"GPUPROF_WARMUP=-1", "GPUPROF_WARMUP", "the value '-1' is ignored: it must be a whole number from 0"},
      {"GPUPROF_WARMUP=99999999999999999999", "GPUPROF_WARMUP", "is ignored: it must be a whole number from 0"},
      {"GPUPROF_WARMUP=", "GPUPROF_WARMUP", "the value '' is ignored"},
      {"GPUPROF_FILTER=(", "GPUPROF_FILTER", "it must be an extended regular expression"},
      {"GPUPROF_FILTER=a+++++++++", "GPUPROF_FILTER", "with at most eight times +"},
      {"GPUPROF_FILTER=a{9}+++", "GPUPROF_FILTER", "or once {} and twice +"},
      {"GPUPROF_FILTER=(a{9}){9}", "GPUPROF_FILTER", "with at most eight times +"},
      {"GPUPROF_UNIQUE=2", "GPUPROF_UNIQUE", "the value '2' is ignored: it must be auto, 0, 1, host, clones or copies"},
      {"GPUPROF_LOG=loud", "GPUPROF_LOG", "it must be error, warn, note or debug"},
      {"GPUPROF_OUTPUT=", "GPUPROF_OUTPUT", "it must be the name of a file"},
      {"GPUPROF_OUTPTU=x", "GPUPROF_OUTPTU", "there is no such setting, so it is ignored; did you mean GPUPROF_OUTPUT?"},
      {"GPUPROF_CPU_WORKER=2", "GPUPROF_CPU_WORKER", "did you mean GPUPROF_CPU_WORKERS?"},
      {"GPUPROF_UNIQ=1", "GPUPROF_UNIQ", "did you mean GPUPROF_UNIQUE?"},
      {"GPUPROF_COLOUR=2", "GPUPROF_COLOUR", "there is no such setting, so it is ignored; 'gpuprof help settings' lists them"},
      {"GPUPROF_A_NAME_THAT_IS_LONGER_THAN_THAT_OF_ANY_SETTING_THAT_THERE_IS=2",
       "GPUPROF_A_NAME_THAT_IS_LONGER_THAN_THAT_OF_ANY_SETTING_THAT_THE", "'gpuprof help settings' lists them"},
      {"GPUPROF_CPU_WORKERS=0", "GPUPROF_CPU_WORKERS", "the value '0' is ignored: it must be a number of threads from 1"},
      {"GPUPROF_CPU_FILL=0", "GPUPROF_CPU_FILL", "the value '0' is ignored: it must be pattern or zero"},
      {"GPUPROF_CPU_DEVICES=17", "GPUPROF_CPU_DEVICES", "the value '17' is ignored: it must be a number of devices from 1 to 16"},
      {"GPUPROF_STEPS=15", "GPUPROF_STEPS", "the value '15' is ignored: it must be a number of lines from 16 to 4194304"},
      {"GPUPROF_STEPS=4194305", "GPUPROF_STEPS", "it must be a number of lines from 16 to 4194304"},
      {"GPUPROF_CONFIG=/no/such/file", "GPUPROF_CONFIG", "cannot read '/no/such/file': No such file or directory; give a file with lines NAME=value"},
      {"GPUPROF_CONFIG=/dev/zero", "GPUPROF_CONFIG", "cannot read '/dev/zero'"}, /* endless */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *const environment[] = {cases[i].entry, NULL};
    assert_int_equal(load(environment), 1);
    assert_string_equal(problems[0].about, cases[i].about);
    if (!strstr(problems[0].text, cases[i].text))
      fail_msg("%s: '%s'", cases[i].entry, problems[0].text);
    assert_string_equal(settings.output, "gpuprof-%p.json");
    assert_int_equal(settings.warmup, 0);
    assert_int_equal(settings.steps, 131072);
    assert_int_equal(settings.cpu_devices, 1);
    assert_int_equal(settings.cpu_workers, 0);
    assert_false(settings.cpu_zero);
    gp_settings_free(&settings);
  }
}

static void file_stands_below_environment(void **state) {
  (void)state;
  char path[] = "/tmp/gpuprof-settings-XXXXXX", entry[64];
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  static const char text[] = "# a comment\n\n warmup = 5 \nGPUPROF_OUTPUT=file.json\nchip=t4\nnonsense\ncpu_workers=2\n";
  assert_int_equal(write(descriptor, text, sizeof text - 1), (int)sizeof text - 1);
  close(descriptor);
  snprintf(entry, sizeof entry, "GPUPROF_CONFIG=%s", path);
  const char *const environment[] = {"GPUPROF_OUTPUT=environment.json", entry, NULL};
  assert_int_equal(load(environment), 1);
  assert_string_equal(problems[0].about, path);
  assert_string_equal(problems[0].text, "line 6 is ignored: it must read NAME=value");
  assert_int_equal(settings.warmup, 5);
  assert_string_equal(settings.chip, "t4");
  assert_int_equal(settings.cpu_workers, 2);
  assert_string_equal(settings.output, "environment.json");
  unlink(path);
}

/* Loads a file of this text; its path replaces `path`, a pattern of mkstemp(). */
static size_t load_file(const char *text, char *path) {
  char entry[64];
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(write(descriptor, text, strlen(text)), (int)strlen(text));
  close(descriptor);
  snprintf(entry, sizeof entry, "GPUPROF_CONFIG=%s", path);
  const char *const environment[] = {entry, NULL};
  size_t count = load(environment);
  unlink(path);
  return count;
}

static void file_names_no_other_file(void **state) {
  (void)state;
  char path[] = "/tmp/gpuprof-settings-XXXXXX";
  assert_int_equal(load_file("config=/dev/null\nnonsense\nwarmup=5\n", path), 2);
  assert_string_equal(problems[0].about, path);
  assert_string_equal(problems[0].text,
                      "line 1 is ignored: a settings file names no other; set GPUPROF_CONFIG in the environment");
  assert_string_equal(problems[1].about, path);
  assert_int_equal(settings.warmup, 5);
}

static void a_file_of_another_purpose_does_not_fill_the_memory(void **state) {
  (void)state;
  char path[] = "/tmp/gpuprof-settings-XXXXXX", entry[64];
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  assert_int_equal(ftruncate(descriptor, (1 << 20) + 1), 0);
  close(descriptor);
  snprintf(entry, sizeof entry, "GPUPROF_CONFIG=%s", path);
  const char *const environment[] = {entry, NULL};
  assert_int_equal(load(environment), 1);
  unlink(path);
  assert_non_null(strstr(problems[0].text, "File too large; give a file with lines NAME=value"));
}

static void lines_of_a_file_may_be_long(void **state) {
  (void)state;
  char path[] = "/tmp/gpuprof-settings-XXXXXX", text[8192] = "output=";
  memset(text + 7, 'a', 6000);
  strcpy(text + 6007, "\nwarmup=5\n");
  assert_int_equal(load_file(text, path), 0);
  assert_int_equal(strlen(settings.output), 6000);
  assert_int_equal(settings.warmup, 5);
}

static void more_problems_than_fit_do_no_harm(void **state) {
  (void)state;
  const char *environment[GP_SETTINGS_PROBLEMS + 5];
  for (size_t i = 0; i < GP_SETTINGS_PROBLEMS + 4; i++)
    environment[i] = "GPUPROF_NONE=1";
  environment[GP_SETTINGS_PROBLEMS + 4] = NULL;
  assert_int_equal(load(environment), GP_SETTINGS_PROBLEMS);
}

static void assert_expands(const char *pattern, const char *rank, const char *expected) {
  char *text = gp_settings_expand(pattern, 42, rank, "node7", 1700000000);
  assert_string_equal(text, expected);
  free(text);
}

static void patterns_are_expanded(void **state) {
  (void)state;
  assert_expands("gpuprof-%p.json", NULL, "gpuprof-42.json");
  assert_expands("%h/%r-%t.json", "3", "node7/3-1700000000.json");
  assert_expands("%r", NULL, "0");
  assert_expands("100%%-%x-%", NULL, "100%-%x-%");
  assert_expands("", NULL, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(defaults_need_no_environment, forget),
      cmocka_unit_test_teardown(every_setting_is_taken, forget),
      cmocka_unit_test(every_word_of_the_table_is_taken),
      cmocka_unit_test(unique_takes_ways_to_find_them),
      cmocka_unit_test(repetitions_up_to_the_bound_are_taken),
      cmocka_unit_test(wrong_values_are_named_and_ignored),
      cmocka_unit_test_teardown(file_stands_below_environment, forget),
      cmocka_unit_test_teardown(file_names_no_other_file, forget),
      cmocka_unit_test_teardown(a_file_of_another_purpose_does_not_fill_the_memory, forget),
      cmocka_unit_test_teardown(lines_of_a_file_may_be_long, forget),
      cmocka_unit_test_teardown(more_problems_than_fit_do_no_harm, forget),
      cmocka_unit_test(patterns_are_expanded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
