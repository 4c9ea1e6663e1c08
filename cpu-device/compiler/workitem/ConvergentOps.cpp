// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/ConvergentOps.h"
#include "module/Matrix.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr char ClusterBarrier[] = "__gpuprof_cpu_cluster_wait";
struct ConvergentRow {
  const char *Name;
  ConvergentOp Kind;
};
constexpr ConvergentRow Ops[] = {
    {"__gpuprof_cpu_barrier", ConvergentOp::Barrier},
    {ClusterBarrier, ConvergentOp::Barrier},
    {"__gpuprof_cpu_barrier_reduce", ConvergentOp::BarrierReduce},
    {"__gpuprof_cpu_barrier_arrive", ConvergentOp::Unknown},
    {"__gpuprof_cpu_exit", ConvergentOp::Unknown},
    {"__gpuprof_cpu_syncwarp", ConvergentOp::WarpSync},
    {"__gpuprof_cpu_shuffle", ConvergentOp::Shuffle},
    {"__gpuprof_cpu_vote", ConvergentOp::Vote},
    {"__gpuprof_cpu_redux", ConvergentOp::Reduction},
    {"__gpuprof_cpu_match", ConvergentOp::Match},
    {"__gpuprof_cpu_activemask", ConvergentOp::ActiveMask},
    {"__gpuprof_cpu_in_step", ConvergentOp::ActiveMask},
    {"__gpuprof_cpu_yield", ConvergentOp::Unknown},
    {"__gpuprof_cpu_nanosleep", ConvergentOp::Unknown},
    {"__gpuprof_cpu_matrix_product", ConvergentOp::Unknown},
    {"__gpuprof_cpu_matrix_load", ConvergentOp::Unknown},
    {"__gpuprof_cpu_matrix_store", ConvergentOp::Unknown},
    {"__gpuprof_cpu_matrix_transpose", ConvergentOp::Unknown},
    {"__gpuprof_cpu_group_product", ConvergentOp::Unknown},
    {"__gpuprof_cpu_mbarrier_test", ConvergentOp::Unknown},
};

bool isNumber(const Value *V, uint64_t Number) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && C->getZExtValue() == Number;
}
} // namespace

bool isForCluster(const CallInst &I) {
  const Function *Callee = I.getCalledFunction();
  return Callee && Callee->getName() == ClusterBarrier;
}

ConvergentOp convergentOp(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return ConvergentOp::None;
  if (Callee->hasFnAttribute(WarpMatrixAttribute))
    return ConvergentOp::Matrix;
  for (const ConvergentRow &Row : Ops) {
    if (Callee->getName() != Row.Name)
      continue;
    // A barrier of the whole block acts as __syncthreads(), whatever its number.
    const bool IsOfPart = Row.Kind == ConvergentOp::Barrier && !isForCluster(*Call) &&
                          !(isa<ConstantInt>(Call->getArgOperand(1)) && isNumber(Call->getArgOperand(2), 0));
    return IsOfPart ? ConvergentOp::Unknown : Row.Kind;
  }
  return ConvergentOp::None;
}

Value *memberMask(const CallInst &I) {
  switch (convergentOp(I)) {
  case ConvergentOp::WarpSync:
    return I.getArgOperand(1);
  case ConvergentOp::Shuffle:
  case ConvergentOp::Vote:
  case ConvergentOp::Reduction:
  case ConvergentOp::Match:
    return I.getArgOperand(2);
  default:
    return nullptr;
  }
}

bool isFullWarp(const CallInst &I) {
  return convergentOp(I) != ConvergentOp::Match && memberMask(I) && isNumber(memberMask(I), 0xffffffff);
}
} // namespace gpuprof::cpu
