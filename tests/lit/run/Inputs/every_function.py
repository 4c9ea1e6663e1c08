"""every_function.py LIBRARY TABLE HEADER: libgpuprof has each function that CUDA's header declares, and those that the table
(runtime/exports/cudart.inc) says the CPU device lacks answer cudaErrorNotSupported and name themselves once on stderr."""
import ctypes
import os
import re
import subprocess
import sys

library, table, header = sys.argv[1:]
os.environ["GPUPROF_DEVICE"] = "cpu"
gpuprof = ctypes.CDLL(library)
text = re.sub(r"/\*.*?\*/", "", open(header).read(), flags=re.S)
declared = set(re.findall(r"CUDARTAPI(?:_CDECL)?\s+(cuda\w+)\s*\(", text))
for suffix, base in re.findall(r"__CUDART_API_(PTDS|PTSZ)\((cuda\w+)\)", text):
    declared.add(base + "_" + suffix.lower())
absent = sorted(name for name in declared if not hasattr(gpuprof, name))
if len(declared) < 200 or absent:
    sys.exit("error: of %d functions these are absent: %s" % (len(declared), ", ".join(absent)))

lacking = [
    match[1]
    for match in re.finditer(r"^GP_CUDART(?:_LAUNCH)?\(\s*(\w+),(?:[^()]|\([^()]*\))*?\b(NOCPU|CPU)\)", open(table).read(), re.M)
    if match[2] == "NOCPU"
]


CALL = "import ctypes, sys; sys.exit(getattr(ctypes.CDLL(sys.argv[1]), sys.argv[2])(*[0] * 6) != 801)"


def refuses(name):
    """Calls the function in a process of its own: only the first messages of one are printed, to what was standard error
    when it started."""
    called = subprocess.run([sys.executable, "-c", CALL, library, name], stderr=subprocess.PIPE)
    return called.returncode == 0 and b"gpuprof: warning: %s: not available on the CPU device" % name.encode() in called.stderr


wrong = [name for name in lacking if not refuses(name)]
if not lacking or wrong:
    sys.exit("error: not refused, or not by name: " + ", ".join(wrong))
print("all right")
