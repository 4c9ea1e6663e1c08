"""with_measurements.py DOCUMENT: the document, with measured energy, and an occupancy that explains idle resources."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
document["energy"] = {"source": "nvml", "joules": 810.0, "seconds": 3.0, "mean_watts": 270.0, "idle_watts": 126.0, "idle_seconds": 1.5,
                      "updates": 30}
region = document["regions"][0]
region["energy_joules"], region["energy_seconds"] = 540.0, 2.0
region["flops"]["total"] = region["flops"]["fp32"]["fma"] = 10**14
region["roofline"]["status"] = "ok"
kernel = document["kernels"][0]
kernel["occupancy"] = {"theoretical": 0.125, "theoretical_least": 0.125, "theoretical_most": 0.125, "limiter": "registers",
                       "blocks_per_sm": 1, "block_threads": 256, "dynamic_shared_bytes": 0, "static_shared_bytes": 0, "registers": 168,
                       "local_bytes": 64, "waves": 1.5, "wave_efficiency": 0.75, "achieved": 0.11, "achieved_source": "hardware"}
kernel["launches"], kernel["threads"] = 1, 10**9
kernel["time_ns"]["total"] = 10**9
kernel["roofline"].update(bound="latency", percent=3.0, status="ok")
json.dump(document, sys.stdout)
