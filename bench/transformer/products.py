"""Products of matrices by kernels/transformer beside cuBLAS through PyTorch, for bench/transformer/run.

usage: bench/transformer/products.py --library FILE [--rounds N]
Prints a table: TFLOP/s of 2·rows·columns·depth, in brackets the percent of cuBLAS's in the same run; medians of N rounds
(default 5) of 20 launches. A kernel whose result is not near cuBLAS's is "wrong".
"""
import argparse
import ctypes
import statistics
import sys

try:
    import torch
except ImportError:
    sys.exit("bench/transformer: products of matrices: not measured: PyTorch is not installed")

SHAPES = ((8192, 8192, 8192), (4096, 4096, 4096), (16384, 3072, 1024), (16384, 1024, 4096), (8192, 5120, 1280))
LAUNCHES = 20
# By product: whether lines of A, and of B, lie across the depth.
PRODUCTS = {"Y = X·Wᵀ": (False, False), "dX = dY·W": (False, True), "dW = dYᵀ·X": (True, True)}
KERNELS = {"hopper": "gemm_hopper", "two_stages": "gemm, 2 stages", "three_stages": "gemm, 3 stages"}


class Call(ctypes.Structure):
    _fields_ = ([(name, ctypes.c_void_p) for name in ("a", "b", "c")]
                + [(name, ctypes.c_int) for name in ("rows", "columns", "depth", "a_stride", "b_stride", "c_stride",
                                                     "a_across", "b_across")])


def timed(launch, rounds):
    """Microseconds of a launch."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    found = []
    for _ in range(rounds + 1):  # the first warms up
        begin.record()
        for _ in range(LAUNCHES):
            launch()
        end.record()
        end.synchronize()
        found.append(begin.elapsed_time(end) * 1000 / LAUNCHES)
    return statistics.median(found[1:])


def cell(function, call, c, expected, operations, reference, rounds):
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    c.zero_()
    error = function(ctypes.byref(call), stream)
    torch.cuda.synchronize()
    if error:
        return "error %d" % error
    if (c.float() - expected.float()).norm() > 0.01 * expected.float().norm():
        return "wrong"
    rate = operations / timed(lambda: function(ctypes.byref(call), stream), rounds)
    return "%.0f (%.0f)" % (rate * 1e-6, 100 * rate / reference)


def row(functions, shape, product, rounds):
    rows, columns, depth = shape
    a_across, b_across = PRODUCTS[product]
    a = torch.randn((depth, rows) if a_across else (rows, depth), device="cuda", dtype=torch.bfloat16)
    b = torch.randn((depth, columns) if b_across else (columns, depth), device="cuda", dtype=torch.bfloat16)
    c, expected = (torch.empty((rows, columns), device="cuda", dtype=torch.bfloat16) for _ in range(2))
    left, right = a.t() if a_across else a, b if b_across else b.t()
    call = Call(a.data_ptr(), b.data_ptr(), c.data_ptr(), rows, columns, depth, a.stride(0), b.stride(0), columns,
                a_across, b_across)
    operations = 2.0 * rows * columns * depth
    reference = operations / timed(lambda: torch.matmul(left, right, out=expected), rounds)
    return ["%.0f" % (reference * 1e-6)] + [cell(f, call, c, expected, operations, reference, rounds) for f in functions]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--library", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    library = ctypes.CDLL(options.library)
    names = [name for name in KERNELS if hasattr(library, name)]
    print("%s, PyTorch %s, bf16: TFLOP/s, in brackets the percent of cuBLAS's\n"
          % (torch.cuda.get_device_name(), torch.__version__))
    print("| rows × columns × depth | product | cuBLAS | %s |" % " | ".join(KERNELS[name] for name in names))
    print("|---|---|--:|" + "--:|" * len(names))
    for shape in SHAPES:
        for product in PRODUCTS:
            cells = row([getattr(library, name) for name in names], shape, product, options.rounds)
            print("| %d × %d × %d | %s | %s |" % (*shape, product, " | ".join(cells)), flush=True)


main()
