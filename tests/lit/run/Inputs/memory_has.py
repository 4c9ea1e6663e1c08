"""memory_has.py DOCUMENT EXPRESSION...: each expression is true. `m` is the document's memory, `kind(name)` the sums of a kind,
`row(path)` the memory of a region, `leak(path)` what a region leaked, `names(item)` the functions of an item's stack,
`notes` the texts of the notes on memory."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
import read_document

document = read_document.load(sys.argv[1])
m = document["memory"]
notes = " ".join(note["text"] for note in document["notes"] if note["about"] == "memory")


def kind(name):
    return next(place["kinds"][name] for place in m["places"] if name in place["kinds"])


def row(path):
    rows = document["regions"]
    for name in path.split("/"):
        found = next(r for r in rows if r["name"] == name)
        rows = found["children"]
    return found["memory"]


def leak(path):
    return next(item for item in m["leaks"] if item["region"] == path)


def names(item):
    return [frame[2] for frame in m["stacks"][item["stack"]]]


def device(number):
    return next(place for place in m["places"] if place["device"] == number)


wrong = [text for text in sys.argv[2:] if not eval(text)]
for text in wrong:
    print("not so:", text)
sys.exit(bool(wrong))
