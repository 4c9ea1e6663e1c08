// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx/Ptx.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace gpuprof::ptx {
namespace {

bool isSpace(char C) { return std::isspace(static_cast<unsigned char>(C)) != 0; }
bool isWord(char C) { return std::isalnum(static_cast<unsigned char>(C)) != 0 || C == '_' || C == '$'; }

std::string_view trim(std::string_view S) {
  while (!S.empty() && isSpace(S.front()))
    S.remove_prefix(1);
  while (!S.empty() && isSpace(S.back()))
    S.remove_suffix(1);
  return S;
}

// LLVM's escapes and comments out: "$$" is "$", "${0:c}" is "$0", "//…" and "/*…*/" are blanks. Origins: the
// index in S of each character.
std::string plainText(std::string_view S, std::vector<size_t> &Origins) {
  std::string Out;
  for (size_t I = 0; I < S.size(); ++I) {
    const size_t Origin = I;
    std::string_view Rest = S.substr(I);
    if (Rest.substr(0, 2) == "//" || Rest.substr(0, 2) == "/*") {
      const bool Line = Rest[1] == '/';
      size_t End = Rest.find(Line ? "\n" : "*/", 2);
      if (End == std::string_view::npos)
        break;
      I += End + (Line ? 0 : 1);
      Out += ' ';
    } else if (Rest.substr(0, 2) == "$$") {
      Out += '$';
      ++I;
    } else if (Rest.substr(0, 2) == "${") {
      size_t End = Rest.find('}');
      if (End == std::string_view::npos)
        break;
      std::string_view Name = Rest.substr(2, End - 2);
      Out += '$';
      Out += Name.substr(0, Name.find(':'));
      I += End;
    } else {
      Out += S[I];
    }
    Origins.resize(Out.size(), Origin);
  }
  return Out;
}

std::vector<std::string> split(std::string_view S, char Separator) {
  std::vector<std::string> Pieces;
  for (size_t End; (End = S.find(Separator)) != std::string_view::npos; S.remove_prefix(End + 1))
    Pieces.emplace_back(trim(S.substr(0, End)));
  Pieces.emplace_back(trim(S));
  return Pieces;
}

// Splits at commas outside of braces, brackets and parentheses.
std::vector<std::string> operands(std::string_view S) {
  std::vector<std::string> Result;
  int Depth = 0;
  size_t Begin = 0;
  for (size_t I = 0; I <= S.size(); ++I) {
    const char C = I < S.size() ? S[I] : ',';
    if (C == '{' || C == '[' || C == '(')
      ++Depth;
    else if (C == '}' || C == ']' || C == ')')
      --Depth;
    else if (C == ',' && (Depth == 0 || I == S.size())) {
      std::string_view Operand = trim(S.substr(Begin, I - Begin));
      if (!Operand.empty())
        Result.emplace_back(Operand);
      Begin = I + 1;
    }
  }
  return Result;
}

// "WAIT", "$L__BB0_1": a possible name of a label.
bool isName(std::string_view S) {
  return !S.empty() && std::all_of(S.begin(), S.end(), [](char C) { return isWord(C) || C == '%'; });
}

bool isOneOf(std::string_view Word, std::initializer_list<std::string_view> Words) {
  return std::find(Words.begin(), Words.end(), Word) != Words.end();
}

class Reader {
public:
  explicit Reader(std::string_view Written) : Text(plainText(Written, Origins)) {}

  Program read() {
    size_t Begin = 0;
    for (size_t I = 0; I < Text.size() && Result.Error.empty(); ++I) {
      const char C = Text[I];
      const std::string_view Before = trim(std::string_view(Text).substr(Begin, I - Begin));
      if (C == ';') {
        statement(Before);
        Begin = I + 1;
      } else if (C == '{' && Before.empty()) {
        Begin = I + 1; // a scope, no operand list
        ++Scopes;
      } else if (C == '}' && Scopes > 0 && Before.empty()) {
        Begin = I + 1;
        --Scopes;
      } else if (C == ':' && isName(Before) && Text.compare(I, 2, "::") != 0) {
        branch("a label is not straight-line PTX");
        Result.Labels.push_back({std::string(Before), Result.Instructions.size()});
        Begin = I + 1;
      }
    }
    if (Result.Error.empty())
      statement(trim(std::string_view(Text).substr(std::min(Begin, Text.size()))));
    return std::move(Result);
  }

private:
  void branch(std::string Why) {
    if (Result.Branch.empty())
      Result.Branch = std::move(Why);
  }

  void statement(std::string_view S) {
    if (S.empty())
      return;
    if (S.front() == '.')
      return declaration(S);
    Instruction I;
    I.Begin = Origins[static_cast<size_t>(S.data() - Text.data())];
    if (S.front() == '@')
      S = predicate(S.substr(1), I);
    if (S.empty() || !isWord(S.front())) {
      Result.Error = "not an instruction: \"" + std::string(S) + "\"";
      return;
    }
    S = opcode(S, I);
    I.Operands = operands(S);
    if (isOneOf(I.Opcode[0], {"bra", "brx", "ret"}))
      branch("\"" + I.Opcode[0] + "\" is not straight-line PTX");
    Result.Instructions.push_back(std::move(I));
  }

  // "p add…" or "! p add…": all behind it.
  static std::string_view predicate(std::string_view S, Instruction &I) {
    S = trim(S);
    if (!S.empty() && S.front() == '!') {
      I.Predicate = "!";
      S = trim(S.substr(1));
    }
    size_t End = 0;
    while (End < S.size() && !isSpace(S[End]))
      ++End;
    I.Predicate += S.substr(0, End);
    return trim(S.substr(End));
  }

  // "add.f32 d, a" or "add .f32 d, a": all behind it. No operand begins with a dot.
  static std::string_view opcode(std::string_view S, Instruction &I) {
    std::string Text;
    do {
      size_t End = 0;
      while (End < S.size() && (isWord(S[End]) || S[End] == '.' || S[End] == ':'))
        ++End;
      Text += S.substr(0, End);
      S = trim(S.substr(End));
    } while (!S.empty() && S.front() == '.');
    I.Opcode = split(Text, '.');
    return S;
  }

  // ".reg .f16 low, high" or ".reg.f16 low, high": several names, each one register. Other variables are
  // irrelevant here.
  void declaration(std::string_view S) {
    size_t End = 1;
    while (End < S.size() && !isSpace(S[End]) && S[End] != '.')
      ++End;
    std::string_view Kind = S.substr(0, End);
    if (Kind != ".reg") {
      if (!isOneOf(Kind, {".pragma", ".loc", ".param", ".local", ".shared", ".const", ".global", ".align",
                          ".branchtargets", ".callprototype", ".calltargets"}))
        Result.Error = "\"" + std::string(Kind) + "\" is not known in inline PTX";
      return;
    }
    S = trim(S.substr(End));
    for (End = 0; End < S.size() && !isSpace(S[End]);)
      ++End;
    std::string Type(S.substr(0, End));
    if (!Type.empty() && Type.front() == '.')
      Type.erase(0, 1);
    for (std::string &Name : split(S.substr(End), ','))
      if (!Name.empty())
        Result.Registers.push_back({Type, std::move(Name)});
  }

  std::vector<size_t> Origins; // of the characters of Text
  std::string Text;
  Program Result;
  int Scopes = 0;
};

} // namespace

const std::string &Pieces::none() {
  static const std::string None;
  return None;
}

std::string Instruction::text() const {
  std::string Text;
  for (const std::string &Piece : Opcode)
    Text += (Text.empty() ? "" : ".") + Piece;
  return Text;
}

bool Instruction::has(std::string_view Piece) const {
  for (const std::string &P : Opcode)
    if (P == Piece)
      return true;
  return false;
}

Program parse(std::string_view Text) { return Reader(Text).read(); }

} // namespace gpuprof::ptx
