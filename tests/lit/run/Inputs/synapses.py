"""Prints the synaptic operations of each region, kernel and step of a report that has some."""
import math
import sys

import read_document

KEYS = ("synaptic_ops", "synaptic_accumulates", "synaptic_multiply_accumulates", "synaptic_possible", "synaptic_skipped")


def show(name, snn):
    if snn["synaptic_ops"] is None:
        assert all(snn[key] is None for key in KEYS), snn
        return
    operations, accumulates, multiplied, possible, skipped = (snn[key] for key in KEYS)
    assert operations == accumulates + multiplied, snn
    density = snn["synaptic_density"]
    assert density is None if not possible else math.isclose(density, operations / possible), snn
    bounds = "" if possible is None else f", possible {possible}, skipped {skipped}"
    print(f"{name}: accumulates {accumulates}, multiply-accumulates {multiplied}{bounds}")


def show_row(name, row):
    show(name, row["snn"])
    for step in row["snn"]["per_step"]:
        show(f"{name} step {step['step']}", step)
    for child in row["children"]:
        show_row(child["path"], child)


report = read_document.load(sys.argv[1])
for region in report["regions"]:
    show_row(region["path"], region)
for kernel in report["kernels"]:
    show_row(kernel["name"].split("(")[0] + "()", kernel)
for note in report["notes"]:
    if "#pragma gpuprof synapse" in note["text"] and not note.get("standing"):
        print(f"note on {note['about']}: {note['text']}")
