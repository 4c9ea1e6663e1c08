"""Writes a document with these facts of a build: builds.py FROM TO KEY=VALUE…; "warmup", "sample" and "filter" are facts of the run.
filter=absent makes a document of before there were filters in it."""
import json
import sys

source, target, *facts = sys.argv[1:]
build = {"optimization": "O3", "architecture": "sm_90", "headers": "toolkit", "cuda_version": "13.0", "fast_math": "off",
         "contraction": "fast", "compiler": "clang 22.1.8", "plugin_version": "0.1.0"}
with open(source, encoding="utf-8") as file:
    document = json.load(file)
document["context"]["filter"] = None
for fact in facts:
    key, value = fact.split("=")
    if key in ("warmup", "sample", "filter"):
        document["context"][key] = value if key == "filter" else int(value)
    else:
        build[key] = value
document["context"]["builds"] = [build]
if document["context"]["filter"] == "absent":
    del document["context"]["filter"]
with open(target, "w", encoding="utf-8") as file:
    json.dump(document, file)
