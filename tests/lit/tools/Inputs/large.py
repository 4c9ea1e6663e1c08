"""Writes a document of many regions: large.py DOCUMENT OUT layers STEPS LINES, regions N, chain N or flat N.

layers: 20 layers in the regions of STEPS time steps, with LINES source lines a kernel; regions: N regions below one
another's root; chain: N regions each within the one before; flat: as chain, but beside one another, with parents by
their paths.
"""
import copy
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
out, shape, numbers = sys.argv[2], sys.argv[3], [int(number) for number in sys.argv[4:]]
template = document["regions"][0]
template["children"] = []


def region(name, path, parent, number):
    made = copy.copy(template)
    made.update(name=name, path=path, parent=parent, launches=number + 1, children=[])
    return made


def layers(steps, lines):
    roots = []
    for layer in range(20):
        root = region("layer%d" % layer, "layer%d" % layer, "", layer)
        root["children"] = [region("step_%d" % t, "layer%d/step_%d" % (layer, t), root["path"], t) for t in range(steps)]
        roots.append(root)
    for kernel in document["kernels"]:
        kernel["lines"] = [{"file": "kernels/layer%d.cu" % (line % 20), "line": line, "flops": line, "bytes": 4 * line,
                            "shared_bytes": 0, "special_functions": 0, "integer_ops": 0, "executions": line}
                           for line in range(1, lines + 1)]
    return roots


def chain(count):
    # Paths of their own: paths with the enclosing names would make the document quadratic.
    regions = [region("r%d" % i, "p%d" % i, "p%d" % (i - 1) if i else "", i) for i in range(count)]
    return regions


if shape == "layers":
    document["regions"] = layers(*numbers)
elif shape == "regions":
    document["regions"] = [region("region %d" % i, "region %d" % i, "", i) for i in range(numbers[0])]
elif shape == "flat":
    document["regions"] = chain(numbers[0])[::-1]
if shape != "chain":
    with open(out, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
    sys.exit()
# json recurses: the text of a chain is put together from its ends.
regions = chain(numbers[0])
parts = [json.dumps(made).replace('"children": []', '"children": [@]') for made in regions]
document["regions"] = "@"
begin, end = json.dumps(document).split('"@"')
with open(out, "w", encoding="utf-8") as file:
    file.write(begin + "[")
    file.write("".join(part.split("@")[0] for part in parts))
    file.write("".join(part.split("@")[1] for part in reversed(parts)))
    file.write("]" + end)
