// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "help/topics.h"

static const struct help_row settings[] = {
#define GPUPROF_SETTING_GROUP(group) {.title = group},
#define GPUPROF_SETTING(its_name, member, kind, its_values, its_default, its_help)                                     \
  {.name = #its_name, .values = its_values, .standard = its_default, .help = its_help},
#include "gpuprof/settings.inc"
};

static const struct help_row plugin_options[] = {
    {.title = "options"},
#define GPUPROF_OPTION(its_name, its_values, its_default, its_help)                                                    \
  {.name = #its_name, .values = its_values, .standard = its_default, .help = its_help},
#include "gpuprof/plugin_options.inc"
    {.title = "groups of warnings"},
#define GPUPROF_WARNING_GROUP(identifier, its_name, its_help) {.name = its_name, .help = its_help},
#include "gpuprof/plugin_warnings.inc"
};

#define ROWS(table) {.rows = table, .count = sizeof table / sizeof *table}

const struct help_topic help_topics[] = {
    {.name = "settings",
     .summary = "Environment variables of a profiled program",
     .before = "Each is an environment variable of the profiled program, as in 'GPUPROF_WARMUP=3 ./app', or a line of the "
               "file that GPUPROF_CONFIG names. A wrong name or value gets one message, and the default stays.",
     .table = ROWS(settings)},
    {.name = "plugin-options",
     .summary = "Options of the compiler plugin",
     .before = "Each is given when a program is compiled, as '-fplugin-arg-gpuprof-NAME=VALUE'. A wrong name or value is "
               "an error that lists the right ones.",
     .table = ROWS(plugin_options)},
};
const size_t help_topic_count = sizeof help_topics / sizeof *help_topics;
