// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/by_hand.h"

#include "common/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the driver would run, without running it. */
static FILE *ask_driver(const char *compiler) {
  char *command = format_string("'%s' '-###' -x cuda --cuda-host-only -nocudainc -nocudalib /dev/null 2>&1", compiler);
  FILE *answer = strchr(compiler, '\'') ? NULL : popen(command, "r");
  free(command);
  return answer;
}

bool by_hand_wants_wrapper(const char *compiler) {
  FILE *answer = ask_driver(compiler);
  char *line = NULL;
  size_t capacity = 0;
  bool wants = false;
  while (answer && getline(&line, &capacity, answer) > 0)
    wants = wants || strstr(line, LINKER_WRAPPER "\" ");
  free(line);
  if (answer)
    pclose(answer);
  return wants;
}
