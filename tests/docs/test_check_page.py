# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checker of pages sees each planted mistake, accepts right pages, and writes outputs that it then accepts."""
import os
import subprocess
import sys
import tempfile

CHECKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_page.py")

RIGHT = {
    "words": "$ echo a; echo b\na\nb\n",
    "folders": "$ pwd; echo $PROJECT/tests\n/home/me/app\n/home/me/gpuprof/tests\n",
    "several commands, one shell": "$ mkdir folder; cd folder; word=x\n$ basename $PWD; echo $word\nfolder\nx\n",
    "a line of any text": "$ echo one two three\none … three\n",
    "any lines": "$ seq 9\n1\n…\n5\n…\n9\n",
    "no line for any": "$ seq 2\n1\n…\n2\n",
    "stderr": "$ echo wrong >&2\nwrong\n",
    "an exit status": "$ false\n# exit status 1\n",
    "times vary": "$ echo 'took 12.5 ms, 3 us'\ntook 1 ms, 4.25 us\n",
    "widths vary": "$ echo 'a    b  ───'\na b ──────\n",
    "a process number": "$ echo gpuprof-$$.json\ngpuprof-1234.json\n",
    "a long host": "$ echo ' run       2026-01-01T00:00:00Z · a-long-host · pid 1 · 2 ms ·'; echo '           clang 22.1.8'\n"
                   " run       2025-12-31T00:00:00Z · vm · pid 14496 · 15.4 ms · clang 22.1.9\n",
    "notes left out": "$ echo 'gpuprof: note: a machine'; echo x\nx\n",
    "a continued command": "$ echo a \\\n  b\na b\n",
    "settings": "$ echo $GPUPROF_DEVICE $COLUMNS\ncpu 100\n",
    "a syntax error": "$ echo (\n…\n# exit status 2\n",
}
WRONG = {
    "another word": ("$ echo a\nb\n", "line 3 of the page"),
    "a line too few": ("$ seq 3\n1\n2\n", "line 2: $ seq 3"),
    "a line too many": ("$ seq 2\n1\n2\n3\n", "line 5 of the page"),
    "output that the page hides": ("$ echo a\n$ true\n", "prints something else"),
    "a failure": ("$ false\n", "exits with 1 instead of 0"),
    "no failure": ("$ true\n# exit status 1\n", "exits with 0 instead of 1"),
    "the shell ends": ("$ exit 0\n$ true\n", "ended the shell"),
    "a gap in the wrong place": ("$ seq 9\n…\n5\n6\n8\n…\n", "line 6 of the page"),
    "output first": ("a\n", "begins with a command"),
}
MISTAKES = {
    "another count": ("<!-- exact -->\n```console\n$ echo 12 ms\n13 ms\n```\n", "prints something else"),
    "a failing setup": ("<!-- setup: false -->\n", "exits with 1"),
    "no end": ("```console\n$ true\n", "the block has no end"),
}
FILES = """<!-- file: folder/a.txt -->
```text
  one
two
```
Words. ```not a block```

1. In a list:
   ```console
   $ cat folder/a.txt
     one
   two
   ```
<!-- setup: touch b -->
<!-- needs: no-such-command-anywhere -->
```console
$ no-such-command-anywhere
```
```sh
not run
```
```console
$ ls
b
folder
```
"""
failures = []


def run(text, *options, index=None):
    """(exit status, what the checker says, the page afterwards)"""
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.md")
        with open(page, "w", encoding="utf-8") as out:
            out.write(text)
        if index:
            with open(os.path.join(folder, "README.md"), "w", encoding="utf-8") as out:
                out.write(index)
        done = subprocess.run([sys.executable, "-B", CHECKER, "--build", folder, *options, page], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, encoding="utf-8", env={**os.environ, "PYTHONUTF8": "1"})
        with open(page, encoding="utf-8") as file:
            return done.returncode, done.stdout, file.read()


def expect(what, condition, said):
    if not condition:
        failures.append("%s:\n%s" % (what, said))


def block(lines):
    return "```console\n%s```\n" % lines


def refused(what, text, why, **more):
    status, said, _ = run(text, **more)
    expect(what, status == 1 and why in said, said)


# All right ones in a page, one shell each.
for name, lines in RIGHT.items():
    if name in ("folders", "several commands, one shell"):
        status, said, _ = run(block(lines))
        expect(name, status == 0, said)
status, said, _ = run("".join(block(lines) for name, lines in RIGHT.items()))
expect("all right", status == 0, said)
for name, (lines, why) in WRONG.items():
    refused(name, block(lines), why)
for name, (text, why) in MISTAKES.items():
    refused(name, text, why)
status, said, _ = run(FILES)
expect("files and needs", status == 0 and "no-such-command-anywhere is not on PATH" in said, said)
status, said, _ = run("<!-- needs: no-such-command-anywhere -->\n" + block("$ true\n"))
expect("skipped", status == 77, said)

status, said, _ = run(block("$ echo a\nb\n"), "--statuses")
expect("another LLVM", status == 0 and "another LLVM" in said, said)
status, said, _ = run(block("$ false\n"), "--statuses")
expect("a failure with another LLVM", status == 1, said)

# What --update writes is accepted, keeps what was right, and touches nothing else.
stale = "# Title\n" + block("$ echo 5 ms; seq 3\n7 ms\n1\n9\n$ false\n") + "text\n"
status, said, page = run(stale, "--update")
expect("updated", page == "# Title\n" + block("$ echo 5 ms; seq 3\n7 ms\n1\n2\n3\n$ false\n# exit status 1\n") + "text\n", page)
expect("updated page", run(page)[0] == 0, page)

stale = block("$ seq 9\n1\n…\n4\n0\n6\n…\n")
status, said, page = run(stale, "--update")
expect("updated with gaps", page == block("$ seq 9\n1\n…\n4\n5\n6\n…\n"), page)

# A page that the index lists as a question.
index = "# Manual\n## Questions\n- [a](page.md)\n## Reference\n- [b](other.md)\n"
refused("a long page", block("$ true\n") + "\n" * 200, "at most", index=index)
refused("a late answer", "\n" * 50 + block("$ true\n"), "first command", index=index)
status, said, _ = run("\n" * 200, index=index.replace("page.md", "third.md"))
expect("a reference page", status == 0, said)

with tempfile.TemporaryDirectory() as folder:
    for name, text in ("README.md", index), ("page.md", ""), ("unlisted.md", ""):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text)
    done = subprocess.run([sys.executable, "-B", CHECKER, "--build", folder, os.path.join(folder, "README.md")],
                          stdout=subprocess.PIPE, text=True)
expect("an index", done.returncode == 1 and "unlisted.md" in done.stdout and "not list page.md" not in done.stdout, done.stdout)

for failure in failures:
    print(failure)
print("%d mistakes of the checker" % len(failures) if failures else "docs: the checker sees every planted mistake")
sys.exit(bool(failures))
