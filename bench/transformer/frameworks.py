"""Operations of transformer blocks in PyTorch, eager and compiled, for bench/transformer/run: one round.

usage: bench/transformer/frameworks.py [rows|products]
Prints "NAME\tAMOUNT\tMICROSECONDS" a row, and "missing\tNAME\tWHY" for what is not there. The amount is in bytes for
operations that memory limits: those of inputs and outputs, which any implementation has to move.
"""
import statistics
import sys

BYTES = 1 << 27  # of a matrix


def timed(torch, launch, launches=10):
    """Microseconds of a launch: the median of five times many launches between two events."""
    events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    for _ in range(3):
        launch()
    found = []
    for _ in range(5):
        events[0].record()
        for _ in range(launches):
            launch()
        events[1].record()
        events[1].synchronize()
        found.append(events[0].elapsed_time(events[1]) * 1000 / launches)
    return statistics.median(found)


def gradients(torch, function, inputs, grad):
    """The backward pass alone, its graph kept."""
    inputs = [value.detach().requires_grad_(value.is_floating_point()) for value in inputs]
    out = function(*inputs)
    wanted = [value for value in inputs if value.requires_grad]
    return lambda: torch.autograd.grad(out, wanted, grad, retain_graph=True)


def row_operations(torch, kind):
    """(name, matrices moved forward, backward or None, function, inputs)."""
    functional, size = torch.nn.functional, torch.tensor([], dtype=kind).element_size()

    def matrix(columns):
        return torch.randn(BYTES // size // columns, columns, device="cuda", dtype=kind)

    def layer_norm(x, g, b):
        return functional.layer_norm(x, x.shape[-1:], g, b)

    for columns in (768, 4096):
        weights = [torch.randn(columns, device="cuda", dtype=kind) for _ in range(2)]
        yield "layer norm", columns, 2, 3, layer_norm, [matrix(columns)] + weights
    yield ("RMS norm", 4096, 2, 3, lambda x, g: functional.rms_norm(x, x.shape[-1:], g),
           [matrix(4096), torch.randn(4096, device="cuda", dtype=kind)])
    for columns in (1024, 8192 if size == 2 else 4096):
        yield "softmax", columns, 2, 3, lambda x: torch.softmax(x, -1), [matrix(columns)]
    flat = [matrix(4096) for _ in range(2)]
    yield "residual add", 0, 3, None, lambda a, b: a + b, flat
    yield "GELU", 0, 2, 3, lambda x: functional.gelu(x, approximate="tanh"), flat[:1]
    yield "SwiGLU", 0, 3, 5, lambda g, v: functional.silu(g) * v, flat


def row_times(torch):
    for kind, name in ((torch.bfloat16, "bf16"), (torch.float32, "fp32")):
        for what, columns, forward, backward, function, inputs in row_operations(torch, kind):
            moved = inputs[0].numel() * inputs[0].element_size()
            label = what + (" %s" if backward else "%s") + (", %d" % columns if columns else "") + ", " + name
            for way, run in (("eager", function), ("torch.compile", torch.compile(function, dynamic=False))):
                def no_graph(run=run, inputs=inputs):
                    with torch.no_grad():
                        run(*inputs)
                yield way, label % ("forward" if backward else ""), forward * moved, timed(torch, no_graph)
                if backward:
                    back = gradients(torch, run, inputs, torch.randn_like(inputs[0]))
                    yield way, label % "backward", backward * moved, timed(torch, back)
            torch.cuda.empty_cache()
        size = torch.tensor([], dtype=kind).element_size()
        rows = BYTES // size // 50304
        logits = torch.randn(rows, 50304, device="cuda", dtype=kind)
        targets = torch.zeros(rows, device="cuda", dtype=torch.long)

        def loss(x):
            x = x.detach().requires_grad_(True)
            torch.nn.functional.cross_entropy(x, targets).backward()
            return x.grad

        for way, run in (("eager", loss), ("torch.compile", torch.compile(loss, dynamic=False))):
            yield way, "cross-entropy, 50304, " + name, 2 * logits.numel() * size, timed(torch, lambda: run(logits))
    weight = torch.nn.Parameter(torch.zeros(1 << 25, device="cuda"))
    weight.grad = torch.randn_like(weight)
    optimizer = torch.optim.AdamW([weight], lr=1e-4, fused=True)
    yield "fused", "AdamW, fp32", 28 * weight.numel(), timed(torch, optimizer.step)


def product_times(torch):
    for kind, name in ((torch.bfloat16, "bf16"), (torch.float16, "fp16")):
        for m, n, k in ((4096, 4096, 4096), (8192, 8192, 8192), (16384, 4096, 1024), (16384, 1024, 4096)):
            a, b = torch.randn(m, k, device="cuda", dtype=kind), torch.randn(n, k, device="cuda", dtype=kind)
            yield "cuBLAS", "X·Wᵀ %d x %d x %d, %s" % (m, n, k, name), 2 * m * n * k, timed(torch, lambda: a @ b.T)


def main():
    try:
        import torch
        for row in (product_times if sys.argv[1:] == ["products"] else row_times)(torch):
            print("%s\t%s\t%.0f\t%.3f" % row, flush=True)
    except Exception as error:  # what is not installed or does not work here is a missing row
        print("missing\tPyTorch\t%s" % (str(error).splitlines() or [repr(error)])[0], flush=True)


main()
