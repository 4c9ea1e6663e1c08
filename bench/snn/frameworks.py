"""LIF over 16 steps of 4 M neurons in PyTorch and CuPy, for bench/snn/run: a round for each line on stdin.

Prints "NAME\tBYTES\tMICROSECONDS" for each row, and "done" after a round; "missing\tNAME\tWHY" for what is not there.
Bytes are those of input and output alone, which is what any implementation has to move.
"""
import os
import statistics
import sys

NEURONS, STEPS = 1 << 22, 16
HERE = os.path.dirname(os.path.abspath(__file__))


def timed(launch, begin, end, elapsed, launches=20):
    """Microseconds of a launch: the median of five times many launches between two events."""
    for _ in range(3):
        launch()
    found = []
    for _ in range(5):
        begin()
        for _ in range(launches):
            launch()
        end()
        found.append(elapsed() * 1000 / launches)
    return statistics.median(found)


def torch_rows():
    import torch

    def lif(x, v):
        spikes = []
        for t in range(STEPS):
            v = v + (x[t] - v) * 0.5
            spike = (v >= 1.0).to(x.dtype)
            v = v * (1.0 - spike)
            spikes.append(spike)
        return torch.stack(spikes), v

    compiled = torch.compile(lif)
    events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]

    def elapsed():
        events[1].synchronize()
        return events[0].elapsed_time(events[1])

    for name, kind in (("fp32", torch.float32), ("fp16", torch.float16)):
        x = torch.rand(STEPS, NEURONS, device="cuda").mul_(2).sub_(0.5).to(kind)
        v = torch.zeros(NEURONS, device="cuda", dtype=kind)
        out = torch.empty_like(x)
        amount = 2 * x.numel() * x.element_size() + 2 * v.numel() * v.element_size()
        copy = 2 * x.numel() * x.element_size()
        for what, launch, moved in (("PyTorch copy_", lambda x=x, out=out: out.copy_(x), copy),
                                    ("PyTorch eager LIF", lambda x=x, v=v: lif(x, v), amount),
                                    ("torch.compile LIF", lambda x=x, v=v: compiled(x, v), amount)):
            with torch.no_grad():
                yield "%s, %s" % (what, name), moved, timed(launch, events[0].record, events[1].record, elapsed)


def cupy_rows():
    import cupy

    with open(os.path.join(HERE, "one_thread_a_neuron.cu")) as file:
        kernel = cupy.RawKernel(file.read(), "one_thread_a_neuron")
    x = cupy.random.random((STEPS, NEURONS), dtype=cupy.float32) * 2 - 0.5
    h, spike = cupy.empty_like(x), cupy.empty_like(x)
    v = cupy.zeros((STEPS + 1, NEURONS), dtype=cupy.float32)
    numbers = (cupy.float32(0.5), cupy.float32(1), cupy.float32(0), cupy.int32(NEURONS), cupy.int32(STEPS))
    events = [cupy.cuda.Event() for _ in range(2)]

    def elapsed():
        events[1].synchronize()
        return cupy.cuda.get_elapsed_time(*events)

    def launch():
        kernel((NEURONS // 256,), (256,), (x, v, h, spike) + numbers)

    yield "CuPy, a thread a neuron, fp32", 5 * x.nbytes, timed(launch, events[0].record, events[1].record, elapsed)


def main():
    for _ in sys.stdin:
        for name, rows in (("PyTorch", torch_rows), ("CuPy", cupy_rows)):
            try:
                for row in rows():
                    print("%s\t%.0f\t%.3f" % row, flush=True)
            except Exception as error:  # anything not installed or not working here is a missing row
                print("missing\t%s\t%s" % (name, str(error).splitlines()[0] if str(error) else repr(error)), flush=True)
        print("done", flush=True)


main()
