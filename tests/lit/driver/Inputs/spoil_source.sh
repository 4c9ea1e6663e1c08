#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PTXAS, which keeps its input as KEPT; then SOURCE is an error wherever it is compiled as device code.
for last; do :; done
cp "$last" "$KEPT"
printf '#ifdef __CUDA_ARCH__\n#error read twice\n#endif\n' >> "$SOURCE"
exec "$PTXAS" "$@"
