# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens a trace in Perfetto's trace processor, and compares what it understood with the trace's text and the document.

usage: check_trace_processor.py --trace-processor PROGRAM TRACE [DOCUMENT]

PROGRAM is trace_processor_shell (https://perfetto.dev). Exit 0: all is as it should be; 1: something is not.
"""
import argparse
import collections
import csv
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import read_document  # noqa: E402

# Rows of (what, name, number, total): the importer's errors; slices by category; slices that reach out of the one around
# them; work of a stream within other work; slices without an end; regions whose path is not that of the region around
# and their name; arrows by the categories of their ends; counters; the time of counted kernels by region. Names are in
# hexadecimal: the program does not mask quotes.
SQL = """
select what, hex(name) as name, number, total from (select 'error' as what, name as name, value as number, 0 as total from stats
  where severity in ('error', 'data_loss') and value > 0
union all select 'slices', category, count(*), sum(dur) from slice group by category
union all select 'outside', child.name, count(*), 0 from slice child join slice parent on child.parent_id = parent.id
  where child.ts < parent.ts or child.ts + child.dur > parent.ts + parent.dur group by child.name
union all select 'stacked', name, count(*), 0 from slice
  where category in ('kernel', 'gpu_memcpy', 'gpu_memset') and depth > 0 group by name
union all select 'unfinished', name, count(*), 0 from slice where dur < 0 group by name
union all select 'path', child.name, count(*), 0 from slice child left join slice parent on child.parent_id = parent.id
  where child.category = 'user_annotation' and extract_arg(child.arg_set_id, 'args.path') !=
    coalesce(extract_arg(parent.arg_set_id, 'args.path') || '/', '') || child.name group by child.name
union all select 'arrow', begin.category || ' to ' || end.category, count(*), 0 from flow
  join slice begin on flow.slice_out = begin.id join slice end on flow.slice_in = end.id group by 2
union all select 'counter', track.name, count(*), cast(sum(counter.value) as int) from counter
  join track on counter.track_id = track.id group by track.name
union all select 'region', coalesce(extract_arg(arg_set_id, 'args.region'), ''), count(*), sum(dur) from slice
  where category = 'kernel' and extract_arg(arg_set_id, 'args.row') is not null group by 2);
"""
WORK = ("kernel", "gpu_memcpy", "gpu_memset")


def ask(program, trace):
    """A table for each kind of row: name to (number, total)."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as query:
        query.write(SQL)
        query.flush()
        run = subprocess.run([program, "-q", query.name, trace], capture_output=True, text=True)
    if run.returncode:
        sys.exit("%s failed: %s" % (program, (run.stderr.strip().splitlines() or ["no message"])[-1]))
    tables = collections.defaultdict(dict)
    for row in csv.DictReader(run.stdout.splitlines()):
        tables[row["what"]][bytes.fromhex(row["name"]).decode()] = (int(row["number"]), int(row["total"]))
    return tables


def nanoseconds(event):
    return round(1000 * event["dur"])


def slices_of(events):
    found = collections.defaultdict(lambda: (0, 0))
    for event in events:
        if event["ph"] == "X":
            number, total = found[event["cat"]]
            found[event["cat"]] = (number + 1, total + nanoseconds(event))
    return dict(found)


def arrows_of(events):
    """An arrow is drawn where both its ends are in the trace."""
    begins = {event["id"] for event in events if event["ph"] == "s"}
    return sum(1 for event in events if event["ph"] == "f" and event["id"] in begins)


def counters_of(events):
    found = collections.Counter()
    for event in events:
        if event["ph"] == "C":
            found.update("%s %s" % (event["name"], key) for key in event["args"])
    return dict(found)


def refused(tables, whole):
    """What must not be there at all; of regions around others, some may be among dropped events."""
    texts = {"error": "the importer's error %s", "outside": "%s reaches out of the slice around it",
             "stacked": "%s lies within other work of its stream", "unfinished": "%s has no end",
             "path": "the region %s is not within the region of its path"}
    if not whole:
        del texts["path"]
    return ["%s (%d)" % (texts[what] % name, number) for what in texts for name, (number, _) in tables[what].items()]


def compared(tables, events):
    found = []
    for category, (number, total) in slices_of(events).items():
        seen = tables["slices"].get(category, (0, 0))
        if seen[0] != number or abs(seen[1] - total) > number:  # it cuts off what is below a nanosecond
            found.append("%s: %d slices of %d ns, not %d of %d ns" % (category, *seen, number, total))
    arrows = sum(number for number, _ in tables["arrow"].values())
    if arrows != arrows_of(events):
        found.append("%d arrows, not %d" % (arrows, arrows_of(events)))
    for ends in tables["arrow"]:
        if not ends.startswith("cuda_") or ends.split(" to ")[1] not in WORK:
            found.append("an arrow from %s" % ends)
    counters = {name: number for name, (number, _) in tables["counter"].items()}
    if counters != counters_of(events):
        found.append("counters %s, not %s" % (counters, counters_of(events)))
    return found


def rows_of(rows):
    for row in rows:
        yield row
        yield from rows_of(row["children"])


def kernel_times(tables, document):
    """The document's kernels and regions have the time of the trace's slices."""
    found, regions = [], tables["region"]
    own = sum(total for _, total in regions.values())
    counted = sum(kernel["time_ns"]["total"] or 0 for kernel in document["kernels"])
    if abs(own - counted) > 1e-6 * counted + 100:
        found.append("kernels take %d ns in the trace, %d in the document" % (own, counted))
    for row in rows_of(document["regions"]):
        path, time = row["path"], row["time_ns"]["total"]
        total = sum(total for region, (_, total) in regions.items() if (region + "/").startswith(path + "/"))
        if row["kind"] == "host" and time is not None and abs(total - time) > 1e-6 * time + 100:
            found.append("kernels of %s take %d ns in the trace, %d in the document" % (path, total, time))
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:])
    parser.add_argument("--trace-processor", required=True)
    parser.add_argument("trace")
    parser.add_argument("document", nargs="?")
    arguments = parser.parse_args()
    with open(arguments.trace, encoding="utf-8") as file:
        trace = json.load(file)
    tables = ask(arguments.trace_processor, arguments.trace)
    whole = not trace.get("gpuprof", {}).get("droppedEvents")
    found = refused(tables, whole) + compared(tables, trace["traceEvents"])
    if arguments.document and whole:
        found += kernel_times(tables, read_document.load(arguments.document))
    for problem in found:
        print(problem)
    if not found:
        print("%d slices and %d arrows are right in the trace processor" % (
            sum(number for number, _ in tables["slices"].values()), sum(number for number, _ in tables["arrow"].values())))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
