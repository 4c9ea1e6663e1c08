# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the links of Markdown pages below a folder that lead to no file below it, and the number of pages."""
import os
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
pages = sorted(root.rglob("*.md"))
for page in pages:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        path = pathlib.Path(os.path.normpath(page.parent / target))
        if ":" not in target and not (path.exists() and root in path.parents):
            print("%s: broken link: %s" % (page.relative_to(root), target))
print("%d pages" % len(pages))
