"""Prints of each region and kernel of a document: executions, launches, FLOPs, what was left out, whether a median is known."""
import json
import sys

import read_document


def show(row):
    left_out = row.get("left_out", {"executions": 0, "launches": 0})
    print(row["path"].split("(")[0], row["executions"], row["launches"], row["flops"]["total"], "left out",
          left_out["executions"], left_out["launches"], "median" if row["time_ns"]["median"] is not None else "no median")
    for child in row["children"]:
        show(child)


with open(sys.argv[1], encoding="utf-8") as file:
    document = read_document.expand(json.load(file))
for row in document["regions"] + document["kernels"]:
    show(row)
for note in document["notes"]:
    if note["about"] == "left_out":
        print("note:", note["text"])
