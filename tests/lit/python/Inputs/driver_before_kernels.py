"""What looks for the driver between the import of the package and that of an extension finds no GPU."""
import ctypes

import gpuprof  # noqa: F401

print("cuInit:", ctypes.CDLL("libcuda.so.1").cuInit(0))
