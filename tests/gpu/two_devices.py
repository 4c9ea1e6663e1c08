#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the reports of two_devices to closed forms. usage: two_devices.py REPORT.json DEVICES [ROUNDS]"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import read_document  # noqa: E402

THREADS, BLOCKS = 128, 40
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 25
ALL = THREADS * BLOCKS


def expected(device):
    """Bytes loaded and stored in global memory, fp32 additions and launches of a device's region."""
    turns = 4 + device
    free = ALL * sum(1 + r % 3 for r in range(ROUNDS))
    light, either = ALL * 3 * ROUNDS, ALL * (3 + 2) * ROUNDS
    halvings = ALL * 4 * ROUNDS
    constant = ALL * turns * ROUNDS
    return {"fp32": free + light + constant, "launches": 6 * ROUNDS, "threads": 6 * ROUNDS * ALL}, \
        {"free_clone": free, "light_clone": light, "either": either, "in_kernel": halvings,
         "of_constant_memory": constant}


def main():
    report, devices = read_document.load(sys.argv[1]), int(sys.argv[2])
    regions = {r["name"]: r for r in report["regions"]}
    wrong = 0
    for device in range(devices):
        want, _ = expected(device)
        region = regions["device %d" % device]
        have = {"fp32": region["flops"]["fp32"]["add"], "launches": region["launches"], "threads": region["threads"]}
        print("device %d: %s%s" % (device, have, "" if have == want else ", expected %s" % want))
        wrong += have != want
    for kernel in report["kernels"]:
        print("%-60s %-11s %4d launches, fp32 %d, loads %d, stores %d, unique %s" % (
            kernel["name"], kernel["counted_by"], kernel["launches"], kernel["flops"]["fp32"]["add"],
            kernel["bytes"]["global"]["load"], kernel["bytes"]["global"]["store"], kernel["bytes"]["unique"]))
        name = kernel["name"].split("(")[0]
        stores = sum(expected(d)[1][name] for d in range(devices)) * 4
        if name != "in_kernel" and kernel["bytes"]["global"]["store"] > stores:
            print("error: %s stores %d bytes, expected at most %d" % (name, kernel["bytes"]["global"]["store"], stores))
            wrong += 1
    print("uncounted:", report["uncounted"])
    sys.exit(wrong != 0)


main()
