# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For the scripts of this folder that build one program for both devices, and run it where there is a GPU."""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))


def usage(text):
    print(text.strip(), file=sys.stderr)
    sys.exit(2)


def build(script, name, folder, options, flags):
    """Compiles NAME.cu; the folder then has all that `run` needs but a driver and Python."""
    os.makedirs(folder, exist_ok=True)
    build_folder = options.get("build", "build")
    for file in ("libgpuprof.so.0", "libgpuprof-cpu.so"):
        shutil.copy(os.path.join(build_folder, "lib", file), folder)
    for file in (script, os.path.join(HERE, "programs.py"), os.path.join(HERE, "..", "read_document.py"),
                 os.path.join(SOURCE, "python", "gpuprof", "_document.py")):
        shutil.copy(file, folder)
    cuda = options.get("cuda", os.environ.get("CUDA_PATH", "/usr/local/cuda"))
    program = os.path.join(folder, name + ".bin")
    subprocess.run([os.path.join(build_folder, "bin", "gpuprof"), "cc", "-O2", "-std=c++17", "--cuda-path=" + cuda,
                    "--cuda-gpu-arch=" + options.get("arch", "sm_90"), *flags,
                    os.path.join(HERE, name + ".cu"), "-o", program], check=True)
    subprocess.run(["strip", "-S", program], check=True)


def run(folder, name, arguments=(), **settings):
    """Runs the program; returns what it printed, and its document (null where it wrote none)."""
    document = os.path.join(folder, name + ".json")
    if os.path.exists(document):
        os.remove(document)
    environment = dict(os.environ, GPUPROF_OUTPUT=document, **settings)
    environment["LD_LIBRARY_PATH"] = folder + ":" + os.environ.get("LD_LIBRARY_PATH", "")
    done = subprocess.run([os.path.join(folder, name + ".bin"), *arguments], env=environment, text=True, capture_output=True)
    sys.stderr.write(done.stderr)
    if done.returncode:
        print("%s ends with %d" % (name, done.returncode))
        sys.exit(1)
    sys.path.insert(0, folder)
    sys.path.insert(0, os.path.dirname(HERE))
    import read_document
    return done.stdout, read_document.load(document) if os.path.exists(document) else None


def main(script, name, text, run_all, flags=()):
    """The verbs build and run, with options --NAME VALUE; flags are the compiler's."""
    words = sys.argv[1:]
    if len(words) < 2 or words[0] not in ("build", "run") or len(words) % 2:
        usage(text)
    options = {words[i].lstrip("-"): words[i + 1] for i in range(2, len(words), 2)}
    folder = os.path.abspath(words[1])
    if words[0] == "build":
        return build(script, name, folder, options, flags)
    return sys.exit(run_all(folder, options))
