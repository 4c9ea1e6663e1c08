"""The rows of InstructionCosts.def that no function of rows-*.ll has for its name: "nvvm.add" for COST_NVVM("add", …)."""
import glob
import os
import re
import sys

table, tests = sys.argv[1:]
with open(table) as file:
    rows = {
        f"{kind.lower()}.{name}"
        for kind, name in re.findall(r'^COST_([A-Z]+?)(?:_UNCOUNTED)?\("([^"]+)"', file.read(), re.M)
    }
tested = set()
for path in glob.glob(os.path.join(tests, "rows-*.ll")):
    with open(path) as file:
        tested |= set(re.findall(r"^define void @([\w.]+)\(", file.read(), re.M))
print(f"{len(rows)} rows")
for row in sorted(rows - tested):
    print("no test:", row)
for function in sorted(tested - rows - {"end"}):
    print("no row:", function)
