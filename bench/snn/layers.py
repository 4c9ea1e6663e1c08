#!/usr/bin/env python3
"""Layers that spikes drive, beside what an author would use instead, in one run on a GPU.

usage: bench/snn/layers.py [--library FILE] [--rounds N] [--only FAMILY]
  --library FILE   layers.cu, built: nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC layers.cu -o layers.so
                   (default: built with nvcc from PATH)
  --rounds N       how often each way is measured, in turn with the others (default 15)
  --only FAMILY    linear, convolution, attention or recurrent alone

A time is that of one layer, in µs: the median over the rounds, by CUDA events around a graph of one layer for each of
several copies of weights and spikes, so that no layer finds its weights in a cache. Making lists or bits of spikes is part of the
layer. PyTorch and CuPy get spikes as they like them best, made before. Results are compared with PyTorch's in fp64.
"crossing" is the firing rate at which two ways take the same time, between the rates that were measured.
"""
import argparse
import ctypes
import math
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)

# As written by an author: a thread an output, looking at each input's spike.
CUPY_LINEAR = r"""
extern "C" __global__ void linear(const signed char *spikes, const float *weight, float *current, int inputs, int outputs) {
  int n = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (n >= outputs)
    return;
  float sum = 0;
  for (int i = 0; i < inputs; i++)
    if (spikes[(size_t)row * inputs + i])
      sum += weight[(size_t)i * outputs + n];
  current[(size_t)row * outputs + n] = sum;
}
"""


def fail(text):
    sys.exit("layers: " + text)


try:
    import torch
except ImportError:
    fail("PyTorch is missing: install it in the Python that runs this.")
try:
    import cupy
except ImportError:
    cupy = None


def build(folder):
    library = os.path.join(folder, "layers.so")
    command = ["nvcc", "-O3", "-std=c++17", "-arch=sm_90", "-shared", "-Xcompiler", "-fPIC", os.path.join(HERE, "layers.cu"),
               "-o", library]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except OSError:
        fail("nvcc is not in PATH: add it, or name a library that was built elsewhere with --library.")
    if done.returncode:
        fail("this command failed:\n%s\n%s" % (" ".join(command), done.stdout))
    return library


class Library:
    """Functions of layers.cu; tensors are given as pointers, after the current stream."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.layers_error.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        values = [ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)]
        for a in arguments:
            if isinstance(a, torch.Tensor):
                values.append(ctypes.c_void_p(a.data_ptr()))
            elif isinstance(a, float):
                values.append(ctypes.c_float(a))
            elif isinstance(a, ctypes.Structure):
                values.append(ctypes.byref(a))
            else:
                values.append(ctypes.c_int(a))
        getattr(self.library, "layers_" + name)(*values)
        error = self.library.layers_error()
        if error != b"no error":
            fail("%s: %s" % (name, error.decode()))


class Shape(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in
                ("batch", "height", "width", "channels", "outputs", "kernel", "stride", "padding", "groups")]


class Way:
    """One way to compute a layer: run(c) for copy c, which returns the tensor with the result."""

    def __init__(self, name, run, bound=1e-5):
        self.name, self.run, self.bound = name, run, bound


class Timer:
    """Each way as a graph of all copies; all are replayed in turn."""

    def __init__(self, ways, copies):
        self.ways, self.copies, self.graphs = ways, copies, []
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for way in ways:
                for c in range(copies):
                    way.run(c)
        torch.cuda.synchronize()
        for way in ways:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                for c in range(copies):
                    way.run(c)
            self.graphs.append(graph)

    def medians(self, rounds):
        times = [[] for _ in self.ways]
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for _ in range(rounds):
            for graph, list_of_times in zip(self.graphs, times):
                begin.record()
                graph.replay()
                end.record()
                end.synchronize()
                list_of_times.append(begin.elapsed_time(end) * 1e3 / self.copies)
        return [statistics.median(t) for t in times]


def check(ways, copy, expected):
    for way in ways:
        result = way.run(copy).double()
        error = float((result - expected).abs().max() / expected.abs().max().clamp(min=1e-30))
        if not error <= way.bound:
            fail("%s is wrong: an error of %.1e of the largest value, %.0e allowed" % (way.name, error, way.bound))


def crossing(rates, first, second):
    """Where `first` stops being faster than `second`, in words."""
    faster = [a < b for a, b in zip(first, second)]
    if all(faster):
        return "faster at all rates"
    if not faster[0]:
        return "slower at all rates" if not any(faster) else "slower at %g" % rates[0]
    k = faster.index(False)
    low, high = math.log(first[k - 1] / second[k - 1]), math.log(first[k] / second[k])
    rate = math.exp(math.log(rates[k - 1]) + (math.log(rates[k]) - math.log(rates[k - 1])) * low / (low - high))
    return "faster below a firing rate of %.3f" % rate


def print_table(title, names, rates, table):
    print("\n" + title)
    width = max(len(n) for n in names)
    print("%-*s %s" % (width, "µs a layer, at a firing rate of", "".join("%9g" % r for r in rates)))
    for i, name in enumerate(names):
        print("%-*s %s" % (max(width, 31), name, "".join("%9.1f" % row[i] for row in table)))


def print_crossings(names, rates, table, pairs):
    columns = {name: [row[i] for row in table] for i, name in enumerate(names)}
    for ours, theirs in pairs:
        if ours in columns and theirs in columns:
            print("  %s against %s: %s" % (ours, theirs, crossing(rates, columns[ours], columns[theirs])))


def spikes_at(rate, *shape):
    return (torch.rand(*shape, device="cuda") < rate).to(torch.int8)


def bits_along_rows(signs):
    """[inputs][outputs] of 0 and 1 as words [outputs][inputs/32]."""
    inputs, outputs = signs.shape
    powers = 2 ** torch.arange(32, device="cuda", dtype=torch.int64)
    words = (signs.t().reshape(outputs, inputs // 32, 32).to(torch.int64) * powers).sum(-1)
    return torch.where(words >= 2**31, words - 2**32, words).to(torch.int32).contiguous()


# ---- Linear ----


def linear_ways(library, rate, rows, inputs, outputs, copies):
    spikes = [spikes_at(rate, rows, inputs) for _ in range(copies)]
    weight = [torch.randn(inputs, outputs, device="cuda") for _ in range(copies)]
    half, bf16 = [w.half() for w in weight], [w.bfloat16() for w in weight]
    as_float, as_bf16 = [s.float() for s in spikes], [s.bfloat16() for s in spikes]
    ternary = [torch.sign(w) * (w.abs() > 0.5) for w in weight]
    plus, minus = [bits_along_rows(w > 0) for w in ternary], [bits_along_rows(w < 0) for w in ternary]
    scale = torch.ones(outputs, device="cuda")
    tiles = math.ceil(outputs / 64) * math.ceil(rows / (32 if rows <= 32 else 64))
    slices = max(1, min(16, 528 // tiles))
    partial = torch.empty(slices, rows, outputs, device="cuda")
    lists = torch.empty(rows, inputs, dtype=torch.int32, device="cuda")
    counts = torch.empty(rows, dtype=torch.int32, device="cuda")
    words = torch.empty(rows, inputs // 32, dtype=torch.int32, device="cuda")
    current = torch.empty(rows, outputs, device="cuda")
    sizes = (rows, inputs, outputs)

    def ours(name, *arguments_of, after=()):
        def run(c):
            library.call(name, spikes[c], *[a(c) if callable(a) else a for a in arguments_of], current, *sizes, *after)
            return current
        return run

    ways = [
        Way("dense", ours("linear_dense", lambda c: weight[c], partial, after=(slices,))),
        Way("events", ours("linear_events", lists, counts, lambda c: weight[c])),
        Way("events, half weights", ours("linear_events_half", lists, counts, lambda c: half[c]), 1e-3),
        Way("scatter (atomics)", ours("linear_scatter", lambda c: weight[c])),
        Way("PyTorch fp32", lambda c: torch.matmul(as_float[c], weight[c])),
        Way("PyTorch bf16", lambda c: torch.matmul(as_bf16[c], bf16[c]), 2e-2),
    ]
    if cupy:
        ways.append(Way("CuPy, a thread an output", cupy_linear(spikes, weight, current, sizes)))
    check(ways, 0, spikes[0].double() @ weight[0].double())
    packed = Way("ternary weights, bits", ours("linear_packed", words, lambda c: plus[c], lambda c: minus[c], scale))
    check([packed], 0, spikes[0].double() @ ternary[0].double())
    return ways + [packed]


def cupy_linear(spikes, weight, current, sizes):
    import numpy
    kernel = cupy.RawKernel(CUPY_LINEAR, "linear")
    rows, inputs, outputs = sizes

    def run(c):
        with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
            kernel((math.ceil(outputs / 256), rows), (256,),
                   (spikes[c].data_ptr(), weight[c].data_ptr(), current.data_ptr(), numpy.int32(inputs), numpy.int32(outputs)))
        return current
    return run


def bench_linear(library, rounds):
    pairs = (("events", "dense"), ("events", "PyTorch fp32"), ("events, half weights", "PyTorch bf16"),
             ("events", "CuPy, a thread an output"), ("ternary weights, bits", "PyTorch bf16"))
    for rows, inputs, outputs, copies in ((1, 4096, 4096, 8), (32, 4096, 4096, 8), (128, 4096, 4096, 8), (32, 1024, 1024, 32),
                                          (256, 2048, 512, 32)):
        table = []
        for rate in RATES:
            ways = linear_ways(library, rate, rows, inputs, outputs, copies)
            table.append(Timer(ways, copies).medians(rounds))
        names = [way.name for way in ways]
        print_table("Linear layer, %d rows, %d x %d" % (rows, inputs, outputs), names, RATES, table)
        print_crossings(names, RATES, table, pairs)
        backward(library, rounds, rows, inputs, outputs, copies)


def backward(library, rounds, rows, inputs, outputs, copies):
    table = []
    for rate in RATES:
        spikes = [spikes_at(rate, rows, inputs) for _ in range(copies)]
        gradient = [torch.randn(rows, outputs, device="cuda") for _ in range(copies)]
        transposed = [s.float().t().contiguous() for s in spikes]
        columns = torch.empty(math.ceil(rows / 32), inputs, dtype=torch.int32, device="cuda")
        result = [torch.empty(inputs, outputs, device="cuda") for _ in range(copies)]

        def ours(c):
            library.call("weight_gradient", spikes[c], columns, gradient[c], result[c], rows, inputs, outputs)
            return result[c]

        ways = [Way("weight gradient, by bits", ours),
                Way("PyTorch fp32, weight gradient", lambda c: torch.matmul(transposed[c], gradient[c], out=result[c]))]
        check(ways, 0, transposed[0].double() @ gradient[0].double())
        table.append(Timer(ways, copies).medians(rounds))
    names = [way.name for way in ways]
    print_table("Its weight gradient", names, RATES, table)
    print_crossings(names, RATES, table, [tuple(names)])


# ---- Convolution ----


def convolution_ways(library, rate, shape, copies):
    s = shape
    spikes = [spikes_at(rate, s.batch, s.height, s.width, s.channels) for _ in range(copies)]
    weight = [torch.randn(3, 3, s.channels, s.outputs, device="cuda") for _ in range(copies)]
    half = [w.half() for w in weight]
    images = [x.float().permute(0, 3, 1, 2) for x in spikes]  # channels last, as ours
    filters = [w.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last) for w in weight]
    images16, filters16 = [x.bfloat16() for x in images], [w.bfloat16() for w in filters]
    height = (s.height + 2 * s.padding - 3) // s.stride + 1
    current = torch.empty(s.batch, height, (s.width + 2 * s.padding - 3) // s.stride + 1, s.outputs, device="cuda")
    words = torch.empty(s.batch * s.height * s.width * s.groups * math.ceil(s.channels / s.groups / 32), dtype=torch.int32,
                        device="cuda")
    events, count = torch.empty(spikes[0].numel(), dtype=torch.int32, device="cuda"), torch.empty(1, dtype=torch.int32,
                                                                                               device="cuda")

    def ours(name, *arguments_of):
        def run(c):
            library.call(name, spikes[c], *[a(c) if callable(a) else a for a in arguments_of], current, s)
            return current
        return run

    def theirs(x, w):
        return lambda c: torch.nn.functional.conv2d(x[c], w[c], stride=s.stride, padding=s.padding).permute(0, 2, 3, 1)

    ways = [
        Way("dense", ours("convolution_dense", lambda c: weight[c])),
        Way("gather", ours("convolution_gather", words, lambda c: weight[c])),
        Way("gather, half weights", ours("convolution_gather_half", words, lambda c: half[c]), 1e-3),
        Way("scatter (atomics)", ours("convolution_scatter", events, count, lambda c: weight[c])),
        Way("PyTorch fp32", theirs(images, filters), 1e-4),
        Way("PyTorch bf16", theirs(images16, filters16), 2e-2),
    ]
    check(ways, 0, theirs([images[0].double()], [filters[0].double()])(0))
    return ways


def bench_convolution(library, rounds):
    pairs = (("gather", "dense"), ("gather", "PyTorch fp32"), ("gather, half weights", "PyTorch bf16"), ("scatter (atomics)", "dense"))
    for batch, side, channels, outputs in ((32, 28, 128, 128), (32, 14, 256, 256), (4, 32, 64, 128)):
        shape, table, copies = Shape(batch, side, side, channels, outputs, 3, 1, 1, 1), [], 4
        for rate in RATES:
            ways = convolution_ways(library, rate, shape, copies)
            table.append(Timer(ways, copies).medians(rounds))
        names = [way.name for way in ways]
        print_table("Convolution 3x3, %d images of %d x %d, %d to %d channels" % (batch, side, side, channels, outputs), names,
                    RATES, table)
        print_crossings(names, RATES, table, pairs)


# ---- Attention ----


def bench_attention(library, rounds):
    size, scale = 64, 0.125
    for heads, length in ((384, 196), (96, 1024)):
        table, copies = [], 4
        for rate in RATES:
            q, k, v = ([spikes_at(rate, heads, length, size) for _ in range(copies)] for _ in range(3))
            q16, k16, v16 = ([x.bfloat16() for x in xs] for xs in (q, k, v))
            q32, k32, v32 = ([x.float() for x in xs] for xs in (q, k, v))
            words = torch.empty(heads * (length + 32) * 6, dtype=torch.int32, device="cuda")
            state = torch.empty(heads, size, size, dtype=torch.int32, device="cuda")
            output = torch.empty(heads, length, size, device="cuda")

            def packed(c):
                library.call("attention_packed", q[c], k[c], v[c], words, output, heads, length, scale)
                return output

            def linear(c):
                library.call("attention_linear", q[c], k[c], v[c], words, state, output, heads, length, scale)
                return output

            ways = [
                Way("packed", packed, 1e-6),
                Way("linear order", linear, 1e-6),
                Way("PyTorch fp32, (QKᵀ)V", lambda c: (q32[c] @ k32[c].transpose(1, 2)) @ v32[c] * scale),
                Way("PyTorch bf16, (QKᵀ)V", lambda c: (q16[c] @ k16[c].transpose(1, 2)) @ v16[c] * scale, 2e-2),
                Way("PyTorch bf16, Q(KᵀV)", lambda c: q16[c] @ (k16[c].transpose(1, 2) @ v16[c]) * scale, 2e-2),
            ]
            check(ways, 0, (q[0].double() @ k[0].double().transpose(1, 2)) @ v[0].double() * scale)
            table.append(Timer(ways, copies).medians(rounds))
        names = [way.name for way in ways]
        print_table("Spiking self-attention, %d heads of %d, length %d" % (heads, size, length), names, RATES, table)
        print_crossings(names, RATES, table, (("packed", "PyTorch bf16, (QKᵀ)V"), ("linear order", "PyTorch bf16, Q(KᵀV)")))


# ---- Recurrent ----


def bench_recurrent(library, rounds):
    decay = 0.875
    rates = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
    for neurons, degree in ((10000, 1000), (100000, 500)):
        table, copies = [], 4
        target = [torch.randint(neurons, (neurons, degree), device="cuda") for _ in range(copies)]
        weight = [torch.randn(neurons * degree, device="cuda") for _ in range(copies)]
        offset = torch.arange(0, neurons * degree + 1, degree, device="cuda", dtype=torch.int32)
        target32 = [t.reshape(-1).to(torch.int32) for t in target]
        incoming = [incoming_of(t, w, neurons, degree) for t, w in zip(target, weight)]
        for rate in rates:
            spikes = [spikes_at(rate, neurons) for _ in range(copies)]
            as_float = [s.float() for s in spikes]
            lists, count = (torch.empty(n, dtype=torch.int32, device="cuda") for n in (neurons, 1))
            words = torch.empty(neurons // 32 + 1, dtype=torch.int32, device="cuda")
            arriving, current = (torch.zeros(neurons, device="cuda") for _ in range(2))

            def deliver(c):
                current.zero_()
                library.call("synapse_deliver", spikes[c], lists, count, offset, target32[c], weight[c], arriving, current,
                             neurons, decay)
                return current

            def gather(c):
                current.zero_()
                library.call("synapse_gather", spikes[c], words, *incoming[c][:3], current, neurons, decay)
                return current

            ways = [Way("deliver (atomics)", deliver), Way("gather, by bits", gather),
                    Way("PyTorch, sparse CSR", lambda c: torch.mv(incoming[c][3], as_float[c]))]
            expected = torch.zeros(neurons, device="cuda", dtype=torch.float64)
            expected.index_add_(0, target[0].reshape(-1), weight[0].double() * spikes[0].double().repeat_interleave(degree))
            check(ways, 0, expected)
            table.append(Timer(ways, copies).medians(rounds))
        names = [way.name for way in ways]
        print_table("Recurrent network, %d neurons of %d synapses" % (neurons, degree), names, rates, table)
        print_crossings(names, rates, table, (("deliver (atomics)", "gather, by bits"), ("deliver (atomics)", "PyTorch, sparse CSR")))


def incoming_of(target, weight, neurons, degree):
    """Offsets, sources and weights by target, and the same as a tensor of PyTorch."""
    order = torch.argsort(target.reshape(-1), stable=True)
    degrees = torch.bincount(target.reshape(-1), minlength=neurons)
    offset = torch.cat([torch.zeros(1, device="cuda", dtype=torch.int64), degrees.cumsum(0)]).to(torch.int32)
    source = (order // degree).to(torch.int32)
    sorted_weight = weight[order].contiguous()
    return offset, source, sorted_weight, torch.sparse_csr_tensor(offset, source, sorted_weight, (neurons, neurons))


FAMILIES = {"linear": bench_linear, "convolution": bench_convolution, "attention": bench_attention, "recurrent": bench_recurrent}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\nA time")[0])
    parser.add_argument("--library")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", choices=sorted(FAMILIES))
    options = parser.parse_args()
    if not torch.cuda.is_available():
        fail("no GPU: run this on a machine that has one.")
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    print("%s, PyTorch %s, %s" % (torch.cuda.get_device_name(), torch.__version__,
                                  "CuPy " + cupy.__version__ if cupy else "CuPy is missing: its column is left out"))
    with tempfile.TemporaryDirectory() as folder:
        library = Library(options.library or build(folder))
        for name, bench in FAMILIES.items():
            if options.only in (None, name):
                bench(library, options.rounds)


if __name__ == "__main__":
    main()
