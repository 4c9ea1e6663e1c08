"""Reads the output of print<gpuprof-intrinsics>: each matrix product must be 2·m·n·k for the warp, in its type's class."""
import re
import sys


def expected_class(words):
    """By the type of the left matrix: the first of four types, the only one, or, of fp16, none but accumulators."""
    if any(word.startswith("mxf4") for word in words):
        return "tensor_fp4"
    types = [w for w in words if re.fullmatch(r"b?f\d+|tf32|[su]\d+|b1|e\dm\d", w)]
    left = types[1] if len(types) == 4 else types[0]
    if re.fullmatch(r"e\dm\d", left):
        return "tensor_fp8"
    if re.fullmatch(r"[su]\d|b1", left):
        return "tensor_int" + left[1:]
    return {"bf16": "tensor_bf16", "tf32": "tensor_tf32", "f64": "tensor_fp64"}.get(left, "tensor_fp16")


products = 0
for line in sys.stdin:
    name, _, cost = line.strip().partition(":")
    words = name.split(".")[2:]
    shape = next((re.fullmatch(r"m(\d+)n(\d+)k(\d+)", w) for w in words if re.fullmatch(r"m\d+n\d+k\d+", w)), None)
    if words[:1] not in (["mma"], ["wmma"]) or not shape or "load" in words or "store" in words:
        continue
    m, n, k = (int(size) for size in shape.groups())
    cls = expected_class([w for w in words if w not in ("f32", "ue8m0", "ue4m3")] if "block" in words else words)
    warp = 2 * m * n * k
    if "sp" in words:
        warp //= 2  # half of the products are with zeros, which are not stored
    if cls == "tensor_fp16" and (m, n, k) == (8, 8, 4):
        warp *= 4  # one for each quarter of the warp
    products += 1
    expected = "%s=%d  %s=%d" % (cls, warp // 32, cls.replace("tensor", "mma_sync"), warp // 32)
    if cost.split() != expected.split():
        print(f"{name}: {cost.strip()} instead of {expected}")
print("products:", products)
