# Compares the rows of `gpuprof peaks --list` with the numbers of the manual.
import re
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    rows = [line for line in stream if "NVIDIA" in line]
with open(sys.argv[2], encoding="utf-8") as stream:
    manual = " ".join(stream.read().split())
unchecked = sum(" * " in row for row in rows)
wanted = ["The list has %d rows." % len(rows), "For %d of them a second source agrees" % (len(rows) - unchecked),
          "For %d rows no such page was found" % unchecked]
missing = [sentence for sentence in wanted if sentence not in manual]
print("the manual lacks: " + "; ".join(missing) if missing else "the manual agrees")
