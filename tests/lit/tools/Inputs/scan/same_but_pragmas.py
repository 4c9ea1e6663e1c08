"""usage: same_but_pragmas.py OLD NEW: NEW is OLD, byte for byte, but for lines with a region. Prints how many there are."""
import re
import sys

old, new = (open(path, "rb").read() for path in sys.argv[1:3])
lines = re.compile(rb"(?:^|(?<=\n)|(?<=^\xef\xbb\xbf))[ \t]*#pragma gpuprof region\([^\r\n]*\r?\n")
known = len(lines.findall(old))
without, count = lines.subn(b"", new)
assert without == lines.sub(b"", old), "other bytes differ"
print("%d lines added" % (count - known))
