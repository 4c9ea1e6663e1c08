"""lines_fit.py WIDTH: no line of standard input is wider, but for words that are longer than a line."""
import sys
import unicodedata

width = int(sys.argv[1])
count = 0
for line in sys.stdin:
    line = line.rstrip("\n")
    count += 1
    columns = sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
    if columns > width and len(line.split()) > 1 and max(map(len, line.split())) < width - 12:
        sys.exit("error: %d columns: %s" % (columns, line))
if not count:
    sys.exit("error: no line was read")
