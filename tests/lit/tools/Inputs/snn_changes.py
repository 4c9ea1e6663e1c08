"""Writes runs that differ from one of snn_network.py in one thing each: snn_changes.py DOCUMENT FOLDER."""
import copy
import json
import sys

document_file, folder = sys.argv[1:3]
with open(document_file, encoding="utf-8") as file:
    before = json.load(file)


def rate(row):  # one spike less, one silent value more; nothing else
    snn = row["snn"]
    snn["spikes_positive"] -= 1
    snn["silent"] += 1
    snn["firing_rate"] = (snn["spikes_positive"] + snn["spikes_negative"]) / (snn["spikes_positive"] + snn["spikes_negative"] + snn["silent"])


def spikes_of_a_step(row):  # moved from one step to another: sums stay
    row["snn"]["per_step"][0]["spikes_positive"] -= 1
    row["snn"]["per_step"][1]["spikes_positive"] += 1


def operations_of_a_step(row):
    row["snn"]["per_step"][2]["synaptic_ops"] -= 1


def step_missing(row):
    del row["snn"]["per_step"][-1]


def step_added(row):
    row["snn"]["per_step"].append(dict(row["snn"]["per_step"][0], step=99))


def counter(row):
    row["user_counters"]["dropped"] = 6


def counter_missing(row):
    row["user_counters"] = {}


def integers(row):
    row["integer_ops"] += 1


def operations(row):
    row["snn"]["synaptic_ops"] -= 1


def skipped(row):
    row["snn"]["synaptic_skipped"] += 1


def density(row):
    row["snn"]["synaptic_density"] *= 0.99


before["regions"][0]["children"][1]["user_counters"] = {"dropped": 7}
for change in (None, rate, spikes_of_a_step, operations_of_a_step, step_missing, step_added, counter, counter_missing, integers,
               operations, skipped, density):
    after = copy.deepcopy(before)
    if change:
        change(after["regions"][0]["children"][1])
    with open("%s/%s.json" % (folder, change.__name__ if change else "before"), "w", encoding="utf-8") as file:
        json.dump(after, file)
