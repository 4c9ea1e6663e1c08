"""Ends sudden-ends.cu in each way, with and without gpuprof, and looks at what is left.

    sudden_ends.py PROGRAM DOCUMENT
"""
import json
import os
import signal
import subprocess
import sys
import time

import read_document

THREADS = 64  # of a launch, one addition each
PATIENCE = 60  # seconds, against hangs

# Ways to end: the text of context.end, and the number of launches.
ENDS = {
    "return": ("exit", None, 10),
    "fault": ("signal", signal.SIGSEGV, 10),
    "divide": ("signal", signal.SIGFPE, 10),
    "trap": ("signal", signal.SIGILL, 10),
    "abort": ("signal", signal.SIGABRT, 10),
    "terminate": ("signal", signal.SIGABRT, 10),
    "_exit": ("_exit", None, 10),
    "_Exit": ("_exit", None, 10),
    "quick_exit": ("quick_exit", None, 10),
    "_exit-in-handler": ("_exit", None, 10),
    "handled-signal": ("exit", None, 11),
    "execl": ("exec", None, 10),
    "execle": ("exec", None, 10),
    "execlp": ("exec", None, 10),
    "execv": ("exec", None, 10),
    "execvp": ("exec", None, 10),
    "execve": ("exec", None, 10),
    "execvpe": ("exec", None, 10),
    "execl-of-nothing": ("exit", None, 11),
    "_exit-in-vforked-child": ("_exit", None, 11),
    "execv-in-vforked-child": ("_exit", None, 11),
    "abort-in-forked-child": ("exit", None, 11),
}
for each in ("HUP", "INT", "QUIT", "BUS", "PIPE", "ALRM", "TERM", "USR1", "USR2", "XCPU", "XFSZ", "SYS"):
    number = getattr(signal, "SIG" + each)
    ENDS[str(int(number))] = ("signal", number, 10)

program, path = sys.argv[1:]
problems = 0


def expect(what, found, wanted):
    global problems
    if found != wanted:
        print("%s: %r, not %r" % (what, found, wanted))
        problems += 1


def take_default_signals():
    for number in (signal.SIGINT, signal.SIGQUIT):  # shells let background processes ignore them
        signal.signal(number, signal.SIG_DFL)


def start(end, **settings):
    environment = dict(os.environ, GPUPROF_OUTPUT=path, **settings)
    return subprocess.Popen([program, end], env=environment, stderr=subprocess.DEVNULL, preexec_fn=take_default_signals)


def check_document(end, state, how, number, launches):
    with open(path, encoding="utf-8") as file:
        document = read_document.expand(json.load(file))
    found = document["context"]["end"]
    expect(end + ": end", [found[key] for key in ("state", "how", "signal", "launches_running", "consistent")],
           [state, how, number and int(number), 0, True])
    kernel, region = document["kernels"][0], document["regions"][0]
    expect(end + ": launches", (kernel["launches"], region["launches"], region["executions"]), (launches,) * 3)
    expect(end + ": FLOPs", (kernel["flops"]["total"], region["flops"]["total"]), (launches * THREADS,) * 2)


def was_written(launches):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)["kernels"][0]["launches"] == launches
    except (OSError, IndexError):
        return False


def kill_when_written(number, **settings):
    if os.path.exists(path):
        os.remove(path)
    child = start("wait", **settings)
    end = time.monotonic() + PATIENCE
    while not was_written(10) and time.monotonic() < end:
        time.sleep(0.01)
    child.send_signal(number)
    return child.wait(PATIENCE)


for end, (how, number, launches) in ENDS.items():
    if os.path.exists(path):
        os.remove(path)
    with_gpuprof = start(end).wait(PATIENCE)
    expect(end + ": status", with_gpuprof, start(end, GPUPROF_ENABLE="0").wait(PATIENCE))
    check_document(end, "complete", how, number, launches)

expect("SIGKILL: status", kill_when_written(signal.SIGKILL), -signal.SIGKILL)
check_document("SIGKILL", "running", None, None, 10)
expect("SIGTERM, not handled: status", kill_when_written(signal.SIGTERM, GPUPROF_SIGNALS="0"), -signal.SIGTERM)
check_document("SIGTERM, not handled", "running", None, None, 10)
print("all right" if not problems else "%d problems" % problems)
