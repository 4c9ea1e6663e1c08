#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The rule of symbols.py sees a function that a lower folder declares and a higher one defines, and accepts a table that the
# higher one hands over.
set -u
status=0
copy=$(mktemp -d) && trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/x.dir/core" "$copy/x.dir/process"
compile() { # compile FOLDER/NAME: the source stands on the standard input
  "${CC:-cc}" -c -x c - -o "$copy/x.dir/$1.c.o" || status=1
}
rule() { "${PYTHON:-python3}" -B tests/rules/symbols.py --nm "${NM:-nm}" "$copy"/x.dir/*/*.o; }
compile process/above <<<'void gp_core(void); void gp_above(void) { gp_core(); } const int gp_table = 1;'
compile core/below <<<'__attribute__((weak)) const int gp_table = 0; int gp_core(void) { return gp_table; }'
rule >/dev/null || { echo "a table handed over is refused"; status=1; }
compile core/below <<<'void gp_above(void); void gp_core(void) { gp_above(); }'
rule | grep -F 'runtime/core/below.c.o needs gp_above of runtime/process, and may not' >/dev/null ||
  { echo "not seen: core needs a function of process"; status=1; }
[ $status = 0 ] && echo "symbols: the planted breach is seen"
exit $status
