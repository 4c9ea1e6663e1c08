"""alike.py REPORT OTHER KERNELS: at least so many kernels have the same counts in both reports, and none has others."""
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
failures = 0
for name in sorted(set(first) | set(second)):
    for path in sorted(set(first.get(name, {})) | set(second.get(name, {}))):
        one, other = first.get(name, {}).get(path), second.get(name, {}).get(path)
        if one != other:
            print("error: %s of %s: %s and %s" % (path, name, one, other))
            failures += 1
if len(first) < int(sys.argv[3]):
    print("error: %d kernels" % len(first))
    failures += 1
sys.exit(failures > 0)
