"""Prints whether a file is a PDF, whether it is one to its end, and the size of its page in points: pdf_page.py FILE.

Cairo 1.18 keeps the page in a compressed stream, cairo 1.16 does not.
"""
import re
import sys
import zlib

data = open(sys.argv[1], "rb").read()
texts = [data]
for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.S):
    try:
        texts.append(zlib.decompress(stream))
    except zlib.error:
        pass  # an image, or a font
sizes = [size for text in texts for size in re.findall(rb"/MediaBox \[ ?0 0 (\d+) (\d+) ?\]", text)]
print(data[:5] == b"%PDF-", data.rstrip()[-5:] == b"%%EOF", *(number.decode() for size in sizes for number in size))
