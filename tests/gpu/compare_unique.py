#!/usr/bin/env python3
"""Compares the unique bytes of two gpuprof reports of the same program, kernel by kernel, integer for integer.

usage: compare_unique.py FIRST.json SECOND.json

Exit 0: known in both and equal for every kernel; 1: something differs, is not known or is missing; 2: misuse.
"""
import json
import sys


def unique_bytes(path):
    with open(path, encoding="utf-8") as file:
        return {k.get("mangled") or k["name"]: k["bytes"]["unique"] for k in json.load(file)["kernels"]}


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        first, second = map(unique_bytes, arguments)
    except (OSError, ValueError, KeyError) as error:
        print("compare_unique: %s" % error, file=sys.stderr)
        return 2
    differences = 0
    for name in sorted(first.keys() | second.keys()):
        a, b = first.get(name), second.get(name)
        differs = a is None or a != b
        differences += differs
        print("%-48s %16s %16s %s" % (name, a, b, "DIFFERENT" if differs else "equal"))
    print("%d kernels, %d differences in unique bytes" % (len(first.keys() | second.keys()), differences))
    return 1 if differences or not first else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
