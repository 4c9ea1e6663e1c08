"""folder.py FOLDER: a folder as tests/corpus/run builds it, of programs that pretend.

Each program writes a report that was prepared for the way it runs (on the CPU device, on a GPU, under the check), and
FOLDER/bin/ncu writes prepared counts of the hardware.
"""
import json
import os
import sys

FOLDER = sys.argv[1]
ADD = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"
LOAD = "smsp__sass_data_bytes_mem_global_op_ld.sum"
SWAP = "smsp__sass_data_bytes_mem_shared_op_atom.sum"

# Of each kernel: FLOPs and bytes counted on the CPU device and on the GPU; what the check expects at least and at most, and
# what it finds; what the plain program does; the bytes that atomics of shared memory swap under the check and in that.
KERNELS = {
    "exact": {"cpu": (1000, 4000), "gpu": (1000, 4000), "expected": ((1000, 1000), (4000, 4000)), "plain": (1000, 4000)},
    "foretold": {"cpu": (1000, 4000), "gpu": (1000, 4000), "expected": ((900, 1300), (125, 4000)), "plain": (1200, 125)},
    "too_many": {"cpu": (1000, 4000), "gpu": (1000, 4000), "expected": ((1000, 1000), (4000, 4000)), "plain": (1070, 4000)},
    "racing": {"cpu": (1000, 4000), "gpu": (1000, 4000), "expected": ((1000, 2000), (4000, 4000)), "plain": (1700, 4000),
               "found": (1500, 4000)},
    "attempting": {"cpu": (1000, 4000), "gpu": (1000, 4000), "expected": ((1490, 1510), (4000, 4000)), "plain": (1200, 4000),
                   "found": (1500, 4000), "swapped": (6000, 4800)},
    "differing": {"cpu": (1000, 4000), "gpu": (1010, 4000), "expected": ((1010, 1010), (4000, 4000)), "plain": (1010, 4000)},
}


def outside(found, least, most):
    return 0 if least <= found <= most else 100.0 * (found - (least if found < least else most)) / most


def kernel(name, facts, way):
    flops, load = facts["cpu" if way == "cpu" else "gpu"]
    row = {"name": name + "(float*)", "mangled": "_Z%d%sPf" % (len(name), name), "threads": 32, "launches": 1,
           "flops": {"fp32": {"add": flops}}, "bytes": {"global": {"load": load, "store": 0, "atomic": 0, "uniform": 0}},
           "hardware": {}}
    if way == "check":
        keys, counted = ("fp32_flops", "global_load"), (flops, load)
        ranges, found = facts["expected"], facts.get("found", facts["plain"])
        row["hardware"] = {
            "counters": dict(zip(keys, found), shared_atomic=facts.get("swapped", (0, 0))[0]), "counted": dict(zip(keys, counted)),
            "expected": {key: r[1] for key, r in zip(keys, ranges)},
            "expected_least": {key: r[0] for key, r in zip(keys, ranges) if r[0] != r[1]},
            "difference_percent": {key: 100.0 * (p - c) / c for key, p, c in zip(keys, found, counted)},
            "unexplained_percent": {key: outside(p, *r) for key, p, r in zip(keys, found, ranges)},
        }
    return row


def write(name, text, executable=False):
    path = os.path.join(FOLDER, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    if executable:
        os.chmod(path, 0o755)


for way in ("cpu", "gpu", "check"):
    report = {"version": 1, "device": {"kind": "cpu" if way == "cpu" else "gpu"}, "regions": [], "uncounted": [], "notes": [],
              "kernels": [kernel(name, facts, way) for name, facts in KERNELS.items()]}
    write("cpu/program.cpu.json" if way == "cpu" else "made/%s.json" % way, json.dumps(report))
write("metrics.json", json.dumps({"fp32_flops": [ADD], "global_load": [LOAD], "shared_atomic": [SWAP]}))
write("plain/program", "", True)
write("program", """#!/bin/sh
case $GPUPROF_HARDWARE in check) way=check ;; *) way=gpu ;; esac
cp made/$way.json "$GPUPROF_OUTPUT"
echo all right
""", True)
rows = ['"%d","_Z%d%sPf","%s","%d","%d"' % (i, len(name), name, format(facts["plain"][0], ","), facts["plain"][1],
                                            facts.get("swapped", (0, 0))[1])
        for i, (name, facts) in enumerate(KERNELS.items())]
table = "\n".join(['==PROF== Connected', '"ID","Kernel Name","%s","%s","%s"' % (ADD, LOAD, SWAP), '"","","inst","byte","byte"'] + rows)
write("bin/ncu", """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    --query-metrics) printf '%%s\\n' '%s  a count' '%s  a sum' '%s  a sum'; exit 0 ;;
    --log-file) log=$2 ;;
  esac
  shift
done
cat > "$log" <<'EOF'
%s
EOF
""" % (ADD.split(".")[0], LOAD.split(".")[0], SWAP.split(".")[0], table), True)
