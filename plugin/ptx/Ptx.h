// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the text of inline PTX: its instructions, registers and labels, as CUDA's headers and kernels write
// them. Uses the standard library only; shared by counting and the CPU device.
#ifndef GPUPROF_PTX_PTX_H
#define GPUPROF_PTX_PTX_H

#include <string>
#include <string_view>
#include <vector>

namespace gpuprof::ptx {

/// Texts in their order. A text that is cut off, or has too few operands, lacks some: these read as empty.
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
  Pieces Opcode;                     // what lies between dots; never empty
  Pieces Operands;                   // as written: "$0", "low", "[$1+4]", "{$0,$1}", "0f3f800000", "_"
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
      Branch; // why it is not known how often each instruction runs; empty: it is a straight line, each once
};

/// Operands that stand for asm operands keep LLVM's spelling: "$0", "${0:c}" becomes "$0". "$$" is read as
/// "$". Reads any text, also one that is cut off, without failing otherwise than by Error.
Program parse(std::string_view Text);

} // namespace gpuprof::ptx
#endif
