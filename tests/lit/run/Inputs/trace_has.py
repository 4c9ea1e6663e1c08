"""trace_has.py TRACE: what trace.cu did."""
import json
import sys

trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"]
assert trace["gpuprof"]["complete"] and trace["gpuprof"]["droppedEvents"] == 0, trace["gpuprof"]
assert trace["distributedInfo"]["rank"] == 0 and trace["distributedInfo"]["world_size"] == 1
kernels = [event for event in events if event.get("cat") == "kernel"]
assert len(kernels) == 6
for kernel in kernels:
    args = kernel["args"]
    assert args["region"] == 'outer "quoted"/inner' and args["source"] == "cpu" and args["bound"] == "dram", args
    assert (args["FLOPs"], args["requested bytes"], args["grid"], args["block"]) == (32, 256, [1, 1, 1], [32, 1, 1]), args
regions = [event for event in events if event.get("cat") == "user_annotation"]
assert sorted(event["name"] for event in regions) == ["inner"] * 6 + ['outer "quoted"'] * 2
assert {event["args"]["phase"] for event in regions if event["name"] != "inner"} == {"forward"}
assert {event["args"]["category"] for event in regions if event["name"] == "inner"} == {"math"}
assert len({event["tid"] for event in regions}) == 2
copies = [event for event in events if event.get("cat") in ("gpu_memcpy", "gpu_memset")]
assert [(event["name"], event["args"]["bytes"]) for event in copies] == [("Memcpy HtoD (Pageable)", 256), ("Memset", 256)]
calls = [event["name"] for event in events if event.get("cat") == "cuda_runtime"]
assert sorted(calls) == ["cudaDeviceSynchronize", "cudaFree"] + ["cudaLaunchKernel"] * 6 + ["cudaMemcpy", "cudaMemset"], calls
memory = [event["args"]["bytes"] for event in events if event["ph"] == "C" and event["name"] == "memory"]
assert memory[0] == 256 and memory[-1] == 0 and set(memory) == {0, 256}, memory
