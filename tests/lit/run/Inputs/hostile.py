"""Runs the program in each of these surroundings, and compares its counts."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

import read_document

program = sys.argv[1]
failures = 0


def limit(kind, soft, hard=None):
    return lambda: resource.setrlimit(kind, (soft, soft if hard is None else hard))


def close(*descriptors):
    def closer():
        for descriptor in descriptors:
            os.close(descriptor)

    return closer


def make_locale(name, folder):
    """A locale of the C library's sources, as the system may have none but C."""
    made = subprocess.run(["localedef", "-i", name, "-f", "UTF-8", os.path.join(folder, name + ".UTF-8")],
                          capture_output=True, check=False) if shutil.which("localedef") else None
    if made is None or made.returncode or not os.path.exists(os.path.join(folder, name + ".UTF-8", "LC_NUMERIC")):
        print(f"not run, since localedef cannot make {name}: install the package locales")
        return False
    return True


CASES = [("plain", "plain", None, 4, True)]
CASES += [("few descriptors: %d" % n, "plain", limit(resource.RLIMIT_NOFILE, n), 4, False) for n in range(4, 21)]
CASES += [
    ("stdin is closed", "plain", close(0), 4, True),
    ("stdout is closed", "plain", close(1), 4, True),
    ("stderr is closed", "plain", close(2), 4, True),
    ("all streams are closed", "plain", close(0, 1, 2), 4, True),
    ("a stack of 64 KB", "plain", limit(resource.RLIMIT_STACK, 64 << 10, resource.RLIM_INFINITY), 4, True),
    ("an unlimited stack", "plain", limit(resource.RLIMIT_STACK, resource.RLIM_INFINITY), 4, True),
    ("a thread with 16 KB of stack", "small-stack", None, 4, True),
    ("alarms", "alarms", None, 4, True),
    ("another folder", "folder", None, 4, True),
    ("no descriptor closed", "open", None, 4, True),
    ("all descriptors closed", "descriptors", None, 4, True),
    ("a changing environment", "environment", None, 4, True),
    ("a thousand threads", "threads", None, 1100, True),
]
LOCALES = ["de_DE", "ps_AF"]  # a decimal comma, and a sign of two bytes


def kernels_of(document):
    """Launches and additions of the kernel `add`, and the unique bytes of `fill`; a text where it is no document."""
    try:
        with open(document, encoding="utf-8") as text:
            kernels = {k["name"].split("(")[0]: k for k in read_document.expand(json.load(text))["kernels"]}
    except ValueError as error:
        return str(error)
    add, fill = kernels["add"], kernels.get("fill")
    return add["launches"], add["flops"]["fp32"]["add"], fill["bytes"]["unique"] if fill else 0


unique = 0
locales = tempfile.mkdtemp()
CASES += [("locale " + name, "locale", None, 4, True) for name in LOCALES if make_locale(name, locales)]
for name, mode, prepare, expected, wants_document in CASES:
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, GPUPROF_OUTPUT="report.json", TMPDIR=folder, MALLOC_ARENA_MAX="1")
        if mode == "locale":
            environment.update(LOCPATH=locales, LC_ALL=name.split()[1] + ".UTF-8")
        try:
            done = subprocess.run([program, mode], env=environment, cwd=folder, preexec_fn=prepare, timeout=300, close_fds=True,
                                  capture_output=True, text=True)
        except subprocess.TimeoutExpired:
            print(f"{name}: hangs")
            failures += 1
            continue
        document = os.path.join(folder, "report.json")
        left = [f for f in os.listdir(folder) if f != "report.json"]
        problem = None
        if done.returncode:
            problem = f"status {done.returncode}"
        elif os.path.exists(document):
            found = kernels_of(document)
            if mode == "open":
                unique = found[2]  # its value without closed descriptors
            if found != (expected, expected * 64, unique if mode in ("open", "descriptors") else 0):
                problem = f"counts {found}, not {unique} unique bytes"
        elif wants_document or "gpuprof:" not in done.stderr:
            problem = "no document"
        if not problem and left:
            problem = f"left {left}"
        if problem:
            print(f"{name}: {problem}\n{done.stdout}{done.stderr}")
            failures += 1
shutil.rmtree(locales)
print("all right" if not failures else f"{failures} failures")
