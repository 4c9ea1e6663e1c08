# The lit suites. Substitutions are listed in docs/developer/testing.md.
import ctypes
import glob
import os
import re
import shutil
import subprocess
import sys

import lit.formats

config.name = "gpuprof"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".cu", ".cpp", ".c", ".ll", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.source, "tests")
config.test_exec_root = os.path.join(config.build, "tests")

clang = os.path.join(config.llvm_tools, "clang++")
minicuda = os.path.join(config.source, "cpu-device", "headers")
library_dir = os.path.join(config.build, "lib")
link = "-L{0} -Wl,-rpath,{0} -lgpuprof"
instrumented = lit_config.params.get("instrumented")
if instrumented:
    sys.path.insert(0, os.path.join(config.source, "tests", "lit"))
    import instrumented as sanitizers

    sanitizer = sanitizers.sanitizer_of(instrumented)
    link = link.format(os.path.join(instrumented, "lib"))
    # `-o %t.so %link`: a library uses the program's.
    config.substitutions.append((r"(?<=\.so )%link", link))
    link += " " + sanitizers.runtime_flags(sanitizer, config.llvm_tools)
    config.environment.update(sanitizers.OPTIONS)
    for name, why in sanitizers.left_out(sanitizer).items():
        lit_config.note("left out: %s: %s" % (name, why))
        config.excludes.append(name)
plugin = os.path.join(library_dir, "gpuprof", "gpuprof.so")
mini_options = (
    "-x cuda --no-offload-new-driver --cuda-host-only -nocudainc -nocudalib -isystem %s "
    "-fplugin-arg-gpuprof-device=cpu -Wno-unknown-cuda-version "
    # Invalid code of loops over threads is a warning to a user, who gets stacks instead; here it is a mistake.
    "-Werror=inline-asm" % minicuda
)
mini_flags = mini_options + " -include cuda_runtime.h"


def cuda_major(root):
    with open(os.path.join(root, "include", "cuda.h")) as header:
        return int(re.search(r"#define CUDA_VERSION (\d+)", header.read()).group(1)) // 1000


# As `gpuprof cc` does: headers dropped by CUDA 13 and requested by clang up to 21.
shims = ""
if config.cuda and cuda_major(config.cuda) >= 13 and config.llvm_major < 22:
    shims = "-isystem {0}/include -B{0}/bin ".format(os.path.join(config.source, "tools", "shims"))
    if config.llvm_major < 19:
        shims += "-std=c++17 -Xclang -fcuda-allow-variadic-functions "
toolkit_options = "--cuda-path=%s %s-isystem %s/include/cccl -Wno-unknown-cuda-version" % (
    config.cuda, shims, config.cuda)
toolkit_flags = (
    "-x cuda --no-offload-new-driver --cuda-host-only -fplugin-arg-gpuprof-device=cpu " + toolkit_options
)

# Options shared with a precompiled header, and ends of a command: if another option follows, the header's text is read.
UNSHARED = r"[&;|]|\s%s-(?:std|g|D|x|E|M|W|p|-cuda|save|Xclang|emit|f(?!plugin))"
# Sets of such options with a header of their own, and the levels: the last one is the suite's of places.
VARIANTS = (
    ("", (1, 2)),
    ("-pthread", (1,)),
    ("-std=c++17", (1, 2)),
    ("-fexceptions -std=c++17 -ffp-contract=off", (1,)),
)


def precompile(name, options, extra, level):
    """The CUDA header's host half, as programs at a level begin; None where it cannot be made. The device's half is read as text."""
    header = os.path.join(config.source, "tests", "lit", "Inputs", "precompiled.h")
    path = os.path.join(config.test_exec_root, "%s%s-O%d.pch" % (name, re.sub(r"\W+", "-", extra), level))
    parts = glob.glob(os.path.join(minicuda, "**", "*.h"), recursive=True)
    newest = max(os.path.getmtime(part) for part in [header, clang, plugin, __file__, *parts])
    if os.path.exists(path) and os.path.getmtime(path) > newest:
        return path
    own = "%s.%d" % (path, os.getpid())  # another lit may be at it
    command = [clang, "-fplugin=" + plugin, *options.split(), *extra.split(), "-O%d" % level,
               "-fpch-instantiate-templates", "-Xclang", "-emit-pch", "-c", header]
    if subprocess.run([*command, "-o", own], stderr=subprocess.DEVNULL).returncode:
        return None
    os.replace(own, path)
    return path


def commands_with(extra, level):
    """What follows %NAME in commands at a level with these options and no others that are not shared."""
    options = [re.escape(option) + r"(?!\S)" for option in extra.split()]
    same = r"(?:(?!%s).)*" % (UNSHARED % (r"(?!%s)" % "|".join(options) if options else ""))
    present = "".join(r"(?=%s\s%s)" % (same, option) for option in options)
    return r"%s(?=%s -O%d\b%s(?:\s*[&;|]|\s*$))" % (present, same, level, same)


def add_precompiled(name, options, variants):
    for extra, levels in variants:
        for level in levels:
            path = precompile(name, options, extra, level)
            if path:
                config.substitutions.append(("%" + name + commands_with(extra, level), options + " -include-pch " + path))


if os.path.exists(os.path.join(library_dir, "libgpuprof-cpu.so")):
    add_precompiled("minicuda", mini_options, VARIANTS)
    if config.cuda:
        add_precompiled("cudaflags", toolkit_flags, (("", (1,)),))

with open(os.path.join(config.source, "include", "gpuprof", "abi.h"), encoding="utf-8") as header:
    abi_version = re.search(r"GPUPROF_ABI_VERSION (\d+)u", header.read())[1]

# Longer names first: lit replaces in order.
config.substitutions += [
    ("%clangxx", clang),
    ("%plugin", plugin),
    ("%optplugin", os.path.join(library_dir, "gpuprof", "gpuprof-opt.so")),
    ("%opt", os.path.join(config.llvm_tools, "opt")),
    ("%llc", os.path.join(config.llvm_tools, "llc")),
    ("%FileCheck", config.filecheck + " --implicit-check-not=error:"),
    ("%document", config.python + " " + os.path.join(config.source, "tests", "read_document.py")),
    ("%gpuprof", os.path.join(config.build, "bin", "gpuprof")),
    ("%libdir", library_dir),
    ("%minicuda", mini_flags),
    ("%cudaflags", toolkit_flags if config.cuda else mini_flags),
    ("%cudapath", config.cuda or "none"),
    ("%toolkit", toolkit_options),
    ("%link", link.format(library_dir)),
    ("%abi", abi_version),
    ("%build", config.build),
    ("%inputs", os.path.join(config.source, "tests", "lit", "Inputs")),
    ("%source", config.source),
    ("%py", config.python),
]

# Features of this machine; a test with a missing one is reported as unsupported.
if config.cuda:
    config.available_features.add("cuda-toolkit")
    if cuda_major(config.cuda) >= 13:
        config.available_features.add("cuda-13")
config.available_features.add("llvm-%d" % config.llvm_major)
if os.access(os.path.join(config.llvm_tools, "clang-linker-wrapper"), os.X_OK):
    config.available_features.add("linker-wrapper")  # for linking by clang's newer offload driver
if os.path.exists(os.path.join(config.llvm_tools, "clangd")):
    config.available_features.add("clangd")
    config.substitutions.insert(0, ("%clangd", os.path.join(config.llvm_tools, "clangd")))
if shutil.which("g++"):
    config.available_features.add("gcc")
if config.cuda and os.path.exists(os.path.join(config.cuda, "bin", "nvcc")) and shutil.which("g++"):
    config.available_features.add("nvcc")  # its host compiler is g++
if glob.glob(os.path.join(config.llvm_tools, "..", "lib", "clang", "*", "lib", "*", "libclang_rt.asan*.a")):
    config.available_features.add("asan")  # AddressSanitizer's library, linked by -fsanitize=address
if config.cairo == "1":
    config.available_features.add("cairo")  # draws PNG and PDF
if shutil.which("patch"):
    config.available_features.add("patch")
if shutil.which("trace_processor_shell"):  # Perfetto's
    config.available_features.add("trace-processor")
if shutil.which("gdb"):
    config.available_features.add("gdb")
if shutil.which("make"):
    config.available_features.add("make")
if shutil.which("ccache"):
    config.available_features.add("ccache")
try:
    ctypes.CDLL("libgomp.so.1")
    config.available_features.add("libgomp")
except OSError:
    pass
if os.path.exists(os.path.join(config.llvm_tools, "..", "lib", "LLVMgold.so")):
    config.available_features.add("lto")  # ld's plugin for LLVM's bitcode
for major in range(16, config.llvm_major + 1):
    config.available_features.add("llvm-at-least-%d" % major)

# Built without the CPU device, gpuprof runs no kernel here: tests compiling for it, linking a program or running one are left out.
if not os.path.exists(os.path.join(library_dir, "libgpuprof-cpu.so")):
    running = []
    for path in glob.glob(os.path.join(config.test_source_root, "lit", "**", "*"), recursive=True):
        if path.endswith(tuple(config.suffixes)):
            with open(path, encoding="utf-8", errors="replace") as test:
                text = test.read()
                if re.search(r"%link|%gpuprof run|%minicuda|%cudaflags|cc --cpu", text) and "UNSUPPORTED: cpu-device" not in text:
                    running.append(os.path.basename(path))
    config.excludes += running
    lit_config.note("without the CPU device: tests that run programs are left out")
else:
    config.available_features.add("cpu-device")

# Tests must not depend on the caller's settings.
for name in [n for n in os.environ if n.startswith("GPUPROF_")]:
    config.environment.pop(name, None)
config.environment["PYTHONPATH"] = os.path.join(config.source, "tests")  # read_document
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["GPUPROF_OUTPUT"] = os.path.join(config.build, "tests", "unnamed-%p.json")
