# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpuprof for Python: regions, steps and nominal work of a program, and its documents.

    import gpuprof

    with gpuprof.region("training"):
        for i, batch in enumerate(batches):
            gpuprof.step(i)
            with gpuprof.region("loss", phase="forward"):
                ...

    for row in gpuprof.read("gpuprof.json").walk():
        print(row.path, row.launches, row.flops.total)

The functions call libgpuprof (gpuprof.h). Without it they do nothing, after one warning.
"""
from . import _workers
from ._calls import Status, count, disable, enable, expect, finish, flush, region, status, step
from ._document import Document, Row, read

__all__ = ["Document", "Row", "Status", "count", "disable", "enable", "expect", "finish", "flush", "read", "region", "status",
           "step"]

_workers.watch()
