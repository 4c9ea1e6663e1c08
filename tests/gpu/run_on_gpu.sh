#!/usr/bin/env bash
# Runs programs that were compiled with gpuprof on the GPU and on the CPU device, and compares what was counted.
#
# usage: tests/gpu/run_on_gpu.sh [--output DIR] FOLDER|PROGRAM…
#   A folder stands for the programs in it. libgpuprof.so is looked for in the folder, its lib/ and beside the program,
#   so that a folder can be carried to a machine on which nothing else is installed.
#   --output DIR   where the reports and logs go (default: a new folder below /tmp)
# Exit 0: every count of every program is equal; 1: something differs or failed; 2: misuse.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

output= programs=() libraries=
while [ $# -gt 0 ]; do
  case $1 in
    --output) [ $# -gt 1 ] || { echo "--output needs a folder" >&2; exit 2; }; output=$2; shift ;;
    -h|--help) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) echo "unknown option $1: see $0 --help" >&2; exit 2 ;;
    *) if [ -d "$1" ]; then
         libraries+="$1:$1/lib:"
         for file in "$1"/*; do [ -f "$file" ] && [ -x "$file" ] && [[ $file != *.so* ]] && programs+=("$file"); done
       elif [ -x "$1" ]; then
         libraries+="$(dirname "$1"):$(dirname "$1")/lib:"
         programs+=("$1")
       else
         echo "$1 is neither a folder nor a program" >&2; exit 2
       fi ;;
  esac
  shift
done
[ ${#programs[@]} -gt 0 ] || { echo "no program to run: name programs, or a folder that holds some" >&2; exit 2; }
[ -n "$output" ] || output=$(mktemp -d /tmp/gpuprof-gpu.XXXXXX)
mkdir -p "$output" || exit 1
export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:-}

# run PROGRAM DEVICE: the report in $output, the program's output in a log beside it.
run() {
  local name; name=$(basename "$1")
  rm -f "$output/$name.$2.json"
  GPUPROF_DEVICE=$2 GPUPROF_OUTPUT=$output/$name.$2.json timeout "${LIMIT:-300}" "$1" >"$output/$name.$2.log" 2>&1
  local status=$?
  [ $status -eq 0 ] && [ -s "$output/$name.$2.json" ] && return 0
  echo "$name on the $2: exit status $status, report $([ -s "$output/$name.$2.json" ] && echo written || echo missing)"
  tail -n 20 "$output/$name.$2.log"
  return 1
}

failed=0
for program in "${programs[@]}"; do
  name=$(basename "$program")
  echo "== $name"
  run "$program" gpu && run "$program" cpu &&
    python3 "$here/compare_counts.py" --expect-devices gpu,cpu "$output/$name.gpu.json" "$output/$name.cpu.json" ||
    failed=$((failed + 1))
done
echo
echo "$((${#programs[@]} - failed)) of ${#programs[@]} programs count the same on both devices; reports in $output"
[ $failed -eq 0 ]
