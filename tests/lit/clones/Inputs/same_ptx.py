"""same_ptx.py PLAIN COUNTED N: two PTX files. Exit 0 if the N kernels of PLAIN or more are the same in COUNTED, where each
has a clone for its counts."""
import re
import sys


def kernels(path):
    """Bodies by name, without comments and line numbers."""
    text = re.sub(r"(//|\t\.loc).*", "", open(path, encoding="utf-8").read())
    found = re.findall(r"^\.(?:visible|weak) \.entry (\S+?)\((.*?)^}", text, re.S | re.M)
    return {name: re.sub(r"\n\s*\n", "\n", body) for name, body in found}


plain, counted = (kernels(path) for path in sys.argv[1:3])
wrong = [name for name, body in plain.items() if counted.get(name) != body]
uncloned = [name for name in plain if name + "$gpuprof_count" not in counted]
print("\n".join(["differs: " + name for name in wrong] + ["has no clone: " + name for name in uncloned]))
sys.exit(bool(wrong or uncloned) or len(plain) < int(sys.argv[3]))
