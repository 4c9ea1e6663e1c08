#!/usr/bin/env python3
"""Reads documents that gpuprof wrote: fills in what rows leave out (docs/user/document.md).

    read_document.py DOCUMENT      prints it as a document of version 1, in which each row says everything

As a module: load(PATH) for the filled document, expand(DOCUMENT) for one that is read already.
"""
import json
import sys

LINE_SUMS = ("flops", "bytes", "shared_bytes", "special_functions", "integer_ops", "executions")


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
    filled["snn"]["per_step"] = list(items(filled["snn"]["per_step"], reading["per_step"]))
    filled["lines"] = list(items(filled["lines"], reading["lines"], reading["files"]))
    return filled


def add_lines(row):
    """In version 1 a row has the lines of the rows in it too, but for those of a warm-up that it is no part of."""
    places = {}
    inner = [child["lines"] for child in row["children"] if row["phase"] == "warmup" or child["phase"] != "warmup"]
    for line in [line for lines in [row["lines"], *inner] for line in lines]:
        place = places.setdefault((line["file"].encode(), line["line"]), {**line, **dict.fromkeys(LINE_SUMS, 0)})
        for key in LINE_SUMS:
            place[key] += line[key]
    row["lines"] = [{key: places[place][key] for key in ("file", "line", *LINE_SUMS)} for place in sorted(places)]


def expand_rows(rows, around, reading):
    filled = []
    for row in rows:
        own = expand_row(row, around, reading)
        own["children"] = expand_rows(own["children"], own, reading)
        add_lines(own)
        filled.append(in_order(own))
    return filled


ORDER = ("name", "mangled", "path", "parent", "kind", "file", "line", "phase", "category", "executions", "launches",
         "uncounted_launches", "threads", "counted_by", "left_out", "time_ns")
ORDERS = {"time_ns": ("total", "min", "median", "p95", "max"),
          "per_step": ("step", "spikes_positive", "spikes_negative", "silent", "firing_rate", "flops", "bytes")}


def in_order(row, reading=None):
    def ordered(value, keys):
        return {key: value[key] for key in [*keys, *value] if key in value}

    def like(value, model):
        if not isinstance(value, dict) or not isinstance(model, dict):
            return value
        return {key: like(value[key], model.get(key)) for key in [*model, *value] if key in value}

    row = ordered(like(row, MODEL), ORDER)
    children = row.pop("children")
    row["time_ns"] = ordered(row["time_ns"], ORDERS["time_ns"])
    row["snn"]["per_step"] = [ordered(step, ORDERS["per_step"]) for step in row["snn"]["per_step"]]
    row["children"] = children
    return row


MODEL = {}


def expand(document):
    if document["version"] == 1:
        return document
    reading = document["rows"]
    MODEL.clear()
    MODEL.update(reading["defaults"])
    filled = {key: value for key, value in document.items() if key != "rows"}
    filled["version"] = 1
    for key in ("regions", "kernels"):
        filled[key] = expand_rows(document[key], None, reading)
    return filled


def load(path):
    with open(path, encoding="utf-8") as file:
        return expand(json.load(file))


def text_of_rows(rows, depth):
    texts = []
    for row in rows:
        own = json.dumps({**row, "children": None}, separators=(",", ": "), ensure_ascii=False)
        texts.append("\n" + " " * depth + own[:-len("null}")] + text_of_rows(row["children"], depth + 2) + "}")
    return "[" + ",".join(texts) + "]"


def text_of(document):
    """As gpuprof wrote documents of version 1: a line a row."""
    text = json.dumps({**document, "regions": "@regions", "kernels": "@kernels"}, indent=1, ensure_ascii=False)
    for key in ("regions", "kernels"):
        text = text.replace('"@%s"' % key, text_of_rows(document[key], 2))
    return text


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(text_of(load(sys.argv[1])))
