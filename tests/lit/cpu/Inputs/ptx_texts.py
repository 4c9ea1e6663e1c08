#!/usr/bin/env python3
"""Prints LLVM IR with a function for each line `results operands | text` of a table of inline PTX.

Operands are written as in CUDA, by letters (r, l, h, f, d), results before them with `=`; %0, %1, … in the text.
"""
import re
import sys

TYPES = {"r": "i32", "l": "i64", "h": "i16", "f": "float", "d": "double"}


def function(number, operands, text):
    results = [TYPES[o[1]] for o in operands if o.startswith("=")]
    given = [TYPES[o] for o in operands if not o.startswith("=")]
    result = "void" if not results else results[0] if len(results) == 1 else "{ %s }" % ", ".join(results)
    text = re.sub(r"%(\d+)", r"$\1", text.replace("%%", "\0")).replace("\0", "%").replace('"', "\\22")
    arguments = ", ".join("%s %%a%d" % (t, i) for i, t in enumerate(given))
    call = 'call %s asm sideeffect "%s", "%s"(%s)' % (result, text, ",".join(operands), arguments)
    name = "@text%d" % number
    body = "  %s\n  ret void" % call if not results else "  %%v = %s\n  ret %s %%v" % (call, result)
    use = "  call %s %s(%s)" % (result, name, ", ".join(t + " zeroinitializer" for t in given))
    return "define %s %s(%s) noinline {\n%s\n}" % (result, name, arguments, body), use


def main():
    uses = []
    print('target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"')
    print('target triple = "nvptx64-nvidia-cuda"')
    with open(sys.argv[1]) as table:
        lines = [line for line in table if line.strip() and not line.startswith("#")]
    for number, line in enumerate(lines):
        operands, text = line.split("|", 1)
        define, use = function(number, operands.split(), text.strip())
        uses.append(use)
        print(define)
    print("define ptx_kernel void @all() {\n%s\n  ret void\n}" % "\n".join(uses))


main()
