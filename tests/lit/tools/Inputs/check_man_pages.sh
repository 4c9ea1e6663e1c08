#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: check_man_pages.sh GPUPROF FOLDER: compares the pages of the commands listed in FOLDER with `gpuprof help`.
set -u
status=0
while read -r command; do
  page=$(sed 's/\\-/-/g; s/\\fB//g; s/\\fI//g; s/\\fR//g; s/\\(aq/'"'"'/g; s/\\e/\\/g' "$2/gpuprof-$command.1")
  grep -q "gpuprof.-$command" "$2/gpuprof.1" || { echo "gpuprof.1 is without $command"; status=1; }
  help=$("$1" help "$command")
  for option in $(sed -n '/^options:/,/^exit code/s/.*\(--[a-z-]*\).*/\1/p' <<<"$help"); do
    grep -qe "$option" <<<"$page" || { echo "$command: no $option"; status=1; }
  done
  exits=$(sed -n '/^exit code:/{n;s/^ *//;s/\.$//;p}' <<<"$help")
  grep -qF "$exits" <<<"$page" || { echo "$command: no '$exits'"; status=1; }
done <"$2/commands"
[ $status = 0 ] && echo "pages: all of their commands, options and exit codes"
exit $status
