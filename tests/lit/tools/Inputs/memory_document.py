"""memory_document.py DOCUMENT FOLDER: writes before.json with memory of a program, and after.json with more of it."""
import copy
import json
import sys

source, folder = sys.argv[1:]
with open(source, encoding="utf-8") as file:
    document = json.load(file)

GB = 10**9
LEVEL = {"peak_bytes": 3 * GB, "peak_time_ns": 2000000, "average_bytes": 3 * GB // 2, "end_bytes": GB, "allocated_bytes": 5 * GB,
         "allocations": 9, "releases": 7}
SITE = {"bytes": 3 * GB, "allocations": 4, "kind": "device", "region": "train", "stack": 0}
LEAK = {"bytes": GB, "allocations": 2, "kind": "device", "device": 0, "region": None, "stack": 1}
FAILURE = {"function": "cudaMalloc", "bytes": 80 * GB, "kind": "device", "device": 0, "time_ns": 5, "held_bytes": 3 * GB,
           "used_bytes": None, "region": "train/step", "stack": 0, "held": [SITE]}
PLACE = {"device": 0, **LEVEL, "used_bytes": 7 * GB // 2,
         "default_pool": dict.fromkeys(("reserved_bytes", "reserved_peak_bytes", "used_bytes", "used_peak_bytes")),
         "kinds": {"device": LEVEL}, "at_peak": [SITE],
         "curve": {"width_ns": 1000000, "most_bytes": [GB, 3 * GB], "last_bytes": [GB, 2 * GB]}}
document["memory"] = {
    **LEVEL, "leaked_bytes": GB, "leaked_allocations": 2, "leaks": [LEAK], "exhausted": {"allocations": 1, "first": [FAILURE]},
    "unknown_releases": 0, "refused_releases": 0, "refused_allocations": 0, "reset_releases": 0, "unsized_allocations": 0,
    "graphs": {"allocations": 0, "bytes": 0, "releases": 0}, "largest": [], "places": [PLACE],
    "stacks": [[[0, 16, "fill(float*)"], [0, 32, "main"], [1, 5, "__libc_start_main"]], [[0, 16, None]]],
    "modules": [{"path": "/nowhere/app", "build_id": None}, {"path": "/lib/libc.so.6", "build_id": None}]}
after = copy.deepcopy(document)
after["memory"].update(peak_bytes=4 * GB, leaked_bytes=2 * GB)
for name, content in (("before", document), ("after", after)):
    with open("%s/%s.json" % (folder, name), "w", encoding="utf-8") as file:
        json.dump(content, file)
