"""Prints each region of a report, and below it what the notes say of it."""

import sys

import read_document

report = read_document.load(sys.argv[1])


def show(region):
    executions = "null" if region["executions"] is None else region["executions"]
    print(f"{region['path']}: {executions} executions, {region['launches']} launches, {region['flops']['total']} FLOPs")
    for note in report["notes"]:
        if note["about"] == region["path"]:
            print("  " + note["text"])
    for child in region["children"]:
        show(child)


for entry in report["regions"]:
    show(entry)
