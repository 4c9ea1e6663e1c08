// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Directive.h"
#include "common/Suggest.h"
#include "frontend/Diagnostics.h"
#include "frontend/Region.h"

#include "gpuprof/abi.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using llvm::StringRef;

namespace gpuprof {
namespace {

using Tokens = llvm::SmallVector<Token, 16>;

/// The written form of each directive, and the call made by its statement. $0, $1, … are the expressions;
/// missing ones (of `expect` and `synapse`) are 0.
struct Form {
  StringRef Word, Example, Call, CallInC;
};
const Form Forms[] = {
    {"expect", "expect flops(2.0 * n) bytes(8.0 * n) items(n), at least one of them",
     GPUPROF_MARK_EXPECT " ( static_cast < double > ( $0 ) , static_cast < double > ( $1 ) , static_cast < double > ( $2 ) ) ;",
     GPUPROF_MARK_EXPECT " ( $0 , $1 , $2 ) ;"},
    {"count", "count(\"name\", amount)", GPUPROF_MARK_COUNT " ( $0 , static_cast < long long > ( $1 ) ) ;",
     GPUPROF_MARK_COUNT " ( $0 , $1 ) ;"},
    {"spike", "spike(value)", GPUPROF_MARK_SPIKE " ( __gpuprof_sign ( $0 ) ) ;",
     GPUPROF_MARK_SPIKE " ( __gpuprof_sign ( $0 ) ) ;"},
    {"step", "step(number)", GPUPROF_MARK_STEP " ( static_cast < long long > ( $0 ) ) ;",
     GPUPROF_MARK_STEP " ( $0 ) ;"},
    {"synapse", "synapse(events, fanout), and behind it multiply or inputs(number) where they apply",
     GPUPROF_MARK_SYNAPSE " ( $3 , __gpuprof_whole ( $0 ) , __gpuprof_whole ( $1 ) , __gpuprof_whole ( $2 ) ) ;",
     GPUPROF_MARK_SYNAPSE " ( $3 , __gpuprof_whole ( $0 ) , __gpuprof_whole ( $1 ) , __gpuprof_whole ( $2 ) ) ;"},
};
const StringRef Amounts[] = {"flops", "bytes", "items"};
const StringRef SynapseClauses[] = {"multiply", "inputs"};
const char NotWhole[] = "'#pragma gpuprof synapse' counts whole numbers: write an integer, as (s != 0) for a spike s";
const char Negative[] = "'#pragma gpuprof synapse' counts events: write a number that is not negative";

/// On the host nothing is evaluated while profiling is off. On the device the marked scope separates the
/// directive's instructions from the kernel's work. Nothing is counted while the compiler evaluates a
/// constexpr function.
const char HostBegin[] = "{ if ( __gpuprof_wanted ( ) ) ";
const char HostBeginInC[] = "{ if ( __gpuprof_on ( ) ) ";
const char DeviceBegin[] =
    "{ int __gpuprof_scope __attribute__ ( ( cleanup ( " GPUPROF_MARK_EXIT " ) ) ) = "
    "__builtin_is_constant_evaluated ( ) ? 0 : " GPUPROF_MARK_ENTER " ( \"kind=directive\" ) ; "
    "if ( ! __builtin_is_constant_evaluated ( ) ) ";

/// Lambdas, constexpr functions and the like are compiled for both sides, wherever they run. Only generated
/// code shows if `expect` stands in device code (instrument/ExpectPass.h).
const char ExpectOnDevice[] = "{ " GPUPROF_MARK_DEVICE_EXPECT
                              " ( static_cast < double > ( $0 ) , static_cast < double > ( $1 ) , static_cast < double > ( $2 ) ) ; }";

const Form *formOf(StringRef Word) {
  const Form *Found = llvm::find_if(Forms, [&](const Form &F) { return F.Word == Word; });
  return Found == std::end(Forms) ? nullptr : Found;
}

/// Reads the directive. Every function returns false after reporting an error.
class DirectiveReader {
public:
  DirectiveReader(Preprocessor &PP, Token &T, const Form &F) : PP(PP), T(T), F(F), Where(T.getLocation()) {}

  bool read(std::vector<Tokens> &Arguments) {
    PP.LexUnexpandedToken(T);
    bool Good = F.Word == "expect"    ? readAmounts(Arguments)
                : F.Word == "count"   ? readCount(Arguments)
                : F.Word == "synapse" ? readSynapse(Arguments)
                                      : readParenthesised(Arguments.emplace_back());
    if (Good && T.isNot(tok::eod)) {
      report(PP.getDiagnostics(), T.getLocation(), Diag::ExtraTokens) << PP.getSpelling(T) << F.Word;
      Good = false;
    }
    if (T.isNot(tok::eod))
      PP.DiscardUntilEndOfDirective();
    return Good;
  }

private:
  bool malformed() {
    report(PP.getDiagnostics(), T.is(tok::eod) ? Where : T.getLocation(), Diag::MalformedDirective)
        << F.Word << F.Example;
    return false;
  }

  /// The tokens up to the closing parenthesis, without it, or up to a comma if one may end them; at least
  /// one.
  bool readTokens(Tokens &Expression, bool EndsAtComma = false) {
    unsigned Depth = 1;
    for (;; PP.Lex(T)) {
      if (T.is(tok::eod))
        return malformed();
      if (EndsAtComma && Depth == 1 && T.is(tok::comma))
        break;
      if (T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
        ++Depth;
      else if (T.isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && --Depth == 0)
        break;
      Expression.push_back(T);
    }
    return (T.isOneOf(tok::r_paren, tok::comma) && !Expression.empty()) || malformed();
  }

  bool readExpression(Tokens &Expression) {
    if (!readTokens(Expression))
      return false;
    PP.LexUnexpandedToken(T);
    return true;
  }

  bool readParenthesised(Tokens &Expression) {
    if (T.isNot(tok::l_paren))
      return malformed();
    PP.Lex(T);
    return readExpression(Expression);
  }

  bool readAmounts(std::vector<Tokens> &Arguments) {
    Arguments.resize(std::size(Amounts));
    if (T.is(tok::eod))
      return malformed();
    while (T.isNot(tok::eod)) {
      StringRef Word = T.getIdentifierInfo() ? T.getIdentifierInfo()->getName() : StringRef();
      const StringRef *Found = llvm::find(Amounts, Word);
      if (Found == std::end(Amounts))
        return malformed();
      Tokens &Expression = Arguments[Found - std::begin(Amounts)];
      if (!Expression.empty()) {
        report(PP.getDiagnostics(), T.getLocation(), Diag::DuplicateClause) << Word;
        return false;
      }
      PP.LexUnexpandedToken(T);
      if (!readParenthesised(Expression))
        return false;
    }
    return true;
  }

  /// Events, fanout, inputs, form.
  bool readSynapse(std::vector<Tokens> &Arguments) {
    Arguments.resize(4);
    if (T.isNot(tok::l_paren))
      return malformed();
    PP.Lex(T);
    if (!readTokens(Arguments[0], /*EndsAtComma=*/true))
      return false;
    if (T.isNot(tok::comma))
      return malformed();
    PP.Lex(T);
    if (!readTokens(Arguments[1], /*EndsAtComma=*/true))
      return false;
    if (T.is(tok::comma)) {
      report(PP.getDiagnostics(), T.getLocation(), Diag::TooManyExpressions) << F.Word;
      return false;
    }
    PP.LexUnexpandedToken(T);
    return readSynapseClauses(Arguments);
  }

  bool readSynapseClauses(std::vector<Tokens> &Arguments) {
    unsigned Form = 0;
    while (T.getIdentifierInfo()) {
      const std::string Word = PP.getSpelling(T);
      const StringRef *Found = llvm::find(SynapseClauses, Word);
      if (Found == std::end(SynapseClauses)) {
        report(PP.getDiagnostics(), T.getLocation(), Diag::UnknownDirectiveClause)
            << Word << F.Word << suggestion(Word, SynapseClauses);
        return false;
      }
      const bool IsInputs = *Found == "inputs";
      const unsigned Bit = IsInputs ? GPUPROF_SYNAPSE_INPUTS : GPUPROF_SYNAPSE_MULTIPLY;
      if (Form & Bit) {
        report(PP.getDiagnostics(), T.getLocation(), Diag::DuplicateClause) << Word;
        return false;
      }
      Form |= Bit;
      PP.LexUnexpandedToken(T);
      if (IsInputs && !readParenthesised(Arguments[2]))
        return false;
    }
    Arguments[3].push_back(numberToken(Form));
    return true;
  }

  Token numberToken(unsigned Number) {
    Token T;
    T.startToken();
    T.setLocation(Where);
    T.setKind(tok::numeric_constant);
    PP.CreateString(std::to_string(Number), T, Where, Where);
    return T;
  }

  bool readCount(std::vector<Tokens> &Arguments) {
    if (T.isNot(tok::l_paren))
      return malformed();
    PP.Lex(T);
    Token Literal = T;
    if (!tok::isStringLiteral(T.getKind()))
      return malformed();
    std::string Name;
    Tokens &Text = Arguments.emplace_back();
    // Read twice, for its text and its tokens: neighbouring strings are one.
    SourceLocation Begin = T.getLocation();
    if (!PP.FinishLexStringLiteral(T, Name, "#pragma gpuprof count", /*AllowMacroExpansion=*/true))
      return false;
    if (Name.empty() || llvm::any_of(Name, [](unsigned char C) { return C < 0x20 || C == 0x7f || C == '"' || C == '\\'; })) {
      report(PP.getDiagnostics(), Begin, Diag::BadCounterName) << Name;
      return false;
    }
    Literal.setKind(tok::string_literal);
    PP.CreateString("\"" + Name + "\"", Literal, Begin, Begin);
    Text.push_back(Literal);
    if (T.isNot(tok::comma))
      return malformed();
    PP.Lex(T);
    return readExpression(Arguments.emplace_back());
  }

  Preprocessor &PP;
  Token &T;
  const Form &F;
  SourceLocation Where;
};

/// Writes tokens: words parted by blanks.
class TokenWriter {
public:
  TokenWriter(Preprocessor &PP, SourceLocation Where) : PP(PP), Where(Where) {}

  void write(StringRef Text, llvm::ArrayRef<Tokens> Arguments) {
    llvm::SmallVector<StringRef, 32> Words;
    Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef Word : Words) {
      unsigned Index;
      if (!Word.starts_with("$") || Word.drop_front().getAsInteger(10, Index))
        Out.push_back(token(Word));
      else if (Arguments[Index].empty())
        Out.push_back(token("0"));
      else
        argument(Arguments[Index]);
    }
  }

  void enter() {
    auto Copy = std::make_unique<Token[]>(Out.size());
    std::copy(Out.begin(), Out.end(), Copy.get());
    PP.EnterTokenStream(std::move(Copy), Out.size(), /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
  }

private:
  /// One operand, whatever commas it contains.
  void argument(const Tokens &Argument) {
    const bool Text = Argument.size() == 1 && tok::isStringLiteral(Argument[0].getKind());
    if (!Text)
      Out.push_back(token("("));
    Out.append(Argument.begin(), Argument.end());
    if (!Text)
      Out.push_back(token(")"));
  }

  Token token(StringRef Word) {
    static const std::pair<StringRef, tok::TokenKind> Punctuators[] = {
        {"{", tok::l_brace}, {"}", tok::r_brace}, {"(", tok::l_paren}, {")", tok::r_paren}, {",", tok::comma},
        {";", tok::semi},    {"=", tok::equal},   {"<", tok::less},    {">", tok::greater},
        {"!", tok::exclaim}, {"?", tok::question}, {":", tok::colon}};
    Token T;
    T.startToken();
    T.setLocation(Where);
    auto *Found = llvm::find_if(Punctuators, [&](auto &P) { return P.first == Word; });
    if (Found != std::end(Punctuators)) {
      T.setKind(Found->second);
      T.setLength(1);
    } else if (Word.front() == '"' || llvm::isDigit(Word.front())) {
      T.setKind(Word.front() == '"' ? tok::string_literal : tok::numeric_constant);
      PP.CreateString(Word, T, Where, Where);
    } else {
      IdentifierInfo *Identifier = PP.getIdentifierInfo(Word);
      T.setIdentifierInfo(Identifier);
      T.setKind(Identifier->getTokenID());
      T.setLength(Word.size());
    }
    return T;
  }

  Preprocessor &PP;
  SourceLocation Where;
  Tokens Out;
};

/// Finds directives being the only statement of a branch or loop: code behind them would stand outside of it.
class LonelyFinder : public RecursiveASTVisitor<LonelyFinder> {
public:
  LonelyFinder(DiagnosticsEngine &Diags, const SourceManager &Sources, const std::vector<Directive> &All)
      : Diags(Diags), Sources(Sources), First(All.front().Where), Last(First) {
    for (const Directive &D : All) {
      ByBrace[D.Where] = &D;
      if (Sources.isBeforeInTranslationUnit(D.Where, First))
        First = D.Where;
      if (Sources.isBeforeInTranslationUnit(Last, D.Where))
        Last = D.Where;
    }
  }

  // Most declarations belong to headers, long before the first directive.
  bool TraverseDecl(Decl *D) {
    const bool IsBeside =
        D && D->getBeginLoc().isValid() && D->getEndLoc().isValid() &&
        (Sources.isBeforeInTranslationUnit(Sources.getExpansionRange(D->getEndLoc()).getEnd(), First) ||
         Sources.isBeforeInTranslationUnit(Last, Sources.getExpansionLoc(D->getBeginLoc())));
    return IsBeside || RecursiveASTVisitor::TraverseDecl(D);
  }

  bool VisitIfStmt(IfStmt *S) { return check(S->getThen()) && check(S->getElse()); }
  bool VisitForStmt(ForStmt *S) { return check(S->getBody()); }
  bool VisitWhileStmt(WhileStmt *S) { return check(S->getBody()); }
  bool VisitDoStmt(DoStmt *S) { return check(S->getBody()); }
  bool VisitSwitchStmt(SwitchStmt *S) { return check(S->getBody()); }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) { return check(S->getBody()); }

private:
  bool check(const Stmt *S) {
    auto *Compound = dyn_cast_or_null<CompoundStmt>(S);
    if (Compound)
      if (auto Found = ByBrace.find(Compound->getLBracLoc()); Found != ByBrace.end())
        report(Diags, Found->first, Diag::DirectiveAsBranch) << Found->second->Word;
    return true;
  }

  DiagnosticsEngine &Diags;
  const SourceManager &Sources;
  SourceLocation First, Last;
  llvm::DenseMap<SourceLocation, const Directive *> ByBrace;
};

} // namespace

/// Defines __gpuprof_whole(), applied to the numbers of `synapse`. Calls with a fractional number, or with a
/// negative constant, are errors at the directive.
static std::string wholeNumbers(const LangOptions &Language, const std::string &Sides) {
  const std::string Attributes = Sides + "static __inline__ __attribute__((always_inline)) ";
  auto Function = [&](StringRef Before, StringRef Type, StringRef IsWrong, StringRef Zero) {
    const std::string Head = Before.str() + Attributes + "long long __gpuprof_whole(" + Type.str() + " n)";
    return Head + " __attribute__((diagnose_if(" + IsWrong.str() + ", \"" + NotWhole + "\", \"error\")))" +
           " __attribute__((diagnose_if(n < " + Zero.str() + ", \"" + Negative + "\", \"error\")));\n" + Head +
           " { return (long long)n; }\n";
  };
  if (Language.CPlusPlus)
    return Function("template <class T> ", "T", "!__is_integral(T) && !__is_enum(T)", "T()");
  std::string Text;
  for (StringRef Type : {"int", "unsigned", "long", "unsigned long", "long long", "unsigned long long"})
    Text += Function("__attribute__((overloadable)) ", Type, "0", "0");
  for (StringRef Type : {"float", "double", "long double"})
    Text += Function("__attribute__((overloadable)) ", Type, "1", "0");
  return Text;
}

std::string directiveDeclarations(const LangOptions &Language) {
  const std::string Both = Language.CUDA ? "__attribute__((host)) __attribute__((device)) " : "";
  const std::string Host = Language.CUDA ? "__attribute__((host)) " : "";
  const std::string Constant = Language.CPlusPlus11 ? "constexpr " : "";
  std::string Text = Language.CPlusPlus ? "extern \"C\" {\n" : "";
  Text += Both + "__attribute__((nothrow)) int __gpuprof_on(void);\n";
  Text += Both + "__attribute__((nothrow)) void " GPUPROF_MARK_COUNT "(const char *, long long);\n";
  Text += Both + "__attribute__((nothrow)) void " GPUPROF_MARK_SPIKE "(int);\n";
  Text += Both + "__attribute__((nothrow)) void " GPUPROF_MARK_STEP "(long long);\n";
  Text += Both + "__attribute__((nothrow)) void " GPUPROF_MARK_SYNAPSE "(int, long long, long long, long long);\n";
  Text += Host + "__attribute__((nothrow)) void " GPUPROF_MARK_EXPECT "(double, double, double);\n";
  if (Language.CUDA) {
    Text += "__attribute__((device)) void " GPUPROF_MARK_EXPECT "(double, double, double);\n";
    // Calls of a function with the attribute `error` are reported with their location. None is left when code
    // is generated.
    Text += "inline " + Constant + Both + "__attribute__((always_inline)) __attribute__((nothrow)) __attribute__((error(\"\"))) int "
            GPUPROF_MARK_DEVICE_EXPECT "(double, double, double) { return 0; }\n";
  }
  // Nothing is counted while a compiler evaluates a constexpr function.
  if (Language.CPlusPlus)
    Text += "inline " + Constant + Both + "__attribute__((always_inline)) bool __gpuprof_wanted() { return " +
            (Language.CPlusPlus11 ? "!__builtin_is_constant_evaluated() && " : "") + "__gpuprof_on(); }\n";
  Text += Language.CPlusPlus ? "}\ntemplate <class T> " : "";
  const std::string Type = Language.CPlusPlus ? "T" : "double", Zero = Language.CPlusPlus ? "T(0)" : "0";
  Text += Both + "static __inline__ __attribute__((always_inline)) __attribute__((unused)) int __gpuprof_sign(" + Type +
          " s) { return (s > " + Zero + ") - (s < " + Zero + "); }\n";
  return Text + wholeNumbers(Language, Both);
}

bool DirectiveTable::isDirective(StringRef Word) { return formOf(Word); }

llvm::SmallVector<StringRef, 8> DirectiveTable::words() {
  llvm::SmallVector<StringRef, 8> Words;
  for (const Form &F : Forms)
    Words.push_back(F.Word);
  return Words;
}

/// True if statements can stand at the parser's position. In a class the bodies of members are read before
/// they are parsed.
static bool mayHoldStatements(CompilerInstance &CI) {
  const clang::Scope *Here = CI.hasSema() ? CI.getSema().getCurScope() : nullptr;
  for (; Here; Here = Here->getParent())
    if (Here->isFunctionScope() || Here->isClassScope())
      return true;
  return false;
}

/// The parser is a token ahead: after a function's last brace it is still in this function. Braces are
/// therefore counted.
void DirectiveTable::watch(const Token &T) {
  AfterFunction = false;
  if (T.is(tok::l_brace)) {
    Braces.push_back(mayHoldStatements(CI));
  } else if (T.is(tok::r_brace) && !Braces.empty()) {
    AfterFunction = !Braces.back();
    Braces.pop_back();
  }
}

void DirectiveTable::inject(Preprocessor &PP, Token &First, const RegionTable &Regions) {
  const Form &F = *formOf(First.getIdentifierInfo()->getName());
  const SourceLocation Where = First.getLocation();
  std::vector<Tokens> Arguments;
  if (!DirectiveReader(PP, First, F).read(Arguments))
    return;
  if (AfterFunction || !mayHoldStatements(CI)) {
    report(PP.getDiagnostics(), Where, Diag::DirectiveOutside) << F.Word;
    return;
  }
  if (Regions.isWaiting()) {
    report(PP.getDiagnostics(), Where, Diag::RegionBeforeDirective) << F.Word;
    return;
  }
  const LangOptions &Language = PP.getLangOpts();
  TokenWriter Writer(PP, Where);
  if (Language.CUDAIsDevice && F.Word == "expect") {
    Writer.write(ExpectOnDevice, Arguments);
  } else {
    Writer.write(Language.CUDAIsDevice ? DeviceBegin : Language.CPlusPlus ? HostBegin : HostBeginInC, {});
    Writer.write(Language.CPlusPlus ? F.Call : F.CallInC, Arguments);
    Writer.write("}", {});
  }
  Writer.enter();
  All.push_back({Where, F.Word.str()});
}

static bool isInside(const SourceManager &Sources, SourceLocation Where, const Region &R) {
  return R.Extent.isValid() && Sources.isBeforeInTranslationUnit(R.Extent.getBegin(), Where) &&
         Sources.isBeforeInTranslationUnit(Where, R.Extent.getEnd());
}

/// The innermost region around a directive, or null.
const Region *DirectiveTable::regionOf(const Directive &D, const RegionTable &Regions) const {
  const SourceManager &Sources = CI.getSourceManager();
  const Region *Innermost = nullptr;
  for (const std::unique_ptr<Region> &R : Regions.all())
    if (!R->Ignore && isInside(Sources, D.Where, *R) &&
        (!Innermost || isInside(Sources, R->Extent.getBegin(), *Innermost)))
      Innermost = R.get();
  return Innermost;
}

void DirectiveTable::check(const RegionTable &Regions) const {
  if (All.empty())
    return;
  for (const Directive &D : All) {
    const Region *Around = regionOf(D, Regions);
    if (!Around)
      report(CI.getDiagnostics(), D.Where, Diag::DirectiveOutside) << D.Word;
    else if (D.Word == "synapse" && !Around->Synapse.empty())
      report(CI.getDiagnostics(), D.Where, Diag::SynapseTwice);
  }
  LonelyFinder Finder(CI.getDiagnostics(), CI.getSourceManager(), All);
  for (Decl *D : CI.getASTContext().getTranslationUnitDecl()->noload_decls()) // a precompiled header has no directives
    Finder.TraverseDecl(D);
}

} // namespace gpuprof
