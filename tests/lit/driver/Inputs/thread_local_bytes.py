# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: thread_local_bytes.py LIBRARY MOST: fails if the thread-local data of a 64-bit ELF file exceed MOST bytes."""
import struct
import sys

TLS = 7

with open(sys.argv[1], "rb") as file:
    image = file.read()
(table,) = struct.unpack_from("<Q", image, 32)
size, count = struct.unpack_from("<HH", image, 54)
segments = [struct.unpack_from("<IIQQQQQQ", image, table + i * size) for i in range(count)]
found = sum(segment[6] for segment in segments if segment[0] == TLS)
print("all right" if 0 < found <= int(sys.argv[2]) else "%d bytes" % found)
