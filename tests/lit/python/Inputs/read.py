"""read.py FOLDER PATH: documents of both versions read alike; other files are refused."""
import json
import os
import sys

import gpuprof

for name in sorted(os.listdir(sys.argv[1])):
    document = gpuprof.read(os.path.join(sys.argv[1], name))
    for row in [*document.walk(), *document.kernels]:
        assert row.name and "name" in row and row["name"] == row.name and row == row
for text in ("[]", "{}", '{"schema": "gpuprof.roofline", "version": 3}', "no JSON"):
    with open(sys.argv[2], "w") as file:
        file.write(text)
    try:
        gpuprof.read(sys.argv[2])
    except ValueError as error:
        print(type(error).__name__, error)
old = {"schema": "gpuprof.roofline", "version": 1, "regions": [], "kernels": [
    {"name": "void scale<float>(float*)", "path": "x", "children": [], "flops": {"total": 3}}]}
with open(sys.argv[2], "w") as file:
    json.dump(old, file)
document = gpuprof.read(sys.argv[2])
assert document.kernel("scale").flops.total == 3 and vars(document.kernels[0].flops) == {"total": 3}
