# Assembles each NAME.ARCHITECTURE.ptx of a folder for the first architecture that has it, and for the heads of later families, as
# far as the assembler knows them.
import os
import re
import subprocess
import sys

assembler, folder = sys.argv[1:]
help_text = subprocess.run([assembler, "--help"], capture_output=True, text=True, check=True).stdout
known = sorted({int(number) for number in re.findall(r"'sm_(\d+)'", help_text)})
emulated = {}
count = 0
for name in sorted(os.listdir(folder)):
    kernel, architecture = re.fullmatch(r"(.*)\.sm_(\d+a?)\.ptx", name).groups()
    later = [] if architecture.endswith("a") else [n for n in known if n >= int(architecture)]
    targets = [architecture] if architecture.endswith("a") else [str(n) for n in later if n == later[0] or n in (90, 100, 120)]
    if not targets or int(targets[0].rstrip("a")) > known[-1]:
        print("%s: this ptxas knows no sm_%s" % (kernel, architecture))
        continue
    for target in targets:
        result = subprocess.run([assembler, "-arch=sm_" + target, os.path.join(folder, name), "-o", os.devnull],
                                capture_output=True, text=True, check=False)
        if result.returncode:
            sys.exit("%s for sm_%s: %s" % (kernel, target, result.stderr))
    print("%s: %s" % (kernel, " ".join("sm_" + target for target in targets)))
    count += 1
print(count, "kernels assemble")
