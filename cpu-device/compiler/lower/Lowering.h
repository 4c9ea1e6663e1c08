// What the steps of the lowering share. Each step is one file; Pipeline.cpp says their order.
#ifndef GPUPROF_LOWER_LOWERING_H
#define GPUPROF_LOWER_LOWERING_H

#include "common/AbiLayout.h"
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
  llvm::Function *Thread = nullptr;      // the same, where the body was made to run all threads of a block
  llvm::SmallVector<llvm::Type *> ByVal; // type a parameter points to, or null where it is a plain value
  llvm::SmallVector<bool> Written;       // the kernel may write its copy of the parameter
  uint32_t MaximumThreads = 0;
  uint32_t Cluster[3] = {}; // __cluster_dims__
  uint32_t MaximumCluster = 0;
  uint32_t StaticShared = 0;
  uint32_t Line = 0;
  std::string File;
};

/// The module being lowered, and the little that steps tell one another.
struct Lowering {
  explicit Lowering(llvm::Module &M);

  llvm::Module &M;
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
  /// Whether kernels that wait may become loops over threads.
  bool MaySplit = false;

private:
  llvm::DenseMap<llvm::Function *, llvm::Value *> Threads;
  llvm::StringMap<llvm::Constant *> Texts;
  llvm::StringSet<> Warned;
};

// The steps, in order.
/// Target, metadata, calling conventions; kernels become bodies with the thread's state as first parameter.
llvm::Error retarget(Lowering &L, const llvm::Module &Host);
/// Unsigned indices of shared memory that have gone below zero reach what lies before, as they do on a GPU.
void wrapSharedIndices(Lowering &L);
/// Lanes that exchange values through volatile shared memory without a barrier go in step.
void keepLanesInStep(Lowering &L);
/// Shared variables become offsets from the block's shared memory.
void lowerShared(Lowering &L);
/// Intrinsics, inline PTX, library calls and semantics of instructions that differ between the two targets.
void lowerInstructions(Lowering &L);
/// Functions and variables that have no definition here get one that stops the launch, or are an error.
llvm::Error closeModule(Lowering &L);
/// Lets other threads run in loops that wait for them.
void insertYields(Lowering &L);
/// Writes into the thread's state where in the source it is, before whatever it may wait at.
void tellPlaces(Lowering &L);
/// Checks each access of global or shared memory before it is made, and asks AddressSanitizer to check local
/// arrays.
void checkAccesses(Lowering &L);
/// Tells each global access to the emulator, which finds out what the lanes of a warp touch together.
void tellRequests(Lowering &L);
/// Marks the 32-byte sectors that global accesses of functions touch; kernel bodies are marked when their
/// loops are made.
void markSectors(Lowering &L);
/// The entry functions of each kernel and the tables of abi.h.
void emitTables(Lowering &L);
/// The function that x86's code generator calls where it moves bfloats about, which old compilers' libraries
/// lack.
void defineBFloatRounding(Lowering &L);

/// Puts the kernels' bodies into the functions that call them. The host's optimiser would do so too, but only
/// when it has been through each body, which it is again afterwards. To be asked when all else is done.
void inlineBodies(llvm::Module &M);

/// Says which kernels stay without loops over threads, so that compiling them all does not take too long. To
/// be asked before their code is changed.
void limitSplitting(Lowering &L);
/// Keeps the host's optimiser and code generator from spending time on what is too much. To be asked when all
/// else is done.
void limitOptimising(llvm::Module &M);

/// Tells the optimiser that the turns of a loop over threads, whose last branch is given, do not depend on
/// one another: by CUDA's rules threads of a block do not touch the same memory between two barriers, unless
/// by atomics or reading only. `IsPart`: a kernel has many of them, which are short: they are kept small.
void markParallelLoop(llvm::Instruction &Latch, llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                      bool IsPart = false);

// Shared between the files of the instruction step.
/// Lowers one call of an `llvm.nvvm.*` intrinsic; false: not known.
bool lowerIntrinsic(Lowering &L, llvm::CallInst &I);
/// The same for one that is an instruction of PTX and nothing more. `Parts`: its name behind llvm.nvvm., at
/// dots.
bool lowerIntrinsicByText(Lowering &L, llvm::CallInst &I, llvm::ArrayRef<llvm::StringRef> Parts);
/// Lowers one call of inline PTX; false: not known.
bool lowerAsm(Lowering &L, llvm::CallInst &I);
/// The value of a special register (`tid.x`, `laneid`, …) in 32 or 64 bits, or null.
llvm::Value *specialRegister(Lowering &L, llvm::IRBuilder<> &B, llvm::StringRef Name);
/// float or double → bfloat, round to nearest even, without the library function that old libgcc lacks.
llvm::Value *truncateToBFloat(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Type *To);
/// Any floating-point type → any other, rounded to nearest even.
llvm::Value *castFloat(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Type *To);
/// Integer division or its remainder as a GPU gives them: by zero too there is a result, and the kernel goes
/// on.
llvm::Value *divide(llvm::IRBuilder<> &B, bool Remainder, bool Signed, llvm::Value *X, llvm::Value *Y);
/// Does a generic address lie in that address space (as PTX names it: `shared::cluster`)? Null: no such
/// space.
llvm::Value *isInSpace(Lowering &L, llvm::IRBuilder<> &B, llvm::Value *Address, llvm::StringRef Space);
/// tanh of fp32, fp16 or bf16, one or two; null where `V` is, and of doubles.
llvm::Value *hyperbolicTangent(Lowering &L, llvm::IRBuilder<> &B, llvm::Value *V);
/// The file of a location, as the compiler was given it.
std::string fileOf(const llvm::DILocation &At);
/// "file:line" of an instruction, with "(called at file:line)" where a function was inlined; empty where it
/// is not known.
std::string placeOf(const llvm::DebugLoc &Where);
/// Ends the launch with cudaErrorLaunchFailure and a message that says why and where.
llvm::CallInst *stopLaunch(Lowering &L, llvm::IRBuilder<> &B, llvm::StringRef Why, const llvm::DebugLoc &Where);
constexpr llvm::StringLiteral TrapInstruction = "trap instruction";
/// As on a GPU to which no debugger is attached.
constexpr llvm::StringLiteral Breakpoint = "breakpoint without a debugger";
/// Is the module compiled with -fsanitize=address?
bool isSanitized(const llvm::Module &Host);
/// Floating point → integer as PTX does it: saturating, NaN is 0. `Rounding` is rn, rz, rm or rp.
llvm::Value *toInteger(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Type *To, bool Signed,
                       llvm::StringRef Rounding);
} // namespace gpuprof::cpu
#endif
