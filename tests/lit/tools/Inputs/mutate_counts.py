"""Changes each count of a region and of a kernel in a document, one at a time, and expects `gpuprof diff` to see it.

Takes the command, the schema and a document. Keys that the schema has and that are no counts are listed here: a new key
is compared, or named below with its reason.
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

gpuprof, schema_file, document_file = sys.argv[1:4]

# Not counts: places, times, values derived from counts and times, hardware readings; lines move with edits.
NO_COUNTS = {"over_ranks", "line", "time_ns", "host_time_ns", "intensity", "roofline", "occupancy", "energy_joules", "energy_seconds", "hardware", "lines",
             "children", "expected.executed_over_expected", "coalescing.sectors_per_request", "bytes.l1", "bytes.l2", "bytes.dram",
             "snn.per_step.step", "site"}
# A bound of the machine's work, made of the same operations as integer_ops.
NO_COUNTS.add("integer_least")
# The instructions that did what tensor has.
NO_COUNTS.add("flops.tensor_mma_sync")
# The kind of the host's memory changes no work, and times are no counts.
DIRECTIONS = ("host_to_device", "device_to_host", "device_to_device", "peer", "host_to_host", "memset")
NO_COUNTS |= {"copies.%s.%s" % (direction, key) for direction in DIRECTIONS
              for key in ("pageable_bytes", "pinned_bytes", "timed", "time_ns", "bytes_per_second")}


def resolve(schema, node):
    while "$ref" in node:
        node = schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
    return node


def types(node):
    kind = node.get("type", [])
    return [kind] if isinstance(kind, str) else kind


def counts(schema, node, path=()):
    """Paths of all numbers below an object of the schema; "*" stands for the members that a program names."""
    node = resolve(schema, node)
    if ".".join(path) in NO_COUNTS:
        return
    if set(types(node)) & {"integer", "number"}:
        yield path
    for key, child in node.get("properties", {}).items():
        yield from counts(schema, child, path + (key,))
    if isinstance(node.get("additionalProperties"), dict):
        yield from counts(schema, node["additionalProperties"], path + ("*",))
    if "items" in node:
        yield from counts(schema, node["items"], path)
    for shape in node.get("anyOf", ()):
        yield from counts(schema, shape, path)


def plant(row, path, value):
    for key in path[:-1]:
        if isinstance(row, list):
            row = row[0]
        row = row.setdefault(key, {})
    if isinstance(row, list):
        row = row[0]
    row["mine" if path[-1] == "*" else path[-1]] = value


def fill(schema, row):
    row["snn"]["per_step"] = [{"step": 3}]
    for path in counts(schema, schema["$defs"]["entry"]):
        plant(row, path, 0.5 if path[-1] == "firing_rate" else 1000)


def differs(before, after, folder):
    names = [os.path.join(folder, name) for name in ("before.json", "after.json")]
    for name, document in zip(names, (before, after)):
        with open(name, "w", encoding="utf-8") as file:
            json.dump(document, file)
    done = subprocess.run([gpuprof, "diff"] + names, capture_output=True, text=True)
    widest = max(map(len, done.stdout.splitlines()))
    assert widest <= 110, done.stdout
    return done.returncode, done.stdout


with open(schema_file, encoding="utf-8") as file:
    schema = json.load(file)
with open(document_file, encoding="utf-8") as file:
    document = json.load(file)
rows = {"regions": document["regions"][0], "kernels": document["kernels"][0]}
for row in rows.values():
    fill(schema, row)
checked, missed = 0, []
with tempfile.TemporaryDirectory() as folder:
    assert differs(document, document, folder)[0] == 0
    for what in rows:
        for path in counts(schema, schema["$defs"]["entry"]):
            changed = copy.deepcopy(document)
            plant(changed[what][0], path, 0.85 if path[-1] == "firing_rate" else 92000)
            code, text = differs(document, changed, folder)
            checked += 1
            if code != 1 or "1 of " not in text or ("x 92" not in text and path[-1] != "firing_rate"):
                missed.append(what + "[0]." + ".".join(path))
print(checked, "counts changed")
print("not seen:", ", ".join(missed) or "none")
