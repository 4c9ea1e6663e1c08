# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names flags of clang that the command reads as nvcc's: clang_flags.py GPUPROF, with clang's list on standard input."""
import subprocess
import sys

# Longer spellings that mean the same, options of the command itself, and flags whose value would be missing.
SAME = {"--shared", "--compile", "--version", "--verbose", "--std=", "--debug", "--optimize", "--profile", "-Xlinker"}
OWN = {"--help", "-h", "--print", "--cpu", "-", "--", "-x"}


def printed(flags):
    words = [word for flag in flags for word in (flag, "x.o")]  # a value, or an input
    run = subprocess.run([sys.argv[1], "cc", "--cpu", "--print", *words], capture_output=True, text=True)
    return run.stdout.replace("'", "").split() if run.returncode == 0 else None


def is_taken(flag):
    words = printed([flag])
    return words is None or flag not in words


def taken(flags):
    """Halves the list until the flags that do not arrive stand alone."""
    words = printed(flags)
    if words is not None and all(flag in words for flag in flags) and "-Wno-unused-command-line-argument" not in words:
        return []
    if len(flags) == 1:
        return flags if is_taken(flags[0]) else []
    return taken(flags[: len(flags) // 2]) + taken(flags[len(flags) // 2 :])


flags = sorted({line.split()[0] for line in sys.stdin if line.startswith("-")} - SAME - OWN)
print("taken from clang:", *taken([flag for flag in flags if " " not in flag]))
