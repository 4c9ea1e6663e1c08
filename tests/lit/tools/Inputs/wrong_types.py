"""Puts a value of a wrong type at every place of the schema: wrong_types.py GPUPROF SCHEMA DOCUMENT FOLDER.

`report`, `diff` and `check` have to refuse each with exit code 2 and the same sentence, which names the place. Prints the
places where they do not.
"""
import json
import os
import re
import subprocess
import sys

gpuprof, schema_file, document_file, folder = sys.argv[1:5]
# Read by nobody but the schema's users: a damaged one disturbs no command. Strings may be of any text.
UNREAD = {"conventions", "memory", "copies", "timeline", "energy_joules", "sources", "overhead", "uuid",
          "sm_count", "clock_hz", "device.index", "ceilings.special_functions", "hardware.distinct", "end.consistent"}
VALUES = {"string": "x", "number": 7.5, "boolean": True, "array": [], "object": {}}


def resolve(node):
    while "$ref" in node:
        path, node = node["$ref"], schema
        for part in path.lstrip("#/").split("/"):
            node = node[part]
    return node


def allowed(node):
    """The JSON types that a value may have here."""
    if "anyOf" in node:
        return set().union(*(allowed(resolve(part)) for part in node["anyOf"]))
    if "enum" in node:
        return {"string"}
    kinds = node.get("type", [])
    return set([kinds] if isinstance(kinds, str) else kinds)


def places(node, path=()):
    """Every place below a node of the schema, with the types that are good there."""
    node = resolve(node)
    if path and (path[-1] in UNREAD or ".".join(map(str, path[-2:])) in UNREAD):
        return
    if len(path) > 1 or (path and node.get("type") in ("object", "array")):
        yield path, allowed(node)
    if path and path[-1] == "children":
        yield path + (0,), {"object"}
        return  # rows in rows are as these
    for shape in node.get("anyOf", []):
        yield from list(places(shape, path))[1 if path and resolve(shape).get("type") in ("object", "array") else 0:]
    for key, child in node.get("properties", {}).items():
        yield from places(child, path + (key,))
    if isinstance(node.get("additionalProperties"), dict):
        yield from places(node["additionalProperties"], path + ("mine",))
    if node.get("items"):
        yield from places(node["items"], path + (0,))


def plant(document, path, value):
    at = document
    for key, following in zip(path, path[1:]):
        empty = [] if following == 0 else {}
        if isinstance(at, list):
            if not at:
                at.append({"name": "planted"} if following != 0 else empty)
            at = at[0]
        else:
            if not isinstance(at.get(key), type(empty)):
                at[key] = empty
            at = at[key]
    if isinstance(at, list):
        at[:] = [value] + at[1:]
    else:
        at[path[-1]] = value


def shown(path):
    text = "".join("[0]" if key == 0 else "." + key for key in path)
    return text.lstrip(".")


def outcome(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stderr


with open(schema_file, encoding="utf-8") as file:
    schema = json.load(file)
with open(document_file, encoding="utf-8") as file:
    text = json.dumps(json.load(file))
bad = os.path.join(folder, "bad.json")
commands = ([gpuprof, "report", bad], [gpuprof, "diff", document_file, bad], [gpuprof, "check", bad, "--baseline", document_file])
checked = 0
for path, good in places(schema):
    for kind, value in VALUES.items():
        if kind in good or (kind == "string" and not good):
            continue
        if kind == "number" and "integer" not in good and not good & {"object", "array", "string", "boolean"}:
            continue
        if kind in ("number", "boolean") and "string" in good and path[:2] == ("context", "builds"):
            continue  # a fact of a build is shown as it is
        if kind in ("number", "boolean") and path == ("context", "plugin_options"):
            continue
        if kind == "string" and len(path) > 1 and path[-2:] == ("children", 0):
            continue  # children may be named by their paths
        changed = json.loads(text)
        plant(changed, path, value)
        with open(bad, "w", encoding="utf-8") as file:
            file.write(json.dumps(changed))  # by C, ten times as fast as json.dump
        first = outcome(commands[0])
        checked += 1
        place = "'" + shown(path) + "' at byte "
        if first[0] != 2 or place not in first[1] or first[1].count("\n") != 1:
            print(shown(path), "as", kind + ":", first)
        if checked % 10 == 0:  # all three read by the same function
            for command in commands[1:]:
                if outcome(command) != first:
                    print(shown(path), "as", kind, "in", command[1] + ":", outcome(command))
print("enough" if checked > 500 else "few", "places:", checked)
