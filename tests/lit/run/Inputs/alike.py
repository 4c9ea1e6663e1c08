"""alike.py REPORT OTHER KERNELS [PERCENT]: at least so many kernels have the same counts in both reports, and none has others.
With a percentage only the sum of FLOPs is compared, and may differ by so much."""
import sys

import read_document

COUNTS = ("flops", "bytes", "special_functions", "integer_ops", "compares", "conversions", "atomic_ops")


def numbers(value, path=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, path + "." + key)
    elif value:
        yield path[1:], value


def kernels(name):
    return {k["name"]: dict(numbers({c: k.get(c) for c in COUNTS})) for k in read_document.load(name)["kernels"]}


first, second = kernels(sys.argv[1]), kernels(sys.argv[2])
percent = float(sys.argv[4]) if len(sys.argv) > 4 else 0
failures = 0


def are_alike(path, one, other):
    if percent and path == "flops.total" and one and other:
        return abs(one - other) <= max(one, other) * percent / 100
    return one == other or (percent and path != "flops.total")


for name in sorted(set(first) | set(second)):
    for path in sorted(set(first.get(name, {})) | set(second.get(name, {}))):
        one, other = first.get(name, {}).get(path), second.get(name, {}).get(path)
        if not are_alike(path, one, other):
            print("error: %s of %s: %s and %s" % (path, name, one, other))
            failures += 1
if len(first) < int(sys.argv[3]):
    print("error: %d kernels" % len(first))
    failures += 1
sys.exit(failures > 0)
