# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets clang read the command lines of a list without compiling: nvcc_lines.py LIST GPUPROF-CC..., in a folder with k.cu."""
import re
import shlex
import subprocess
import sys

wrong = 0
with open(sys.argv[1], encoding="utf-8") as file:
    lines = [line.rstrip("\n").split("|", 1) for line in file if not line.startswith("#")]
for name, arguments in lines:
    command = [*sys.argv[2:], *shlex.split(arguments)]
    run = subprocess.run([*command, "-###"], capture_output=True, text=True)
    said = [line for line in run.stderr.splitlines() if re.search(r"(error|warning):", line)]
    if run.returncode or said:
        wrong += 1
        print("%s: exit %d, %s" % (name, run.returncode, said))
print("%d lines, %d wrong" % (len(lines), wrong))
