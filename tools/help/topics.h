/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists that 'gpuprof help TOPIC' prints beside the help of commands, from the tables that the code reads. */
#ifndef GP_TOOL_TOPICS_H
#define GP_TOOL_TOPICS_H

#include "common/help_table.h"

struct help_topic {
  const char *name, *summary; /* the summary is one line of the list of topics */
  const char *before;         /* a paragraph before the list, or null */
  struct help_table table;
};

extern const struct help_topic help_topics[];
extern const size_t help_topic_count;

#endif
