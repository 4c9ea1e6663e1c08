# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the floating-point instructions of the kernels in two PTX files: fast_math_ptx.py OURS THEIRS."""
import re
import sys

ARITHMETIC = re.compile(r"^\s*((?:add|sub|mul|fma|div|rcp|sqrt|rsqrt|ex2|lg2|sin|cos|tanh)\.[a-z.]*f32)", re.MULTILINE)


def kernels(path):
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"\.entry _Z\d+([a-z_]+)Pf\(", file.read())
    # clang writes .rn where nvcc leaves the default out.
    bodies = {name: body.split("\n}")[0] for name, body in zip(parts[1::2], parts[2::2])}
    return {name: sorted(word.replace(".rn", "") for word in ARITHMETIC.findall(body)) for name, body in bodies.items()}


ours, theirs = kernels(sys.argv[1]), kernels(sys.argv[2])
wrong = [name for name in theirs if ours.get(name) != theirs[name]]
for name in wrong:
    print("%s: %s, with nvcc %s" % (name, ours.get(name), theirs[name]))
sys.exit(1 if wrong or len(theirs) < 10 else 0)
