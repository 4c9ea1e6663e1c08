"""Writes three runs of one program: as it was, busier, and with other work. Takes a document and the folder."""
import copy
import json
import sys

document_file, folder = sys.argv[1:3]


def step(number, spikes):
    return {"step": number, "spikes_positive": spikes, "spikes_negative": 0, "silent": 1000 - spikes,
            "firing_rate": spikes / 1000, "flops": 2000, "bytes": 4000, "user_counters": {"skipped": -9007199254740993}}


def change(document):
    row = document["regions"][0]
    row["snn"].update(spikes_positive=850, spikes_negative=0, silent=150, firing_rate=0.85)
    row["snn"]["per_step"] = [step(0, 100), step(1, 750), step(3, 0)]
    row["snn"]["per_step"][0]["user_counters"]["skipped"] -= 1
    row["user_counters"] = {"skipped": -8, "taken": 1}
    row["expected"]["flops"] = 2.5e9


def write(name, document):
    with open("%s/%s.json" % (folder, name), "w", encoding="utf-8") as file:
        json.dump(document, file)


with open(document_file, encoding="utf-8") as file:
    before = json.load(file)
row = before["regions"][0]
row["snn"].update(spikes_positive=100, spikes_negative=0, silent=900, firing_rate=0.1)
row["snn"]["per_step"] = [step(0, 100), step(1, 0), step(None, 0)]
row["user_counters"] = {"skipped": -7}
row["expected"]["flops"] = 2e9
row["integer_ops"] = 1000
busier, other = copy.deepcopy(before), copy.deepcopy(before)
change(busier)
other["regions"][0]["integer_ops"] = 92000
other["uncounted"] = [{"what": "inline asm \"x\"", "where": "app.cu:7", "why": "unknown"}]
write("before", before)
write("busier", busier)
write("other", other)
