"""Operations of transformer blocks in PyTorch, eager and compiled, for bench/transformer/run: one round.

usage: bench/transformer/frameworks.py rows|decode
Prints "NAME\tAMOUNT\tMICROSECONDS" a row, and "missing\tNAME\tWHY" for what is not there. The amount is in bytes for
operations that memory limits: those of inputs and outputs, which any implementation has to move.
"""
import statistics
import sys

BYTES = 1 << 27  # of a matrix
LONG_BYTES = 1 << 29  # of a matrix of long rows


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

    def matrix(columns, total=BYTES):
        return torch.randn(total // size // columns, columns, device="cuda", dtype=kind)

    def layer_norm(x, g, b):
        return functional.layer_norm(x, x.shape[-1:], g, b)

    def rotate(x, cosine, sine):
        a, b = x.chunk(2, -1)
        c, s = cosine[:x.shape[1], None], sine[:x.shape[1], None]
        return torch.cat((a * c - b * s, b * c + a * s), -1)

    def to_heads(rows, cosine, sine):
        query, key, value = (part.transpose(1, 2) for part in rows.unbind(2))
        cosine, sine = (table[:rows.shape[1]] for table in (cosine, sine))

        def turn(x):
            a, b = x.chunk(2, -1)
            return torch.cat((a * cosine - b * sine, b * cosine + a * sine), -1)
        return turn(query).contiguous(), turn(key).contiguous(), value.contiguous()

    for columns in (768, 4096):
        weights = [torch.randn(columns, device="cuda", dtype=kind) for _ in range(2)]
        yield "layer norm", columns, 2, 3, layer_norm, [matrix(columns)] + weights
    yield ("RMS norm", 4096, 2, 3, lambda x, g: functional.rms_norm(x, x.shape[-1:], g),
           [matrix(4096), torch.randn(4096, device="cuda", dtype=kind)])
    for columns in (1024, 8192 if size == 2 else 4096):
        yield "softmax", columns, 2, 3, lambda x: torch.softmax(x, -1), [matrix(columns)]
    for columns in (1024, 2048, 4096) if size == 2 else (2048,):
        behind = torch.ones(columns, columns, device="cuda", dtype=torch.bool).triu(1)
        seen = (columns + 1) / (2 * columns)
        yield ("causal softmax", columns, 1 + seen, 1 + 2 * seen,
               lambda x, behind: torch.softmax(x.view(-1, *behind.shape).masked_fill(behind, float("-inf")), -1).view_as(x),
               [matrix(columns), behind])
    if size == 2:
        yield "softmax forward", 32768, 2, None, lambda x: torch.softmax(x, -1), [matrix(32768, LONG_BYTES)]
    turns = [torch.randn(4096, 64, device="cuda", dtype=kind) for _ in range(2)]
    yield "rotary, halves", 0, 2, None, rotate, [matrix(4096).view(-1, 4096, 32, 128)] + turns
    if size == 2:
        yield "rows to heads, rotated", 0, 2, None, to_heads, [matrix(4096 * 3 * 32 * 128, 4096 * 3 * 32 * 128 * 2).view(
            1, 4096, 3, 32, 128)] + turns
        table = matrix(1024)
        yield ("embedding forward", 1024, 2, None,
               lambda table, tokens, positions: functional.embedding(tokens, table) + positions,
               [table, torch.arange(len(table), device="cuda").view(-1, 1024), torch.randn_like(table[:1024])])
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
        rows = LONG_BYTES // size // 50304
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


def decode_times(torch):
    """One token's attention; the names are those of decode.cu."""
    functional = torch.nn.functional
    for batch, key_heads, group, capacity, size in ((4, 32, 1, 8192, 128), (16, 8, 4, 8192, 128), (32, 8, 4, 8192, 64),
                                                    (1, 8, 4, 131072, 128)):
        query = torch.randn(batch, key_heads * group, 1, size, device="cuda", dtype=torch.bfloat16)
        key, value = (torch.randn(batch, key_heads, capacity, size, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        name = "decode, %d x %d/%d heads of %d, %d keys" % (batch, key_heads * group, key_heads, size, capacity)

        def attend():
            functional.scaled_dot_product_attention(query, key, value, enable_gqa=group > 1)

        yield "eager", name, 2 * key.numel() * key.element_size(), timed(torch, attend)


def main():
    try:
        import torch
        for row in (decode_times if sys.argv[1:] == ["decode"] else row_times)(torch):
            print("%s\t%s\t%.0f\t%.3f" % row, flush=True)
    except Exception as error:  # what is not installed or does not work here is a missing row
        print("missing\tPyTorch\t%s" % (str(error).splitlines() or [repr(error)])[0], flush=True)


main()
