"""occupancy_of.py < DOCUMENT: a line a kernel, with its occupancy."""
import json
import sys

for kernel in json.load(sys.stdin)["kernels"]:
    o = kernel["occupancy"]
    print("%s %s %s %s x %s, shared %s + %s, local %s, sm_%s %s, %s waves" % (
        kernel["name"].split("(")[0], o["theoretical"], o["limiter"], o["blocks_per_sm"], o["block_threads"],
        o["static_shared_bytes"], o["dynamic_shared_bytes"], o["local_bytes"], o["architecture"], o["source"], o["waves"]))
