#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the unique bytes of two gpuprof reports of the same program, kernel by kernel, integer for integer.

usage: compare_unique.py [--regions] [--known=N] FIRST.json SECOND.json
  --regions   the regions too; those inside a kernel have none
  --known=N   leave out what the second does not know; it must know N rows or more

Exit 0: known in both and equal for every kernel; 1: something differs, is not known or is missing; 2: misuse.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import read_document  # noqa: E402


def unique_of_regions(regions):
    found = {}
    for region in regions:
        if region["kind"] != "device":
            found["region " + region["path"]] = region["bytes"]["unique"]
        found.update(unique_of_regions(region["children"]))
    return found


def unique_bytes(path, with_regions):
    with open(path, encoding="utf-8") as file:
        report = read_document.expand(json.load(file))
    found = {k.get("mangled") or k["name"]: k["bytes"]["unique"] for k in report["kernels"]}
    if with_regions:
        found.update(unique_of_regions(report["regions"]))
    return found


def main(arguments):
    with_regions = arguments[:1] == ["--regions"]
    arguments = arguments[with_regions:]
    least = None
    if arguments and arguments[0].startswith("--known="):
        least = int(arguments.pop(0)[len("--known="):])
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        first, second = (unique_bytes(path, with_regions) for path in arguments)
    except (OSError, ValueError, KeyError) as error:
        print("compare_unique: %s" % error, file=sys.stderr)
        return 2
    if least is not None:
        second = {name: unique for name, unique in second.items() if unique is not None}
        first = {name: unique for name, unique in first.items() if name in second}
    differences = 0
    for name in sorted(first.keys() | second.keys()):
        a, b = first.get(name), second.get(name)
        differs = a is None or a != b
        differences += differs
        print("%-48s %16s %16s %s" % (name, a, b, "DIFFERENT" if differs else "equal"))
    print("%d rows, %d differences in unique bytes" % (len(first.keys() | second.keys()), differences))
    return 1 if differences or not first or len(first) < (least or 0) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
