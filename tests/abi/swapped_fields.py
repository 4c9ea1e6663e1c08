#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Swaps fields of the shared structures in a copy of their list: compiled code and runtime must still agree.

usage: tests/abi/swapped_fields.py --clang CLANG --opt OPT --plugin GPUPROF-OPT.SO --llvm-include DIR --llvm-library DIR --major N

In the copy of include/gpuprof/abi_structures.inc the first two fields of each structure change places. With the copy
- layout.cpp compares LLVM's layout and the declarations for device code with the C structures, field by field;
- the host half of the plugin makes a unit and a site of host.ll, and reader.c prints them: as the built plugin does with the
  list as it is.
Exit 1 and both outputs, if they differ.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HOST_HALF = ["plugin/common/AbiLayout.cpp", "plugin/instrument/HostHalf.cpp", "plugin/instrument/HostRegistration.cpp"]


def swap_first_fields(path):
    """Returns how many structures were changed."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    line = r"GPUPROF_(?:FIELD|ARRAY)\([^\n]*\n"
    pattern = r"(GPUPROF_STRUCTURE\(\w+\)\n)(%s)(%s)" % (line, line)
    text, count = re.subn(pattern, r"\1\3\2", text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return count


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit("%s\n%s\nexit code %d" % (" ".join(command), done.stdout, done.returncode))
    return done.stdout


def printed(options, plugin, include, folder):
    """What reader.c finds in the objects that the plugin makes."""
    module, program = os.path.join(folder, "host.bc"), os.path.join(folder, "reader")
    run([options.opt, "-load-pass-plugin=" + plugin, "-passes=gpuprof-host", os.path.join(HERE, "host.ll"), "-o", module])
    run([options.clang, "--driver-mode=gcc", "-Wno-override-module", "-I" + include, os.path.join(HERE, "reader.c"), module, "-o", program])
    return run([program])


def build(options, include, folder):
    """Compiles the host half with that list, and compares the layouts; returns the plugin."""
    place = lambda name: os.path.join(folder, name)
    cxx = [options.clang, "-std=c++17", "-O0", "-fPIC", "-fno-rtti", "-fno-exceptions", "-I" + include,
           "-I" + os.path.join(ROOT, "plugin"), "-isystem", options.llvm_include]
    objects = []
    for source in [os.path.join(ROOT, name) for name in HOST_HALF] + [os.path.join(HERE, name) for name in ("host_half.cpp", "layout.cpp")]:
        objects.append(place(os.path.basename(source) + ".o"))
        run(cxx + ["-c", source, "-o", objects[-1]])
    library = ["-L" + options.llvm_library, "-Wl,-rpath," + options.llvm_library, "-lLLVM-" + options.major]
    run(cxx + [objects[-1], objects[0], "-o", place("layout")] + library)
    with open(place("declarations.c"), "w", encoding="utf-8") as file:
        file.write("#include <stddef.h>\n" + run([place("layout")]))
    run([options.clang, "--driver-mode=gcc", "-fsyntax-only", place("declarations.c")])
    run(cxx + ["-shared"] + objects[:-1] + ["-o", place("host-half.so")])
    return place("host-half.so")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("clang", "opt", "plugin", "llvm-include", "llvm-library", "major"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        swapped = os.path.join(folder, "include")
        shutil.copytree(os.path.join(ROOT, "include"), swapped)
        count = swap_first_fields(os.path.join(swapped, "gpuprof", "abi_structures.inc"))
        if count < 8:
            sys.exit("only %d structures of abi_structures.inc were recognised" % count)
        plain = printed(options, options.plugin, os.path.join(ROOT, "include"), folder)
        other = printed(options, build(options, swapped, folder), swapped, folder)
    print(plain)
    if plain != other:
        sys.exit("with swapped fields the runtime reads:\n" + other)
    print("%d structures: swapped fields change nothing" % count)


if __name__ == "__main__":
    main()
