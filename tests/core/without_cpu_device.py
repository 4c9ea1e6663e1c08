# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds that gpuprof is whole without the CPU device, in seconds: without_cpu_device.py --build BUILD --scratch FOLDER -- CMAKE_ARGUMENT ...

Configures with -DGPUPROF_CPU_DEVICE=OFF. Objects that are the same in both configurations come from BUILD, which has the CPU
device; the others are compiled. No object may name what only the CPU device defines. The plugin and some unit tests are
linked of these objects, and lit runs what a user sees of such a build. Prints what is wrong; exit 1 if anything is.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

OPTION = "GPUPROF_CPU_DEVICE"
UNIT_TESTS = ("test_launch", "test_settings", "test_sheet")
LIT_TESTS = ("host/without-cpu-device.test", "frontend/options.cpp")
OWN = ("include/", "plugin/", "runtime/")
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(command, what, folder=None):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    if done.returncode:
        sys.exit("%s fails (exit code %d):\n%s\n%s" % (what, done.returncode, shlex.join(command), done.stdout + done.stderr))
    return done.stdout


def contents(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def files_that_depend():
    """Sources and headers of the core that read the option, themselves or through a header of ours."""
    texts = {}
    for folder in OWN:
        for at, _, names in os.walk(os.path.join(root, folder)):
            texts.update((os.path.join(at, name), contents(os.path.join(at, name)))
                         for name in names if name.endswith((".h", ".def", ".c", ".cpp")))
    found = {path for path, text in texts.items() if re.search(OPTION + r"\b", text)}
    size = 0
    while size != len(found):
        size = len(found)
        names = {path[len(root) + 1:].split("/", 1)[1] for path in found}
        found |= {path for path, text in texts.items() if names & set(re.findall(r'#include "([^"]+)"', text))}
    return found


def commands(build):
    """The compilations of a build folder, by the paths of their objects within it."""
    entries = json.loads(contents(os.path.join(build, "compile_commands.json")))
    objects = (os.path.join(entry["directory"], re.search(r" -o (\S+)", entry["command"])[1]) for entry in entries)
    return {os.path.relpath(path, build): entry for path, entry in zip(objects, entries)}


def shape(entry, build):
    """A command without the option, and without what it adds."""
    words = shlex.split(entry["command"].replace(build, "BUILD"))
    return [word for word in words if word != "-D" + OPTION and not word.endswith("/cpu-device/compiler")]


def compile_anew(entry, target):
    words = shlex.split(entry["command"])
    for i in range(len(words) - 1, 1, -1):  # without the precompiled header: sources include what they need, which is less
        if words[i - 2] in ("-include-pch", "-include") and words[i - 1] == "-Xclang":
            del words[i - 3:i + 1]
    words[words.index("-o") + 1] = target
    for flag in ("-MD", "-MT", "-MF", "-MQ"):
        if flag in words:
            del words[words.index(flag):words.index(flag) + (1 if flag == "-MD" else 2)]
    os.makedirs(os.path.dirname(target), exist_ok=True)
    run(words + ["-O0"], "compiling %s without the CPU device" % os.path.relpath(entry["file"], root), entry["directory"])


def core_objects(build, scratch):
    """The objects of a build without the CPU device, by their paths within it."""
    depend, there, objects = files_that_depend(), commands(build), {}
    for path, entry in sorted(commands(scratch).items()):
        if not path.startswith(("plugin/", "runtime/")) or "cmake_pch" in entry["file"]:
            continue
        twin = there.get(path)
        if twin and entry["file"] not in depend and shape(twin, build) == shape(entry, scratch):
            objects[path] = os.path.join(build, path)
        else:
            objects[path] = os.path.join(scratch, path)
            compile_anew(entry, objects[path])
    return objects


def symbols(nm, objects, *options):
    """Names with the file of each; not the weak ones, which are of templates and inline functions."""
    names = {}
    for line in run([nm, "-A", "-P", *options, *objects], "nm").splitlines():
        file, name, kind = re.match(r"(.*): (\S+) (\S)", line).groups()
        if kind not in "WVwv":
            names.setdefault(name, file)
    return names


def check_names(nm, objects, build):
    """No object names what only the CPU device defines; a linker would not say so of libraries."""
    theirs = [os.path.join(build, path) for path in commands(build) if "cpu-device/" in path]
    defined = symbols(nm, objects.values(), "-g", "--defined-only")
    missing = symbols(nm, objects.values(), "-u")
    bad = [(name, missing[name]) for name in symbols(nm, theirs, "-g", "--defined-only") if name in missing and name not in defined]
    if bad:
        sys.exit("\n".join("%s names %s, which only the CPU device defines: reach it through its tables, or #if defined(%s)"
                           % (os.path.relpath(file, build), name, OPTION) for name, file in sorted(bad)))


def link_tests(compiler, objects, build, scratch, libraries):
    runtime = [path for name, path in objects.items() if name.startswith("runtime/")]
    of_tests = commands(build)
    fakes = [os.path.join(build, path) for path in of_tests if re.search(r"tests/.*/unit/fake_device[^/]*$", path)]
    for name in UNIT_TESTS:
        own = [os.path.join(build, path) for path in of_tests if path.startswith("tests/CMakeFiles/%s.dir/" % name)]
        program = os.path.join(scratch, name)
        run([compiler, *own, *runtime, *fakes, "-rdynamic", "-o", program, *libraries],
            "linking %s without the CPU device" % name)
        run([program], name + ", without the CPU device,")


def link_plugin(compiler, objects, scratch):
    folder = os.path.join(scratch, "lib", "gpuprof")
    os.makedirs(folder, exist_ok=True)
    parts = [path for name, path in objects.items() if re.match("plugin/.*/gpuprof-(ir|frontend).dir/", name)]
    run([compiler, "-shared", *parts, "-o", os.path.join(folder, "gpuprof.so")], "linking the plugin without the CPU device")


def copy_rest(build, scratch):
    """The command and the core's library are the same in both configurations."""
    for path in ("bin/gpuprof", "lib/libgpuprof.so", "lib/libgpuprof.so.0"):
        os.makedirs(os.path.dirname(os.path.join(scratch, path)), exist_ok=True)
        shutil.copy(os.path.join(build, path), os.path.join(scratch, path))


def main():
    parser = argparse.ArgumentParser()
    for name in ("build", "scratch", "cmake", "nm", "cc", "cxx", "lit", "libraries"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("rest", nargs="*")
    a = parser.parse_args()
    run([a.cmake, "-S", root, "-B", a.scratch, "-D%s=OFF" % OPTION, *a.rest], "configuring without the CPU device")
    objects = core_objects(a.build, a.scratch)
    if len(objects) < 100:
        sys.exit("only %d objects of the core are found: do the folders of %s still hold them?" % (len(objects), ", ".join(OWN)))
    check_names(a.nm, objects, a.build)
    link_tests(a.cc, objects, a.build, a.scratch, shlex.split(a.libraries))
    link_plugin(a.cxx, objects, a.scratch)
    copy_rest(a.build, a.scratch)
    run([sys.executable, a.lit, "-v", *(os.path.join(a.scratch, "tests/lit", test) for test in LIT_TESTS)], "lit, without the CPU device,")
    anew = sum(path.startswith(a.scratch) for path in objects.values())
    print("right without the CPU device: %d objects, %d of them compiled anew" % (len(objects), anew))


main()
