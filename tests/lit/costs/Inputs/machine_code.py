"""Compares what the hardware check expects of kernels with the machine code that ptxas makes of them, for sm_90.

usage: machine_code.py KERNELS.ll KERNELS.cubin COSTS EXPANSIONS LOADS HARDWARE-VIEW [KERNEL...]
  COSTS, EXPANSIONS and LOADS are what print<gpuprof-costs>, print<gpuprof-expansions> and print<gpuprof-loads> say of
  KERNELS.ll

The kernels have no loops. Executed instructions are counted on the way that ordinary numbers take: calls of slow paths
of divisions are left out, and an instruction under a predicate, or in a block that a branch may skip, may be executed.
What is expected may not reach beyond what the machine code can execute, nor leave out what it always executes.
Prints each kernel that differs, and ends with 1 if one does.
"""
import re
import struct
import subprocess
import sys

# The low nine bits of an instruction.
OPERATIONS = {0x21: "fadd", 0x20: "fmul", 0x23: "ffma", 0x29: "dadd", 0x28: "dmul", 0x2B: "dfma",
              0x30: "half", 0x31: "half", 0x32: "half", 0x35: "half", 0x181: "global_load", 0x184: "shared_load"}
HFMA2 = (0x31, 0x35)
CALL, BRANCH, EXIT = 0x144, 0x147, 0x14D
NO_REGISTER, ALWAYS = 255, 7
FLOPS = {"fadd": ("fp32_flops", 1), "fmul": ("fp32_flops", 1), "ffma": ("fp32_flops", 2),
         "dadd": ("fp64_flops", 1), "dmul": ("fp64_flops", 1), "dfma": ("fp64_flops", 2),
         "half": ("half_instructions", 1), "global_load": ("global_load", 0), "shared_load": ("shared_load", 0)}
COUNTERS = ("fp32_flops", "fp64_flops", "half_instructions", "global_load", "shared_load")
WIDTHS = (1, 1, 2, 2, 4, 8, 16, 0)
SLOW_PATH = 16  # instructions between a branch to a slow path and its call


class Instruction:
    def __init__(self, place, data):
        low, high = struct.unpack("<QQ", data)
        self.place, self.operation, self.predicate = place, low & 0x1FF, low >> 12 & 15
        offset = (high & 0x3FFFF) << 38 | low >> 34 << 8 | low >> 16 & 255
        self.target = place + 16 + 4 * (offset - (1 << 56) if offset >> 55 else offset)
        self.bytes = WIDTHS[high >> 9 & 7] if self.operation in (0x181, 0x184) else 0
        self.loads_constant = self.operation in HFMA2 and low >> 24 & 255 == NO_REGISTER

    def is_conditional(self):
        return self.predicate != ALWAYS


def functions_of(cubin):
    """(name, machine code) of each function of an ELF file."""
    with open(cubin, "rb") as stream:
        data = stream.read()
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
    for section in sections:
        begin = sections[names][4] + section[0]
        name = data[begin:data.index(b"\0", begin)].decode()
        if name.startswith(".text."):
            yield name[len(".text."):], data[section[4]:section[4] + section[5]]


def executed(text):
    """For each counter, what is always executed and what is at most."""
    code = [Instruction(i, text[i:i + 16]) for i in range(0, len(text), 16)]

    def calls(begin, end):
        for instruction in code[begin // 16:end // 16]:
            if instruction.operation == CALL:
                return True
            if instruction.operation in (BRANCH, EXIT) and not instruction.is_conditional():
                return False
        return False

    least, most = dict.fromkeys(COUNTERS, 0), dict.fromkeys(COUNTERS, 0)
    place = skipped_until = 0
    for _ in range(2 * len(code)):
        i = code[place // 16]
        optional = i.is_conditional() or place < skipped_until
        if i.operation == EXIT and not optional:
            return least, most
        place += 16
        if i.operation == EXIT and not i.is_conditional():
            place = skipped_until  # others go on there
        if i.operation == BRANCH and not i.is_conditional():
            place = i.target
        elif i.operation == BRANCH and i.target > place:
            if calls(place, i.target):
                place = i.target  # past the slow path
            elif not calls(i.target, i.target + 16 * SLOW_PATH):
                skipped_until = max(skipped_until, i.target)
        elif i.operation in OPERATIONS and not i.loads_constant:
            counter, amount = FLOPS[OPERATIONS[i.operation]]
            amount += i.bytes
            most[counter] += amount
            least[counter] += 0 if optional else amount
    raise ValueError("a loop")


def conditional_values(function):
    """The text of the instructions in blocks that some way through the function passes by."""
    blocks, label = {"entry": []}, "entry"
    for line in function.splitlines()[1:]:
        begin = re.match(r"([\w.]+):", line)
        if begin:
            label = begin.group(1)
            blocks[label] = []
        elif line.startswith("  "):
            blocks[label].append(line.strip())
    next_of = {name: re.findall(r"label %([\w.]+)", lines[-1]) for name, lines in blocks.items()}

    def leaves_without(avoided):
        seen, todo = set(), ["entry"]
        while todo:
            name = todo.pop()
            if name == avoided or name in seen:
                continue
            seen.add(name)
            if not next_of[name]:
                return True
            todo += next_of[name]
        return False
    return {line.partition(", !")[0] for name, lines in blocks.items() if leaves_without(name) for line in lines}


def amounts(module, listings):
    """For each kernel the amounts of work, of what is always executed and of all."""
    with open(module) as stream:
        bodies = dict(re.findall(r"^(?:define [^\n]*@(\w+)\()(.*?)^}", stream.read(), re.M | re.S))
    maybe = {name: conditional_values(body) for name, body in bodies.items()}
    always, most, name = {}, {}, None
    for listing in listings:
        for line in open(listing):
            begin = re.match(r"(?:costs|expansions|loads) of (\w+):", line)
            if begin:
                name = begin.group(1)
                always.setdefault(name, [])
                most.setdefault(name, [])
                continue
            costs, _, text = line.partition(" :")
            # Slow paths are left out of the machine code, too.
            words = [word for word in costs.split() if re.fullmatch(r"\w+=\d+", word) and "_slow_" not in word]
            most[name] += words
            if text.strip().partition(", !")[0] not in maybe[name]:
                always[name] += words
    return always, most


def expected(view, work):
    """{(kernel, counter): (least, most)} as the hardware check works it out."""
    lines = "".join(f"{name} {' '.join(words)}\n" for name, words in work.items())
    answer = subprocess.run([view], input=lines, capture_output=True, text=True, check=True).stdout
    return {(name, counter): (int(least), int(most))
            for name, counter, _, least, most in map(str.split, answer.splitlines())}


def main(module, cubin, costs, expansions, loads, view, *chosen):
    always, everything = (expected(view, work) for work in amounts(module, [costs, expansions, loads]))
    kernels = wrong = 0
    for name, text in sorted(functions_of(cubin)):
        if chosen and name not in chosen:
            continue
        kernels += 1
        try:
            least, most = executed(text)
        except ValueError as error:
            sys.exit(f"{name}: {error}")
        for counter in COUNTERS:
            says = min(always[name, counter][0], everything[name, counter][0]), everything[name, counter][1]
            # Instructions excluding each other, as the scalings of tiny and of huge divisors, are both in `most`.
            # Loads that ptxas may merge are a range, though it merges those of one block.
            if says[0] <= least[counter] <= says[1] and (says[1] <= most[counter] or counter.endswith("load")):
                continue
            wrong += 1
            print(f"{name}: {counter} {least[counter]} to {most[counter]} in machine code, {says[0]} to {says[1]} expected")
    print(f"{kernels} kernels, {wrong} counts differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
