#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links of pages to a heading, [text](page.md#heading), name a heading of that page.

usage: tests/rules/doc_anchors.py [ROOT]
"""
import glob
import os
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]*)#([^)\s]+)\)")


def prose(path):
    with open(path, encoding="utf-8") as file:
        return re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)


def anchor(heading):
    """As GitHub makes it: small letters, no punctuation, a dash for a space."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(text):
    """Of several equal headings the later ones have a number."""
    found = set()
    for heading in re.findall(r"^#+ (.*)", text, re.M):
        name, count = anchor(heading), 0
        while (name if not count else "%s-%d" % (name, count)) in found:
            count += 1
        found.add(name if not count else "%s-%d" % (name, count))
    return found


def wrong_links(root):
    pages = [p for p in glob.glob(os.path.join(root, "**", "*.md"), recursive=True)
             if not os.path.relpath(p, root).startswith(("build", "."))]
    texts = {os.path.normpath(page): prose(page) for page in sorted(pages)}
    known = {page: anchors(text) for page, text in texts.items()}
    for page, text in texts.items():
        for target, name in LINK.findall(text):
            path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
            if path in known and name not in known[path]:
                yield "%s: no such heading: %s#%s" % (os.path.relpath(page, root), target, name)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    wrong = list(wrong_links(root))
    print("\n".join(wrong) or "doc-anchors: every link to a heading has one")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
