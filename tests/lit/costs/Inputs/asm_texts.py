"""Collects the asm texts of a preprocessed CUDA source, and writes a module that has each of them once.

asm_texts.py SOURCE.ii MODULE.ll [PART OF A HEADER'S NAME]…: only texts that stand in such headers."""
import ast
import re
import sys

source, module, *headers = sys.argv[1:]
MARKER = re.compile(r'^# \d+ "([^"]*)"')
ASM = re.compile(r"\b(?:__asm__|__asm|asm)\b\s*(?:(?:volatile|__volatile__|__volatile)\b\s*)?\(")
STRING = re.compile(r'\s*((?:"(?:[^"\\\n]|\\.)*"\s*)+)')


def read(path):
    """The text of the wanted headers: linemarkers say where each line comes from."""
    wanted, kept = not headers, []
    with open(path, errors="replace") as file:
        for line in file:
            marker = MARKER.match(line)
            if marker:
                wanted = not headers or any(part in marker.group(1) for part in headers)
            elif wanted:
                kept.append(line)
    return "".join(kept)


def llvm_text(text):
    """GCC's spelling to LLVM's: %0 is $0, %% is %, $ is $$."""
    text = text.replace("$", "$$")
    return re.sub(r"%(%|\d+|\[\w+\])", lambda m: "%" if m[1] == "%" else "$" + (m[1] if m[1].isdigit() else "0"), text)


texts, found = {}, read(source)
for asm in ASM.finditer(found):
    literal = STRING.match(found, asm.end())
    if literal:
        texts[llvm_text("".join(ast.literal_eval(s) for s in re.findall(r'"(?:[^"\\\n]|\\.)*"', literal[1])))] = None
with open(module, "w") as out:
    out.write('target triple = "nvptx64-nvidia-cuda"\ndefine void @texts() {\n')
    for text in texts:
        escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\{ord(c):02X}" for c in text)
        out.write(f'  call void asm sideeffect "{escaped}", ""()\n')
    out.write("  ret void\n}\n")
print(len(texts), "texts")
