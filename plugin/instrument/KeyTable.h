// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search in a table of keys in device memory, as text for linkText().
#ifndef GPUPROF_INSTRUMENT_KEYTABLE_H
#define GPUPROF_INSTRUMENT_KEYTABLE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace gpuprof {

/// Names are values and blocks of the text around, with their sign.
struct KeySearch {
  llvm::StringRef From;    ///< the block that the text ends
  llvm::StringRef Hashed;  ///< an i64 that goes with %key; keys of neighbours need not differ much
  llvm::StringRef Load;    ///< "load", where an old state of the table does no harm, or "load volatile"
  llvm::StringRef Misses;  ///< an i64: after more than so many places that others hold it gives up
  llvm::StringRef Claimed; ///< instructions of the thread that has claimed the place
};

/// Finds the place of %key (i64, not 0) in the table at %keys (i64) of %mask + 1 (i64, a power of two) keys,
/// or claims a free one for it (0): open addressing, in which no thread waits for another. Goes on in the
/// block %found, with the number of the place in %at (i64), or in %full. Makes the blocks %probe, %foreign,
/// %claim, %claimed, %lost and %miss.
std::string keySearchText(const KeySearch &Search);

} // namespace gpuprof
#endif
