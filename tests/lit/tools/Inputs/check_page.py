"""Runs the commands of a page of the documentation, and compares what they print: check_page.py PAGE GPUPROF FOLDER.

A block of code that begins with "$ " has commands, each with lines of its output; a line "…" stands for any lines. The block
named "cuda" is the program, net.cu. gpuprof cc compiles for the CPU device."""
import os
import re
import subprocess
import sys

page_file, gpuprof, folder = sys.argv[1:4]
with open(page_file, encoding="utf-8") as file:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", file.read(), re.M | re.S)
environment = dict(os.environ, COLUMNS="100", LC_ALL="C.UTF-8", GPUPROF_DEVICE="cpu",
                   PATH=os.path.dirname(gpuprof) + ":" + os.environ["PATH"])


def matches(wanted, lines):
    """Each run of wanted lines follows on the one before; between runs anything may stand."""
    parts = [part.split("\n") for part in re.split(r"(?:^|\n)…(?:\n|$)", "\n".join(wanted)) if part]
    at = 0
    for part in parts:
        found = [i for i in range(at, len(lines) - len(part) + 1) if lines[i:i + len(part)] == part]
        if not found:
            return "nowhere in the output:\n" + "\n".join(part)
        at = found[0] + len(part)
    return "" if wanted[-1:] == ["…"] or not wanted or at == len(lines) else "more output than the page has:\n" + "\n".join(lines[at:])


with open(os.path.join(folder, "net.cu"), "w", encoding="utf-8") as file:
    file.write(next(text for kind, text in blocks if kind == "cuda"))
count = 0
for kind, text in blocks:
    if kind or not text.startswith("$ "):
        continue
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, *wanted = part.rstrip("\n").split("\n")
        done = subprocess.run(command.replace("gpuprof cc", "gpuprof cc --cpu"), shell=True, cwd=folder, env=environment,
                              capture_output=True, text=True, encoding="utf-8")
        why = matches(wanted, done.stdout.rstrip("\n").split("\n")) if wanted else ""
        if why or done.returncode not in (0, 1):
            sys.exit("$ %s\n%s\n%s" % (command, why, done.stderr))
        count += 1
print("%d commands print what the page shows" % count)
