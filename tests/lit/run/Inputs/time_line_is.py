"""time_line_is.py REPORT kernels=N copies=N streams=N NAME=REGION,HOST ...: sums, and gaps of at least 200 ms with this explanation."""
import json
import sys

timeline = json.load(open(sys.argv[1]))["timeline"]
wanted = dict(pair.split("=") for pair in sys.argv[2:])
assert timeline["source"] == "cpu" and timeline["gpu_busy_ns"] is timeline["gpu_idle_ns"] is timeline["gpu_span_ns"] is None
assert timeline["device_busy_ns"] + timeline["device_idle_ns"] == timeline["device_span_ns"]
(device,) = timeline["devices"]
for name in ("kernels", "copies"):
    assert device[name] == int(wanted.pop(name)), device[name]
assert device["busy_ns"] + device["idle_ns"] == device["span_ns"] and device["left_out_ns"] == 0
assert device["gaps"]["total_ns"] == device["idle_ns"] and device["gaps"]["count"] <= device["kernels"] + device["copies"] - 1
assert len(device["streams"]) == int(wanted.pop("streams"))
assert sum(stream["kernels"] for stream in device["streams"]) == device["kernels"]
lengths = [gap["length_ns"] for gap in device["gaps"]["longest"]]
assert lengths == sorted(lengths, reverse=True) and len(lengths) <= 8
found = {(gap["region"], gap["host"]) for gap in device["gaps"]["longest"] if gap["length_ns"] >= 200e6}
expected = {(None if region == "None" else region, host) for region, host in (pair.split(",") for pair in wanted.values())}
assert found == expected, found
