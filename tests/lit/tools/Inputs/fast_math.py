# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""FLOPs and special functions of a thread, for each kernel of a CSV report."""
import csv
import sys

for row in sorted(csv.DictReader(sys.stdin), key=lambda row: row["name"]):
    name, counts = row["name"].split("(")[0], (int(row["flops"]), int(row["special_functions"] or 0))
    if name != "infinite":
        print("%s: %d FLOP, %d special" % (name, counts[0] // 32, counts[1] // 32))
