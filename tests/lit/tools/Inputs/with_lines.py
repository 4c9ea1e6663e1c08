"""A document with some source lines in its first two kernels."""
import json
import sys

with open(sys.argv[1]) as file:
    document = json.load(file)
first, second = document["kernels"][:2]
first["lines"] = [
    {"file": "a.cu", "line": 2, "flops": 100000001, "bytes": 0, "shared_bytes": 0, "executions": 3},
    {"file": "missing.cu", "line": 4, "flops": 0, "bytes": 0, "shared_bytes": 64},
    {"file": "a.cu", "line": 9, "flops": 100000000, "bytes": 1000},
]
second["lines"] = [{"file": "a.cu", "line": 2, "flops": 200000000, "bytes": 0, "shared_bytes": 0, "executions": 4}]
json.dump(document, sys.stdout, separators=(",", ":"))
