"""spills_of.py DOCUMENT LOG: a line a kernel with its local memory and spills; they are those that ptxas -v wrote into LOG."""
import json
import re
import sys

said = {}
for name, stores, loads in re.findall(r"Function properties for (\w+)\n.*?(\d+) bytes spill stores, (\d+) bytes spill loads",
                                      open(sys.argv[2]).read()):
    said[name] = (int(stores), int(loads))
for kernel in json.load(open(sys.argv[1]))["kernels"]:
    o = kernel["occupancy"]
    found = (o["spill_store_bytes"], o["spill_load_bytes"])
    print(kernel["name"].split("(")[0], "some" if o["local_bytes"] else "no", "local,", "some" if sum(found) else "no", "spills,",
          "as ptxas says" if found == said[kernel["mangled"]] else "not %s but %s" % (said[kernel["mangled"]], found))
