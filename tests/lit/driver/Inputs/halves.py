"""halves.py GPU.ll CPU.ll: the cost sheets in the two halves of a compile count the same, group by group (lines apart)."""
import re
import sys


def costs(path):
    text = re.search(r'@__gpuprof_sheet\S* = .*? c"([^"]*)"', open(path).read())
    if not text:
        sys.exit("error: %s has no sheet" % path)
    found = {}
    kernel = None
    for line in re.sub(r"\\([0-9A-F]{2})", lambda code: chr(int(code.group(1), 16)), text.group(1)).splitlines():
        words = line.split("\t")
        if words[0] == "kernel":
            kernel = words[2]
            found[kernel, "groups"] = [w for w in words if w.startswith("groups=")]
        for pair in words if words[0] == "cost" else []:
            name, _, number = pair.partition("=")
            # Counters of functions that are not inlined lie in local memory on a GPU only.
            if number and not name.startswith("generic_local_"):
                key = kernel, "group " + words[2], name
                found[key] = found.get(key, 0) + int(number)
    return found


gpu, cpu = costs(sys.argv[1]), costs(sys.argv[2])
if not gpu:
    sys.exit("error: nothing is counted")
for key in sorted(set(gpu) | set(cpu), key=str):
    if gpu.get(key) != cpu.get(key):
        print("error: %s: %s on the GPU, %s on the CPU device" % (" ".join(key), gpu.get(key), cpu.get(key)))
        sys.exit(1)
