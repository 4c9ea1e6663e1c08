"""Writes three runs that differ in copies outside of regions and in calls of MPI: whole_runs.py DOCUMENT FOLDER."""
import copy
import json
import sys

document_file, folder = sys.argv[1:3]


def call(name, calls, size):
    return {"name": name, "calls": calls, "bytes": size, "time_ns": 100 * calls}


def write(name, count, calls):
    document = copy.deepcopy(original)
    document["copies"] = {"host_to_device": {"count": count, "bytes": 32 * count, "pageable_bytes": 0, "pinned_bytes": 0,
                                             "timed": 0, "time_ns": None, "bytes_per_second": None}}
    if calls:
        document["communication"] = {"calls": sum(c["calls"] for c in calls), "bytes": None, "time_ns": 1, "share": None,
                                     "functions": calls, "common_ends": {"stride": 1, "realtime_ns": []}}
    with open("%s/%s.json" % (folder, name), "w", encoding="utf-8") as file:
        json.dump(document, file)


with open(document_file, encoding="utf-8") as file:
    original = json.load(file)
write("before", 2, [call("MPI_Send", 3, 24), call("MPI_Wait", 1, None)])
write("after", 5, [call("MPI_Barrier", 1, None), call("MPI_Send", 4, 240)])
write("fewer", 1, [])
