"""Hands documents that nobody's program wrote to every command: hostile.py GPUPROF DOCUMENT FOLDER.

Each has to end by itself with the exit code of the table and a message that names what is wrong; what is printed may hold
nothing that a terminal obeys. Prints the documents whose outcome is another one.
"""
import copy
import gzip
import json
import os
import re
import subprocess
import sys

gpuprof, good_file, folder = sys.argv[1:4]
with open(good_file, encoding="utf-8") as file:
    GOOD = json.load(file)
TEXT = json.dumps(GOOD)
NAME = "\x1b[2J\u202egnp\u2066\u009b31m\r\nforged\u0007\ufeff|=<b>\u2028"


def changed(path, value, start=None):
    """The good document with another value at a path; the value's text is kept as it is, for numbers that Python rounds."""
    document = copy.deepcopy(start or GOOD)
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = "@value@"
    return json.dumps(document).replace('"@value@"', value)


def entry(*path):
    return ("regions", 0) + path


def roofs(rate):
    document = copy.deepcopy(GOOD)
    for kind in ("flops", "bytes"):
        for ceiling in document["ceilings"][kind]:
            ceiling["per_second"] = rate
    return json.dumps(document)


def placed(number):
    document = copy.deepcopy(GOOD)
    for row in document["regions"] + document["kernels"]:
        row["intensity"] = {"requested": number, "l2": number, "dram": number, "dram_source": "unique"}
        row["roofline"]["attained_per_second"] = row["roofline"]["attainable_per_second"] = number
        row["roofline"]["percent"] = number
        row["status"] = "above_roof"
    return json.dumps(document)


def named(name):
    document = copy.deepcopy(GOOD)
    for row in document["regions"] + document["kernels"]:
        row.update(name=name, path=name, phase=name, category=name, file=name, user_counters={name: 1})
        row["time_ns"]["source"] = row["roofline"]["bound"] = row["intensity"]["dram_source"] = name
    for key in ("command", "host", "start_time", "compiler", "plugin_options"):
        document["context"][key] = name
    document["context"]["end"] = {"state": name, "how": name, "signal": None}
    document["device"]["name"] = document["device"]["chip"] = name
    document["notes"] = [{"about": name, "text": name}]
    document["uncounted"] = [{"what": name, "where": name, "why": name, "launches": 3}]
    document["kernels"][0]["lines"] = [{"file": name, "line": 1, "flops": 1, "bytes": 1}]
    return json.dumps(document)


def related(parents):
    """Regions beside one another, with the paths of their parents."""
    document = copy.deepcopy(GOOD)
    row = dict(document["regions"][0], children=[])
    document["regions"] = [dict(row, name=path, path=path, parent=parent) for path, parent in parents]
    return json.dumps(document)


def sparse(*rows, **reading):
    """A document whose rows leave things out."""
    shape = {"columns": ["line", "file"], "defaults": [0, None]}
    rows_of = {"defaults": {}, "inherited": [], "lines": shape, "per_step": shape, "sites": [], **reading}
    return json.dumps(dict(GOOD, version=2, rows=rows_of, regions=list(rows), kernels=[]))


def nested(depth, name):
    """Rows in rows, whose paths are much longer than the document."""
    row = '{"name": "%s", "children": [' % name
    return sparse().replace('"regions": []', '"regions": [' + row * depth + "]}" * depth + "]")


FLOPS = entry("flops", "total")
COUNT = r"must be a whole number from 0 to 2\^64-1, not "
# name: (text or bytes, exit code, expected part of the message)
CASES = {
    "empty": ("", 2, "is empty; run"),
    "blanks": (" \n\t\r\n", 2, "is empty; run"),
    "hello": ("hello", 2, r"is not valid JSON: 'h' where a value must begin, at byte 0 \(line 1, column 1\); give"),
    "zeros": (b"\0" * 4096, 2, r"is not valid JSON: a control character \(0x00\) where a value must begin, at byte 0"),
    "cut word": ('{"schema": tru', 2, r"is truncated: it ends at byte 14 \(line 1, column 15\)"),
    "cut string": ('{"schema": "gpu', 2, "is truncated: it ends at byte 15"),
    "cut escape": ('{"schema": "gpu\\u00', 2, "is truncated: it ends at byte 19"),
    "cut character": (b'{"schema": "gpu\xe2\x82', 2, "is truncated: it ends at byte 17"),
    "cut number": ('{"version": -', 2, "is truncated: it ends at byte 13"),
    "end": (TEXT + "\n}", 2, "is not valid JSON: '}' where the text must end, at byte %d" % (len(TEXT) + 1)),
    "two": (TEXT + TEXT, 2, "is not valid JSON: '{' where the text must end"),
    "comma": ('{\n "a": 1,\n}', 2, r"is not valid JSON: '}' where a key must stand, at byte 11 \(line 3, column 1\)"),
    "colon": ('{"a" 1}', 2, "is not valid JSON: '1' where ':' must stand behind a key, at byte 5"),
    "NaN": (TEXT.replace("1048576", "NaN", 1), 2, "is not valid JSON: 'N' where a value must begin"),
    "Infinity": (TEXT.replace("1048576", "-Infinity", 1), 2, "is not valid JSON: 'I' where a digit must stand"),
    "leading zero": ('{"a": 01}', 2, "is not valid JSON: '1' where ',' or '}' must stand, at byte 7"),
    "escape": ('{"a": "\\q"}', 2, "is not valid JSON: 'q' where an escape sequence goes on, at byte 8"),
    "control": ('{"a": "\x1b"}', 2, r"is not valid JSON: a control character \(0x1b\) in a string, at byte 7"),
    "latin1": ('{"a": "\xe4"}'.encode("latin-1"), 2, r"is not valid JSON: a byte that is not UTF-8 \(0xe4\) in a string, at byte 7"),
    "column": ('{"ä€": @}', 2, r"'@' where a value must begin, at byte 10 \(line 1, column 8\)"),
    "surrogate": (changed(entry("name"), '"\\ud800x\\u0000"'), 0, ""),
    "bom": ("\ufeff" + TEXT, 0, ""),
    "utf-16": (TEXT.encode("utf-16"), 2, "is UTF-16 text; turn it into plain JSON by 'iconv -f UTF-16 -t UTF-8' first"),
    "utf-16-le": (TEXT.encode("utf-16-le"), 2, "is UTF-16 text"),
    "utf-32": (TEXT.encode("utf-32"), 2, "is UTF-32 text"),
    "gzip": (gzip.compress(TEXT.encode()), 2, "is compressed by gzip; turn it into plain JSON by 'gunzip -c' first"),
    "string": ('"gpuprof.roofline"', 2, "is JSON but no gpuprof document"),
    "schema of another type": ('{"schema": 1, "version": 1}', 2, "is JSON but no gpuprof document"),
    "older": (changed(("version",), "0"), 2, "has no valid schema version"),
    "newer": (changed(("version",), "18446744073709551616"), 2, "has no valid schema version"),
    "next": (changed(("version",), "3"), 2, "has schema version 3, and this gpuprof reads version 2; install a newer"),
    "deep array": ("[" * 100000, 2, "is truncated: it ends at byte 100000"),
    "deep": ('{"schema": ' + "[" * 100000 + "]" * 100000 + "}", 2, "is JSON but no gpuprof document"),
    "deep part": (changed(entry("occupancy"), '{"a": ' * 100000 + "1" + "}" * 100000), 0, ""),
    "joules": (changed(entry("energy_joules"), '"1"'), 2, r"'regions\[0\].energy_joules' at byte .* must be a number that is not negative"),
    "deep object for a number": (changed(FLOPS, '{"a": ' * 100000 + "1" + "}" * 100000), 2, COUNT + "an object"),
    "array for numbers": (changed(entry("flops", "fp32"), "[1, 2]"), 2, r"'regions\[0\].flops.fp32' at byte \d+ \(line 1, column \d+\) must be an object, not an array"),
    "2^53+1": (changed(FLOPS, "9007199254740993"), 0, ""),
    "2^64-1": (changed(FLOPS, "18446744073709551615"), 0, ""),
    "2^64": (changed(FLOPS, "18446744073709551616"), 2, COUNT + "a number beyond that"),
    "half": (changed(FLOPS, "0.5"), 2, COUNT + "a number with a fraction"),
    "negative": (changed(FLOPS, "-1"), 2, COUNT + "a negative number"),
    "whole with a point": (changed(FLOPS, "1048576.0"), 0, ""),
    "minus zero": (changed(FLOPS, "-0"), 0, ""),
    "too large": (changed(FLOPS, "1e999"), 2, "is not valid JSON: a number beyond 1.8e308"),
    "million digits": (changed(FLOPS, "1" * 1000000), 2, "is not valid JSON: a number beyond 1.8e308"),
    "sum": (changed(entry("flops", "fp32"), '{"add": 18446744073709551615, "mul": 1}'), 2, r"'regions\[0\]' at byte \d+ .* has counts whose sum is beyond 2\^64-1"),
    "step": (changed(entry("snn", "per_step"), '[{"step": 9223372036854775808}]'), 2, r"must be a whole number from -2\^63 to 2\^63-1, not a number beyond that"),
    "duplicate": (changed(FLOPS, '7, "total": 8, "total": 1048576'), 0, r"note: .* has 2 keys that an object has once more, as \"total\" at byte \d+ .*: the last one counts"),
    "no name": (changed(entry("name"), '""'), 2, r"'regions\[0\]' at byte \d+ .* has no 'name'"),
    "null region": (changed(("regions",), "[null]"), 2, r"'regions\[0\]' at byte \d+ .* must be an object, not null"),
    "regions null": (changed(("regions",), "null"), 0, ""),
    "nothing but a head": ('{"schema": "gpuprof.roofline", "version": 1}', 0, ""),
    "kind": (changed(("device", "kind"), '"tpu"'), 2, r"'device.kind' at byte \d+ .* must be \"gpu\" or \"cpu\""),
    "circle": (related([("a", "b"), ("b", "a"), ("c", "c"), ("d", "nobody")]), 0, ""),
    "chain": (related([("p%d" % i, "p%d" % (i - 1)) for i in range(3000)]), 0, ""),
    "chain backwards": (related([("p%d" % i, "p%d" % (i + 1)) for i in range(3000)]), 0, ""),
    "no rows": (json.dumps(dict(GOOD, version=2)), 0, ""),
    "sparse": (sparse({"name": "a", "children": [{"name": "b", "lines": [[], [1]]}]}), 0, ""),
    "site": (sparse({"name": "a", "site": 1}, sites=[{}]), 2, r"'regions\[0\].site' at byte .* is the number of no site in 'rows'"),
    "values": (sparse({"name": "a", "lines": [[1, "f", 2]]}), 2, r"'regions\[0\].lines\[0\]' at byte .* has more values than 'rows' has names"),
    "file": (sparse({"name": "a", "lines": [[1, 2]]}, files=["f"]), 2, r"'regions\[0\].lines\[0\]\[1\]' at byte .* is the number of no file in 'rows'"),
    "wrong value": (sparse({"name": "a", "lines": [["x"]]}), 2, r"'regions\[0\].lines\[0\].line' at byte .* must be a whole number"),
    "column": (sparse(lines={"columns": [7], "defaults": []}), 2, r"'rows.lines.columns\[0\]' at byte .* must be the name of a column"),
    "columns": (sparse(lines={"columns": ["c%d" % i for i in range(100)], "defaults": []}), 2, "has more names of columns than there are"),
    "shared rows": (sparse({"name": "a"}, defaults={"children": [{"name": "b"}]}), 2, r"'rows.defaults' at byte .* has more members than rows can share, or children"),
    "rows of a site": (sparse({"name": "a", "site": 0}, sites=[{"children": [{"name": "b"}]}]), 2, r"'rows.sites\[0\]' at byte .* or children"),
    "inherited rows": (sparse({"name": "a", "children": [{"name": "b"}]}, inherited=["children"]), 2, "is no member that a row can have from the row around it"),
    "many defaults": (sparse({"name": "a"}, defaults={"d%d" % i: 0 for i in range(5000)}), 2, "has more members than rows can share"),
    "deep defaults": (sparse({"name": "a", "d": 1}).replace('"d": 1', '"d": ' + '{"d": ' * 50000 + "1" + "}" * 50000), 0, ""),
    "long paths": (nested(30000, "n" * 50), 2, "has a path that is too long"),
    "names": (named(NAME), 0, ""),
    "long name": (named("n" * 50000), 0, ""),
    "long mangled name": (named("_ZN" + "1a" * 20000), 0, ""),
}
for number in (5e-324, 1e-300, 1e-30, 1e30, 1e300, 1.7e308):
    CASES["placed at %g" % number] = (placed(number), 0, "")
    CASES["roofs of %g" % number] = (roofs(number), 0, "")

COMMANDS = {name: (lambda path, name=name: [gpuprof, "report", "--format=" + name, path])
            for name in ("text", "markdown", "html", "csv", "json")}
COMMANDS.update({
    "text": lambda path: [gpuprof, "report", "--steps", "--energy=45nm,loihi", path],
    "lines": lambda path: [gpuprof, "report", "--lines", path],
    "why": lambda path: [gpuprof, "report", "--why", ".", path],
    "why as json": lambda path: [gpuprof, "report", "--why", ".", "--format=json", path],
    "plot": lambda path: [gpuprof, "plot", path],
    "diff": lambda path: [gpuprof, "diff", good_file, path],
    "check": lambda path: [gpuprof, "check", path, "--baseline", path],
})
# Characters obeyed by a terminal or a browser: controls but line ends, changes of the direction, broken UTF-8.
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def faults(done, name, command, code, message):
    allowed = {2} if code or (name == "nothing but a head" and command == "check") else {0}
    if command == "diff":
        allowed |= set() if code else {1}
    if command in ("plot", "why", "why as json"):
        allowed |= set() if code else {2}  # no roof, no rows
    text = ""
    try:
        text = (done.stdout + done.stderr).decode()
    except UnicodeDecodeError:
        yield "what is printed is not UTF-8"
    if done.returncode not in allowed:
        yield "exit code %d" % done.returncode
    if "json" in command and done.stdout:
        try:
            json.loads(done.stdout, parse_constant=lambda constant: json.loads("no " + constant))
        except (ValueError, RecursionError) as error:
            yield "is no JSON: %s" % error
    if OBEYED.search(text):
        yield "prints %a" % OBEYED.search(text)[0]
    if not re.search(message, done.stderr.decode(errors="replace")):
        yield "says: " + done.stderr.decode(errors="replace").strip()[:300]
    if done.stderr.count(b"\n") > 1 + (command in ("diff", "check")):
        yield "says more than one sentence"


only = sys.argv[4:]
runs = 0
for name, (content, code, message) in CASES.items():
    if only and name not in only:
        continue
    path = os.path.join(folder, name.replace(" ", "-") + ".json")
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    for command, arguments in COMMANDS.items():
        runs += 1
        try:
            done = subprocess.run(arguments(path), capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            print("%s, %s: does not end" % (name, command))
            continue
        for fault in faults(done, name, command, code, message):
            print("%s, %s: %s" % (name, command, fault))
    os.remove(path)
print("%d documents: %d runs" % (len(CASES), runs))
