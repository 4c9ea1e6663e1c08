"""Attention on tensor cores (kernels/attention) beside PyTorch's backends, for bench/attention/run.

usage: bench/attention/attention.py --library kernels.so [--rounds N] [--quick] [--fp16] [--only TABLE]
Needs a GPU of compute capability 8.0 or later and PyTorch.

Rates are nominal: 4·N²·D FLOPs a head forward, 10·N²·D backward, half of it causal. The roof is that of mma.sync or wgmma, as
products without anything else reach it in this run. An error is the largest difference from attention in double, over the
largest value. A time is that of 10 launches between two events, the median of all rounds; ways take turns.
"""
import argparse
import ctypes
import math
import statistics
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

ALL = 1 << 29  # kAttentionAll
TOKENS, HEADS, LAUNCHES = 16384, 16, 10
LENGTHS = (1024, 2048, 4096, 8192, 16384)
BACKENDS = (("FLASH", SDPBackend.FLASH_ATTENTION), ("cuDNN", SDPBackend.CUDNN_ATTENTION),
            ("EFFICIENT", SDPBackend.EFFICIENT_ATTENTION))


class Shape(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("batch", "heads", "key_heads", "queries", "keys", "left", "right")]


class Call(ctypes.Structure):
    """As in kernels.cu."""
    _fields_ = [(name, ctypes.c_void_p) for name in
                ("query", "key", "value", "output_gradient", "output", "logsumexp", "rows", "query_gradient",
                 "key_gradient", "value_gradient")] + [("shape", Shape), ("scale", ctypes.c_float), ("size", ctypes.c_int),
                                                       ("fp16", ctypes.c_int)]


class Problem:
    def __init__(self, size, length, causal, kind):
        batch = TOKENS // length
        self.size, self.length, self.causal = size, length, causal
        self.query, self.key, self.value, self.gradient = (
            torch.randn(batch, HEADS, length, size, device="cuda", dtype=kind) for _ in range(4))
        self.flops = 4.0 * length * length * size * HEADS * batch * (0.5 if causal else 1)

    def inputs(self):
        return self.query, self.key, self.value


class Ours:
    """Results and the call of our kernels."""

    def __init__(self, library, problem):
        p = problem
        self.library, self.output = library, torch.empty_like(p.query)
        self.logsumexp = torch.empty(p.query.shape[:3], device="cuda")
        self.rows = torch.empty(*p.query.shape[:3], 2, device="cuda")
        self.gradients = [torch.empty_like(x) for x in p.inputs()]
        batch = p.query.shape[0]
        arrays = (*p.inputs(), p.gradient, self.output, self.logsumexp, self.rows, *self.gradients)
        self.call = Call(*[x.data_ptr() for x in arrays],
                         Shape(batch, HEADS, HEADS, p.length, p.length, ALL, 0 if p.causal else ALL), 1 / math.sqrt(p.size),
                         p.size, p.query.dtype == torch.float16)

    def run(self, name):
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        error = getattr(self.library, name)(ctypes.byref(self.call), stream)
        if error:
            sys.exit("bench/attention: %s: CUDA's error %d" % (name, error))

    def three_kernels(self):
        """With matrices of scores and weights in memory."""
        query, length = self.output, self.output.shape[2]
        scores, weights = (torch.empty(*query.shape[:3], length, device="cuda") for _ in range(2))
        def run():
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            error = self.library.coalesced_forward(ctypes.byref(self.call), ctypes.c_void_p(scores.data_ptr()),
                                                   ctypes.c_void_p(weights.data_ptr()), stream)
            if error:
                sys.exit("bench/attention: coalesced_forward: CUDA's error %d" % error)
            return self.output
        return run

    def forward(self, name):
        def run():
            self.run(name)
            return self.output
        return run

    def backward(self):
        self.run("flash_backward")
        return self.gradients


def attention_in_double(problem, batch, head):
    """Output and gradients of a head."""
    q, k, v = (x[batch, head].double().requires_grad_() for x in problem.inputs())
    scores = q @ k.T / math.sqrt(problem.size)
    if problem.causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)
    output = torch.softmax(scores, -1) @ v
    return output.detach(), torch.autograd.grad(output, (q, k, v), problem.gradient[batch, head].double())


def error(found, expected):
    return max(((f.double() - e).abs().max() / e.abs().max()).item() for f, e in zip(found, expected))


def seconds(run):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(LAUNCHES):
        run()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e-3 / LAUNCHES


def medians(ways, rounds):
    """The time of each way that works here; the others have None."""
    working = {}
    for name, run in ways.items():
        try:
            run()
            working[name] = run
        except RuntimeError:
            continue
    times = {name: [] for name in working}
    for _ in range(rounds):
        for name, run in working.items():
            times[name].append(seconds(run))
    return {name: statistics.median(times[name]) if name in times else None for name in ways}


def torch_forward(problem, backend):
    def run():
        with sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(*problem.inputs(), is_causal=problem.causal)
    return run


def torch_backward(problem, backend):
    state = {}

    def run():
        if not state:
            state["inputs"] = [x.clone().requires_grad_() for x in problem.inputs()]
            with sdpa_kernel(backend):
                state["output"] = torch.nn.functional.scaled_dot_product_attention(*state["inputs"], is_causal=problem.causal)
        return torch.autograd.grad(state["output"], state["inputs"], problem.gradient, retain_graph=True)
    return run


def roofs(library, rounds):
    """TFLOP/s of mma.sync and of wgmma."""
    words = (torch.rand(512, device="cuda") * 2 - 1).bfloat16()
    out = torch.empty(library.roof_threads(), device="cuda")
    found = {}
    for name in ("flash", "hopper"):
        if not hasattr(library, name + "_roof"):
            continue
        launch = getattr(library, name + "_roof")
        launch.restype = ctypes.c_double
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        run = lambda: launch(ctypes.c_void_p(words.data_ptr()), ctypes.c_void_p(out.data_ptr()), stream)
        operations = run()
        found[name] = operations / medians({name: run}, rounds)[name] * 1e-12
    return found


def rate(flops, time):
    return "–" if time is None else "%.0f" % (flops / time * 1e-12)


def percent(time, of):
    return "–" if time is None or of is None else "%.0f %%" % (100 * of / time)


def of_roof(flops, time, roof):
    return "%.0f %%" % (100 * flops / time * 1e-12 / roof)


def title(problem):
    return "%d | %d%s" % (problem.size, problem.length, ", causal" if problem.causal else "")


def forward_row(library, problem, roof, rounds):
    ours = Ours(library, problem)
    names = ["flash_forward"] + ["hopper_forward"] * ("hopper" in roof)
    ways = {name: torch_forward(problem, backend) for name, backend in BACKENDS}
    ways.update({name: ours.forward(name) for name in names})
    times = medians(ways, rounds)
    cells = [title(problem)] + [rate(problem.flops, times[name]) for name, _ in BACKENDS]
    head = problem.query.shape[0] - 1, HEADS - 1
    check = problem.length <= 8192  # a matrix of scores in double
    expected = attention_in_double(problem, *head)[0] if check else None
    flash = "%.0e" % error([ways["FLASH"]()[head]], [expected]) if check and times["FLASH"] else "–"
    for name, other in zip(names, ("FLASH", "cuDNN")):
        ours.output.fill_(math.nan)
        found = "%.0e" % error([ways[name]()[head]], [expected]) if check else "–"
        cells += [rate(problem.flops, times[name]), percent(times[name], times[other]),
                  of_roof(problem.flops, times[name], roof[name.split("_")[0]]), found]
    return cells + [flash]


def backward_row(library, problem, roof, rounds):
    ours = Ours(library, problem)
    ours.run("flash_forward")
    ways = {name: torch_backward(problem, backend) for name, backend in BACKENDS}
    ways["ours"] = ours.backward
    times = medians(ways, rounds)
    flops = 2.5 * problem.flops
    cells = [title(problem)] + [rate(flops, times[name]) for name, _ in BACKENDS]
    head = problem.query.shape[0] - 1, HEADS - 1
    errors = ["–", "–"]
    if problem.length <= 4096:
        expected = attention_in_double(problem, *head)[1]
        errors = ["%.0e" % error([x[head] for x in ways[name]()], expected) if times[name] else "–" for name in ("ours", "FLASH")]
    return cells + [rate(flops, times["ours"]), percent(times["ours"], times["FLASH"]),
                    of_roof(flops, times["ours"], roof["flash"]), *errors]


def fp32_row(library, problem, rounds):
    """Beside the one backend that takes floats."""
    ours = Ours(library, problem)
    ways = {"EFFICIENT": torch_forward(problem, SDPBackend.EFFICIENT_ATTENTION), "flash": ours.forward("fp32_forward"),
            "coalesced": ours.three_kernels()}
    times = medians(ways, rounds)
    head = problem.query.shape[0] - 1, HEADS - 1
    expected = attention_in_double(problem, *head)[0]
    cells = [title(problem), rate(problem.flops, times["EFFICIENT"])]
    for name in ("flash", "coalesced"):
        ours.output.fill_(math.nan)
        cells += [rate(problem.flops, times[name]), percent(times[name], times["EFFICIENT"]),
                  "%.0e" % error([ways[name]()[head]], [expected])]
    return cells


def print_table(heading, columns, rows):
    print("\n%s\n\n| %s |\n|%s" % (heading, " | ".join(columns), "--:|" * len(columns)), flush=True)
    for row in rows:
        print("| %s |" % " | ".join(row), flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\nNeeds")[0])
    parser.add_argument("--library", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="lengths 1024, 4096 and 16384 only")
    parser.add_argument("--fp16", action="store_true", help="fp16 instead of bf16")
    parser.add_argument("--only", choices=("forward", "fp32", "backward"), help="one table")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("bench/attention: no GPU: run this on a machine that has one.")
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    library = ctypes.CDLL(options.library)
    kind = torch.float16 if options.fp16 else torch.bfloat16
    roof = roofs(library, options.rounds)
    print("%s, PyTorch %s, %s, %d tokens, %d heads; tensor roof in TFLOP/s: %s" % (
        torch.cuda.get_device_name(), torch.__version__, "fp16" if options.fp16 else "bf16", TOKENS, HEADS,
        ", ".join("%s %.0f" % ({"flash": "mma.sync", "hopper": "wgmma"}[name], value) for name, value in roof.items())))
    lengths = LENGTHS[::2] if options.quick else LENGTHS
    cases = [(size, length, causal) for size in (64, 128) for length in lengths for causal in (False, True)]
    theirs = ["size", "length"] + [name for name, _ in BACKENDS]
    columns = theirs + ["mma.sync", "of FLASH", "of roof", "error"]
    if "hopper" in roof:
        columns += ["wgmma", "of cuDNN", "of roof", "error"]
    tables = {
        "forward": ("Forward, TFLOP/s", columns + ["FLASH's error"], lambda: (
            forward_row(library, Problem(*case, kind), roof, options.rounds) for case in cases)),
        "fp32": ("Forward in fp32, TFLOP/s", ["size", "length", "EFFICIENT", "flash", "of EFFICIENT", "error", "three kernels",
                                              "of EFFICIENT", "error"], lambda: (
            fp32_row(library, Problem(*case, torch.float32), options.rounds) for case in cases if case[1] <= 4096)),
        "backward": ("Backward, TFLOP/s", theirs + ["mma.sync", "of FLASH", "of roof", "error", "FLASH's error"], lambda: (
            backward_row(library, Problem(*case, kind), roof, options.rounds) for case in cases))}
    for name, (heading, heads, rows) in tables.items():
        if options.only in (None, name):
            print_table(heading, heads, rows())


if __name__ == "__main__":
    main()
