"""forked_reports.py FOLDER: every report is whole, one has many launches, and each of the others those of a child: one."""
import glob
import sys

import read_document

launches = sorted(sum(k["launches"] for k in read_document.load(path)["kernels"]) for path in glob.glob(sys.argv[1] + "/*.json"))
assert launches and launches[-1] > 200 and set(launches[:-1]) <= {1}, launches
