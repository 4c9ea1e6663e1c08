#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which folder of the runtime and the CPU device may need symbols of which: as layers.py, but of what the linker sees. A function that is declared
in a lower folder and defined in a higher one passes layers.py, and not this.

usage: tests/rules/symbols.py [--list FILE] [--nm NM] OBJECT...
OBJECT is .../COMPONENT/CMakeFiles/NAME.dir/FOLDER/FILE.o, a file of COMPONENT/FOLDER.
"""
import argparse
import os
import re
import subprocess
import sys

from layers import LIST, read_list


def folder_of(path):
    component, inside = re.search(r"([^/]+)/CMakeFiles/[^/]+\.dir/(.*)$", path).groups()
    return os.path.normpath(os.path.join(component, os.path.dirname(inside)))


def breaches(objects, nm, may):
    output = subprocess.run([nm, "-A", "--format=posix", *objects], check=True, capture_output=True, text=True).stdout
    symbols = re.findall(r"^(\S+): (\S+) (\w)", output, re.M)
    defined = {}
    for path, name, kind in symbols:
        if kind.isupper() and kind != "U":
            defined.setdefault(name, set()).add(folder_of(path))
    for path, name in [symbol[:2] for symbol in symbols if symbol[2] == "U"]:
        own, folders = folder_of(path), defined.get(name, set())
        if folders and own not in folders and not any((own, folder) in may for folder in folders):
            yield "%s/%s needs %s of %s, and may not" % (own, os.path.basename(path), name, " and ".join(sorted(folders)))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--list", default=LIST)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("objects", nargs="+")
    options = parser.parse_args()
    may, upward = read_list(options.list)
    downward = {(above, below) for below, above in upward}  # as a list of entries declares them, without an include
    found = list(breaches(options.objects, options.nm, may - upward | downward))
    print("\n".join(found) or "symbols: %d objects need symbols of allowed folders only" % len(options.objects))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
