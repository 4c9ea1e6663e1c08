"""counts.py REPORT OUTPUT: the counts in a report are those that the program printed.

A line "COUNT NAME key=number ..." in OUTPUT names a kernel, or a region as region:NAME, and all that it counts besides
integer operations, compares and conversions. A key is made of the report's JSON keys joined by dots; one that
stands for several (flops.fp32) is their sum.
Exit 0: all equal, and the program said "all right".
"""
import re
import sys

import read_document

COUNTED = re.compile(
    r"flops\.(fp64|fp32|fp16|bf16|tensor)\.\w+$|bytes\.(global|shared|local|constant)\.(load|store|atomic)$"
    r"|special_functions$|atomic_ops$|snn\.(spikes_positive|spikes_negative|silent)$|user_counters\."
)


def numbers(value, path=""):
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from numbers(inner, path + key + ".")
        elif isinstance(inner, (int, float)):
            yield path + key, inner


def regions(entries):
    for entry in entries:
        yield entry
        yield from regions(entry["children"])


def own_name(name):
    """The function's own name out of a demangled one."""
    return re.match(r"(?:void )?(?:[\w:()<> ]*::)?(\w+)", name).group(1)


def counted_by_name(report):
    """The sums of all kernels and regions of one name."""
    found = {}
    named = [(own_name(k["name"]), k) for k in report["kernels"]]
    named += [("region:" + r["name"], r) for r in regions(report["regions"])]
    for name, entry in named:
        total = found.setdefault(name, {})
        for key, number in numbers(entry):
            if COUNTED.match(key):
                total[key] = total.get(key, 0) + number
    return found


def differences(name, expected, found):
    """What a kernel or region counts otherwise than stated, as lines of text."""
    found = dict(found)
    for key in expected.keys() - found.keys():
        parts = [part for part in found if part.startswith(key + ".")]
        if parts:
            found[key] = sum(found.pop(part) for part in parts)
    return [
        "%s: %s is %s, expected %d" % (name, key, found.get(key), expected.get(key, 0))
        for key in sorted(expected.keys() | found.keys())
        if expected.get(key, 0) != found.get(key, 0)
    ]


def problems_of(report, output):
    """What a report counts otherwise than the program's output states; each kernel that was not counted whole."""
    found = counted_by_name(report)
    problems = ["uncounted: %s" % u for u in report["uncounted"]]
    for name, pairs in re.findall(r"^COUNT (\S+)(.*)$", output, re.M):
        if name not in found:
            problems.append("%s is not in the report, which has %s" % (name, ", ".join(sorted(found))))
            continue
        expected = {key: int(number) for key, number in (pair.split("=") for pair in pairs.split())}
        problems += differences(name, expected, found[name])
    return problems


def main(arguments):
    report = read_document.load(arguments[0])
    output = open(arguments[1]).read()
    if "all right" not in output:
        sys.exit("error: the program failed:\n" + output)
    problems = problems_of(report, output)
    if not re.search(r"^COUNT ", output, re.M):
        problems.append("the program states no counts")
    for problem in problems:
        print("error: " + problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
