#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the counts of two gpuprof reports of the same program, integer for integer.

usage: compare_counts.py FIRST.json SECOND.json [--expect-devices gpu,cpu]

Prints a row a kernel and a region, and every count that differs. Exit 0: all equal; 1: something differs; 2: misuse.
What a device alone knows (times, hardware counters, unique bytes) is not compared.
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import read_document  # noqa: E402

# Counts: all integers below these keys.
COUNTED = ("executions", "launches", "threads", "flops", "special_functions", "integer_ops", "compares", "conversions", "atomic_ops",
           "bytes", "user_counters", "snn")
NOT_COUNTED = {("bytes", "unique"), ("bytes", "l1"), ("bytes", "l2"), ("bytes", "dram")}


def counts_of(entry):
    found = {}

    def walk(value, path):
        if path in NOT_COUNTED:
            return
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, path + (key,))
        elif isinstance(value, list):  # steps
            for inner in value:
                walk({key: amount for key, amount in inner.items() if key != "step"}, path + (str(inner["step"]),))
        elif isinstance(value, int) and not isinstance(value, bool):
            found[".".join(path)] = value

    for key in COUNTED:
        if key in entry:
            walk(entry[key], (key,))
    return found


def regions_of(regions):
    for region in regions:
        yield region
        yield from regions_of(region.get("children", []))


def entries_of(report):
    entries = {}
    for kernel in report.get("kernels", []):
        entries["kernel " + (kernel.get("mangled") or kernel["name"])] = counts_of(kernel)
    for region in regions_of(report.get("regions", [])):
        entries["region " + (region.get("path") or region["name"])] = counts_of(region)
    return entries


def compare(first, second):
    """Returns rows (name, flops, global bytes, number of differences) and the differences as lines of text."""
    rows, differences = [], []
    for name in sorted(first.keys() | second.keys()):
        a, b = first.get(name), second.get(name)
        if a is None or b is None:
            differences.append("%s is only in the %s report" % (name, "second" if a is None else "first"))
            rows.append((name, None, None, 1))
            continue
        wrong = [key for key in sorted(a.keys() | b.keys()) if a.get(key) != b.get(key)]
        differences += ["%s: %s is %s and %s" % (name, key, a.get(key), b.get(key)) for key in wrong]
        global_bytes = sum(value for key, value in a.items() if key.startswith("bytes.global."))
        rows.append((name, a.get("flops.total"), global_bytes, len(wrong)))
    return rows, differences


def load(path):
    try:
        with open(path, encoding="utf-8") as stream:
            return read_document.expand(json.load(stream))
    except (OSError, ValueError) as error:
        sys.exit("compare_counts: %s: %s" % (path, error))


def main():
    parser = argparse.ArgumentParser(description="compare the counts of two gpuprof reports")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--expect-devices", metavar="KIND,KIND", help="fail unless the reports come from these devices")
    arguments = parser.parse_args()
    reports = load(arguments.first), load(arguments.second)

    problems = []
    kinds = ",".join(report["device"]["kind"] for report in reports)
    if arguments.expect_devices and kinds != arguments.expect_devices:
        problems.append("the reports come from the devices %s, not %s" % (kinds, arguments.expect_devices))
    first, second = (entries_of(report) for report in reports)
    if not any(counts.get("threads") for name, counts in first.items() if name.startswith("kernel ")):
        problems.append("the first report counted no thread of any kernel")
    rows, differences = compare(first, second)
    problems += differences

    width = max([len(row[0]) for row in rows] + [4])
    print("%-*s %16s %16s  %s" % (width, "what", "FLOPs", "global bytes", "differences"))
    for name, flops, global_bytes, wrong in rows:
        print("%-*s %16s %16s  %s" % (width, name, flops, global_bytes, wrong or "none"))
    for problem in problems:
        print("DIFFERS: " + problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
