#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which folder may include from which: every #include "…" is resolved to a file of the tree, and its folder must stand in
layers.allow behind the includer's, and may not stand behind it in a line "order: …". Names of the list that nothing needs
any more are printed.

usage: tests/rules/layers.py [--list FILE] [ROOT]
"""
import argparse
import itertools
import os
import re
import sys

COMPONENTS = ["include", "runtime", "cpu-device", "plugin", "tools"]
NOT_OURS = ("cpu-device/headers",)  # they are CUDA's, for programs
LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "layers.allow")
SUFFIXES = (".c", ".h", ".cpp", ".inc", ".def", ".S")
# Includes start at the root of a component, or at the includer's folder.
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def sources(root):
    for component in COMPONENTS:
        for folder, _, names in os.walk(os.path.join(root, component)):
            inside = os.path.relpath(folder, root)
            if not inside.startswith(NOT_OURS):
                yield from (os.path.join(inside, name) for name in names if name.endswith(SUFFIXES))


def resolve(root, source, name):
    own = source.split(os.sep)[0]
    roots = [own] + [c for c in COMPONENTS if c != own] + [os.path.join("cpu-device", "compiler")]
    for base in [os.path.dirname(source)] + roots:
        path = os.path.normpath(os.path.join(base, name))
        if os.path.isfile(os.path.join(root, path)):
            return path
    return None


def edges(root):
    """{(folder, folder it includes from): an include that does}"""
    found = {}
    for source in sorted(sources(root)):
        with open(os.path.join(root, source), encoding="utf-8") as file:
            text = file.read()
        for match in INCLUDE.finditer(text):
            target = resolve(root, source, match[1])
            pair = (os.path.dirname(source), os.path.dirname(target or source))
            if pair[0] != pair[1]:
                found.setdefault(pair, "%s:%d includes %s" % (source, text.count("\n", 0, match.start(1)) + 1, match[1]))
    return found


def read_list(path):
    """The allowed edges, and those that an order forbids"""
    pairs, upward = set(), set()
    with open(path, encoding="utf-8") as file:
        for line in file:
            folder, _, targets = line.partition("#")[0].partition(":")
            if folder.strip() == "order":
                upward |= set(itertools.combinations(targets.split(), 2))
            else:
                pairs |= {(folder.strip(), target) for target in targets.split()}
    return pairs, upward


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--list", default=LIST)
    parser.add_argument("root", nargs="?", default=os.path.dirname(os.path.dirname(os.path.dirname(LIST))))
    options = parser.parse_args()
    found, (may, upward) = edges(options.root), read_list(options.list)
    breaches = ["layers.allow: %s may not include from %s, which stands above it" % pair for pair in sorted(may & upward)]
    breaches += ["%s: %s may not include from %s" % (found[pair], *pair) for pair in sorted(found) if pair not in may - upward]
    unused = ["layers.allow: %s no longer includes from %s; delete it there" % pair for pair in sorted(may) if pair not in found]
    print("\n".join(breaches + unused) or "layers: all %d edges between folders are allowed" % len(found))
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
