"""Documents that were written while threads launched: what each says is of one moment.

    same_moment.py THREADS KERNELS DOCUMENT...

The threads launch all kernels in turn, in one region.
"""
import json
import sys

import read_document

BLOCKS_TIMES_THREADS = 256
host_threads, kernels = map(int, sys.argv[1:3])
problems = []


def check(name, document):
    end = document["context"]["end"]
    if end["launches_running"] or not end["consistent"]:
        problems.append("%s: launches were running: %r" % (name, end))
    for row in document["kernels"] + document["regions"]:
        launches = row["launches"]
        found = [row["threads"], row["flops"]["total"], row["bytes"]["global"]["load"]]
        wanted = [launches * BLOCKS_TIMES_THREADS * factor for factor in (1, 1, 4)]
        if found != wanted:
            problems.append("%s: %d launches, but %r, not %r" % (name, launches, found, wanted))
    turns = document["regions"][0]["executions"]
    for launches in [kernel["launches"] for kernel in document["kernels"]]:
        if not turns - host_threads <= launches <= turns:
            problems.append("%s: %d turns, but %d launches" % (name, turns, launches))
    if len(document["kernels"]) != kernels:
        problems.append("%s: %d kernels" % (name, len(document["kernels"])))
    for note in document["notes"]:
        if "threads were counted" in note["text"]:
            problems.append("%s: %s" % (name, note["text"]))


for path in sys.argv[3:]:
    with open(path, encoding="utf-8") as file:
        check(path, read_document.expand(json.load(file)))
print("\n".join(problems))
sys.exit(bool(problems))
