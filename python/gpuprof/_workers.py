# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forked workers of multiprocessing end by os._exit(), which runs no handler of exit. They write their documents before it."""
import os
import sys

from ._library import opened


def _finish():
    own = opened()
    if own:
        own.gpuprof_finish()


def _finish_worker(_):
    """In a new worker: behind all other finalizers."""
    sys.modules["multiprocessing.util"].Finalize(None, _finish, exitpriority=-1000)


def _in_child():
    """A worker forgets its parent's finalizers when it starts, and then calls what was registered for after forks."""
    util = sys.modules.get("multiprocessing.util")
    if util and opened():
        util.register_after_fork(_finish_worker, _finish_worker)


def watch():
    os.register_at_fork(after_in_child=_in_child)
