#!/usr/bin/env python3
"""Reads documents that gpuprof wrote: fills in what rows leave out (docs/user/document.md).

    read_document.py DOCUMENT      prints it as a document of version 1, in which each row says everything

As a module: load(PATH) for the filled document, expand(DOCUMENT) for one that is read already.
"""
import json
import os
import sys

# The module alone: the package would import ctypes, too.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "gpuprof"))
import _document

ORDER = ("name", "mangled", "path", "parent", "kind", "file", "line", "phase", "category", "executions", "launches",
         "uncounted_launches", "threads", "counted_by", "left_out", "time_ns")
ORDERS = {"time_ns": ("total", "min", "median", "p95", "max"),
          "per_step": ("step", "spikes_positive", "spikes_negative", "silent", "firing_rate", "flops", "bytes")}


def ordered(value, keys):
    return {key: value[key] for key in [*keys, *value] if key in value}


def like(value, model):
    """`value` with its members in the order of the model's."""
    if not isinstance(value, dict) or not isinstance(model, dict):
        return value
    return {key: like(value[key], model.get(key)) for key in [*model, *value] if key in value}


def in_order(row, model):
    row = ordered(like(row, model), ORDER)
    children = row.pop("children")
    row["time_ns"] = ordered(row["time_ns"], ORDERS["time_ns"])
    row["snn"]["per_step"] = [ordered(step, ORDERS["per_step"]) for step in row["snn"]["per_step"]]
    row["children"] = [in_order(child, model) for child in children]
    return row


def expand(document):
    if document["version"] == 1:
        return document
    filled = _document.expand(document)
    for key in ("regions", "kernels"):
        filled[key] = [in_order(row, document["rows"]["defaults"]) for row in filled[key]]
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
