"""Rows that --why has a different sentence for, made of a kernel of a document: why_rows.py DOCUMENT OUTPUT"""
import copy
import json
import sys

document = json.load(open(sys.argv[1]))
model = document["kernels"][0]
assert model["name"] == "stbif_forward"


def row(name, **changes):
    made = copy.deepcopy(model)
    made.update(name=name, mangled=name, path=name)
    for path, value in changes.items():
        at = made
        *groups, last = path.split("__")
        for group in groups:
            at = at.setdefault(group, {})
        at[last] = value
    return made


def timed(name, ns, percent, bound, **changes):
    return row(name, time_ns__total=ns, roofline__percent=percent, roofline__bound=bound, **changes)


document["kernels"] = [
    row("mixed", flops__fp64__add=33554432, flops__total=100663296 + 16777216000, flops__tensor__bf16=16777216000,
        roofline__bound="dram", roofline__model_times_ns__tensor=16955.2, roofline__model_times_ns__core=2004.7),
    timed("full", 31000, 90, "dram"),
    timed("full_core", 31000, 90, "core"),
    timed("half_core", 31000, 40, "core"),
    timed("half_l1", 31000, 40, "l1"),
    timed("half_shared", 31000, 40, "shared"),
    timed("half_special", 31000, 40, "special"),
    timed("half_tensor", 31000, 40, "tensor"),
    timed("short", 2000, 5, "latency"),
    timed("few_threads", 500000, 5, "latency", threads=8192),
    timed("waits", 500000, 5, "latency", threads=1 << 20),
    timed("scatters", 500000, 5, "latency", roofline__model_times_ns__l1=29000),
    timed("gathers", 500000, 5, "latency", roofline__model_times_ns__l1=29000, bytes__l1=134000000),
    timed("rereads", 500000, 22, "dram", bytes__unique=20000000),
    timed("in_place", 50000, 50, "dram", bytes__unique=100663296),
    timed("reads_once", 500000, 22, "dram"),
    timed("takes_turns", 31000, 40, "tensor", bytes__unique=0,
          flops={"total": 12276000000, "tensor": {"bf16": 12276000000}}, bytes__shared={"load": 379000000, "store": 0, "atomic": 0},
          roofline__model_times_ns={"tensor": 12600, "shared": 12500, "l1": 4000, "special": 900, "core": 0, "dram": 0}),
    timed("one_alone", 31000, 40, "tensor", bytes__unique=0,
          flops={"total": 12276000000, "tensor": {"bf16": 12276000000}}, bytes__shared={"load": 379000000, "store": 0, "atomic": 0},
          roofline__model_times_ns={"tensor": 12400, "shared": 4000, "l1": 4000, "special": 900, "core": 0, "dram": 0}),
    timed("wasteful", 500000, 20, "dram", coalescing={"requests": 1 << 20, "sectors": 1 << 25}),
    timed("full_scattered", 31000, 90, "core", coalescing={"requests": 1 << 20, "sectors": 1 << 25}),
    timed("repeats", 31000, 90, "dram", expected__executed_over_expected=2.5),
    timed("above", 10000, 280, "dram", roofline__status="above_roof"),
    timed("partly", 31000, 90, "dram", uncounted_launches=3),
    row("unknown", roofline__bound=None, roofline__percent=None, bytes__unique=None, roofline__model_times_ns__dram=None),
    row("atomics", flops={"total": 6000, "fp32": {"add": 1000, "accumulate": 5000}}),
    row("idle", flops={"total": 0}, bytes={"global": {"load": 0, "store": 0, "atomic": 0}}, roofline__bound=None, roofline__percent=None,
        roofline__model_times_ns={}),
]
document["regions"] = []
json.dump(document, open(sys.argv[2], "w"))
