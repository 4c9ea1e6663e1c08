"""beside_libcudart.py LIBCUDART LIBRARY: opens the first for everyone, then the library, and runs its kernels."""
import ctypes
import sys

ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
print("all right" if ctypes.CDLL(sys.argv[2]).work(1) == 0 else "the kernels failed")
