"""The picture of firing rates has a bar for each layer and step, as high as its rate: check_firing.py DOCUMENT SVG."""
import json
import sys
import xml.etree.ElementTree as xml

document_file, picture_file = sys.argv[1:3]
with open(document_file, encoding="utf-8") as file:
    network = json.load(file)["regions"][0]
layers = [network] + network["children"]
wanted = {}
for layer in layers:
    for step in layer["snn"]["per_step"]:
        values = step["spikes_positive"] + step["spikes_negative"] + step["silent"]
        wanted[layer["path"], step["step"]] = (step["spikes_positive"] / values, step["spikes_negative"] / values)

space = "{http://www.w3.org/2000/svg}"
bars = {}
for group in xml.parse(picture_file).getroot().iter(space + "g"):
    title = group.find(space + "title").text.split("\n")
    rectangles = {one.get("class"): one for one in group.iter(space + "rect")}
    bars[title[0], int(title[1].split()[1].rstrip(":"))] = rectangles
if set(bars) != set(wanted):
    sys.exit("other bars: %s" % (set(bars) ^ set(wanted)))
highest = max(sum(pair) for pair in wanted.values())
scale = max(float(r["f-forward"].get("height")) / wanted[k][0] for k, r in bars.items())
for key, rectangles in bars.items():
    for ink, rate in zip(("f-forward", "f-backward"), wanted[key]):
        height = float(rectangles[ink].get("height")) if ink in rectangles else 0
        if abs(height - rate * scale) > 0.02 + 0.001 * scale * rate:
            sys.exit("%s, %s: %g pixels high, not %g" % (key, ink, height, rate * scale))
columns = sorted({float(r["f-forward"].get("x")) for r in bars.values()})
print("%d bars in %d columns, highest %.3g" % (len(bars), len(columns), highest))
