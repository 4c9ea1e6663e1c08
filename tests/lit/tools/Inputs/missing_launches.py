"""A document in which launches of two kernels are missing: three of eight of one, all of the other."""
import json
import sys


def forget(value):
    return {key: forget(inner) for key, inner in value.items()} if isinstance(value, dict) else None


with open(sys.argv[1]) as file:
    document = json.load(file)
kernels = {kernel["name"]: kernel for kernel in document["kernels"]}
kernels["lif_step"]["uncounted_launches"] = 3
lost = kernels["attention_softmax"]
lost["uncounted_launches"] = lost["launches"]
for key in ("flops", "bytes", "special_functions", "integer_ops", "compares", "conversions"):
    lost[key] = forget(lost[key])
document["uncounted"] = [
    {"what": "launches of lif_step", "where": "forward/lif.step", "why": "its clone does not fit", "launches": 3},
    {"what": "asm", "where": "a.cu:3", "why": "not in the table", "launches": None},
]
json.dump(document, sys.stdout, separators=(",", ":"))
