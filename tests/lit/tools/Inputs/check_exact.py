"""Holds the CSV and JSON reports to the numbers in crowded.json and cpu.json."""
import csv
import json
import sys

rows = {r["path"]: r for r in csv.DictReader(open(sys.argv[1], encoding="utf-8"))}
huge = rows["huge"]
assert huge["flops"] == "9223373136366403587", huge["flops"]
assert huge["fp32_flops"] == "9223373136366403587", huge["fp32_flops"]
assert huge["global_load_bytes"] == "9007199254740993" == huge["requested_bytes"], huge["global_load_bytes"]
assert huge["dram_bytes"] == "" and huge["executions"] == "" and huge["phase"] == ""
assert rows['q<k>&v "2" θ']["type"] == "region"
assert rows["above"]["status"] == "above_roof" and rows["above"]["fp64_flops"] == "67108864"
assert len(rows) == 24, len(rows)
table = json.load(open(sys.argv[2], encoding="utf-8"))
assert len(table) == 24 + 13 + 7, len(table)
huge = next(r for r in table if r["path"] == "huge")
assert huge["flops"] == 9223373136366403587 and huge["dram_bytes"] is None and huge["type"] == "kernel"
softmax = next(r for r in table if r["path"] == "forward/attention/attention.softmax" and r["device"] == "cpu")
assert softmax["special_functions"] == 1048576 and softmax["percent"] is None
