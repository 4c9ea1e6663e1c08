"""leaks_as.py DOCUMENT EXPECTED: lines of a region, a kind, bytes and an error, separated by tabs. Each region leaked so much, and
allocated three times as much."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
import read_document

document = read_document.load(sys.argv[1])
memory = document["memory"]
leaks = {item["region"]: item for item in memory["leaks"]}
rows = {row["name"]: row["memory"] for row in document["regions"]}
wrong, count, all_bytes = 0, 0, 0
for line in open(sys.argv[2], encoding="utf-8"):
    name, kind, bytes_, error = line.rstrip("\n").split("\t")
    bytes_, count = int(bytes_), count + 1
    if error != "0":
        print("%s: not available here: error %s" % (name, error))
        continue
    leak, row, on_device = leaks.get(name, {}), rows[name], not kind.startswith("host")
    times = 1 if on_device else 0
    all_bytes += bytes_
    good = (leak.get("kind"), leak.get("bytes"), leak.get("allocations")) == (kind, bytes_, 1)
    good &= leak.get("device") == (0 if on_device else None) and leak.get("stack") is not None
    good &= (row["allocated_bytes"], row["released_bytes"]) == (3 * bytes_ * times, 2 * bytes_ * times)
    good &= (row["allocations"], row["releases"], row["net_bytes"]) == (3 * times, 2 * times, bytes_ * times)
    if not good:
        wrong += 1
        print("%s: expected %s of %d bytes, not %s and %s" % (name, kind, bytes_, leak, row))
if memory["leaked_bytes"] != all_bytes:
    wrong += 1
    print("leaked_bytes is %d, not %d" % (memory["leaked_bytes"], all_bytes))
print("%d functions: %s" % (count, "%d wrong" % wrong if wrong else "all right"))
sys.exit(wrong > 0)
