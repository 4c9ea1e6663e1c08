#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The layer rules of docs/developer/overview.md, and texts forbidden in tests.
set -u
status=0
found() { # found WHAT FILES…
  local what=$1; shift
  [ $# -eq 0 ] || { printf '%s\n' "$what:" "$@"; status=1; }
}
lines() { grep -rnE "$@" 2>/dev/null; }
mapfile -t hits < <(lines '#include [<"]clang/' plugin/analysis plugin/clones plugin/costs plugin/instrument plugin/ptx plugin/opt cpu-device/compiler)
found "clang headers below the line (gpuprof-opt.so could not be loaded)" "${hits[@]}"
mapfile -t hits < <(lines -l 'LLVM_VERSION_MAJOR' plugin cpu-device/compiler | grep -v -e '^plugin/common/Compat.h$' -e CMakeLists.txt)
found "LLVM_VERSION_MAJOR outside plugin/common/Compat.h" "${hits[@]}"
mapfile -t hits < <(lines '#include [<"](cuda|cupti|nvtx|nvml)' runtime cpu-device tools --include=*.c --include=*.h | grep -v -e '^runtime/cuda/' -e '^cpu-device/headers/' -e '#include "cuda\(-api\)\?/')
found "vendor headers outside runtime/cuda" "${hits[@]}"
mapfile -t hits < <(lines '#include [<"](llvm|clang)/' runtime cpu-device tools | grep -v '^cpu-device/compiler/')
found "LLVM in the runtime or the command" "${hits[@]}"
mapfile -t hits < <(lines '\b(CHECK|CHECK-NEXT|CHECK-NOT|CHECK-LABEL|CHECK-DAG|CHECK-SAME)[[:space:]]+[^-:[:space:]]' tests/lit tests/kernels | grep -v ':[0-9]*:.*CHECK[-A-Z]*:')
found "CHECK without a colon tests nothing" "${hits[@]}"
mapfile -t hits < <(lines 'RUN:(.*(&&|;|\|\|))? *! [^|]*\| *%FileCheck' tests/lit tests/kernels)
mapfile -t hits2 < <(lines 'RUN:(.*(&&|;|\|\|))? *! [^|;]*;' tests/lit tests/kernels)
found "! before a semicolon passes whatever the command did: give the next command a line of its own" "${hits2[@]}"
found "! before a pipe passes whatever FileCheck says: write to a file, and check that" "${hits[@]}"
mapfile -t hits < <(lines 'XFAIL' tests/lit tests/kernels)
found "XFAIL hides what it should show" "${hits[@]}"
mapfile -t hits < <(lines '\b(TODO|FIXME|XXX)\b' plugin runtime cpu-device tools kernels samples)
found "unfinished work" "${hits[@]}"
mapfile -t hits < <(lines 'strcmp\([^)]*kind[^)]*"cpu"' runtime)
found "what a device can do stands in its table (gp_device_ops), not in its kind" "${hits[@]}"
mapfile -t hits < <(find include plugin runtime cpu-device tools -path cpu-device/headers -prune -o -name '*.[ch]' -printf '%f\n' \
  -o -name '*.cpp' -printf '%f\n' -o -name '*.inc' -printf '%f\n' | sort | uniq -d)
found "two files of one name" "${hits[@]}"
[ $status = 0 ] && echo "layering: all rules hold"
exit $status
