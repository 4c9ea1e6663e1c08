#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Files named by the documentation exist: paths in code spans of *.md, file names in docs/developer and cpu-device, and links.
# usage: tests/rules/doc-paths.sh [TREE]
set -u
cd "${1:-.}" || exit 2
export LC_ALL=C
mapfile -t pages < <(find . -path './build*' -prune -o -path './.*' -prune -o -name '*.md' -print | sort)
find . -path './build*' -prune -o -path ./.git -prune -o -print | sed 's|^\./||' |
  awk '
    # Does a path of the tree match, as a whole or behind a folder? Paths of a component begin there: `base/log.h`.
    function known(path) { sub(/\/$/, "", path); return path in tree }
    function pattern(path,   p, e) {
      e = path; gsub(/[.+$]/, "\\\\&", e); gsub(/\*/, "[^/]*", e)
      for (p in tree) if (p ~ "(^|/)" e "$") return 1
      return 0
    }
    function tell(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; wrong = 1 }
    # Files made by a build, a toolkit or a user are no promise of this tree.
    function check(word) {
      if (word ~ /^(build|\.|\/|~|\$|http|out\/)/ || word !~ /^[A-Za-z0-9_.*\/+-]+$/) return
      if (word ~ /^lit\.[a-z]+\/[A-Za-z0-9_.-]+$/) { # a test by its ctest name
        sub(/^lit\./, "tests/lit/", word)
        if (!known(word) && !pattern(word) && !pattern(word ".*")) tell("no such test: " word)
        return
      }
      if (word ~ /\//) {
        top = word; sub(/\/.*/, "", top)
        if (word ~ /\.(c|h|cpp|cu|cuh|inc|def|S|py|sh|ll|md|json|test)$/ ? !(word ~ /^(thrust|cub)\//) : known(top))
          if (!known(word) && !pattern(word)) tell("no such file: " word)
      } else if (FILENAME ~ /(docs\/developer|cpu-device)\// && word ~ /\.(c|cpp|inc|def|S)$/ && !(word in names) && !pattern(word))
        tell("no such file: " word)
    }
    function link(target,   folder) {
      sub(/#.*/, "", target)
      if (target == "" || target ~ /^[a-z]+:/) return
      folder = FILENAME; sub(/^\.\//, "", folder); if (!sub(/\/[^\/]*$/, "", folder)) folder = ""
      while (sub(/^\.\.\//, "", target)) if (!sub(/\/[^\/]*$/, "", folder)) folder = ""
      if (folder != "") target = folder "/" target
      if (!known(target)) tell("no such page: " target)
    }
    FILENAME == "-" { tree[$0]; name = $0; sub(/.*\//, "", name); names[name]; next }
    FNR == 1 { code = 0 }
    /^```/ { code = !code; next }
    code { next }
    {
      rest = $0
      while (match(rest, /`[^`]+`/)) {
        count = split(substr(rest, RSTART + 1, RLENGTH - 2), words, /[ ,;:()=]+/)
        for (i = 1; i <= count; i++) check(words[i])
        rest = substr(rest, RSTART + RLENGTH)
      }
      rest = $0
      while (match(rest, /\]\([^)]+\)/)) { link(substr(rest, RSTART + 2, RLENGTH - 3)); rest = substr(rest, RSTART + RLENGTH) }
      if (match($0, /^\[[^]]+\]: /)) link(substr($0, RLENGTH + 1))
    }
    END { exit wrong }' - "${pages[@]}" && echo "doc-paths: all ${#pages[@]} pages name files that exist"
