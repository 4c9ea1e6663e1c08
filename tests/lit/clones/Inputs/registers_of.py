"""What `ptxas -v` says: a line with its registers for each kernel, by name."""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as text:
    kernels = re.findall(r"entry function '([^']+)'.*?Used (\d+) registers", text.read(), re.S)
for name, registers in sorted(kernels):
    print(name, registers)
