# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the output that a page shows is the output of its command."""
import functools
import re

ANY = "…"
TIME = r"\b\d[\d.,]*(?:e[+-]?\d+)? ?(?:ns|us|µs|ms|s|min)\b"
# Text that differs between two runs or two machines. Times stay where a block is marked `exact`.
VARYING = [
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ · [^·\n]* · pid \d+"), "DATE · HOST · PID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "DATE"),
    (re.compile(r"\bgpuprof-\d+\.json"), "gpuprof-PID.json"),
    (re.compile(r"\bpid \d+"), "pid PID"),
    (re.compile(r"\bclang \d+\.\d+(?:\.\d+)?"), "clang VERSION"),
]
NOTE = "gpuprof: note: "


@functools.lru_cache(maxsize=None)
def normal(line, exact):
    """One space for several, one dash for a rule, and a word for what varies."""
    if not exact:
        for pattern, word in VARYING:
            line = pattern.sub(word, line)
        line = re.sub(TIME, "TIME", line)
    return re.sub("─+", "─", re.sub(r"\s+", " ", line)).strip()


def matches_line(expected, actual, exact=False):
    parts = [re.escape(normal(part, exact)) for part in expected.split(ANY)]
    return re.fullmatch(r"\s*.*\s*".join(parts), normal(actual, exact)) is not None


def is_gap(line):
    return line.strip() == ANY


def trimmed(lines):
    lines = list(lines)
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return lines


def without_notes(expected, actual):
    """Notes of the command depend on the machine; a page may leave them out."""
    if any(line.startswith(NOTE) for line in expected):
        return actual
    return [line for line in actual if not line.startswith(NOTE)]


def joined(lines):
    """The line of a report that names the host is one line, however long the name is."""
    text = "\n".join(lines)
    return re.sub(r"(?m)^( run {7}\S.*)\n {11}(?=\S)", r"\1 ", text).split("\n")


def prepared(expected, actual):
    expected, actual = trimmed(joined(expected)), trimmed(joined(actual))
    return expected, trimmed(without_notes(expected, actual))


def matches(expected, actual, exact=False):
    """Whether the lines that a page shows are those that were printed."""
    expected, actual = prepared(expected, actual)
    reachable = {0}  # numbers of printed lines that the shown ones so far may stand for
    for line in expected:
        if is_gap(line):
            reachable = set(range(min(reachable), len(actual) + 1))
        else:
            reachable = {i + 1 for i in reachable if i < len(actual) and matches_line(line, actual[i], exact)}
        if not reachable:
            return False
    return len(actual) in reachable


def first_difference(expected, actual, exact=False):
    """Index of the first shown line that stands for no printed one."""
    for count in range(1, len(expected) + 1):
        if not matches(expected[:count] + [ANY], actual, exact):
            return count - 1
    return len(expected)


def between(shown, printed):
    """Lines between two that match: left out where the page leaves out no more than lines."""
    gap = [line for line in shown if is_gap(line)]
    if gap and len(gap) == len([line for line in shown if line.strip()]):
        return gap[:1]
    return [line.rstrip() for line in printed]


def renewed(expected, actual, exact=False):
    """The printed lines, with the page's own where they still match: `…` and times stay as the author wrote them."""
    expected, actual = prepared(expected, actual)
    rows, columns = len(expected), len(actual)
    kept = [[0] * (columns + 1) for _ in range(rows + 1)]
    same = [[not is_gap(e) and matches_line(e, a, exact) for a in actual] for e in expected]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            kept[i][j] = kept[i + 1][j + 1] + 1 if same[i][j] else max(kept[i + 1][j], kept[i][j + 1])
    lines, i, j, last = [], 0, 0, 0
    while j < columns:
        begin = j
        while i < rows and j < columns and not same[i][j] and kept[i][j]:
            i, j = (i + 1, j) if kept[i + 1][j] == kept[i][j] else (i, j + 1)
        matched = i < rows and j < columns and same[i][j]
        lines += between(expected[last:i if matched else rows], actual[begin:j if matched else columns])
        if not matched:
            break
        lines.append(expected[i])
        i, j = i + 1, j + 1
        last = i
    return lines
