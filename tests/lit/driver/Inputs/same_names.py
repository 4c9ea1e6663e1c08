"""same_names.py LIBRARY OBJECT: names of CUDA that the library exports and that the object defines."""
import re
import subprocess
import sys


def names(kinds, *command):
    listing = subprocess.run(["nm", "--defined-only", *command], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r" [%s] ((?:__cuda|cu)\w+)" % kinds, listing))


exported, defined = names("T", "-D", sys.argv[1]), names("W", sys.argv[2])
print("the same %d names" % len(defined) if exported == defined else "different: %s" % sorted(exported ^ defined))
