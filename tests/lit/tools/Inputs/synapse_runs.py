"""Writes documents: synaptic operations unknown; known; and for each of them one in which it changed, in the region or a step.

Takes a document and the folder. Prints the names of the changed ones.
"""
import copy
import json
import sys

VALUES = {"synaptic_ops": 300, "synaptic_accumulates": 200, "synaptic_multiply_accumulates": 100,
          "synaptic_possible": 1200, "synaptic_skipped": 900, "synaptic_density": 0.25}
document_file, folder = sys.argv[1:3]


def write(name, document):
    with open("%s/%s.json" % (folder, name), "w", encoding="utf-8") as file:
        json.dump(document, file)


with open(document_file, encoding="utf-8") as file:
    before = json.load(file)
snn = before["regions"][0]["snn"]
snn.update(dict.fromkeys(VALUES))
write("unknown", before)
snn.update(VALUES)
snn["per_step"] = [{"step": 0, "spikes_positive": None, "spikes_negative": None, "silent": None, "firing_rate": None,
                    "flops": 0, "bytes": 0, "user_counters": {}, **VALUES}]
write("before", before)
for key, value in VALUES.items():
    for place in ("row", "step"):
        after = copy.deepcopy(before)
        snn = after["regions"][0]["snn"]
        (snn if place == "row" else snn["per_step"][0])[key] = value / 2 if key == "synaptic_density" else value - 1
        write("%s-%s" % (place, key), after)
        print("%s-%s" % (place, key))
