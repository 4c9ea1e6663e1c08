// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the text of inline PTX: its instructions, registers and labels, as in CUDA's headers and kernels.
// Uses the standard library only; shared by counting and the CPU device.
#ifndef GPUPROF_PTX_PTX_H
#define GPUPROF_PTX_PTX_H

#include <string>
#include <string_view>
#include <vector>

namespace gpuprof::ptx {

/// Texts in their order. In a truncated text, or with too few operands, missing ones read as empty.
class Pieces : public std::vector<std::string> {
public:
  using vector::vector;
  Pieces(std::vector<std::string> Texts) : vector(std::move(Texts)) {}
  const std::string &operator[](size_t I) const { return I < size() ? begin()[static_cast<std::ptrdiff_t>(I)] : none(); }
  const std::string &back() const { return empty() ? none() : end()[-1]; }

private:
  static const std::string &none();
};

/// One instruction: `@!p fma.rn.f32 d, a, b, c;` has Predicate "!p", Opcode {"fma","rn","f32"}, four
/// operands.
struct Instruction {
  std::string Predicate;             // empty: always executed
  Pieces Opcode;                     // the parts between dots; never empty
  Pieces Operands;                   // as written: "$0", "low", "[$1+4]", "{$0,$1}", "0f3f800000", "_"
  size_t Begin = 0;                  // index of its first character, '@' or of the opcode, in the text parsed
  std::string text() const;          // the opcode, joined by dots
  bool has(std::string_view Piece) const;
};

/// A register declared in the text: `.reg .f16 low;`
struct Register {
  std::string Type; // "f16"
  std::string Name;
};

/// `AGAIN:` in the text.
struct Label {
  std::string Name;
  size_t Before; // index of the instruction behind it; the number of instructions at the end
};

/// The whole text.
struct Program {
  std::vector<Register> Registers;
  std::vector<Instruction> Instructions; // in the order of the text
  std::vector<Label> Labels;             // likewise
  std::string Error;                     // empty: everything was read
  std::string
      // reason why the number of runs of each instruction is unknown; empty: straight-line code, each once
      Branch;
};

/// Operands for asm operands keep LLVM's spelling: "$0"; "${0:c}" becomes "$0". "$$" is read as "$". Reads
/// any text, even a truncated one; reports failure only by Error.
Program parse(std::string_view Text);

} // namespace gpuprof::ptx
#endif
