"""Writes a run of a spiking network of three layers over T steps: snn_network.py TEMPLATE OUTPUT T [cpu|gpu|host].

cpu, gpu: steps are divided in the kernels. host: each step is a region of the host, as '#pragma gpuprof step' makes it."""
import copy
import json
import sys

template, output, steps, how = sys.argv[1], sys.argv[2], int(sys.argv[3]), (sys.argv + ["cpu"])[4]
ITEMS, LAYERS = 8, (("conv1", 4096, 288, 40), ("conv2", 2048, 576, 25), ("fc", 100, 512, 10))  # name, neurons, fan-out, per cent

with open(template, encoding="utf-8") as file:
    document = json.load(file)
row = document["regions"][0]


def density(counts):
    all_values = counts["spikes_positive"] + counts["spikes_negative"] + counts["silent"]
    counts["firing_rate"] = (counts["spikes_positive"] + counts["spikes_negative"]) / all_values
    counts["synaptic_ops"] = counts["synaptic_accumulates"] + counts["synaptic_multiply_accumulates"]
    counts["synaptic_skipped"] = counts["synaptic_possible"] - counts["synaptic_ops"]
    counts["synaptic_density"] = counts["synaptic_ops"] / counts["synaptic_possible"]
    return counts


def layer_step(layer, step):
    """What a layer did in a step: fewer spikes in later layers, most in the first steps. The first layer multiplies."""
    name, neurons, fanout, percent = LAYERS[layer]
    values = neurons * ITEMS
    spikes = values * (percent + 7 * (step % 3)) // (100 * (1 + layer))
    negative = spikes // 5 if layer == 1 else 0
    operations, possible = spikes * fanout, values * fanout
    return density({"spikes_positive": spikes - negative, "spikes_negative": negative, "silent": values - spikes,
                    "synaptic_accumulates": 0 if layer == 0 else operations,
                    "synaptic_multiply_accumulates": operations if layer == 0 else 0,
                    "synaptic_possible": possible})


def total(parts):
    keys = ("spikes_positive", "spikes_negative", "silent", "synaptic_accumulates", "synaptic_multiply_accumulates", "synaptic_possible")
    return density({key: sum(part[key] for part in parts) for key in keys})


def make(name, parent, counts, per_step=(), items=None, weight=1):
    own = copy.deepcopy(row)
    path = (parent + "/" if parent else "") + name
    source = "cpu" if how != "gpu" else "cupti"
    flops = 2 * counts["synaptic_ops"] + counts["silent"]
    own.update(name=name, path=path, parent=parent, children=[], executions=1, launches=steps, file="net.cu", line=7, threads=1024)
    own["time_ns"] = {"total": 40000 * weight, "min": 1000, "median": 1000, "p95": 1000, "max": 1000, "source": source}
    for precision in ("fp32", "fp64", "fp16", "bf16", "tensor"):
        own["flops"][precision] = {key: 0 for key in own["flops"][precision]}
    own["flops"]["fp32"]["add"] = own["flops"]["total"] = flops
    own["bytes"]["global"].update(load=4 * counts["synaptic_ops"], store=counts["silent"], atomic=0)
    own["bytes"]["unique"] = 32 * (counts["silent"] // 8)
    own["coalescing"] = {"requests": counts["synaptic_ops"] // 16 + 1, "sectors": counts["synaptic_ops"] // 4 + 1,
                         "sectors_per_request": None}
    own["snn"] = dict(counts, per_step=list(per_step))
    own["expected"] = {"flops": None, "bytes": None, "items": items, "executed_over_expected": None}
    return own


def step_row(number, counts):
    return dict(counts, step=number, flops=2 * counts["synaptic_ops"], bytes=4 * counts["synaptic_ops"], user_counters={})


grid = [[layer_step(layer, step) for step in range(steps)] for layer in range(len(LAYERS))]
of_steps = [total([grid[layer][step] for layer in range(len(LAYERS))]) for step in range(steps)]
network = make("network", "", total(of_steps), [step_row(s, c) for s, c in enumerate(of_steps)], ITEMS, steps * len(LAYERS))
for layer, (name, _, _, _) in enumerate(LAYERS):
    if how != "host":
        network["children"].append(make(name, "network", total(grid[layer]), [step_row(s, c) for s, c in enumerate(grid[layer])], None, steps))
for step in range(steps if how == "host" else 0):
    around = make("step_%d" % step, "network", of_steps[step], (), None, len(LAYERS))
    around.update(file=None, line=None)
    around["children"] = [make(LAYERS[layer][0], "network/step_%d" % step, grid[layer][step]) for layer in range(len(LAYERS))]
    network["children"].append(around)
document["regions"] = [network]
document["kernels"] = []
document["notes"] = []
document["context"]["command"] = "./network --steps=%d" % steps
if how == "gpu":
    document["device"].update(kind="gpu", name="NVIDIA H200")
with open(output, "w", encoding="utf-8") as file:
    json.dump(document, file)
