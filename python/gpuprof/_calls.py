# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of gpuprof.h."""
import contextlib
import ctypes
import threading
import typing

from ._library import StatusOfLibrary, library


def _text(value):
    """None stays None; a name ends at its first null, as in C."""
    return None if value is None else str(value).encode("utf-8", "replace")


class region(contextlib.ContextDecorator):
    """A region around a block or a function: what the calling thread launches in it counts for it.

    with gpuprof.region("loss", phase="forward"):
        ...

    @gpuprof.region("loss", phase="forward")
    def loss(...):
        ...
    """

    def __init__(self, name: str, phase: typing.Optional[str] = None, category: typing.Optional[str] = None):
        self._description = (name, phase, category)
        self._texts = [_text(part) for part in self._description]
        self._tokens = {}  # those of each thread: an object may be entered anew before it is left

    def _recreate_cm(self):
        return type(self)(*self._description)  # each call of a decorated function has its own

    def __enter__(self):
        own = library()
        token = own.gpuprof_region_begin_as(*self._texts) if own else 0
        self._tokens.setdefault(threading.get_ident(), []).append(token)
        return self

    def __exit__(self, *exception):
        token = self._tokens[threading.get_ident()].pop()
        if token:
            library().gpuprof_region_end(token)
        return False


def step(number: int) -> None:
    """Begins step `number` of the innermost open region: until the next step, what runs belongs to step_<number>."""
    own = library()
    if own:
        own.gpuprof_step(number)


def expect(flops: float = 0, bytes: float = 0, items: float = 0) -> None:
    """States the nominal work of this execution of the innermost open region. Several calls add up."""
    own = library()
    if own:
        own.gpuprof_expect(flops, bytes, items)


def count(name: str, amount: int = 1) -> None:
    """Adds to a counter of your own in the innermost open region."""
    own = library()
    if own:
        own.gpuprof_count(_text(name), amount)


def enable() -> None:
    """Resumes profiling in the whole process."""
    own = library()
    if own:
        own.gpuprof_enable()


def disable() -> None:
    """Pauses profiling in the whole process."""
    own = library()
    if own:
        own.gpuprof_disable()


def flush() -> bool:
    """Writes the document as it stands now; it is written at the end of the program anyway. True if it was written."""
    own = library()
    return bool(own) and own.gpuprof_flush() == 0


def finish() -> None:
    """Writes the document as the last one, for a process that ends by os._exit(). Workers of multiprocessing do it by themselves."""
    own = library()
    if own:
        own.gpuprof_finish()


class Status(typing.NamedTuple):
    """What gpuprof_status() says. `device` is None until a device was used."""

    state: str
    launches: int
    problems: int
    version: typing.Optional[str]
    device: typing.Optional[str]


def status() -> Status:
    """The state of profiling: "off", "paused" or "on"; "off" without libgpuprof."""
    own = library()
    if not own:
        return Status("off", 0, 0, None, None)
    now = StatusOfLibrary()
    own.gpuprof_status(ctypes.byref(now))
    texts = [text.decode() if text else None for text in (now.version, now.device)]
    return Status(("off", "paused", "on")[now.state], now.launches, now.problems, *texts)
