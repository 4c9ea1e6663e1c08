# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_seeds.py TEXTS FOLDER: what fuzz targets begin with, made of other tests.

FOLDER/ptx has each line of TEXTS (tests/lit/cpu/Inputs/ptx_texts.txt), and its instructions without operands; FOLDER/ptx.dict
has its words; FOLDER/pragma has choices for pragma_source.h."""
import os
import random
import re
import shutil
import sys

# fuzz_inline_ptx has one operand of each kind.
NUMBERS = {"=r": "$0", "=l": "$1", "=f": "$2", "=d": "$3", "=h": "$4", "r": "$5", "l": "$6", "f": "$7", "d": "$8", "h": "$9", "n": "$12"}


def ptx(path):
    for line in open(path, encoding="utf-8"):
        constraints, bar, text = line.partition("|")
        if not bar or line.startswith("#"):
            continue
        kinds = [kind.replace("+", "=") for kind in constraints.split()]
        text = re.sub(r"%(\d+)", lambda m: NUMBERS.get(kinds[int(m[1])] if int(m[1]) < len(kinds) else "", "$0"), text.strip())
        text = text.replace("%%", "%")
        yield text
        # Without the operands, and with too few.
        for opcode in re.findall(r"(?:^|[;{}])\s*(?:@!?\w+ )?([a-z][a-z0-9_.:]*)", text):
            yield opcode + ";"
            yield opcode + " $0;"


def write(folder, number, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "%04d" % number), "wb") as out:
        out.write(data)


def main():
    texts, folder = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    words = {"@p ", "@!p ", ".reg .pred p;", ".reg .b32 t;", "{", "}", "$$", "${0:c}", "L: ", "bra L;", "bra.uni L;", "[$10]", "[$11+16]", "$12", "_"}
    for number, text in enumerate(dict.fromkeys(ptx(texts))):
        write(os.path.join(folder, "ptx"), number, text.encode())
        words.update(re.findall(r"[a-z][a-z0-9_.:]*|\$\d+|[{}\[\];,@!|]", text))
    with open(os.path.join(folder, "ptx.dict"), "w", encoding="utf-8") as out:
        out.writelines('"%s"\n' % word.replace("\\", "\\\\").replace('"', '\\"') for word in sorted(words))
    chance = random.Random(1)
    for number in range(64):
        write(os.path.join(folder, "pragma"), number, bytes(chance.randrange(256) for _ in range(chance.randint(16, 400))))


main()
