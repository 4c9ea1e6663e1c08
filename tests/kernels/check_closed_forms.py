#!/usr/bin/env python3
"""check_closed_forms.py CLOSED.json GPUPROF.json

Compares what a program's kernels, or the host regions that are its cases, had to cost (written by `--closed-forms`) with what gpuprof counted, integer for
integer: FLOPs by kind, special functions, bytes by space and direction, spikes where it states them, launches and threads; unique bytes where the
CPU device ran. Prints every difference. Exit 0: all equal. 1: a difference, a kernel or a region is missing, or
nothing was compared. 2: a file could not be read.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import read_document  # noqa: E402

PRECISIONS = ("fp64", "fp32", "fp16", "bf16")
KINDS = ("add", "mul", "fma", "div", "sqrt", "accumulate")
TENSOR = ("fp16", "bf16")
SPACES = ("global", "shared", "local")
DIRECTIONS = ("load", "store", "atomic")
SPIKES = ("spikes_positive", "spikes_negative", "silent")
SYNAPSES = ("synaptic_accumulates", "synaptic_multiply_accumulates", "synaptic_possible")


def base_name(name):
    """The function's own name out of a plain, demangled or mangled one."""
    mangled = re.match(r"_ZL?(?:N\d+_GLOBAL__N_1)?(\d+)(.*)", name)
    if mangled:
        return mangled.group(2)[: int(mangled.group(1))]
    return re.match(r"(?:void )?(?:[\w:()<> ]*::)?(\w+)", name).group(1)


def amounts(entry, whole_kernel):
    """Every number of an entry that a closed form states, by a dotted name. What it does not name is 0."""
    flops, bytes_ = entry["flops"], entry["bytes"]
    found = {f"flops.{p}.{k}": flops.get(p, {}).get(k, 0) for p in PRECISIONS for k in KINDS}
    found.update({f"flops.tensor.{p}": flops.get("tensor", {}).get(p, 0) for p in TENSOR})
    found.update({f"bytes.{s}.{d}": bytes_.get(s, {}).get(d, 0) for s in SPACES for d in DIRECTIONS})
    found["special_functions"] = entry["special_functions"]
    found["atomic_ops"] = entry.get("atomic_ops", 0)
    found.update({f"snn.{k}": entry["snn"][k] for k in SPIKES if k in entry.get("snn", {})})
    synapses = entry.get("synapses", entry.get("snn", {}))  # of a closed form, and of a report
    found.update({f"snn.{k}": synapses[k] for k in SYNAPSES if k in synapses})
    if whole_kernel:
        found["launches"] = entry["launches"]
        found["threads"] = entry["threads"]
        found["bytes.unique"] = entry.get("unique", bytes_.get("unique"))
    return found


def add_up(entries):
    total = {}
    for entry in entries:
        for name, amount in entry.items():
            before = total.get(name, 0)
            total[name] = None if before is None or amount is None else before + amount
    return total


def device_regions(regions, name, seen=None):
    """All regions of kernels and device code with this name, wherever they stand in the tree; each path once."""
    seen = {} if seen is None else seen
    for region in regions:
        if region["name"] == name and region["kind"] != "host":
            seen.setdefault(region["path"], region)
        device_regions(region.get("children", []), name, seen)
    return list(seen.values())


def host_regions(regions):
    """The host's outermost regions by name."""
    return {region["name"]: region for region in regions if region["kind"] == "host"}


class Check:
    def __init__(self):
        self.comparisons = 0
        self.problems = []

    def compare(self, what, expected, counted, skip=()):
        for name, amount in expected.items():
            if name in skip:
                continue
            self.comparisons += 1
            if counted.get(name) != amount:
                self.problems.append((what, name, amount, counted.get(name)))


def check(closed, report):
    result = Check()
    # On a GPU there is no map of sectors: unique bytes are not known there.
    skip = () if report["device"]["kind"] == "cpu" else ("bytes.unique",)
    cases = host_regions(report["regions"]) if any("case" in entry for entry in closed) else {}
    for entry in closed:
        if "case" in entry:
            found = cases.get(entry["case"])
            if not found:
                result.problems.append((f"case {entry['case']}", "", "present", "missing"))
            else:
                result.compare(f"case {entry['case']}", amounts(entry, True), amounts(found, True), skip)
            continue
        name = entry["kernel"]
        counted = [k for k in report["kernels"] if base_name(k["name"]) == name]
        if not counted:
            result.problems.append((f"kernel {name}", "", "present", "missing"))
            continue
        result.compare(f"kernel {name}", amounts(entry, True), add_up([amounts(k, True) for k in counted]), skip)
        for region in entry.get("regions", []):
            found = device_regions(report["regions"], region["name"])
            if not found:
                result.problems.append((f"region {region['name']}", "", "present", "missing"))
                continue
            result.compare(
                f"region {region['name']}", amounts(region, False), add_up([amounts(r, False) for r in found])
            )
    return result


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        print(f"check_closed_forms: cannot read {path}: {error}", file=sys.stderr)
        sys.exit(2)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    result = check(read(arguments[0]), read_document.expand(read(arguments[1])))
    for row in [("what", "amount", "closed form", "counted")] * bool(result.problems) + result.problems:
        print("%-32s %-24s %20s %20s" % tuple("unknown" if cell is None else str(cell) for cell in row))
    if result.comparisons == 0:
        print("nothing was compared")
        return 1
    print(f"{result.comparisons} comparisons, {len(result.problems)} differences")
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
