"""kernel_has.py REPORT KERNEL path=number ...: the kernel's counts in a report are exactly these.
region:NAME instead of KERNEL means a region of that name.

A path is made of JSON keys joined by dots; `counts` alone before the pairs makes every other count have to be 0 (but
`uniform`, a share of the others).
"""
import sys

import read_document


def numbers(value, path=""):
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from numbers(inner, path + key + ".")
        elif isinstance(inner, (int, float)):
            yield path + key, inner


report = read_document.load(sys.argv[1])


def regions(list):
    for region in list:
        yield region
        yield from regions(region["children"])


if sys.argv[2].startswith("region:"):
    kernels = [r for r in regions(report["regions"]) if "region:" + r["name"] == sys.argv[2]]
else:
    kernels = [k for k in report["kernels"] if k["name"].split("(")[0].split("<")[0].split(" ")[-1] == sys.argv[2]]
if len(kernels) != 1:
    sys.exit("error: %d are named %s" % (len(kernels), sys.argv[2]))
kernel = dict(numbers({k: kernels[0][k] for k in kernels[0] if k not in ("roofline", "intensity", "lines", "children")}))
arguments = sys.argv[3:]
exact = arguments[:1] == ["counts"]
expected = {}
for pair in arguments[exact:]:
    path, number = pair.split("=")
    expected[path] = int(number)
wrong = 0
for path, number in expected.items():
    if kernel.get(path) != number:
        print("error: %s: %s is %s, expected %d" % (sys.argv[2], path, kernel.get(path), number))
        wrong += 1
if exact:
    counted = ("flops.", "bytes.global", "bytes.shared", "bytes.local", "bytes.constant", "special_functions")
    for path, number in kernel.items():
        if path.startswith(counted) and not path.endswith((".total", ".uniform")) and number and path not in expected:
            print("error: %s: %s is %s, expected 0" % (sys.argv[2], path, number))
            wrong += 1
if not expected:
    sys.exit("error: no count was given")
sys.exit(wrong != 0)
