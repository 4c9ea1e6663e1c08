// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __cluster_dims__: the number of blocks of a kernel's clusters.
#ifndef GPUPROF_INSTRUMENT_CLUSTERSIZES_H
#define GPUPROF_INSTRUMENT_CLUSTERSIZES_H

namespace llvm {
class Module;
}

namespace gpuprof {

/// The prefix of the front end's annotations with cluster sizes; "x,y,z" follows.
inline constexpr char ClusterSizeAnnotation[] = "gpuprof.cluster_size=";

/// Removes those annotations from the module, and writes LLVM's form to the kernels. True: there were some.
bool applyClusterSizes(llvm::Module &M);

} // namespace gpuprof
#endif
