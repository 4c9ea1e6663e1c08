# The least integer instructions of each kernel, and its bound.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
import read_document

for kernel in read_document.load(sys.argv[1])["kernels"]:
    least = ", ".join("%s %d" % item for item in kernel["integer_least"].items())
    print("%s: %s, bound %s" % (kernel["name"].split("(")[0], least, kernel["roofline"]["bound"]))
