# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A strict check of a trace: form, nesting, arrows and names. usage: check_trace.py TRACE [DOCUMENT]"""
import json
import sys

CATEGORIES = {"user_annotation", "cuda_runtime", "cuda_driver", "kernel", "gpu_memcpy", "gpu_memset", "ac2g"}
WORK = ("kernel", "gpu_memcpy", "gpu_memset")
ROUNDING = 0.0015  # of two numbers with three digits


def form(event):
    phase = event.get("ph")
    if phase not in ("X", "M", "s", "f", "C"):
        return "an event of phase %s" % phase
    for key in ("pid", "tid", "ts", "name"):
        if key not in event:
            return "an event without %s" % key
    if event["ts"] < 0 or (phase == "X" and event.get("dur", -1) < 0):
        return "a negative time"
    if phase in "Xsf" and event.get("cat") not in CATEGORIES:
        return "the category %s" % event.get("cat")
    return None


def nesting(events):
    """Regions of a thread lie within each other or apart, and calls within regions."""
    found, threads = [], {}
    for event in events:
        if event.get("cat") in ("user_annotation", "cuda_runtime", "cuda_driver"):
            threads.setdefault((event["pid"], event["tid"]), []).append(event)
    for own in threads.values():
        open_until = []
        for event in sorted(own, key=lambda e: (e["ts"], -e["dur"])):
            end = event["ts"] + event["dur"]
            while open_until and open_until[-1] <= event["ts"] + ROUNDING:
                open_until.pop()
            if open_until and end > open_until[-1] + ROUNDING:
                found.append("%s ends after what is around it" % event["name"])
            open_until.append(end)
    return found


def order(events):
    """Work of a stream comes one after the other: viewers stack what overlaps in a row."""
    found, rows = [], {}
    for event in events:
        if event.get("cat") in WORK:
            rows.setdefault((event["pid"], event["tid"]), []).append(event)
    for own in rows.values():
        own.sort(key=lambda e: e["ts"])
        found += ["%s begins before the work before it in its stream has ended" % after["name"]
                  for before, after in zip(own, own[1:]) if after["ts"] + ROUNDING < before["ts"] + before["dur"]]
    return found


def arrows(events):
    found, calls, work = [], {}, {}
    for event in events:
        number = event.get("args", {}).get("correlation")
        if event.get("cat") in ("cuda_runtime", "cuda_driver") and number:
            calls[number] = event
        if event.get("cat") in WORK and number:
            work[number] = event
    for number, event in work.items():
        if number not in calls:
            found.append("no call of %s" % event["name"])
        elif event["ts"] + ROUNDING < calls[number]["ts"]:
            found.append("%s begins before its call" % event["name"])
    starts = {event["id"] for event in events if event.get("ph") == "s"}
    ends = {event["id"] for event in events if event.get("ph") == "f"}
    if ends - starts:
        found.append("%d arrows without a begin" % len(ends - starts))
    return found


def names(events):
    named = {(event["pid"], event["tid"]) for event in events if event.get("ph") == "M" and event["name"] == "thread_name"}
    used = {(event["pid"], event["tid"]) for event in events if event.get("ph") == "X"}
    return ["%d threads or streams without a name" % len(used - named)] if used - named else []


def paths(events):
    """The path of a region ends with its name."""
    regions = [event for event in events if event.get("cat") == "user_annotation"]
    return ["the region %s has the path %s" % (event["name"], event["args"]["path"]) for event in regions
            if not ("/" + event["args"]["path"]).endswith("/" + event["name"])]


def sums(events, document):
    """The trace has what the document counts, where nothing was dropped."""
    found = []
    kernels = sum(1 for event in events if event.get("cat") == "kernel")
    launches = sum(row["launches"] for row in document["devices"])
    if kernels != launches:
        found.append("%d kernels in the trace, %d launches in the document" % (kernels, launches))
    bytes_traced = sum(event["args"]["bytes"] for event in events if event.get("cat") in ("gpu_memcpy", "gpu_memset"))
    bytes_counted = sum(direction["bytes"] for direction in document["copies"].values())
    if bytes_traced != bytes_counted:
        found.append("%d bytes copied in the trace, %d in the document" % (bytes_traced, bytes_counted))
    return found


def problems(trace, document=None):
    events = trace["traceEvents"]
    found = [problem for problem in map(form, events) if problem]
    for key in ("schemaVersion", "deviceProperties", "distributedInfo", "baseTimeNanoseconds"):
        if key not in trace:
            found.append("no member %s" % key)
    if found:
        return found
    whole = not trace.get("gpuprof", {}).get("droppedEvents")  # else calls may be missing
    found = nesting(events) + order(events) + names(events) + paths(events)
    return found + (arrows(events) if whole else []) + (sums(events, document) if whole and document else [])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file)
    document = None
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            document = json.load(file)
    found = problems(trace, document)
    for problem in found:
        print(problem)
    if not found:
        print("%d events are right" % len(trace["traceEvents"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
