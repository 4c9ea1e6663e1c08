# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a document, and fills in what its rows leave out (docs/user/document.md)."""
import json
import os

SCHEMA, VERSIONS = "gpuprof.roofline", (1, 2)
LINE_SUMS = ("flops", "bytes", "shared_bytes", "special_functions", "integer_ops", "executions")


class Row:
    """A region, a kernel or a part of one. Members are attributes: row.flops.total, row.children. vars(row) is a dictionary."""

    def __init__(self, members):
        self.__dict__.update((name, _as_rows(value)) for name, value in members.items())

    def __getitem__(self, name):
        return self.__dict__[name]

    def __contains__(self, name):
        return name in self.__dict__

    def __eq__(self, other):
        return isinstance(other, Row) and self.__dict__ == other.__dict__

    __hash__ = None

    def __repr__(self):
        return "<%s %s>" % (type(self).__name__, self.__dict__.get("path", ", ".join(self.__dict__)))

    def walk(self):
        """This row and all rows within it."""
        yield self
        for child in vars(self).get("children", ()):
            if isinstance(child, Row):  # early documents have names here, and all rows in one list
                yield from child.walk()


class Document(Row):
    """A document, with `regions` and `kernels` as rows that say everything."""

    def walk(self):
        """All regions, each before those within it."""
        for row in self.regions:
            yield from row.walk()

    def region(self, name):
        """The only region of this name or path. KeyError: there are others, or none."""
        return _only("regions", name, [row for row in self.walk() if name in (row.name, row.path)])

    def kernel(self, name):
        """The only kernel of this name, with or without its parameters. KeyError: there are others, or none."""
        return _only("kernels", name, [row for row in self.kernels if name in (row.name, _without_parameters(row.name))])

    def callers(self, item):
        """Functions that called for the memory of an item of `memory` (a leak, a large allocation, ...), the innermost first. A
        function without a name is its file and the offset in it."""
        if item["stack"] is None:
            return []
        return [_frame_name(frame, self["memory"]["modules"]) for frame in self["memory"]["stacks"][item["stack"]]]


def _frame_name(frame, modules):
    module, offset, symbol = frame
    if symbol:
        return symbol
    return "%s+0x%x" % (modules[module]["path"].rsplit("/", 1)[-1] if module is not None else "?", offset)


def _as_rows(value):
    if isinstance(value, dict):
        return Row(value)
    return [_as_rows(inner) for inner in value] if isinstance(value, list) else value


def _only(kind, name, rows):
    if len(rows) != 1:
        raise KeyError("%d %s are named '%s'" % (len(rows), kind, name))
    return rows[0]


def _without_parameters(name):
    """void scale<float>(float*) is scale."""
    return name.split("(")[0].split("<")[0].split(" ")[-1]


def merge(defaults, own):
    """`own` with the members that it lacks, those of objects in it too."""
    merged = dict(own)
    for key, value in defaults.items():
        if key not in own:
            merged[key] = json.loads(json.dumps(value))
        elif isinstance(value, dict) and isinstance(own[key], dict):
            merged[key] = merge(value, own[key])
    return merged


def items(arrays, table, files=()):
    """Arrays as objects with the names of their columns; a file may be the number of one."""
    for array in arrays:
        item = dict(zip(table["columns"], array + table["defaults"][len(array):]))
        if isinstance(item.get("file"), int):
            item["file"] = files[item["file"]]
        yield item


def expand_row(row, around, reading):
    """A row alone: its children are as they were, and its lines those that stand in it."""
    inherited = {key: around[key] for key in reading["inherited"]} if around else {}
    site = reading["sites"][row["site"]] if "site" in row else {}
    filled = merge(reading["defaults"], {**inherited, **merge(site, row)})
    filled.pop("site", None)
    filled.setdefault("parent", around["path"] if around else "")
    filled.setdefault("path", filled["parent"] + "/" + row["name"] if around else row["name"])
    time = filled["time_ns"]
    for key in ("min", "median", "p95", "max"):
        time.setdefault(key, time["total"])
    host = filled.get("host_time_ns", {})
    for key in ("exclusive", "min", "median", "p95", "max") if host else ():
        host.setdefault(key, host["inclusive"])
    filled["snn"]["per_step"] = list(items(filled["snn"]["per_step"], reading["per_step"]))
    filled["lines"] = list(items(filled["lines"], reading["lines"], reading["files"]))
    return filled


def add_lines(row):
    """A row has the lines of the rows in it too, but for those of a warm-up that it is no part of."""
    places = {}
    inner = [child["lines"] for child in row["children"] if row["phase"] == "warmup" or child["phase"] != "warmup"]
    for line in [line for lines in [row["lines"], *inner] for line in lines]:
        place = places.setdefault((line["file"].encode(), line["line"]), {**line, **dict.fromkeys(LINE_SUMS, 0)})
        for key in LINE_SUMS:
            place[key] += line[key]
    row["lines"] = [{key: places[place][key] for key in ("file", "line", *LINE_SUMS)} for place in sorted(places)]


def expand_rows(rows, around, reading):
    """Rows that say everything, with their children."""
    filled = []
    for row in rows:
        own = expand_row(row, around, reading)
        own["children"] = expand_rows(own["children"], own, reading)
        add_lines(own)
        filled.append(own)
    return filled


def expand(document):
    """A document of version 2 as one of version 1, in which each row says everything."""
    if document["version"] == 1:
        return document
    filled = {key: value for key, value in document.items() if key != "rows"}
    filled["version"] = 1
    for key in ("regions", "kernels"):
        filled[key] = expand_rows(document[key], None, document["rows"])
    return filled


def load(path):
    """The dictionary of a document, in which each row says everything. ValueError: the file is no document."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    if not isinstance(document, dict) or document.get("schema") != SCHEMA or document.get("version") not in VERSIONS:
        raise ValueError("'%s' is no document of gpuprof, or a newer one" % os.fspath(path))
    return expand(document)


def read(path) -> Document:
    """The document in a file. ValueError: the file is no document."""
    return Document(load(path))
