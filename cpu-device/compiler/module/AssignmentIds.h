// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifiers that tie debug records of variables to the stores and allocas of one function (DIAssignID).
#ifndef GPUPROF_MODULE_ASSIGNMENT_IDS_H
#define GPUPROF_MODULE_ASSIGNMENT_IDS_H

namespace llvm {
class Function;
}

namespace gpuprof::cpu {
/// Gives a function that holds a copy of another's code identifiers of its own: LLVM's code generation does not
/// take an identifier used in two functions.
void renewAssignmentIds(llvm::Function &F);
} // namespace gpuprof::cpu

#endif
