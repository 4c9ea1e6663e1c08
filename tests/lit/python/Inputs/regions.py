"""Regions, steps, nominal work and counters; the document is read back and compared."""
import sys
import threading

import gpuprof


@gpuprof.region("recursive")
def recursive(depth):
    if depth:
        recursive(depth - 1)


shared = gpuprof.region("shared")


def worker():
    for _ in range(100):
        with shared:
            with shared:
                gpuprof.count("turns")


with gpuprof.region("training", category="network"):
    for i in range(3):
        gpuprof.step(i)
        with gpuprof.region("loss", phase="forward"):
            gpuprof.expect(flops=10, bytes=4, items=2)
            gpuprof.expect(flops=1)
            gpuprof.count("samples", i)
recursive(2)
threads = [threading.Thread(target=worker) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
try:
    with gpuprof.region("left by an exception"):
        raise KeyError
except KeyError:
    pass
gpuprof.disable()
with gpuprof.region("paused"):
    assert gpuprof.status().state == "paused"
gpuprof.enable()
with gpuprof.region("größer"):
    pass
assert gpuprof.status().state == "on" and gpuprof.status().launches == 0
assert gpuprof.flush()

document = gpuprof.read(sys.argv[1])
paths = {row.path: row for row in document.walk()}
assert document.region("training").category == "network"
loss = paths["training/step_2/loss"]
assert (loss.phase, loss.executions, loss.user_counters.samples) == ("forward", 1, 2)
assert (loss.expected.flops, loss.expected.bytes, loss.expected.items) == (11, 4, 2)
assert paths["recursive/recursive/recursive"].executions == 1
assert paths["shared"].executions == paths["shared/shared"].executions == 400
assert paths["shared/shared"].user_counters.turns == 400
assert paths["left by an exception"].executions == 1 and "paused" not in paths and "größer" in paths
assert all(path.count("/") < 3 for path in paths)  # each was closed
try:
    document.region("step_9")
except KeyError as error:
    print(error)
