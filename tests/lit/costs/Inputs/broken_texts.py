"""Writes a module with the asm texts of rows-ptx-*.ll, each cut off after every character, and with every character
replaced by one that means something to a parser."""
import glob
import os
import re
import sys

texts = {"{ .reg .pred p; /* a */ @!p ld.global.v4.f32 {a,b,c,d}, [$0+4]; // b\\0A L: bra L; }", "${0:c}$$", "@", "a:", "::."}
for path in glob.glob(os.path.join(sys.argv[1], "rows-ptx-*.ll")):
    with open(path) as file:
        texts |= set(re.findall(r'asm sideeffect "([^"]*)"', file.read()))
broken = set()
for text in sorted(texts):
    for at in range(len(text) + 1):
        broken.add(text[:at])
        broken.add(text[:at] + "{}[]();:.,@$|/*\t\\"[at % 17 % 16] + text[at + 1:])
with open(sys.argv[2], "w") as out:
    out.write('target triple = "nvptx64-nvidia-cuda"\ndefine void @texts(i32 %i) {\n')
    for text in sorted(broken):
        escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\{ord(c):02X}" for c in text)
        out.write(f'  call void asm sideeffect "{escaped}", "r"(i32 %i)\n')
    out.write("  ret void\n}\n")
print(len(broken), "texts")
