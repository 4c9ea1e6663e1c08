"""same_counts.py REPORT REPORT N: both reports have N kernels with the same counts."""
import sys

import read_document

NOT_COUNTS = ("time_ns", "roofline", "intensity", "occupancy", "energy_joules", "hardware")


def kernels(path):
    found = {}
    for kernel in read_document.load(path)["kernels"]:
        found[kernel["name"]] = {key: value for key, value in kernel.items() if key not in NOT_COUNTS}
    return found


one, other = kernels(sys.argv[1]), kernels(sys.argv[2])
wrong = len(one) != int(sys.argv[3]) or one.keys() != other.keys()
if wrong:
    print("error: kernels are %s and %s" % (sorted(one), sorted(other)))
for name in one.keys() & other.keys():
    for key, value in one[name].items():
        if value != other[name][key]:
            print("error: %s: %s is %s and %s" % (name, key, value, other[name][key]))
            wrong = True
sys.exit(wrong)
