"""Compares the contractions that gpuprof predicts with those that llc makes, for random blocks of arithmetic.

usage: contractions.py SEED NUMBER none|some   writes a module of NUMBER functions, none or some with `contract`
       contractions.py compare PTX PREDICTED   exits with 1 unless all functions agree
"""
import random
import re
import sys

TYPES = ["float", "double", "half", "<2 x half>", "<2 x float>"]


class Block:
    """One block of random products, sums, differences and negations, with values that several others use."""

    def __init__(self, number, flags):
        self.random = random.Random(number)
        self.type = self.random.choice(TYPES)
        self.flags = flags
        # One value, if both spellings of it were there, would be computed once.
        self.spells_double = self.random.random() < 0.5 and self.type in ("float", "double")
        self.lines, self.values, self.stores = [], ["%a", "%b", "%c", "%d"], 0

    def pick(self):
        recent = self.values[-6:]
        return self.random.choice(recent if self.random.random() < 0.7 else self.values)

    def flag(self):
        return "contract " if self.flags == "some" and self.random.random() < 0.7 else ""

    def add(self, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        self.values.append(name)

    def step(self):
        rare = 0 if self.type == "<2 x float>" else 1  # halves of a vector may be computed once
        kind = self.random.choices(["fmul", "fadd", "fsub", "fneg", "double", "store"],
                                   [8, 7, 5, rare, rare, 4])[0]
        if kind == "fneg":
            self.add(f"fneg {self.type} {self.pick()}")
            self.add(f"{self.random.choice(['fadd', 'fsub'])} {self.flag()}{self.type} {self.values.pop()}, {self.pick()}")
        elif kind == "double" and self.spells_double:
            self.add(f"fmul {self.flag()}{self.type} {self.pick()}, 2.0")
        elif kind == "double":
            value = self.pick()
            self.add(f"fadd {self.flag()}{self.type} {value}, {value}")
        elif kind == "store":
            self.store(self.pick())
        else:
            left, right = self.pick(), self.pick()
            while kind != "fmul" and left == right:
                right = self.pick()
            self.add(f"{kind} {self.flag()}{self.type} {left}, {right}")

    def store(self, value):
        self.lines.append(f"  store volatile {self.type} {value}, ptr %p")

    def text(self, number):
        for _ in range(self.random.randint(2, 24)):
            self.step()
        used = set(re.findall(r"%\w+", " ".join(line.partition("=")[2] or line for line in self.lines)))
        for value in self.values[4:]:
            if value not in used:
                self.store(value)
        arguments = ", ".join(f"{self.type} %{name}" for name in "abcd")
        name = f"f{number}" + ("_split" if self.type == "<2 x float>" else "")
        return "\n".join([f"define void @{name}({arguments}, ptr %p) {{"] + self.lines + ["  ret void", "}"])


def module(seed, number, flags):
    print('target triple = "nvptx64-nvidia-cuda"')
    for i in range(number):
        print(Block(seed + i, flags).text(i))


ARITHMETIC = re.compile(r"^\s*(add|sub|mul|fma)(\.rn)?(\.ftz)?\.(bf16x2|f16x2|bf16|f16|f32|f64)\s")


def of_llc(text):
    counts, name = {}, None
    for line in text.splitlines():
        begin = re.match(r"\s*// -- Begin function (\w+)|\s*// \.globl\s+(\w+)", line)
        if begin:
            name = begin.group(1) or begin.group(2)
            counts[name] = [0, 0]
        found = ARITHMETIC.match(line)
        if found and name:
            counts[name][found.group(1) == "fma"] += 0.5 if name.endswith("_split") else 1
    return counts


def predicted(text):
    lines = re.findall(r"^(\w+): (\d+) sums and products, (\d+) fmas", text, re.M)
    return {name: [int(plain), int(fused)] for name, plain, fused in lines}


def compare(ptx, prediction):
    made, said = of_llc(open(ptx).read()), predicted(open(prediction).read())
    wrong = [name for name in said if made.get(name) != said[name]]
    for name in wrong[:8]:
        print(f"{name}: llc has {made.get(name)}, predicted {said[name]} (sums and products, fmas)")
    print(f"{len(said)} functions, {len(wrong)} differ")
    return 1 if wrong or not said else 0


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        sys.exit(compare(*sys.argv[2:]))
    module(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
