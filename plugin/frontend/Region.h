// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region as described by its pragma, and its place.
#ifndef GPUPROF_FRONTEND_REGION_H
#define GPUPROF_FRONTEND_REGION_H

#include "common/Options.h"

#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <string>
#include <vector>

namespace clang {
class Token;
}

namespace gpuprof {

struct Region {
  bool Ignore = false; ///< `#pragma gpuprof ignore`
  std::string Name;    ///< empty: named after the construct behind it
  std::string Phase, Category, Color;
  std::string Synapse; ///< "1": synaptic operations are derived from what the region executes
  clang::SourceLocation Pragma;
  /// Possible beginnings of the function or statement: the first token, and the first after each leading
  /// attribute.
  llvm::SmallVector<clang::SourceLocation, 2> Anchors;
  clang::SourceRange Extent; ///< of the construct behind it, once found
  clang::tok::TokenKind Follows = clang::tok::unknown; ///< the kind of the token at the first anchor
  bool Matched = false;  ///< a function or statement was found
  bool Warned = false;   ///< of an empty statement: templates are looked at more than once
  bool Reported = false; ///< an error or warning was given: give no second one

  llvm::StringRef directive() const { return Ignore ? "ignore" : "region"; }
};

/// The regions of a translation unit: filled while tokens are read, queried while declarations are finished.
class RegionTable {
public:
  explicit RegionTable(unsigned NoWarnings) : NoWarnings(NoWarnings) {}
  bool warns(Warning Group) const { return !(NoWarnings >> unsigned(Group) & 1); }
  void add(std::unique_ptr<Region> R);
  /// Called for each token of the parser; the first after a pragma is the start of its region.
  void watch(const clang::Token &Token);
  /// The regions before `Where`, outermost first.
  llvm::ArrayRef<Region *> at(clang::SourceLocation Where) const;
  /// Places a region before `Where`, too.
  void alsoBefore(clang::SourceLocation Where, Region &R);
  bool empty() const { return Regions.empty(); }
  /// A region was read, and the construct behind it was not yet.
  bool isWaiting() const { return Now == State::First; }
  const std::vector<std::unique_ptr<Region>> &all() const { return Regions; }

private:
  enum class State {
    Idle,  ///< no pragma waits
    First, ///< the next token is an anchor
    Loop,  ///< after `#pragma unroll` and its like with tokens of their own: the next loop is the anchor
    AttributeArg, ///< inside the parentheses of an attribute
    Bracket,      ///< after one [
    Brackets      ///< inside [[ ]]
  };
  void anchor(const clang::Token &Token);
  void skipNested(const clang::Token &Token);

  unsigned NoWarnings;
  std::vector<std::unique_ptr<Region>> Regions;
  llvm::SmallVector<Region *, 2> Waiting;
  llvm::DenseMap<clang::SourceLocation, llvm::SmallVector<Region *, 1>> ByAnchor;
  State Now = State::Idle;
  unsigned Depth = 0;
};

} // namespace gpuprof

#endif
