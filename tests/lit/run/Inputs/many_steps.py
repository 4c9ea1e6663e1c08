"""many_steps.py REPORT FAR FULL: checks each step of many-steps.cu; FAR: with far numbers, FULL: not all found room."""

import sys

import read_document

far, full = int(sys.argv[2]), int(sys.argv[3])
kernel = read_document.load(sys.argv[1])["regions"][0]["children"][0]
steps = {s["step"]: s for s in kernel["snn"]["per_step"]}
others = steps.pop(None, None)

# 3 threads in step t: the product of thread n, if n divides t.
numbers = list(range(9000)) + ([-5, 1 << 34, -(1 << 34), 1 << 60] if far else [])
threads = {t: sum(t % n == 0 for n in (1, 2, 3)) for t in numbers}
total = sum(threads.values())
assert kernel["flops"]["total"] == total, (kernel["flops"]["total"], total)
for t, s in steps.items():
    assert s["flops"] == threads[t] == s["user_counters"]["steps"], (t, s, threads[t])
rest = sum(count for t, count in threads.items() if t not in steps)
assert (others["flops"] if others else 0) == rest, (others, rest)
if full:
    assert 64 <= len(steps) < 200, len(steps)  # the room grows after the launch only
else:
    assert set(numbers) - set(steps) == ({1 << 60} if far else set()), len(steps)
