# The measured ceilings of a document, the sources of all, and the notes about them.
import json
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    document = json.load(stream)
every = [(c.get("precision") or c.get("level") or c["operation"], c["per_second"], c["source"])
         for kind in ("flops", "bytes", "integer") for c in document["ceilings"][kind]]
for name, rate, source in every:
    if source == "measured":
        print("measured %s %.4g" % (name, rate))
print("sources:", " ".join(sorted({source for _, _, source in every})))
for note in document["notes"]:
    if note["about"] == "ceilings":
        print("note:", note["text"])
print("end")
