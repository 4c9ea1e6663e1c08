// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __cluster_dims__: how many blocks a kernel's clusters have.
#ifndef GPUPROF_INSTRUMENT_CLUSTERSIZES_H
#define GPUPROF_INSTRUMENT_CLUSTERSIZES_H

namespace llvm {
class Module;
}

namespace gpuprof {

/// How the front end's annotations begin that say it; "x,y,z" follows.
inline constexpr char ClusterSizeAnnotation[] = "gpuprof.cluster_size=";

/// Takes those annotations out of the module, and says of the kernels what LLVM has for it. True: there were
/// some.
bool applyClusterSizes(llvm::Module &M);

} // namespace gpuprof
#endif
