#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each source file names its licence in its first three lines.
set -u
line='SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception'
mapfile -t without < <(find plugin cpu-device include runtime tools tests/unit tests/fuzz tests/rules scripts -type f \
  \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.def' -o -name '*.inc' -o -name '*.S' -o -name '*.sh' -o -name '*.py' \) \
  -print0 | xargs -0 awk -v line="$line" '
    FNR == 1 { if (name != "" && !found) print name; name = FILENAME; found = 0 }
    FNR <= 3 && index($0, line) { found = 1 }
    END { if (name != "" && !found) print name }')
[ ${#without[@]} = 0 ] && { echo "spdx: every source file names its licence"; exit; }
printf "add '$line' as a comment in the first line of %s\n" "${without[@]}"
exit 1
