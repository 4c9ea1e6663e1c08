// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/SpecialRegisters.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace gpuprof {
namespace {
// Without the digits at the end of clock64 and envreg7.
constexpr llvm::StringLiteral Names[] = {
    "tid", "ntid", "laneid", "warpid", "nwarpid", "ctaid", "nctaid", "smid", "nsmid", "gridid",
    "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid", "cluster_ctarank", "cluster_nctarank",
    "is_explicit_cluster", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt",
    "clock", "clock_hi", "globaltimer", "globaltimer_lo", "globaltimer_hi", "envreg", "total_smem_size",
    "aggr_smem_size", "dynamic_smem_size", "current_graph_exec"};

/// The text with "%%" for each "%" before a special register.
std::string withDoubledSigns(StringRef Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    Out += Text[I];
    if (Text[I] != '%')
      continue;
    if (Text.substr(I + 1).starts_with("%")) {
      Out += '%';
      ++I;
      continue;
    }
    StringRef Name = Text.substr(I + 1).take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    if (llvm::is_contained(Names, Name.rtrim("0123456789")))
      Out += '%';
  }
  return Out;
}

/// Whether a colon follows before the end of the statement that begins here.
bool hasOperands(const Preprocessor &PP, SourceLocation Open) {
  const SourceManager &SM = PP.getSourceManager();
  const auto [File, Offset] = SM.getDecomposedSpellingLoc(Open);
  const StringRef Buffer = SM.getBufferData(File);
  Lexer Raw(SM.getLocForStartOfFile(File), PP.getLangOpts(), Buffer.begin(), Buffer.begin() + Offset,
            Buffer.end());
  int Depth = 0;
  for (Token T; !Raw.LexFromRawLexer(T);) {
    if (T.isOneOf(tok::colon, tok::coloncolon))
      return true;
    Depth += T.is(tok::l_paren) ? 1 : T.is(tok::r_paren) ? -1 : 0;
    if (Depth <= 0)
      break;
  }
  return false;
}
} // namespace

void SpecialRegisters::repair(Token &Text) {
  const StringRef Written(Text.getLiteralData(), Text.getLength());
  if (Text.needsCleaning() || !Written.contains('%'))
    return;
  const std::string Doubled = withDoubledSigns(Written);
  if (Doubled.size() != Written.size() && hasOperands(PP, Open))
    PP.CreateString(Doubled, Text, Text.getLocation(), Text.getLocation());
}

void SpecialRegisters::watch(const Token &T) {
  if (T.is(tok::kw_asm)) {
    Where = BehindAsm;
  } else if (Where == BehindAsm && T.is(tok::l_paren)) {
    Where = InText;
    Open = T.getLocation();
  } else if (Where == InText && T.is(tok::string_literal)) {
    repair(const_cast<Token &>(T)); // the parser reads the token afterwards
  } else if (Where != Elsewhere && !T.isOneOf(tok::kw_volatile, tok::kw_inline, tok::kw_goto, tok::r_paren)) {
    Where = Elsewhere;
  } else if (Where == InText) {
    Where = Elsewhere;
  }
}

} // namespace gpuprof
