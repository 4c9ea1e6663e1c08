// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the stages of the lowering share. Each stage is one file; Pipeline.cpp has their order.
#ifndef GPUPROF_LOWER_LOWERING_H
#define GPUPROF_LOWER_LOWERING_H

#include "common/AbiLayout.h"
#include "memtrace/GlobalAccess.h"
#include "workitem/InnerLoop.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprof::cpu {

/// A function that other units call, or that one of them may define: its name is known outside of the module.
inline bool isForOtherUnits(const llvm::Function &F) { return F.getName().ends_with(GPUPROF_COUNTED_SUFFIX); }

/// Was the module compiled with -fgpu-rdc? Then its variables may be those of other units; gpuprof's own
/// tells.
inline bool isRelocatable(const llvm::Module &M) {
  for (const llvm::GlobalVariable &V : M.globals())
    if (V.getName().contains("__gpuprof_unit") && !V.hasLocalLinkage())
      return true;
  return false;
}

// Address spaces of NVPTX. They stay in the IR, and are all flat on x86.
enum AddressSpace : unsigned { AsGeneric = 0, AsGlobal = 1, AsShared = 3, AsConstant = 4, AsLocal = 5 };

/// What an entry of cpu_entries.inc asks of the thread that calls it; its first column.
enum class Schedule { runs, fiber, waits };

/// `runs` for functions that are no entries.
Schedule scheduleOf(llvm::StringRef Entry);

/// A field of struct gpuprof_cpu_thread.
using Field = abi::cpu_thread;

/// A kernel on its way from device function to table row.
struct Kernel {
  std::string Name;                      // device name, as registered with CUDA
  llvm::Function *Body = nullptr;        // (thread state, parameters…): runs one thread
  llvm::Function *Thread = nullptr;      // runs one thread, where the body runs all threads of a block
  std::vector<InnerLoop> Loops;          // of a body that runs all threads; empty: it runs one
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Accesses; // of global memory, as the program has them
  llvm::SmallVector<GlobalAccess> Unrecorded;                // still to be recorded in the sector trace
  llvm::SmallVector<llvm::Type *> ByVal; // type a parameter points to, or null where it is a plain value
  llvm::SmallVector<bool> Written;       // the kernel may write its copy of the parameter
  uint32_t MaximumThreads = 0;
  uint32_t Cluster[3] = {}; // __cluster_dims__
  uint32_t MaximumCluster = 0;
  uint32_t StaticShared = 0;
  uint32_t Line = 0;
  std::string File;
};

/// The module being lowered, and the facts that stages tell one another.
struct Lowering {
  Lowering(llvm::Module &M, const llvm::Module &Host);

  llvm::Module &M;
  const llvm::Module &Host; // into which it will be linked
  llvm::StructType *ThreadType;
  std::vector<Kernel> Kernels;

  /// The declaration of an entry point of the emulator, out of cpu_entries.inc.
  llvm::FunctionCallee entry(llvm::StringRef Name);
  /// The state of the thread that runs `F`: a kernel body's first parameter, else a call at the start of `F`.
  llvm::Value *thread(llvm::Function &F);
  bool isThread(const llvm::Value *V) const;
  /// Says that `F`, a function made by the lowering, is given the state as `V`.
  void setThread(llvm::Function &F, llvm::Value *V) { Threads[&F] = V; }
  /// Reads a field of the thread's state.
  llvm::Value *load(llvm::IRBuilder<> &B, Field Which);
  /// A string for the emulator's messages.
  llvm::Constant *text(llvm::StringRef Text);
  /// Puts a stop with a message before `I` and warns once; the caller replaces the result.
  void unsupported(llvm::Instruction &I, const llvm::Twine &What);
  /// The kernel bodies' parameters that point into the launch's own copy of the arguments.
  llvm::SmallPtrSet<const llvm::Value *, 16> ParameterPointers;
  /// The functions that a call of `F` can reach, `F` included.
  llvm::SmallPtrSet<llvm::Function *, 16> reachable(llvm::Function &F) const;
  /// Does what `F` calls read where the thread is from its state, which must then say so?
  bool asksForState(llvm::Function &Body) const;
  /// Does a function ask the emulator for the state of the running thread?
  bool asksForSelf(llvm::Function &Body) const;
  /// Whether kernels may become loops over threads.
  bool FormLoops = false;
  bool HasBudget = false;     // instructions of fast kernels are limited
  bool HasCoalescing = false; // sectors per request are asked for

private:
  llvm::DenseMap<llvm::Function *, llvm::Value *> Threads;
  llvm::StringMap<llvm::Constant *> Texts;
  llvm::StringSet<> Warned;
};
} // namespace gpuprof::cpu
#endif
