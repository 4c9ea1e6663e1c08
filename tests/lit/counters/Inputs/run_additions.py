#!/usr/bin/env python3
"""run_additions.py MODULE.ll FUNCTION GROUP=KIND...

Runs the inline PTX of a function that adds counts to a row of counters, statement by statement, in whole warps and in parts of
them, and compares what the counters hold with the sums. KIND of a group: a constant, or `any` (a variable).
Some warps have the row 0: nothing is counted. Exit 1: a sum is wrong, or a group is added elsewhere.
"""
import random
import re
import sys

from run_flush import Lane

ROW, WARPS = 1 << 20, 60


def guarded(lane, line):
    """The instruction if the lane's predicate holds, else None."""
    guard = re.match(r"@(!?)(\w+) ", line)
    if not guard:
        return line
    return line[guard.end():] if bool(lane.registers[guard.group(2)]) != bool(guard.group(1)) else None


def run_statement(lines, lanes, counters):
    """All lanes run it together: it has no branches."""
    for line in lines:
        if line.startswith(".") or line in "{}":
            continue
        run = {n: guarded(lane, line) for n, lane in lanes.items()}
        here, sums = {n: rest for n, rest in run.items() if rest}, {}
        for n, rest in here.items():
            name, _, rest = rest.rstrip(";").partition(" ")
            to, *operands = [o.strip() for o in rest.split(",")]
            lane, kind, bits = lanes[n], name.split("."), 64 if name.endswith("64") else 32
            if kind[0] == "activemask":
                lane.registers[to] = sum(1 << m % 32 for m in here)
            elif kind[0] == "redux":
                assert operands[-1] == "-1" and len(here) == 32, "part of a warp adds together"
                sums[to] = (sums.get(to, 0) + lane.value(operands[0])) % 2**32
            elif kind[0] == "red":
                address = lane.address(to)
                counters[address] = (counters.get(address, 0) + lane.value(operands[0])) % 2**64
            else:
                lane.registers[to] = lane.compute(kind, bits, [lane.value(o) for o in operands])
        for to, total in sums.items():
            for n in here:
                lanes[n].registers[to] = total


def main():
    module, function, *shapes = sys.argv[1:]
    kinds = {int(group): kind for group, kind in (shape.split("=") for shape in shapes)}
    body = re.search(r"^define [^\n]*@%s\((.*?)^}" % re.escape(function), open(module).read(), re.M | re.S).group(1)
    statements = [found.group(1) for found in re.finditer(r'asm sideeffect "(\{[^"]*lanemask_lt[^"]*\}|\{[^"]*\.pred all, one, some[^"]*\})"', body)]
    random.seed(1)
    expected, counters, done = {}, {}, set()
    for text in statements:
        lines = [line.strip() for line in text.split("\\0A\\09")]
        groups = []
        for line in lines:
            place = re.search(r"red\.global\.add\.u64 \[\$0\+(\d+)\]", line)
            if place and int(place.group(1)) // 8 not in groups:
                groups.append(int(place.group(1)) // 8)
        done.update(groups)
        if not set(groups) <= set(kinds):
            break
        variables = [g for g in groups if kinds[g] == "any"]
        operands = {g: "$%d" % n for n, g in enumerate(variables, 1)}
        for warp in range(WARPS):
            numbers = range(32) if warp % 3 else sorted(random.sample(range(32), random.randrange(1, 32)))
            row = 0 if warp % 7 == 0 else ROW
            lanes = {}
            for n in numbers:
                lane = Lane(n, [row], {})
                lane.registers.update({"%lanemask_lt": (1 << n) - 1})
                for group in groups:
                    kind = kinds[group]
                    count = random.choice([0, random.randrange(2**40)]) if kind == "any" else int(kind)
                    if group in operands:
                        lane.registers[operands[group]] = count
                    if row:
                        expected[group] = (expected.get(group, 0) + count) % 2**64
                lanes[n] = lane
            run_statement(lines, lanes, counters)
    sums = {(address - ROW) // 8: count for address, count in counters.items()}
    wrong = [g for g in sorted(set(sums) | set(expected)) if sums.get(g, 0) != expected.get(g, 0)]
    for group in wrong:
        print("%s: group %d: %d instead of %d" % (function, group, sums.get(group, 0), expected.get(group, 0)))
    if done != set(kinds):
        print("%s: groups %s are added, not %s" % (function, sorted(done), sorted(kinds)))
    print("%s: %d statements, %d groups, %d wrong" % (function, len(statements), len(done), len(wrong)))
    return 1 if wrong or done != set(kinds) else 0


sys.exit(main())
