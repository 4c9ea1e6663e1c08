#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Links to headings of pages name headings (doc_anchors.py), and the rule sees wrong ones, planted into a small tree.
set -u
"${PYTHON:-python3}" tests/rules/doc_anchors.py || exit 1
tree=$(mktemp -d) && trap 'rm -rf "$tree"' EXIT
printf '%s\n' '# A `page`, with T = 4' '## Twice' '## Twice' '```' '# no heading' '```' >"$tree/page.md"
printf '[a](page.md#%s)\n' a-page-with-t--4 twice twice-1 >"$tree/right.md"
"${PYTHON:-python3}" tests/rules/doc_anchors.py "$tree" >/dev/null || { echo "refused, but right"; exit 1; }
wrong=(no-heading twice-2 Twice)
printf '[a](page.md#%s)\n' "${wrong[@]}" >"$tree/wrong.md"
found=$("${PYTHON:-python3}" tests/rules/doc_anchors.py "$tree") && { echo "the rule passes"; exit 1; }
for name in "${wrong[@]}"; do
  grep -qF "wrong.md: no such heading: page.md#$name" <<<"$found" || { echo "not seen: $name"; exit 1; }
done
