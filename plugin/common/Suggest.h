// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "Did you mean": the closest of the existing words.
#ifndef GPUPROF_COMMON_SUGGEST_H
#define GPUPROF_COMMON_SUGGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace gpuprof {

/// The candidate probably meant by `Word`; empty: none is close.
inline llvm::StringRef closest(llvm::StringRef Word, llvm::ArrayRef<llvm::StringRef> Candidates) {
  llvm::StringRef Best;
  unsigned Least = unsigned(Word.size() + 2) / 3 + 1; // as clang does for names
  for (llvm::StringRef Candidate : Candidates) {
    unsigned Distance = Word.edit_distance(Candidate, /*AllowReplacements=*/true, Least);
    if (Distance < Least) {
      Least = Distance;
      Best = Candidate;
    }
  }
  return Best;
}

inline std::string listOf(llvm::ArrayRef<llvm::StringRef> Words) {
  std::string List;
  for (llvm::StringRef Word : Words)
    List += (List.empty() ? "" : ", ") + Word.str();
  return List;
}

/// The end of an error message about an unknown word.
inline std::string suggestion(llvm::StringRef Word, llvm::ArrayRef<llvm::StringRef> Candidates) {
  llvm::StringRef Best = closest(Word, Candidates);
  return Best.empty() ? ": expected one of " + listOf(Candidates)
                      : "; did you mean '" + Best.str() + "'? It must be one of " + listOf(Candidates);
}

} // namespace gpuprof

#endif
