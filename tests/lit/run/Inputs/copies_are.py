"""copies_are.py REPORT [PATH:]DIRECTION=COUNT,BYTES[,PAGEABLE] ...: the copies of the document and of these regions, no others."""
import json
import sys

document = json.load(open(sys.argv[1]))


def rows(children, around=""):
    for row in children:
        path = around + row["name"]
        yield path, row
        yield from rows(row.get("children", []), path + "/")


found = {}
for path, row in [("", document), *rows(document["regions"])]:
    for direction, sum_ in row.get("copies", {}).items():
        name = (path + ":" if path else "") + direction
        found[name] = [sum_["count"], sum_["bytes"]] + ([sum_["pageable_bytes"]] if "pageable_bytes" in sum_ else [])
        known = sum_["timed"] > 0
        assert (sum_["time_ns"] is not None) == known and (known or sum_["bytes_per_second"] is None), sum_
wanted = {name: [int(n) for n in numbers.split(",")] for name, numbers in (pair.split("=") for pair in sys.argv[2:])}
assert found == wanted, "\n%s\ninstead of\n%s" % (found, wanted)
