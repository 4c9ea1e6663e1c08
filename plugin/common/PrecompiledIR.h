// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers nearly every file of the IR half and of cpu-device/compiler needs; precompiled to halve the build.
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
