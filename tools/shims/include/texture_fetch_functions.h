/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Empty: clang up to 21 includes a header of this name, which CUDA 13 no longer has. */
