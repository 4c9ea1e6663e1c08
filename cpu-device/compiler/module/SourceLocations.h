// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source locations in messages, and calls ending a launch with one.
#ifndef GPUPROF_MODULE_SOURCELOCATIONS_H
#define GPUPROF_MODULE_SOURCELOCATIONS_H

#include "llvm/IR/IRBuilder.h"
#include <string>

namespace gpuprof::cpu {
struct Lowering;

/// The file of a location, as given to the compiler.
std::string fileOf(const llvm::DILocation &At);
/// "file:line" of an instruction, with "(called at file:line)" for an inlined function; empty: not known.
std::string placeOf(const llvm::DebugLoc &Where);
/// Ends the launch with cudaErrorLaunchFailure and a message of reason and place.
llvm::CallInst *stopLaunch(Lowering &L, llvm::IRBuilder<> &B, llvm::StringRef Why, const llvm::DebugLoc &Where);
constexpr llvm::StringLiteral TrapInstruction = "trap instruction";
/// The message of a GPU without an attached debugger.
constexpr llvm::StringLiteral Breakpoint = "breakpoint without a debugger";
} // namespace gpuprof::cpu
#endif
