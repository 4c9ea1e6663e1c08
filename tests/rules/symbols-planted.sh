#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The rule of symbols.py sees a function declared in a lower folder and
# defined in a higher one, and accepts a table handed over by the higher one.
set -u
status=0
copy=$(mktemp -d) && trap 'rm -rf "$copy"' EXIT
objects=$copy/runtime/CMakeFiles/x.dir engine=$copy/cpu-device/CMakeFiles/y.dir
mkdir -p "$objects/core" "$objects/process" "$engine/engine" "$engine/memory"
compile() { # compile FOLDER/NAME [OBJECTS]: the source stands on the standard input
  "${CC:-cc}" -c -x c - -o "${2:-$objects}/$1.c.o" || status=1
}
rule() { "${PYTHON:-python3}" -B tests/rules/symbols.py --nm "${NM:-nm}" "$copy"/*/*/*/*/*.o; }
compile process/above <<<'void gp_core(void); void gp_above(void) { gp_core(); } const int gp_table = 1;'
compile core/below <<<'__attribute__((weak)) const int gp_table = 0; int gp_core(void) { return gp_table; }'
rule >/dev/null || { echo "a table handed over is refused"; status=1; }
compile core/below <<<'void gp_above(void); void gp_core(void) { gp_above(); }'
rule | grep -F 'runtime/core/below.c.o needs gp_above of runtime/process, and may not' >/dev/null ||
  { echo "not seen: core needs a function of process"; status=1; }
rm "$objects"/*/*.o
compile engine/above "$engine" <<<'int gp_above(void) { return 0; }'
compile memory/below "$engine" <<<'int gp_above(void); int gp_below(void) { return gp_above(); }'
rule | grep -F 'cpu-device/memory/below.c.o needs gp_above of cpu-device/engine, and may not' >/dev/null ||
  { echo "not seen: the CPU device's memory needs a function of its engine"; status=1; }
[ $status = 0 ] && echo "symbols: the planted breaches are seen"
exit $status
