// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search in a table of keys in device memory, as text for linkText().
#ifndef GPUPROF_COMMON_KEYTABLE_H
#define GPUPROF_COMMON_KEYTABLE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace gpuprof {

/// Names are values and blocks of the surrounding text, with their sign.
struct KeySearch {
  llvm::StringRef From;    ///< the block ended by the text
  llvm::StringRef Hashed;  ///< an i64 belonging to %key; neighbouring keys need not differ much
  llvm::StringRef Load;    ///< "load" if an old state of the table is harmless, or "load volatile"
  llvm::StringRef Misses;  ///< an i64: maximum number of places held by others before it gives up
  llvm::StringRef Claimed; ///< instructions of the thread claiming the place
};

/// Finds the place of %key (i64, not 0) in the table at %keys (i64) of %mask + 1 (i64, a power of two) keys.
/// If there is none, claims a free one (0). Open addressing; no thread waits for another. Continues in the
/// block %found, with the number of the place in %at (i64), or in %full. Makes the blocks %probe, %foreign,
/// %claim, %claimed, %lost and %miss.
std::string keySearchText(const KeySearch &Search);

} // namespace gpuprof
#endif
