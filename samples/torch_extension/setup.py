"""Builds the extension:

CUDA_HOME=$(gpuprof cc --cuda-home) python3 setup.py build_ext --inplace
"""
import os
import re
import subprocess
import sys

import torch
from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension

if not CUDA_HOME:
    sys.exit("There is no CUDA_HOME. Build by:" + __doc__.split(":", 1)[1].rstrip())

kind = CUDAExtension
if not torch.cuda.is_available():
    os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "8.0")  # PyTorch would ask the GPU
if torch.version.cuda is None:  # a PyTorch for the CPU has no libraries for CUDA, and takes the version of any toolkit
    kind = CppExtension
    version = subprocess.check_output([os.path.join(CUDA_HOME, "bin", "nvcc"), "--version"], text=True)
    torch.version.cuda = re.search(r"release ([\d.]+)", version)[1]

lib64 = os.path.join(CUDA_HOME, "lib64")
setup(
    name="lif_extension",
    ext_modules=[kind("lif_extension", ["binding.cpp", "lif.cu"], include_dirs=[os.path.join(CUDA_HOME, "include")],
                      library_dirs=[lib64], libraries=["cudart"], extra_link_args=["-Wl,-rpath," + lib64])],
    cmdclass={"build_ext": BuildExtension},
)
