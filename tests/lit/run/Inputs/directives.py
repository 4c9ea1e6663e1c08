"""Prints what directives counted in the regions of a report, and with --kernels in its kernels."""

import sys

import read_document


def values(entry, snn):
    parts = [f"{name}={amount}" for name, amount in entry["user_counters"].items()]
    if snn["silent"] is not None:
        parts.append(f"spikes +{snn['spikes_positive']} -{snn['spikes_negative']} 0:{snn['silent']}")
    return "".join(", " + part for part in parts)


def show(region):
    head = [] if region["executions"] is None else [f"{region['executions']} executions"]
    head += [f"{region['launches']} launches", f"{region['flops']['total']} FLOPs"]
    print(f"{region['path'] or region['name']}: {', '.join(head)}{values(region, region['snn'])}")
    expected = region["expected"]
    if expected["flops"]:
        print(f"  expected flops {expected['flops']:g}, items {expected['items']:g}, "
              f"over {expected['executed_over_expected']:.3f}")
    for step in region["snn"]["per_step"]:
        print(f"  step {step['step']}: {step['flops']} FLOPs{values(step, step)}")
    for child in region["children"]:
        show(child)


report = read_document.load(sys.argv[1])
for entry in report["regions"] + (report["kernels"] if "--kernels" in sys.argv else []):
    show(entry)
