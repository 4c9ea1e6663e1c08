"""torch_counts.py DOCUMENT: regions, steps and counts of samples/torch_extension/main.py."""
import sys

import gpuprof

VALUES = 8 * 32 * 64  # time steps, batch, neurons
document = gpuprof.read(sys.argv[1])
assert document.context.end.state == "complete", document.context.end.state
assert document.region("training").launches == 6
for i in range(3):
    step = document.region("training/step_%d" % i)
    assert [child.name for child in step.children] == ["lif.forward", "lif.backward", "optimizer"]
    forward, backward, optimizer = step.children
    assert [child.phase for child in step.children] == ["forward", "backward", "optimizer"]
    assert (forward.launches, backward.launches, optimizer.launches, optimizer.executions) == (1, 1, 0, 1)
    assert (forward.flops.total, backward.flops.total) == (3 * VALUES, 7 * VALUES)
    assert (forward.bytes["global"].load, forward.bytes["global"].store) == (4 * VALUES, 8 * VALUES)
    assert (backward.bytes["global"].load, backward.bytes["global"].store) == (8 * VALUES, 4 * VALUES)
    assert forward.snn.spikes_positive + forward.snn.silent == VALUES and forward.snn.spikes_positive > 0
assert [kernel.launches for kernel in document.kernels] == [3, 3]
print("all right")
