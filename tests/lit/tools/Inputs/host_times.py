"""Gives a document regions with host times, all times the second argument's multiple. Prints it."""
import copy
import json
import sys

document = json.load(open(sys.argv[1]))
factor = int(sys.argv[2]) if len(sys.argv) > 2 else 1
MS = 1000000 * factor
template = next(row for row in document["regions"])


def region(path, phase, category, inclusive, exclusive, waiting, children=()):
    row = copy.deepcopy(template)
    row.update(name=path.split("/")[-1], path=path, parent=path.rpartition("/")[0], kind="host", phase=phase, category=category,
               children=list(children))
    row["host_time_ns"] = {"inclusive": inclusive * MS, "exclusive": exclusive * MS, "waiting": waiting * MS}
    return row


norm = region("step/model/norm", "forward", "normalization", 150, 150, 20)
model = region("step/model", "forward", None, 400, 250, 50, [norm])
load = region("step/load", "data", "data_loading", 300, 300, 0)
document["regions"] = [region("step", None, None, 800, 100, 60, [load, model])]
document["context"]["duration_ns"] = 1000 * MS
document["host"] = {"threads": 1, "regions_ns": 850 * MS, "waiting_ns": 60 * MS, "waits": 7, "clock": "tsc"}
json.dump(document, sys.stdout)
