// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/clang_options.h"

#include "cc/words.h"

#include <stddef.h>

static const char *const names[] = {
#define CLANG_VALUE(name) name,
#define CLANG_VALUE_BEHIND(prefix)
#include "cc/clang_options.def"
    NULL};

static const char *const prefixes[] = {
#define CLANG_VALUE(name)
#define CLANG_VALUE_BEHIND(prefix) prefix,
#include "cc/clang_options.def"
    NULL};

bool clang_option_has_value(const char *option) {
  for (size_t i = 0; prefixes[i]; ++i)
    if (begins_with(option, prefixes[i]))
      return true;
  return is_one_of(option, names);
}
