"""A profiled program for tests of sweeps: writes a document of a GPU whose kernel 'stbif_forward' takes SIZE times RUN
nanoseconds and SIZE FLOPs, where RUN counts its runs with this SIZE from 10 in steps of 2.

    sweep_program.py DOCUMENT STATE SIZE [fail|none|vary|late]

'late' fails after it wrote its document.
"""
import json
import os
import sys

source, state, size, how = sys.argv[1], sys.argv[2], int(sys.argv[3]), (sys.argv[4:] or [""])[0]
print("size", size)
counter = f"{state}-{size}"
runs = len(open(counter).read()) if os.path.exists(counter) else 0
open(counter, "a").write("x")
if how == "fail":
    sys.exit(3)
if how == "none":
    sys.exit(0)
document = json.load(open(source))
kernel = document["kernels"][0]
time = size * (10 + 2 * runs)
kernel["time_ns"].update(total=time, min=time, median=time, p95=time, max=time)
kernel["flops"] = {"total": size + (runs if how == "vary" else 0)}
document.update(kernels=[kernel], regions=[], notes=[])
open(os.environ["GPUPROF_OUTPUT"].replace("%p", str(os.getpid())), "w").write(json.dumps(document))
if how == "late":
    sys.exit(3)
