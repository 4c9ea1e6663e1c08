"""same_kernels.py PLAIN.s WITH_PLUGIN.s [--but NAME]...: every kernel of the first PTX stands in the second, the same to the
byte; those of --but differ. Every kernel but those has a clone or a twin. Prints how many were the same.
"""
import re
import sys


def kernels(path):
    text = open(path).read()
    found = re.finditer(r"^\.(?:visible|weak) \.entry (\S+?)\(.*?^}", text, re.DOTALL | re.MULTILINE)
    return {kernel.group(1): kernel.group(0) for kernel in found}


plain, other = kernels(sys.argv[1]), kernels(sys.argv[2])
but = [name for name in plain if any(part in name for part in sys.argv[4::2])]
for name, text in plain.items():
    if (text == other[name]) == (name in but):
        sys.exit(f"{name} {'is the same' if name in but else 'differs'}")
    if any(name + suffix in other for suffix in ("$gpuprof_count", "$gpuprof_in_kernel")) == (name in but):
        sys.exit(f"{name} {'has a' if name in but else 'has no'} clone or twin")
print(len(plain) - len(but), "kernels are the same")
