# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a page in an empty folder and compares their output with what the page shows.

usage: check_page.py --build BUILD [--update] [--keep FOLDER] PAGE
--update writes the outputs into the page. docs/developer/testing.md has the format of pages.
"""
import argparse
import difflib
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile

from output import first_difference, matches, prepared, renewed
from page import PageError, read_page

SKIPPED = 77
QUESTION_LINES = 130
FIRST_SCREEN = 30
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


# ---- What this machine has ----

def has_cuda():
    roots = [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda", "/usr/lib/cuda"]
    return any(root and os.path.exists(os.path.join(root, "include", "cuda.h")) for root in roots)


def has_torch():
    """A PyTorch of python3 that builds extensions."""
    probe = os.path.join(SOURCE, "tests", "builds_torch_extensions.py")
    return shutil.which("python3") and not subprocess.run(["python3", "-B", probe]).returncode


def has_asan():
    """AddressSanitizer's library of the compiler that `gpuprof cc` runs."""
    printed = subprocess.run(["gpuprof", "cc", "--print", "x.cpp"], stdout=subprocess.PIPE, text=True).stdout.split()
    tools = os.path.dirname(os.path.realpath(shutil.which(printed[0]) or "")) if printed else ""
    return bool(glob.glob(os.path.join(tools, "..", "lib", "clang", "*", "lib", "*", "libclang_rt.asan*.a")))


KNOWN = {
    "asan": (has_asan, "AddressSanitizer's library is not installed"),
    "gpu": (lambda: os.path.exists("/dev/nvidiactl"), "there is no GPU"),
    "cuda": (has_cuda, "there is no CUDA toolkit"),
    "torch": (has_torch, "python3 has no PyTorch that builds extensions"),
    "cmake": (lambda: shutil.which("cmake"), "cmake is not installed"),
}


def missing(needs):
    """Why a block cannot be run, or an empty text. A need that is not in the table is a command."""
    reasons = []
    for need in needs:
        has, why = KNOWN.get(need, (lambda: shutil.which(need), "%s is not on PATH" % need))
        if not has():
            reasons.append(why)
    return ", ".join(reasons)


# ---- Running ----

# Compiles for the CPU device alone: it takes a third of the time, and a CUDA toolkit makes no difference. Blocks that need a
# toolkit or a GPU get the whole command.
STAND_IN = """#!/bin/sh
if [ "$1" = cc ] && [ -z "$CHECKED_WITH_CUDA" ]; then
  shift
  set -- cc --cpu "$@"
fi
exec '%s' "$@"
"""
WHOLE = {"cuda", "gpu", "nvcc"}


def write_stand_in(build, outputs):
    folder = os.path.join(outputs, "bin")
    os.makedirs(folder)
    with open(os.path.join(folder, "gpuprof"), "w", encoding="utf-8") as out:
        out.write(STAND_IN % os.path.join(build, "bin", "gpuprof"))
    os.chmod(out.name, 0o755)
    return folder


def environment(build, commands):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GPUPROF_")}
    return {
        **kept,
        "COLUMNS": os.environ.get("COLUMNS_OF_PAGES", "100"),
        "GPUPROF_DEVICE": "cpu",
        "LC_ALL": "C.UTF-8",
        "PROJECT": SOURCE,
        "gpuprof_DIR": build,
    }


def script_of(steps, outputs):
    """A bash script: one shell for the page, so that a folder or a variable stays; a file for each output and status."""
    lines = ["exec </dev/null"]
    for index, step in enumerate(steps):
        path = os.path.join(outputs, str(index))
        if step.kind == "file":
            lines.append('mkdir -p "$(dirname "$CHECKED_FOLDER/{0}")" && cp "{1}.file" "$CHECKED_FOLDER/{0}"'.format(step.name, path))
        else:
            on_gpu, whole = "gpu" in step.needs, WHOLE & set(step.needs)
            lines += ["unset GPUPROF_DEVICE"] * on_gpu + ["export CHECKED_WITH_CUDA=1"] * bool(whole)
            lines.append('eval "$(cat "{0}.command")" >"{0}.output" 2>&1; echo $? >"{0}.status"'.format(path))
            lines += ["export GPUPROF_DEVICE=cpu"] * on_gpu + ["unset CHECKED_WITH_CUDA"] * bool(whole)
        with open(path + (".file" if step.kind == "file" else ".command"), "w", encoding="utf-8") as out:
            out.write(step.text)
    return "\n".join(lines) + "\n"


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return None


def told_apart(text, folder, build):
    """Output with the folders of this machine named as a page names them."""
    for path, name in ((folder, "/home/me/app"), (build, "/home/me/gpuprof/build"), (SOURCE, "/home/me/gpuprof")):
        text = text.replace(path, name)
    return text


def run_steps(steps, build, folder, outputs, seconds):
    """Runs all steps; returns (status, lines) of each, with a status of None where it was not reached."""
    settings = {**environment(build, write_stand_in(build, outputs)), "CHECKED_FOLDER": folder, "TMPDIR": outputs}
    shell = subprocess.Popen(["bash", "-c", script_of(steps, outputs)], cwd=folder, env=settings, start_new_session=True)
    try:
        shell.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(shell.pid, signal.SIGKILL)
        shell.wait()
    results = []
    for index, step in enumerate(steps):
        path = os.path.join(outputs, str(index))
        status = read(path + ".status")
        reached = 0 if step.kind == "file" else int(status) if status else None
        results.append((reached, told_apart(read(path + ".output") or "", folder, build).split("\n")))
    return results


# ---- Comparing ----

def complaint(step, status, lines, compare):
    """What is wrong with a step, or an empty text."""
    shown = "line %d: $ %s" % (step.line, step.text)
    printed = "\n".join("    " + line for line in lines[-30:] if line)
    if status is None:
        return "%s\n  did not end in time, or ended the shell; it printed:\n%s" % (shown, printed)
    if status != step.status:
        return "%s\n  exits with %d instead of %d; it printed:\n%s" % (shown, status, step.status, printed)
    if compare and step.kind == "run" and not matches(step.expected, lines, step.exact):
        expected, actual = prepared(step.expected, lines)
        line = step.output_line + first_difference(expected, actual, step.exact) if step.output_line else step.line
        diff = difflib.unified_diff(expected, actual, "the page", "printed", lineterm="")
        return "%s\n  prints something else, first at line %d of the page:\n%s" % (shown, line, "\n".join("    " + l for l in diff))
    return ""


def check_shape(path, text):
    """A page that the index lists as a question is short, and has a command in the first screen."""
    index = read(os.path.join(os.path.dirname(path), "README.md")) or ""
    questions = index.split("## Questions", 1)[-1].split("\n## ", 1)[0] if "## Questions" in index else ""
    if "(%s)" % os.path.basename(path) not in questions:
        return []
    lines = text.count("\n")
    wrong = []
    if lines > QUESTION_LINES:
        wrong.append("the page has %d lines; a question is answered in at most %d" % (lines, QUESTION_LINES))
    blocks = [number for number, line in enumerate(text.split("\n"), 1) if line.startswith("```")]
    if not blocks or blocks[0] > FIRST_SCREEN:
        wrong.append("the first command stands at line %s; put it into the first %d" % (blocks[0] if blocks else "none", FIRST_SCREEN))
    return wrong


def check_index(path, text):
    """The index of the manual lists every page."""
    folder, name = os.path.split(path)
    if name != "README.md" or "## Questions" not in text:
        return []
    pages = sorted(page for page in os.listdir(folder) if page.endswith(".md") and page != name)
    return ["the index does not list %s" % page for page in pages if "(%s)" % page not in text]


def updated(text, steps, results):
    """The page with the outputs of this run."""
    lines = text.split("\n")
    for step, (status, printed) in reversed(list(zip(steps, results))):
        if step.kind != "run" or status is None or (status == step.status and matches(step.expected, printed, step.exact)):
            continue
        begin = step.line + step.text.count("\n")  # the line after the command, from 0
        end = begin
        while not lines[end].startswith(("$ ", "```")):
            end += 1
        new = renewed(step.expected, printed, step.exact)
        lines[begin:end] = new + (["# exit status %d" % status] if status else [])
    return "\n".join(lines)


# ---- The command ----

def choose(steps):
    """The steps that can be run here; says why the others cannot."""
    chosen = []
    for step in steps:
        why = missing(step.needs)
        if why:
            print("left out: line %d: %s" % (step.line, why))
        else:
            chosen.append(step)
    return chosen


def commands_in(steps):
    return sum(step.kind == "run" for step in steps)


def check(arguments, folder, outputs):
    text = read(arguments.page)
    all_steps = read_page(text)
    steps = choose(all_steps)
    results = run_steps(steps, arguments.build, folder, outputs, arguments.seconds)
    if arguments.update:
        with open(arguments.page, "w", encoding="utf-8") as out:
            out.write(updated(text, steps, results))
        return 0
    wrong = [c for c in (complaint(s, *r, not arguments.statuses) for s, r in zip(steps, results)) if c]
    wrong += check_shape(arguments.page, text) + check_index(arguments.page, text)
    for each in wrong:
        print("%s: %s" % (arguments.page, each))
    if not wrong:
        what = "end as the page says: outputs are those of another LLVM" if arguments.statuses else "print what the page shows"
        print("%d of %d commands %s" % (commands_in(steps), commands_in(all_steps), what))
    return 1 if wrong else SKIPPED if all_steps and not steps else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", required=True, help="build folder, whose bin/gpuprof is run")
    parser.add_argument("--update", action="store_true", help="write the outputs into the page")
    parser.add_argument("--statuses", action="store_true", help="compare exit statuses alone: code of another LLVM counts a little else")
    parser.add_argument("--keep", metavar="FOLDER", help="run in this folder, and keep it")
    parser.add_argument("--seconds", type=int, default=240, help="time that a page has")
    parser.add_argument("page")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    arguments.build, arguments.page = os.path.abspath(arguments.build), os.path.abspath(arguments.page)
    os.environ["PATH"] = os.path.join(arguments.build, "bin") + os.pathsep + os.environ["PATH"]
    with tempfile.TemporaryDirectory(prefix="gpuprof-page-") as scratch:
        scratch = os.path.realpath(scratch)
        folder, outputs = arguments.keep or os.path.join(scratch, "page"), os.path.join(scratch, "outputs")
        os.makedirs(folder, exist_ok=True)
        os.makedirs(outputs)
        try:
            return check(arguments, os.path.abspath(folder), outputs)
        except PageError as error:
            print("%s: %s" % (arguments.page, error))
            return 1


if __name__ == "__main__":
    sys.exit(main())
