// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Pragma.h"
#include "common/Suggest.h"
#include "frontend/Diagnostics.h"
#include "frontend/SpecialRegisters.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace gpuprof {
namespace {

llvm::SmallVector<StringRef, 8> directives() {
  llvm::SmallVector<StringRef, 8> Words = {"region", "ignore"};
  Words.append(DirectiveTable::words());
  return Words;
}

/// Phases named in the manual; any other word is a phase, too.
const StringRef Phases[] = {"forward", "backward", "optimizer", "warmup", "communication"};

/// Clauses of `region`: the field they fill, and how they are written.
struct Clause {
  StringRef Name;
  enum { Word, WordOrString, Color, None } Value;
  std::string Region::*Field;
  StringRef Form;
};
const Clause Clauses[] = {
    {"phase", Clause::Word, &Region::Phase, "phase(forward)"},
    {"category", Clause::WordOrString, &Region::Category,
     "category(attention) or category(\"my attention\")"},
    {"color", Clause::Color, &Region::Color, "color(0xRRGGBB), six hexadecimal digits"},
    {"synapse", Clause::None, &Region::Synapse,
     "synapse alone, or put '#pragma gpuprof synapse(events, fanout)' into the region"},
};

llvm::SmallVector<StringRef, 4> clauseNames() {
  llvm::SmallVector<StringRef, 4> Names;
  for (const Clause &C : Clauses)
    Names.push_back(C.Name);
  return Names;
}

/// Names travel in paths ('/') and in records (tab, line end).
bool isGoodName(StringRef Name) {
  return !Name.empty() &&
         llvm::none_of(Name, [](unsigned char C) { return C == '/' || C < 0x20 || C == 0x7f; });
}

/// One directive, from the token after `gpuprof` to the end of the line. Every function returns false after
/// reporting an error.
class DirectiveParser {
public:
  DirectiveParser(Preprocessor &PP, Token &First, const RegionTable &Regions) : PP(PP), T(First), Regions(Regions) {}

  /// Null after an error, and if a directive replaced the pragma.
  std::unique_ptr<Region> parse(SourceLocation Pragma, DirectiveTable &Table) {
    auto R = std::make_unique<Region>();
    R->Pragma = Pragma;
    nextWord();
    if (DirectiveTable::isDirective(word())) {
      Table.inject(PP, T, Regions);
      return nullptr;
    }
    bool Good = parseDirective(*R);
    if (!Good && T.isNot(tok::eod))
      PP.DiscardUntilEndOfDirective();
    return Good ? std::move(R) : nullptr;
  }

private:
  DiagnosticBuilder error(Diag Id) { return report(PP.getDiagnostics(), T.getLocation(), Id); }
  /// An error about a word, with the likely intended one.
  void unknownWord(Diag Id, llvm::ArrayRef<StringRef> Known) {
    std::string Word = spelling();
    DiagnosticBuilder Error = error(Id);
    Error << Word << suggestion(Word, Known);
    if (StringRef Meant = closest(Word, Known); !Meant.empty())
      Error << FixItHint::CreateReplacement(T.getLocation(), Meant);
  }
  std::string spelling() { return PP.getSpelling(T); }
  StringRef word() { return T.getIdentifierInfo() ? T.getIdentifierInfo()->getName() : StringRef(); }
  /// Words of the directive are its own: the user's macros do not touch them. Values are expanded.
  void nextWord() {
    Last = T.getEndLoc();
    PP.LexUnexpandedToken(T);
  }
  void nextValue() {
    Last = T.getEndLoc();
    PP.Lex(T);
  }

  bool parseDirective(Region &R) {
    if (T.is(tok::eod)) {
      error(Diag::NoDirective) << listOf(directives());
      return false;
    }
    R.Ignore = word() == "ignore";
    if (!R.Ignore && word() != "region") {
      unknownWord(Diag::UnknownDirective, directives());
      return false;
    }
    nextWord();
    if (!R.Ignore && !(parseName(R) && parseClauses(R)))
      return false;
    if (T.is(tok::eod))
      return true;
    DiagnosticBuilder Error = error(Diag::ExtraTokens);
    Error << spelling() << R.directive();
    if (T.isOneOf(tok::comma, tok::semi)) // clauses are separated by blanks
      Error << FixItHint::CreateRemoval(T.getLocation());
    return false;
  }

  bool parseString(std::string &Value) {
    return PP.FinishLexStringLiteral(T, Value, "#pragma gpuprof", /*AllowMacroExpansion=*/true);
  }

  bool checkName(StringRef What, StringRef Name) {
    if (isGoodName(Name))
      return true;
    error(Diag::BadName) << What << Name;
    return false;
  }

  bool parseName(Region &R) {
    if (T.isNot(tok::l_paren))
      return true;
    nextValue();
    if (!tok::isStringLiteral(T.getKind())) {
      DiagnosticBuilder Error = error(Diag::ExpectedName);
      if (T.getIdentifierInfo())
        Error << FixItHint::CreateReplacement(T.getLocation(), "\"" + spelling() + "\"");
      return false;
    }
    if (!parseString(R.Name) || !checkName("the region's name", R.Name))
      return false;
    if (T.isNot(tok::r_paren)) {
      error(Diag::ExpectedParen) << "the region's name" << FixItHint::CreateInsertion(T.getLocation(), ")");
      return false;
    }
    nextWord();
    return true;
  }

  bool parseClauses(Region &R) {
    SourceLocation Seen[std::size(Clauses)];
    while (T.getIdentifierInfo()) {
      const Clause *Found = llvm::find_if(Clauses, [&](const Clause &C) { return C.Name == word(); });
      if (Found == std::end(Clauses)) {
        unknownWord(Diag::UnknownClause, clauseNames());
        return false;
      }
      if (!(R.*Found->Field).empty()) {
        error(Diag::DuplicateClause) << Found->Name;
        report(PP.getDiagnostics(), Seen[Found - Clauses], Diag::FirstClause);
        return false;
      }
      Seen[Found - Clauses] = T.getLocation();
      if (Found->Value == Clause::None ? !parseWithoutValue(*Found, R.*Found->Field) : !parseClause(*Found, R.*Found->Field))
        return false;
    }
    return true;
  }

  bool parseWithoutValue(const Clause &C, std::string &Value) {
    Value = "1";
    nextWord();
    if (T.is(tok::l_paren))
      error(Diag::MalformedClause) << C.Name << C.Form;
    return T.isNot(tok::l_paren);
  }

  bool parseClause(const Clause &C, std::string &Value) {
    SourceLocation Begin = T.getLocation();
    nextWord();
    const bool Open = T.is(tok::l_paren), Read = Open && parseValue(C, Value);
    if (!Read || T.isNot(tok::r_paren)) {
      DiagnosticBuilder Error = report(PP.getDiagnostics(), Begin, Diag::MalformedClause);
      Error << C.Name << C.Form;
      if (Read && T.is(tok::eod))
        Error << FixItHint::CreateInsertion(Last, ")");
      else if (Open && C.Value == Clause::Word)
        unquote(Error);
      return false;
    }
    if (!checkName(C.Name, Value))
      return false;
    if (C.Field == &Region::Phase)
      checkPhase(Value);
    nextWord();
    return true;
  }

  /// phase("forward") → phase(forward)
  void unquote(DiagnosticBuilder &Error) {
    StringRef Text(Given);
    if (Text.consume_front("\"") && Text.consume_back("\"") && isValidAsciiIdentifier(Text))
      Error << FixItHint::CreateReplacement(GivenAt, Text);
  }

  void checkPhase(StringRef Phase) {
    StringRef Meant = llvm::is_contained(Phases, Phase) ? StringRef() : closest(Phase, Phases);
    if (Regions.warns(Warning::PhaseSpelling) && !Meant.empty() && Phase.edit_distance(Meant) <= 2)
      report(PP.getDiagnostics(), GivenAt, Diag::PhaseSpelling)
          << Phase << Meant << FixItHint::CreateReplacement(GivenAt, Meant);
  }

  bool parseValue(const Clause &C, std::string &Value) {
    if (C.Value == Clause::Color) {
      nextValue();
      std::string Number = T.is(tok::numeric_constant) ? spelling() : std::string();
      StringRef Digits = Number;
      if (!Digits.consume_front_insensitive("0x") || Digits.size() != 6 ||
          !llvm::all_of(Digits, llvm::isHexDigit))
        return false;
      Value = Digits.lower();
      nextWord();
      return true;
    }
    nextWord();
    Given = T.is(tok::eod) ? std::string() : spelling();
    GivenAt = T.getLocation();
    if (C.Value == Clause::WordOrString && tok::isStringLiteral(T.getKind()))
      return parseString(Value);
    Value = word().str();
    if (Value.empty()) // possibly the end of the directive: nothing behind it may be read
      return false;
    nextWord();
    return true;
  }

  Preprocessor &PP;
  Token &T;
  const RegionTable &Regions;
  SourceLocation Last;    ///< the end of the token before T
  std::string Given;      ///< the first token of the latest clause's value
  SourceLocation GivenAt; ///< and where it is
};

class RegionPragma : public PragmaHandler {
public:
  RegionPragma(std::shared_ptr<RegionTable> Table, std::shared_ptr<DirectiveTable> Directives)
      : PragmaHandler("gpuprof"), Table(std::move(Table)), Directives(std::move(Directives)) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &First) override {
    SourceLocation Where = First.getLocation().isValid() ? First.getLocation() : Introducer.Loc;
    if (std::unique_ptr<Region> R = DirectiveParser(PP, First, *Table).parse(Where, *Directives))
      Table->add(std::move(R));
  }

private:
  std::shared_ptr<RegionTable> Table;
  std::shared_ptr<DirectiveTable> Directives;
};

} // namespace

void installPragma(Preprocessor &PP, std::shared_ptr<RegionTable> Table,
                   std::shared_ptr<DirectiveTable> Directives) {
  PP.AddPragmaHandler(new RegionPragma(Table, Directives));
  PP.setTokenWatcher([Table, Directives, Registers = SpecialRegisters(PP)](const Token &T) mutable {
    Table->watch(T);
    Directives->watch(T);
    Registers.watch(T);
  });
}

} // namespace gpuprof
