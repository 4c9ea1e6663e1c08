#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares the unique bytes found by address clones and marking kernels on a GPU with the CPU device's, integer
# for integer, and the counts of these runs with each other. The program's kernels must have free address clones.
#
# usage: tests/gpu/unique.sh [--output DIR] FOLDER [ARGUMENT…]
#   FOLDER holds the program `demo`, compiled with -fplugin-arg-gpuprof-unique=on (and libgpuprof.so, where it is not
#   found otherwise). The arguments are the program's (default: --small).
#   --output DIR   where the reports and logs go (default: a new folder below /tmp)
# Exit 0: everything is equal; 1: something differs or failed; 2: misuse.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

output=
while [ $# -gt 0 ]; do
  case $1 in
    --output) [ $# -gt 1 ] || { echo "--output needs a folder" >&2; exit 2; }; output=$2; shift ;;
    -h|--help) sed -n '3,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) echo "unknown option $1: see $0 --help" >&2; exit 2 ;;
    *) break ;;
  esac
  shift
done
[ $# -gt 0 ] && [ -x "$1/demo" ] || { echo "name a folder that holds the program demo: see $0 --help" >&2; exit 2; }
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- --small
[ -n "$output" ] || output=$(mktemp -d /tmp/gpuprof-unique.XXXXXX)
mkdir -p "$output" || exit 1
export LD_LIBRARY_PATH=$folder:$folder/lib:${LD_LIBRARY_PATH:-}

# run NAME SETTING… -- ARGUMENT…: the report is NAME.json, the program's output NAME.log.
run() {
  local name=$1; shift
  local settings=()
  while [ "$1" != -- ]; do settings+=("$1"); shift; done
  shift
  env "${settings[@]}" GPUPROF_OUTPUT="$output/$name.json" timeout "${LIMIT:-300}" "$folder/demo" "$@" \
    >"$output/$name.log" 2>&1 && [ -s "$output/$name.json" ] && return
  echo "$name: failed; its output is in $output/$name.log:"
  tail -5 "$output/$name.log"
  return 1
}

status=0
run cpu GPUPROF_DEVICE=cpu -- "$@" || exit 1
for way in auto 1 copies; do
  run "$way" GPUPROF_DEVICE=gpu GPUPROF_UNIQUE=$way -- "$@" || exit 1
  echo "GPUPROF_UNIQUE=$way against the CPU device:"
  python3 -B "$here/compare_counts.py" "$output/$way.json" "$output/cpu.json" --expect-devices gpu,cpu || status=1
  python3 -B "$here/compare_unique.py" --regions "$output/$way.json" "$output/cpu.json" || status=1
done
exit $status
