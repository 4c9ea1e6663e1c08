# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives gpuprof cc each option of clang with a value in the next argument: separate_values.py CLANG GPUPROF-CC...
Prints those whose value is taken for a file, and those taken for a mistake. Flags that nvcc has too are nvcc's."""
import re
import subprocess
import sys

NVCC = {"-G"}
WITHOUT_HELP = """-A -D -Xoffload-linker-nvptx64-nvidia-cuda -Xopenmp-target=nvptx64-nvidia-cuda -Zlinker-input -e
-fdebug-compilation-dir -fnew-alignment -ftrapv-handler -framework -include-pch -l -object-file-name -rpath -specs -target -u
-undefined --config --for-linker --include --language --output --param --print-file-name --rtlib --serialize-diagnostics
--stdlib --sysroot --system-header-prefix --prefix""".split()

text = subprocess.run([sys.argv[1], "--help-hidden"], capture_output=True, text=True, check=True).stdout
options = re.findall(r"^  (-\S*[^=\s>])(?:<\w+>)? <[^>]*>(?!=)", text, re.M) + WITHOUT_HELP
wrong = 0
for option in options:
    if option in NVCC:
        continue
    run = subprocess.run([*sys.argv[2:], "--print", "-c", "k.cu", option, "value"], capture_output=True, text=True)
    if run.returncode or option + " value" not in run.stdout:
        wrong += 1
        print("%s: exit %d, %s%s" % (option, run.returncode, run.stdout[-100:], run.stderr))
print("%d options, %d wrong" % (len(options), wrong))
