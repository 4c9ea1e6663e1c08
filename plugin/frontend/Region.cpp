// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Region.h"

#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace gpuprof {

void RegionTable::add(std::unique_ptr<Region> R) {
  if (Now != State::First)
    Waiting.clear();
  Waiting.push_back(R.get());
  Regions.push_back(std::move(R));
  Now = State::First;
}

llvm::ArrayRef<Region *> RegionTable::at(SourceLocation Where) const {
  auto Found = ByAnchor.find(Where);
  return Found == ByAnchor.end() ? llvm::ArrayRef<Region *>() : llvm::ArrayRef<Region *>(Found->second);
}

void RegionTable::alsoBefore(SourceLocation Where, Region &R) {
  llvm::SmallVector<Region *, 1> &There = ByAnchor[Where];
  if (!llvm::is_contained(There, &R))
    There.push_back(&R);
}

void RegionTable::anchor(const Token &T) {
  for (Region *R : Waiting) {
    if (R->Anchors.empty())
      R->Follows = T.getKind();
    R->Anchors.push_back(T.getLocation());
    ByAnchor[T.getLocation()].push_back(R);
  }
  Depth = 0;
  if (T.isOneOf(tok::kw___attribute, tok::kw_alignas, tok::kw__Alignas))
    Now = State::AttributeArg;
  else
    Now = T.is(tok::l_square) ? State::Bracket : State::Idle;
}

void RegionTable::skipNested(const Token &T) {
  if (T.isOneOf(tok::l_paren, tok::l_square))
    ++Depth;
  else if (T.isOneOf(tok::r_paren, tok::r_square) && Depth > 0)
    --Depth;
  if (Depth == 0)
    Now = State::First;
}

void RegionTable::watch(const Token &T) {
  if (Now == State::Idle)
    return;
  if (T.isAnnotation()) {
    // The words of an OpenMP directive pass by between two such tokens; the first is the start of its
    // statement.
    if (T.is(tok::annot_pragma_openmp) && Now == State::First)
      anchor(T);
    else if (T.is(tok::annot_pragma_loop_hint) && Now == State::First)
      Now = State::Loop;
    return;
  }
  switch (Now) {
  case State::Idle:
    break;
  case State::First:
    if (T.isOneOf(tok::r_brace, tok::eof))
      Now = State::Idle;
    else
      anchor(T);
    break;
  case State::Loop:
    if (T.isOneOf(tok::kw_for, tok::kw_while, tok::kw_do))
      anchor(T);
    break;
  case State::Bracket:
    Now = T.is(tok::l_square) ? State::Brackets : State::Idle;
    Depth = 2;
    break;
  case State::AttributeArg:
  case State::Brackets:
    skipNested(T);
    break;
  }
}

} // namespace gpuprof
