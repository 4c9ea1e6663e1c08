"""Documents whose programs ended in different ways.

    run_ends.py DOCUMENT PREFIX [GPUPROF]

With GPUPROF: makes one of this process, which runs still, and reports it.
"""
import json
import os
import socket
import subprocess
import sys

document, prefix = sys.argv[1:3]


def start_of(pid):
    with open("/proc/%s/stat" % pid, encoding="utf-8") as file:
        return int(file.read().rpartition(")")[2].split()[19])


def write(name, host=socket.gethostname(), pid=os.getpid(), start=start_of("self"), **end):
    with open(document, encoding="utf-8") as file:
        made = json.load(file)
    facts = {"state": "running", "how": None, "signal": None, "counted_until_ns": 1200000000, "process_start": start,
             "launches_running": 0, "consistent": True}
    facts.update(end)
    made["context"].update(end=facts, host=host, pid=pid)
    with open("%s.%s.json" % (prefix, name), "w", encoding="utf-8") as file:
        json.dump(made, file)


if len(sys.argv) > 3:
    write("alive")
    sys.exit(subprocess.call([sys.argv[3], "report", prefix + ".alive.json"]))
another = start_of("self") + 1  # a process of before had this number
write("exit", pid=4242, state="complete", how="exit")
write("elsewhere", host="another-host")
write("killed", start=another, launches_running=1)
write("crashed", start=another, signal=11)
write("stopped", state="complete", how="signal", signal=15)
write("_exit", state="complete", how="_exit")
