"""Holds a roofline picture to its document: axes, roofs and markers are where the numbers say, no two texts overlap,
no text covers a marker, and all is inside the picture.

    check_svg.py DOCUMENT.json PICTURE.svg [--unlabelled N]

Positions are worked out here from the axis labels alone, so that a wrong scale in the program cannot hide.
"""
import json
import math
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
PREFIX = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
errors = []


def complain(message):
    errors.append(message)


def width(text, size):
    """A generous estimate: what a wide sans-serif font takes."""
    narrow, wide = "ijl.,:;'|!I ft()[]/", "mwMW@%"
    return size * sum(0.36 if c in narrow else 0.95 if c in wide else 0.62 for c in text)


def value_of(label):
    number, _, prefix = label.partition(" ")
    return float(number) * PREFIX[prefix]


class Axis:
    """log10(value) → pixels, from the first and the last tick."""

    def __init__(self, ticks):
        (a, x), (b, y) = ticks[0], ticks[-1]
        self.scale = (y - x) / (math.log10(b) - math.log10(a))
        self.origin = x - self.scale * math.log10(a)
        for value, at in ticks:
            if abs(self.at(value) - at) > 0.05:
                complain(f"the tick {value:g} is at {at}, not at {self.at(value):.2f}")

    def at(self, value):
        return self.origin + self.scale * math.log10(value)


def texts(root):
    for element in root.iter(SVG + "text"):
        size = float(element.get("font-size"))
        x, y = float(element.get("x")), float(element.get("y"))
        wide = width(element.text, size)
        anchor = element.get("text-anchor", "start")
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        yield element, (left, y - size * 0.78, left + wide, y + size * 0.22)


def read_axes(root):
    xs, ys = [], []
    for element, _ in texts(root):
        try:
            value = value_of(element.text)
        except (ValueError, KeyError):
            continue
        if element.get("text-anchor") == "middle" and "halo" not in element.get("class"):
            xs.append((value, float(element.get("x"))))
        elif element.get("text-anchor") == "end":
            ys.append((value, float(element.get("y")) - 4.5))
    if len(xs) < 2 or len(ys) < 2:
        complain("fewer than two ticks on an axis")
        raise SystemExit("\n".join(errors))
    return Axis(xs), Axis(ys)


def entries(document):
    def walk(rows):
        for row in rows:
            yield row
            yield from walk(row["children"])

    yield from walk(document["regions"])
    yield from document["kernels"]


def expected_points(document):
    points = {}
    for row in entries(document):
        place, intensity = row["roofline"], row["intensity"]
        x = intensity["dram"] or intensity["requested"]
        y = place["attained_per_second"] or place["attainable_per_second"]
        if row["flops"]["total"] and x and y:
            title = row["path"] if row in document["regions"] or row["parent"] else row["name"]
            points.setdefault(row["path"], []).append((x, y, place["attained_per_second"] is None, title))
    return points


def center(mark):
    if mark.tag == SVG + "circle":
        return float(mark.get("cx")), float(mark.get("cy"))
    numbers = [float(n) for n in mark.get("d").replace("M", " ").replace("L", " ").replace("Z", " ").split()]
    return sum(numbers[0::2]) / 4, sum(numbers[1::2]) / 4


def check_points(root, document, x_axis, y_axis):
    points, seen, centers = expected_points(document), set(), []
    for group in root.iter(SVG + "g"):
        title, mark = group.find(SVG + "title").text, group[1]
        x, y = center(mark)
        centers.append((x, y))
        for paragraph in title.split("\n\n"):
            path = paragraph.split("\n")[0]
            for intensity, rate, hollow, _ in points.get(path, []):
                seen.add(path)
                if abs(x_axis.at(intensity) - x) > 3 or abs(y_axis.at(rate) - y) > 3:
                    complain(f"{path} is at ({x}, {y}), not at ({x_axis.at(intensity):.2f}, {y_axis.at(rate):.2f})")
                light = mark.get("fill-opacity") is not None
                if not light and hollow != ("f-ground" in mark.get("class")):
                    complain(f"{path}: hollow must be {hollow}")
            if path not in points:
                complain(f"a marker for '{path}', which is not in the document")
    for path in points.keys() - seen:
        complain(f"no marker for '{path}'")
    return centers


def check_roofs(root, document, x_axis, y_axis):
    dram = next(c["per_second"] for c in document["ceilings"]["bytes"] if c["level"] == "dram")
    lines = [tuple(float(e.get(k)) for k in ("x1", "y1", "x2", "y2")) for e in root.iter(SVG + "line")
             if e.get("class") in ("s-roof", "s-ceiling") and not e.get("stroke-dasharray")]
    slanted = [l for l in lines if l[1] != l[3]]
    if len(slanted) != 1:
        return complain(f"{len(slanted)} DRAM roofs")
    x1, y1, x2, y2 = slanted[0]
    for x, y in ((x1, y1), (x2, y2)):
        rate = 10 ** ((y - y_axis.origin) / y_axis.scale)
        if abs(x_axis.at(rate / dram) - x) > 0.2:
            complain(f"the DRAM roof passes ({x}, {y}), but {rate:g} / {dram:g} is at {x_axis.at(rate / dram):.2f}")
    rates = [c["per_second"] for c in document["ceilings"]["flops"]]
    for x, y, _, _ in (l for l in lines if l[1] == l[3]):
        rate = min(rates, key=lambda r: abs(y_axis.at(r) - y))
        if abs(y_axis.at(rate) - y) > 0.1 or abs(x_axis.at(rate / dram) - x) > 0.2:
            complain(f"the ceiling at y={y} begins at {x}, its ridge is at {x_axis.at(rate / dram):.2f}")


def overlap(a, b):
    return a[0] < b[2] - 0.5 and b[0] < a[2] - 0.5 and a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5


def check_texts(root, centers):
    straight = [(e, box) for e, box in texts(root) if not e.get("transform")]
    for i, (element, box) in enumerate(straight):
        if box[0] < 0 or box[1] < 0 or box[2] > 1100 or box[3] > 720:
            complain(f"'{element.text}' leaves the picture: {box}")
        for other, other_box in straight[i + 1:]:
            if overlap(box, other_box):
                complain(f"'{element.text}' and '{other.text}' overlap")
        for x, y in centers:
            if "halo" in element.get("class") and overlap(box, (x - 6, y - 6, x + 6, y + 6)):
                complain(f"'{element.text}' covers the marker at ({x}, {y})")


def main():
    document = json.load(open(sys.argv[1]))
    root = ET.parse(sys.argv[2]).getroot()
    allowed = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    x_axis, y_axis = read_axes(root)
    centers = check_points(root, document, x_axis, y_axis)
    check_roofs(root, document, x_axis, y_axis)
    check_texts(root, centers)
    names = sum(1 for e, _ in texts(root) if "halo" in e.get("class") and e.get("class").startswith(("f-ink", "f-alarm")))
    light = sum(1 for e, _ in texts(root) if "halo" in e.get("class") and e.text.startswith("attention.tiled."))
    if len(centers) - names - light > allowed:
        complain(f"{len(centers)} markers but {names + light} names")
    print("\n".join(errors) if errors else f"{len(centers)} markers, {names + light} names: right")
    sys.exit(1 if errors else 0)


main()
