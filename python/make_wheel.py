# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wheel of the package for pip (PEP 517). It needs nothing but Python, so that pip downloads nothing."""
import base64
import hashlib
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
METADATA = "Metadata-Version: 2.1\nName: gpuprof\nVersion: %s\nSummary: %s\nRequires-Python: %s\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: gpuprof\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _project():
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return dict(re.findall(r'^([\w-]+) = "(.*)"$', file.read(), re.M))


def _files(project):
    folder = os.path.join(HERE, "gpuprof")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), "rb") as file:
                yield "gpuprof/" + name, file.read()
    facts = METADATA % (project["version"], project["description"], project["requires-python"])
    yield "gpuprof-%s.dist-info/METADATA" % project["version"], facts.encode()
    yield "gpuprof-%s.dist-info/WHEEL" % project["version"], WHEEL.encode()


def _record(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return "%s,sha256=%s,%d\n" % (name, digest, len(data))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _project()
    wheel, record = "gpuprof-%s-py3-none-any.whl" % project["version"], ""
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _files(project):
            archive.writestr(name, data)
            record += _record(name, data)
        own = "gpuprof-%s.dist-info/RECORD" % project["version"]
        archive.writestr(own, record + own + ",,\n")
    return wheel
