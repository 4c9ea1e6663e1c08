"""communication_has.py REPORT NAME=CALLS[,BYTES][+UNKNOWN] ... [common_ends=N]: exactly these functions; without BYTES they are
null; UNKNOWN of the calls have no known size."""
import json
import sys

communication = json.load(open(sys.argv[1]))["communication"]
wanted = dict(pair.split("=") for pair in sys.argv[2:])
ends = int(wanted.pop("common_ends", 0))
found = {f["name"]: str(f["calls"]) + ("" if f["bytes"] is None else ",%d" % f["bytes"]) + ("+%d" % f["unknown_size_calls"] if "unknown_size_calls" in f else "") for f in communication["functions"]}
assert found == wanted, "%s instead of %s" % (found, wanted)
assert len(communication["common_ends"]["realtime_ns"]) == ends, communication["common_ends"]
assert communication["calls"] == sum(f["calls"] for f in communication["functions"])
assert communication["bytes"] == sum(f["bytes"] or 0 for f in communication["functions"])
assert communication.get("unknown_size_calls", 0) == sum(f.get("unknown_size_calls", 0) for f in communication["functions"])
assert communication["time_ns"] == sum(f["time_ns"] for f in communication["functions"]) and communication["share"] > 0
