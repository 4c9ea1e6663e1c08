"""Builds the sample at run time, as torch.utils.cpp_extension.load() does in a PyTorch for CUDA; stubs/ has the libraries that one
for the CPU lacks. The extension gets no run path: it finds libgpuprof because gpuprof was imported first."""
import os
import re
import subprocess
import sys

import gpuprof  # noqa: F401
import torch
from torch.utils import cpp_extension

os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "8.0")
nvcc = subprocess.check_output([os.path.join(cpp_extension.CUDA_HOME, "bin", "nvcc"), "--version"], text=True)
torch.version.cuda = re.search(r"release ([\d.]+)", nvcc)[1]
os.makedirs("loaded", exist_ok=True)
sys.modules["lif_extension"] = cpp_extension.load(
    "lif_extension", ["binding.cpp", "lif.cu"], build_directory="loaded", extra_ldflags=["-L" + os.path.abspath("stubs")])
import main  # noqa: E402

main.train()
