"""Writes a document of two sources with these levels: two_builds.py FROM TO FIRST SECOND [COMMAND MULTIPROCESSORS [COUNT]]; COUNT grows."""
import json
import sys

source, target, *levels = sys.argv[1:5]
with open(source, encoding="utf-8") as file:
    document = json.load(file)
build = {"architecture": "sm_90", "headers": "toolkit", "cuda_version": "13.0", "fast_math": "off", "contraction": "fast",
         "compiler": "clang 22.1.8", "plugin_version": "0.1.0"}
document["context"]["builds"] = [dict(build, optimization=level, sources=[name])
                                 for level, name in zip(levels, ("first.cu", "second.cu"))]
if len(sys.argv) > 5:
    document["context"]["command"] = sys.argv[5]
    document["device"]["sm_count"] = int(sys.argv[6])
for count in sys.argv[7:]:
    document["kernels"][0][count] += 1
with open(target, "w", encoding="utf-8") as file:
    json.dump(document, file)
