/* Empty: clang up to 21 includes a header of this name, which CUDA 13 no longer has. */
