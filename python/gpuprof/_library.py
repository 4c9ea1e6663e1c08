# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds libgpuprof: the one that GPUPROF_LIBRARY names, that of the process, or the installed one.

It is opened when the package is imported, so that an extension imported later finds it by its name, without a run path.
"""
import ctypes
import os
import shutil
import sysconfig
import warnings

SONAME = "libgpuprof.so.0"


class StatusOfLibrary(ctypes.Structure):
    """struct gpuprof_status"""

    _fields_ = [("state", ctypes.c_int), ("launches", ctypes.c_uint64), ("problems", ctypes.c_uint64),
                ("version", ctypes.c_char_p), ("device", ctypes.c_char_p)]


FUNCTIONS = {
    "gpuprof_region_begin_as": (ctypes.c_uint32, [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p]),
    "gpuprof_region_end": (None, [ctypes.c_uint32]),
    "gpuprof_expect": (None, [ctypes.c_double, ctypes.c_double, ctypes.c_double]),
    "gpuprof_count": (None, [ctypes.c_char_p, ctypes.c_int64]),
    "gpuprof_step": (None, [ctypes.c_int64]),
    "gpuprof_enable": (None, []),
    "gpuprof_disable": (None, []),
    "gpuprof_flush": (ctypes.c_int, []),
    "gpuprof_finish": (None, []),
    "gpuprof_status": (None, [ctypes.POINTER(StatusOfLibrary)]),
}

def _candidates():
    """Paths in the order in which they are tried, each with the flags of dlopen()."""
    yield SONAME, os.RTLD_NOLOAD | os.RTLD_NOW
    package = os.path.dirname(os.path.realpath(__file__))
    yield os.path.join(package, "..", "..", "..", SONAME), os.RTLD_NOW  # <prefix>/lib/gpuprof/python/gpuprof
    command = shutil.which("gpuprof")
    if command:
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(command)))
        for folder in ("lib", "lib64", os.path.join("lib", sysconfig.get_config_var("MULTIARCH") or "")):
            yield os.path.join(prefix, folder, SONAME), os.RTLD_NOW
    yield SONAME, os.RTLD_NOW


def _open(path, flags):
    library = ctypes.CDLL(path, mode=flags | os.RTLD_LOCAL)
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _find():
    """The library, and an empty text; or None, and why there is none."""
    named = os.environ.get("GPUPROF_LIBRARY")
    for path, flags in [(named, os.RTLD_NOW)] if named else _candidates():
        try:
            return _open(path, flags), ""
        except (OSError, AttributeError) as error:  # not there, or another library
            reason = "%s cannot be used (%s)" % (named or SONAME, error)
    return None, reason


_library, _reason = _find()


def opened():
    """The library, or None: one that an extension brought after the import serves, too."""
    global _library, _reason
    if not _library:
        _library, _reason = _find()
    return _library


_is_told = False


def library():
    """The library, or None after one warning. It is looked for until then."""
    global _is_told
    if not _library and not _is_told and not opened():
        _is_told = True
        warnings.warn("gpuprof: %s, so that nothing is recorded; set GPUPROF_LIBRARY to the path of %s" % (_reason, SONAME),
                      RuntimeWarning, stacklevel=3)  # the caller of the package
    return _library
