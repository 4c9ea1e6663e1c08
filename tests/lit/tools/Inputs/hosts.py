"""hosts.py DOCUMENT FOLDER: documents of three ranks made of one: ranks 0 and 1 on one host, rank 2 on another whose clock is 5 ms
ahead, with ends of calls that are left up to 3 us apart, each third end kept by rank 2. Ranks 3 and 4 are on hosts
without such calls."""
import json
import sys

FIRST, STEP = 1_700_000_000_000_000_000, 1_000_000


def write(document, rank, host, ends, stride):
    document["context"].update(rank=rank, world_size=4, host=host, pid=100 + rank)
    document["communication"] = {"calls": 30, "bytes": 240, "time_ns": 1000 * rank, "share": 0.5, "functions": [],
                                 "common_ends": {"stride": stride, "realtime_ns": ends}}
    if not ends:
        del document["communication"]
    with open("%s/%d.json" % (sys.argv[2], rank), "w") as file:
        json.dump(document, file)


document = json.load(open(sys.argv[1]))
write(document, 0, "here", [FIRST + STEP * i for i in range(30)], 1)
write(document, 1, "here", [FIRST + STEP * i + 500 for i in range(30)], 1)
write(document, 2, "there", [FIRST + STEP * i + 5_000_000 + i % 4 * 1000 for i in range(0, 30, 3)], 3)
write(document, 3, "elsewhere", [], 1)
write(document, 4, "where", [], 1)
