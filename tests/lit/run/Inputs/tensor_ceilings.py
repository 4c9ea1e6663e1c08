"""Prints the ceilings of bf16 products in documents, in TFLOP/s, and how many notes say that mma.sync has none: DOCUMENT..."""
import json
import sys

for path in sys.argv[1:]:
    document = json.load(open(path))
    rows = [row for row in document["ceilings"]["flops"] if (row["unit"], row["precision"]) == ("tensor", "bf16")]
    notes = [note for note in document["notes"] if "no rate of mma.sync is known" in note["text"]]
    print("%s: %s; notes: %d" % (document["device"]["chip"], ", ".join(
        "%s %d %s" % (row["instruction"], row["per_second"] / 1e12, row["source"]) for row in rows), len(notes)))
