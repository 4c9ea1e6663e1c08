// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/LibraryNames.h"
#include "module/Lowering.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// Functions of CUDA's device library with a C library function's name and meaning behind `__nv_`.
constexpr const char *LibmNames[] = {
    "acos",   "acosh",  "asin",   "asinh",     "atan",      "atan2", "atanh",  "cbrt",  "cos",
    "cosh",   "erf",    "erfc",   "exp",       "exp10",     "exp2",  "expm1",  "fdim",  "fmod",
    "hypot",  "lgamma", "log",    "log10",     "log1p",     "log2",  "pow",    "sin",   "sinh",
    "tan",    "tanh",   "tgamma", "remainder", "nextafter", "ldexp", "scalbn", "ilogb", "logb",
    "remquo", "j0",     "j1",     "jn",        "y0",        "y1",    "yn",
};
} // namespace

bool isLibm(StringRef Name) {
  Name.consume_back("f");
  return is_contained(LibmNames, Name) || is_contained(LibmNames, (Name + "f").str());
}

// The feature behind a function without a definition. CUDA's device runtime (__cudaCDP2LaunchDevice and its
// kin) stands for launches from kernels and related calls.
std::string missing(const Function &F) {
  if (F.getName().starts_with("__cudaCDP2"))
    return "launches from kernels (dynamic parallelism)";
  return "function " + demangle(F.getName().str()) + ", which has no body in this file" +
         (isRelocatable(*F.getParent()) ? " or in one that is linked with it (a library goes behind the files that call it)" : "");
}
} // namespace gpuprof::cpu
