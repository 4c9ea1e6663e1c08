"""every_function.py LIBRARY TABLE HEADER: libgpuprof has each function that CUDA's header declares, and those that the table
(runtime/cuda/cudart.inc) says the CPU device lacks answer cudaErrorNotSupported and name themselves once on stderr."""
import ctypes
import os
import re
import sys
import tempfile

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


def refuses(name):
    """Calls the function in a process of its own, since only the first messages of one are printed."""
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if not child:
            os.dup2(said.fileno(), 2)
            os._exit(getattr(gpuprof, name)(*[0] * 6) != 801)
        status = os.waitpid(child, 0)[1]
        said.seek(0)
        return not status and b"gpuprof: warning: %s: not available on the CPU device" % name.encode() in said.read()


wrong = [name for name in lacking if not refuses(name)]
if not lacking or wrong:
    sys.exit("error: not refused, or not by name: " + ", ".join(wrong))
print("all right")
