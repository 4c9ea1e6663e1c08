"""Exits with 0 if the PyTorch of this Python builds extensions: torch, its headers and pybind11's, Python's, and setuptools."""
import importlib.util
import os
import shutil
import sys
import sysconfig

torch = importlib.util.find_spec("torch")
if not torch or not importlib.util.find_spec("setuptools") or not shutil.which("g++"):
    sys.exit(1)
folders = [os.path.join(os.path.dirname(torch.origin), "include"), "/usr/include", sysconfig.get_path("include")]
headers = [os.path.join("torch", "extension.h"), os.path.join("pybind11", "pybind11.h"), "Python.h"]
sys.exit(not all(any(os.path.exists(os.path.join(folder, header)) for folder in folders) for header in headers))
