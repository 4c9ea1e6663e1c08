#!/usr/bin/env python3
"""run_flush.py MODULE.ll KERNEL OPERAND...

Runs the inline PTX with which a kernel ends, lane by lane, for whole warps and parts of warps with random counts, and
compares what the counters in memory hold with the sums of the counts. What the operands behind the first (the counters'
address) are: packed:FIRST:NUMBER (groups of six bits), bits:FIRST:NUMBER (of one bit), short:GROUP, long:GROUP, the same with a `u` before it for a count
that all lanes share, array:NUMBER for the array of a kernel with steps, bound:ADDRESS for where the counters'
address is if the launch gives none. Exit 1: a sum is wrong.
"""
import random
import re
import sys

BASE, ARRAY, WARPS = 1 << 20, 1 << 40, 60
WINDOW = 1 << 39  # a generic address of the lane's memory less its local one
GIVEN_ROW = 64  # groups, at least, of a called function's part of a row
SHAPE, IN_LAST = (8, 5, 3), 24  # of a block, and the threads of its last warp


class Lane:
    def __init__(self, number, operands, own):
        lane = number % 32
        self.registers = {"%laneid": lane, "%smid": 77, "%ctaid.x": 1234567}
        self.registers.update(zip(("%tid.x", "%tid.y", "%tid.z"), (number % 8, number // 8 % 5, number // 40)))
        self.registers.update(zip(("%ntid.x", "%ntid.y", "%ntid.z"), SHAPE))
        self.registers.update({"$%d" % n: value for n, value in enumerate(operands)})
        self.own = own  # the lane's memory
        self.active = None

    def value(self, text):
        text = text.strip()
        return self.registers[text] if text in self.registers else int(text, 0)

    def address(self, text):
        name, _, offset = text.strip(" []").partition("+")
        return self.value(name) + int(offset or 0)

    def run(self, lines, counters):
        """Yields (operation, value) where lanes meet, and is sent the result."""
        labels = {line[:-1]: n for n, line in enumerate(lines) if line.endswith(":")}
        at = 0
        while at < len(lines):
            line = lines[at]
            at += 1
            if line.endswith(":") or line.startswith(".") or line in "{}":
                continue
            guard = re.match(r"@(!?)(\w+) ", line)
            if guard:
                line = line[guard.end():]
                if bool(self.registers[guard.group(2)]) == bool(guard.group(1)):
                    continue
            name, _, rest = line.rstrip(";").partition(" ")
            to, *operands = [o.strip() for o in re.split(r",(?![^{]*\})", rest)]
            kind, bits = name.split("."), 64 if name.endswith("64") else 32
            if kind[0] == "bra":
                at = labels[to]
            elif kind[:2] == ["cvta", "to"]:
                self.registers[to] = self.value(operands[0]) - WINDOW
            elif kind[0] == "ld" and "v2" in kind:
                for place, element in enumerate(to.strip("{}").split(", ")):
                    self.registers[element] = self.own[self.address(operands[0]) + 8 * place]
            elif to.startswith("{"):
                low, high = to.strip("{}").split(", ")
                self.registers[low], self.registers[high] = self.value(operands[0]) % 2**32, self.value(operands[0]) >> 32
            elif kind[0] == "red":
                address = self.address(to)
                counters[address] = (counters.get(address, 0) + self.value(operands[0])) % 2**64
            elif kind[0] == "ld":
                self.registers[to] = self.own[self.address(operands[0])]
            elif kind[0] == "st":
                self.own[self.address(to)] = self.value(operands[0])
            elif kind[0] == "activemask":
                self.registers[to] = yield "activemask", 0
            elif kind[0] in ("redux", "shfl", "vote"):
                assert self.value(operands[-1]) == -1
                operation = {"redux": "redux", "vote": name, "shfl": "shfl%s" % operands[1]}[kind[0]]
                self.registers[to] = yield operation, self.value(operands[0])
            else:
                self.registers[to] = self.compute(kind, bits, [self.value(o) for o in operands])

    @staticmethod
    def compute(kind, bits, v):
        v = [x % 2**bits if kind[0] in ("setp", "and", "or", "sub", "add", "shl", "shr", "popc", "bfe", "lop3") else x for x in v]
        compare = {"eq": lambda: v[0] == v[1], "ne": lambda: v[0] != v[1], "ge": lambda: v[0] >= v[1],
                   "lt": lambda: v[0] < v[1]}
        if kind[0] == "setp":
            return compare[kind[1]]() and (kind[2] != "and" or bool(v[2]))
        if kind[0] == "cvt":
            return v[0] % 2**32
        if kind[0] == "mad" and kind[1] == "wide":
            return (v[0] % 2**32 * (v[1] % 2**32) + v[2]) % 2**64
        result = {"mov": lambda: v[0], "and": lambda: v[0] & v[1], "or": lambda: v[0] | v[1],
                  "min": lambda: min(v), "add": lambda: v[0] + v[1], "sub": lambda: v[0] - v[1], "mul": lambda: v[0] * v[1],
                  "popc": lambda: bin(v[0]).count("1"), "bfe": lambda: v[0] >> v[1] & (1 << v[2]) - 1,
                  "lop3": lambda: v[0] & v[1] | ~v[0] & v[2] if v[3] == 0xca else None,
                  "mad": lambda: v[0] * v[1] + v[2], "selp": lambda: v[0] if v[2] else v[1],
                  "shl": lambda: v[0] << v[1] if v[1] < bits else 0, "shr": lambda: v[0] >> v[1] if v[1] < bits else 0}
        return result[kind[0]]() % 2**bits


def run_warp(lines, lanes, counters):
    numbers = sorted(lanes)
    runs = {n: lanes[n].run(lines, counters) for n in numbers}
    waiting = {n: next(runs[n], None) for n in numbers}
    while any(waiting.values()):
        operations = {w[0] for w in waiting.values() if w}
        assert len(operations) == 1 and all(waiting.values()), "lanes wait for others in different places"
        operation = operations.pop()
        assert operation == "activemask" or len(numbers) == (IN_LAST if numbers[0] >= 96 else 32), "part of a warp adds together"
        results = {}
        for n in numbers:
            if operation == "activemask":
                results[n] = sum(1 << m % 32 for m in numbers) if len(numbers) < 32 else -1
            elif operation == "redux":
                results[n] = sum(w[1] for w in waiting.values()) % 2**32
            elif operation.startswith("vote"):
                ballot = sum(bool(waiting[m][1]) << m % 32 for m in numbers)
                results[n] = ballot if "ballot" in operation else ballot != 0
            else:
                results[n] = waiting[n ^ int(operation[4:])][1]
        waiting = {n: send(runs[n], results[n]) for n in numbers}


def send(run, value):
    try:
        return run.send(value)
    except StopIteration:
        return None


def count_of(bits, warp):
    """Small numbers for a warp in three, none for one in six; for the others also such with all bits."""
    if warp % 3 == 0:
        return random.randrange(32) if warp % 6 else 0
    return random.choice([0, 1, random.randrange(1000), random.randrange(2**27), random.randrange(2**bits)])


def main():
    module, kernel, *shapes = sys.argv[1:]
    body = re.search(r"^define [^\n]*@%s\((.*?)^}" % re.escape(kernel), open(module).read(), re.M | re.S).group(1)
    *_, text = re.finditer(r'asm sideeffect "(\{.*?\\0A\\09\})", "([lr,]*)"', body)  # the last statement
    lines = [line.strip() for line in text.group(1).replace("\\22", '"').split("\\0A\\09")]
    row = next((int(line.split(", ")[2]) // 8 for line in lines if line.startswith("mad.wide.u32 row")), GIVEN_ROW)
    assert len(text.group(2).split(",")) == len(shapes) + 1, "operands: %s" % text.group(2)
    random.seed(1)
    expected, counters = {}, {}
    for warp in range(WARPS):
        exist = range(96, 96 + IN_LAST) if warp % 5 == 2 else range(32, 64)
        numbers = exist if warp % 4 else sorted(random.sample(exist, random.randrange(1, len(exist))))
        shared = [count_of(32 if "short" in shape else 64, warp) for shape in shapes]
        bit = random.randrange(2)
        lanes = {}
        for n in numbers:
            operands, own = [BASE], {}
            for shape, same in zip(shapes, shared):
                what, first, *number = shape.split(":")
                first = int(first)
                if what.endswith(("packed", "bits")):
                    fields = [bit if what[0] == "u" else random.randrange(2) for _ in range(int(number[0]))]
                    operands.append(sum(field << (1 if what == "bits" else 6) * i for i, field in enumerate(fields)))
                    found = dict(enumerate(fields, first))
                elif what == "bound":
                    found, operands[0] = {}, 0
                    operands.append(first)
                    own[first] = BASE
                elif what == "array":
                    found = {group: count_of(64, warp) for group in range(first)}
                    own.update({ARRAY - WINDOW + 8 * group: count for group, count in found.items()})
                    operands.append(ARRAY)
                else:
                    found = {first: same if what[0] == "u" else count_of(32 if what == "short" else 64, warp)}
                    operands.append(found[first])
                for group, count in found.items():
                    expected[group] = (expected.get(group, 0) + count) % 2**64
            lanes[n] = Lane(n, operands, own)
        run_warp(lines, lanes, counters)
    sums = {}
    for address, count in counters.items():
        group = (address - BASE) // 8 % row
        sums[group] = (sums.get(group, 0) + count) % 2**64
    wrong = [g for g in range(row) if sums.get(g, 0) != expected.get(g, 0)]
    for group in wrong:
        print("%s: group %d: %d instead of %d" % (kernel, group, sums.get(group, 0), expected.get(group, 0)))
    print("%s: %d groups, %d wrong" % (kernel, len(expected), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
