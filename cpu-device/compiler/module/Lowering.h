// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State shared by the stages of the lowering. Each stage is one file; Pipeline.cpp has their order.
#ifndef GPUPROF_MODULE_LOWERING_H
#define GPUPROF_MODULE_LOWERING_H

#include "common/AbiLayout.h"
#include "module/GlobalAccess.h"
#include "module/InnerLoop.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprof::cpu {

/// A function called or defined by other units: its name is known outside of the module.
inline bool isForOtherUnits(const llvm::Function &F) { return F.getName().ends_with(GPUPROF_COUNTED_SUFFIX); }

/// True if the module was compiled with -fgpu-rdc. Its variables may then belong to other units; gpuprof's
/// own variable shows it.
inline bool isRelocatable(const llvm::Module &M) {
  for (const llvm::GlobalVariable &V : M.globals())
    if (V.getName().contains("__gpuprof_unit") && !V.hasLocalLinkage())
      return true;
  return false;
}

/// Attribute of a body that CompileBudget.cpp keeps on fibers, out of work-item loops.
constexpr const char *LeftToStacks = "gpuprof-cpu-stacks";

// Address spaces of NVPTX. They stay in the IR, and are all flat on x86.
enum AddressSpace : unsigned { AsGeneric = 0, AsGlobal = 1, AsShared = 3, AsConstant = 4, AsLocal = 5 };

/// The demands of an entry of cpu_entries.inc on the calling thread; its first column.
enum class Schedule { runs, fiber, waits };

/// `runs` for functions other than entries.
Schedule scheduleOf(llvm::StringRef Entry);

/// A field of struct gpuprof_cpu_thread.
using Field = abi::cpu_thread;

/// A kernel on its way from device function to table row.
struct Kernel {
  std::string Name;                      // device name, as registered with CUDA
  llvm::Function *Body = nullptr;        // (thread state, parameters…): runs one thread
  llvm::Function *Thread = nullptr;      // runs one thread, if the body runs all threads of a block
  std::vector<InnerLoop> Loops;          // of a body running all threads; empty: it runs one
  // accesses of global memory in the original program
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Accesses;
  llvm::SmallVector<GlobalAccess> Unrecorded;                // not yet recorded in the sector trace
  llvm::SmallVector<llvm::Type *> ByVal; // pointee type of a parameter, or null for a plain value
  llvm::SmallVector<bool> Written;       // the kernel may write its copy of the parameter
  uint32_t MaximumThreads = 0;
  uint32_t Cluster[3] = {}; // __cluster_dims__
  uint32_t MaximumCluster = 0;
  uint32_t StaticShared = 0;
  uint32_t Line = 0;
  bool MergesBlocks = false; // the body runs several blocks along x as one row
  bool RecordsRuns = false;  // records accesses for several blocks along x, in the first of them
  bool HasRows = false;      // its threads read threadIdx.y
  std::string File;
};

/// The module being lowered, and the facts shared by its stages.
struct Lowering {
  Lowering(llvm::Module &M, const llvm::Module &Host);

  llvm::Module &M;
  const llvm::Module &Host; // the module to link into
  llvm::StructType *ThreadType;
  std::vector<Kernel> Kernels;

  /// The declaration of an entry point of the emulator, from cpu_entries.inc.
  llvm::FunctionCallee entry(llvm::StringRef Name);
  /// The state of the thread running `F`: a kernel body's first parameter, or else a call at the start of
  /// `F`.
  llvm::Value *thread(llvm::Function &F);
  bool isThread(const llvm::Value *V) const;
  /// Declares `V` as the state of `F`, a function made by the lowering.
  void setThread(llvm::Function &F, llvm::Value *V) { Threads[&F] = V; }
  /// Reads a field of the thread's state.
  llvm::Value *load(llvm::IRBuilder<> &B, Field Which);
  /// A string for the emulator's messages.
  llvm::Constant *text(llvm::StringRef Text);
  /// Inserts a stop with a message before `I` and warns once; the caller replaces the result.
  void unsupported(llvm::Instruction &I, const llvm::Twine &What);
  /// The kernel bodies' parameters pointing into the launch's own copy of the arguments.
  llvm::SmallPtrSet<const llvm::Value *, 16> ParameterPointers;
  /// The functions reachable by a call of `F`, including `F`.
  llvm::SmallPtrSet<llvm::Function *, 16> reachable(llvm::Function &F) const;
  /// True if callees of `F` read the thread's position from its state. The state must then be up to date.
  bool asksForState(llvm::Function &Body) const;
  /// True if a function asks the emulator for the state of the running thread.
  bool asksForSelf(llvm::Function &Body) const;
  /// Kernels may become work-item loops.
  bool FormLoops = false;
  bool HasBudget = false;     // the instructions of fast kernels are limited
  bool HasCoalescing = false; // sectors per request are requested

private:
  llvm::DenseMap<llvm::Function *, llvm::Value *> Threads;
  llvm::StringMap<llvm::Constant *> Texts;
  llvm::StringSet<> Warned;
};
} // namespace gpuprof::cpu
#endif
