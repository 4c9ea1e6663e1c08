# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`lit --param instrumented=FOLDER`: programs run with the libraries of a build folder that has a sanitizer.

Programs are compiled as ever; the sanitizer's runtime library is linked into them, since it has to come first in a process.
"""
import glob
import os

FORKS = "ThreadSanitizer does not follow threads, fibers and locks into the child of a process with threads"
UNLINKED = "a program that is not linked with gpuprof has no sanitizer"
ITS_OWN = "the program has AddressSanitizer of its own"

# Tests out of a sanitizer's reach: the test's name, the sanitizer, and the reason.
LEFT_OUT = {
    "address-space-limited.cu": ("both", "a sanitizer reserves terabytes of addresses"),
    "communication-nccl.cu": ("both", UNLINKED),
    "forked-process.cu": ("thread", FORKS),
    "forks-while-threads-launch.cu": ("thread", FORKS),
    "hostile-surroundings.cu": ("both", "its stacks are too small for a sanitizer's own functions"),
    "launches-keep-handlers.cu": ("both", "sanitizers have a sigaction() of their own, so that no handler is kept"),
    "launches-lock-little.cu": ("both", "the program replaces functions that sanitizers replace too"),
    "library-in-many-files.cu": ("both", UNLINKED),
    "library-opened-after-the-report.cu": ("both", UNLINKED),
    "library-opened-by-a-program-without-gpuprof.cu": ("both", UNLINKED),
    "preloaded.cu": ("both", UNLINKED),
    "sanitized-global.cu": ("both", ITS_OWN),
    "sanitized-local.cu": ("both", ITS_OWN),
    "sanitized-shared.cu": ("both", ITS_OWN),
    "sanitized-uninitialised.cu": ("both", ITS_OWN),
    "shared-pools.cu": ("thread", FORKS),
}


def sanitizer_of(build):
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
        flags = next(line for line in cache if line.startswith("CMAKE_C_FLAGS:"))
    return "thread" if "-fsanitize=thread" in flags else "address"


def runtime_flags(sanitizer, llvm_tools):
    """Links the runtime library as clang does for -fsanitize=X, but instruments nothing."""
    folder = os.path.join(llvm_tools, "..", "lib", "clang", "*", "lib", "*")
    names = {"address": ["asan_static", "asan"], "thread": ["tsan"]}[sanitizer]
    flags = []
    for name in names:
        library = glob.glob(os.path.join(folder, "libclang_rt.%s-x86_64.a" % name))[0]
        flags += ["-Wl,--whole-archive,%s,--no-whole-archive" % library]
        if os.path.exists(library + ".syms"):
            flags.append("-Wl,--dynamic-list=" + library + ".syms")
    return " ".join(flags + ["-Wl,--no-as-needed -lpthread -lrt -lm -ldl -lresolv"])


# As in scripts/test for the unit tests. gpuprof handles only signals without a handler, a sanitizer neither.
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0",
    "TSAN_OPTIONS": "report_signal_unsafe=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


def left_out(sanitizer):
    return {name: why for name, (of, why) in LEFT_OUT.items() if of in ("both", sanitizer)}
