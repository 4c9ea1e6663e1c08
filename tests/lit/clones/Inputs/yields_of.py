"""Prints the number of YIELD instructions of each kernel that compares lanes, by name: yields_of.py CUBIN (sm_90)"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "costs", "Inputs"))
import machine_code  # noqa: E402

YIELD = 0x946  # the low twelve bits of an instruction
for name, text in sorted(machine_code.functions_of(sys.argv[1])):
    if name.endswith("$gpuprof_warps"):
        words = [struct.unpack_from("<Q", text, place)[0] & 0xFFF for place in range(0, len(text), 16)]
        print(name, words.count(YIELD))
