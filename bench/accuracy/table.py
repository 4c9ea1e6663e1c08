#!/usr/bin/env python3
"""Prints what gpuprof counted beside what the hardware counted, with an explanation of every difference.

usage: table.py REPORT.json...     reports of programs that ran with GPUPROF_HARDWARE=check
Exit 0: each FLOP and byte count is within 0.5 % of the hardware's, or explained to the digit; 1: some are not; 2: the
reports hold no counters.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests"))
import read_document  # noqa: E402

WITHIN = 0.5  # percent

# The compared counters; their parts (fp32_add, ...) only tell ptxas's spelling of the same FLOPs.
COUNTERS = ["fp64_flops", "fp32_flops", "half_instructions", "tensor_bf16", "tensor_fp16", "tensor_tf32", "tensor_fp64",
            "tensor_fp8", "tensor_int8", "global_load", "global_store", "global_atomic", "shared_load", "shared_store",
            "shared_atomic"]

# Lanes of a warp requesting the same bytes, counted once by the hardware: (numerator, denominator) of the remaining
# counted bytes. The programs are compiled with check=on, so the check is exact to the byte; this gives the reason.
SHARED = {
    ("load_same_in_warp", "global_load"): (1, 32, "a warp reads one address"),
    ("load_same_in_half", "global_load"): (1, 16, "16 lanes read one address"),
    ("load_same_in_pair", "global_load"): (1, 2, "two lanes read one address"),
    ("load_same_float4", "global_load"): (1, 16, "16 lanes read one address"),
    ("store_same_in_warp", "global_store"): (1, 32, "a warp stores to one address"),
    ("shared_same_in_half", "shared_load"): (1, 16, "16 lanes read one address"),
    ("atomic_add_same", "global_atomic"): (1, 4, "32 lanes add to 8 addresses"),
    ("attention_scores", "global_load"): (33, 64, "a row of the queries is one address to all 32 lanes of a warp"),
    ("attention_values", "global_load"): (33, 64, "a row of the scores is one address to all 32 lanes of a warp"),
    ("attention_softmax", "shared_load"): (1, 32, "a warp reads another warp's sum"),
}

# Additional executed FLOPs a thread of a function of CUDA's library (both for four calls in a chain),
# for ordinary arguments: IR computes rare cases and selects; ptxas skips them by a predicate.
LIBRARY = {
    ("fp32_rsqrt_rn", "fp32_flops"): (-4, "a product for denormal arguments is skipped, 1 FLOP a call"),
    ("fp32_log", "fp32_flops"): (-12, "a product for denormal and an fma for infinite arguments are skipped, 3 FLOPs a call"),
    ("fp32_log2", "fp32_flops"): (-12, "a product for denormal and an fma for infinite arguments are skipped, 3 FLOPs a call"),
    ("fp32_tanh", "fp32_flops"): (-8, "an fma for the other range of arguments is skipped, 2 FLOPs a call"),
    ("fp64_log", "fp64_flops"): (4, "the product q of q + q is computed in the fma and for itself, 1 FLOP a call"),
    ("fp32_sqrt", "fp32_flops"): (-4, "sqrt.approx is one MUFU, which is no FLOP, 1 a call"),
    ("divergent_branch", "fp32_flops"): (-0.5, "sqrt.approx is one MUFU, which is no FLOP, in every other lane"),
}

# Other known facts of a kernel: machine code differing from IR in a way not foretold by the check.
COUNTERS_IN_MEMORY = "gpuprof's own counters, which a kernel with calls keeps in local memory and reaches by generic " \
                     "instructions, which every space's counter counts"
GENERIC = "wmma moves matrices by generic instructions, which every space's counter counts: the bytes of global memory"
KNOWN = {
    ("fp16_div", "half_instructions"): "ptxas converts the divisor, which is the same each time, once: 5 a thread, not 8",
    ("wmma_fp16", "shared_load"): GENERIC,
    ("wmma_fp16", "shared_store"): GENERIC,
    ("wmma_bf16", "shared_load"): GENERIC,
    ("wmma_bf16", "shared_store"): GENERIC,
    ("called_function", "global_load"): COUNTERS_IN_MEMORY,
    ("called_function", "global_store"): COUNTERS_IN_MEMORY,
    ("called_function", "shared_load"): COUNTERS_IN_MEMORY,
    ("called_function", "shared_store"): COUNTERS_IN_MEMORY,
}

# Kernels held by one report for several regions, by the region's path.
REGIONS = {"attention.fused/attention.flash": "attention_flash",
           "attention.fused_causal/attention.flash": "attention_flash, causal"}


def short_name(name):
    return name.split("(")[0].split("<")[0].split()[-1]


def explain(kernel, counter, hardware, row):
    """(explanation, whether it holds): why the hardware's value is what it is."""
    measured, counted = hardware["counters"][counter], hardware["counted"][counter]
    if measured == counted:
        return "", True
    extra = LIBRARY.get((kernel, counter))
    if extra and measured == counted + extra[0] * row["threads"]:
        return extra[1] + ": to the digit", True
    unexplained = hardware["unexplained_percent"][counter]
    share = SHARED.get((kernel, counter))
    if share and unexplained == 0 and measured == counted * share[0] / share[1]:
        return f"{share[2]}: {share[0]}/{share[1]} of the bytes", True
    if unexplained == 0:
        return foretold(counter, hardware, row), True
    if (kernel, counter) in KNOWN:
        return KNOWN[kernel, counter], True
    if counter == "half_instructions" and hardware["expected"][counter] == 0:  # no half arithmetic in sight
        return f"constants that ptxas makes with HFMA2: {measured / row['threads']:g} a thread", True
    if unexplained is not None and abs(unexplained) <= WITHIN:
        return f"within {WITHIN} %", True
    return "UNEXPLAINED", False


def own_bytes(counter, hardware):
    """Bytes that gpuprof's own counters load: the expected less what lanes ask for, each byte of a warp once."""
    asked = hardware["distinct"].get(counter, hardware["counted"][counter])
    return counter == "global_load" and hardware["expected"][counter] - asked


def foretold(counter, hardware, row):
    measured = hardware["counters"][counter]
    if counter.split("_")[0] in ("global", "shared"):
        return foretold_bytes(counter, hardware)
    if counter in hardware["expected_least"] and measured != hardware["expected"][counter]:
        least, most = hardware["expected_least"][counter], hardware["expected"][counter]
        digit = ": to the digit" if measured == least else ""
        return f"{least:.0f} to {most:.0f}, as values that only some lanes want, and slow paths, need{digit}"
    if counter.endswith("flops") and hardware["counted"]["tensor_fp8"]:
        return "mma.sync on fp8 is two products of half the depth, which FADD joins: to the digit"
    if counter.endswith("flops"):
        return "machine code of division, square root or sine: to the digit"
    if counter == "half_instructions":
        return "one instruction for two elements, and one to widen a half: to the digit"
    if counter.startswith("tensor"):
        return "mma.sync runs fp8 as fp16: to the digit"
    return "to the digit"


def foretold_bytes(counter, hardware):
    least, most = hardware["expected_least"].get(counter), hardware["expected"][counter]
    if least is not None:
        return f"{least:.0f} to {most:.0f}: lanes share bytes, generic instructions show in the counters of every space, " \
               "or ptxas makes loads otherwise"
    reasons = []
    if hardware["distinct"].get(counter, hardware["counted"][counter]) != hardware["counted"][counter]:
        reasons.append("bytes that lanes of a warp share, counted once: to the digit")
    if own_bytes(counter, hardware):
        reasons.append("the address of gpuprof's counters, 8 bytes a warp")
    return " and ".join(reasons or ["to the digit"])


def rows_of(document):
    """(name, entry) of every kernel, and of the regions of one that has several."""
    regions = []

    def walk(entries):
        for entry in entries:
            if entry["path"] in REGIONS and entry["hardware"].get("counted"):
                regions.append((REGIONS[entry["path"]], entry))
            walk(entry["children"])
    walk(document["regions"])
    several = {name.split(",")[0] for name, _ in regions}
    kernels = [(short_name(row["name"]), row) for row in document["kernels"]]
    return [(name, row) for name, row in kernels if name not in several] + regions


def main(files):
    shown = compared = failed = 0
    print("| kernel | counter | gpuprof | hardware | difference | explanation |")
    print("|---|---|--:|--:|--:|---|")
    for file in files:
        with open(file) as stream:
            document = read_document.expand(json.load(stream))
        for kernel, row in rows_of(document):
            hardware = row["hardware"]
            shown += 1
            for counter in COUNTERS:
                counted = hardware.get("counted", {}).get(counter)
                measured = hardware["counters"].get(counter)
                if counted is None or measured is None or not (counted or measured):
                    continue
                compared += 1
                text, holds = explain(kernel, counter, hardware, row)
                failed += not holds
                difference = hardware["difference_percent"][counter]
                percent = "" if difference is None else f"{difference:+.3f} %" if difference else "0"
                print(f"| {kernel} | {counter} | {counted:.0f} | {measured:.0f} | {percent} | {text} |")
    print(f"\n{shown} kernels, {compared} counts, {failed} not explained")
    if not compared:
        print("no hardware counters in these reports: their notes say why", file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if len(sys.argv) > 1 else 2)
    sys.exit(main(sys.argv[1:]))
