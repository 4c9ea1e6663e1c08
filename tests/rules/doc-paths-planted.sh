#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The rule of doc-paths.sh sees each of these wrong names, planted into a page of a small tree, and accepts right ones.
set -u
status=0
rule=$PWD/tests/rules/doc-paths.sh
tree=$(mktemp -d) && trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/docs/developer" "$tree/runtime/core" "$tree/tests/lit/run"
touch "$tree/runtime/core/log.c" "$tree/tests/lit/run/events.cu" "$tree/docs/page.md"
right=('`runtime/core/log.c`' '`core/log.c`' '`log.c`' '`runtime/core/`' '`lit.run/events`' '[a](../page.md#part)' '`build/x.c`')
wrong=('`runtime/core/logs.c`' '`runtime/log.c`' '`logs.c`' '`runtime/cores/`' '`lit.run/nothing`' '[a](page.md)' '`docs/no.md`')
printf '%s\n' "${right[@]}" >"$tree/docs/developer/right.md"
printf '%s\n' "${wrong[@]}" >"$tree/docs/developer/wrong.md"
found=$(bash "$rule" "$tree") && { echo "the rule passes"; status=1; }
grep -F right.md <<<"$found" && { echo "refused, but right"; status=1; }
for i in "${!wrong[@]}"; do
  grep -qF "wrong.md:$((i + 1)):" <<<"$found" || { echo "not seen: ${wrong[i]}"; status=1; }
done
[ $status = 0 ] && echo "doc-paths-planted: every wrong name is seen"
exit $status
