// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pragma_source.h"

#include <iterator>

namespace gpuprof::fuzz {
namespace {

const char Prelude[] = R"cu(#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define NAME "macro"
#define WORD forward
#define CLAUSE phase(forward)
#define REGION _Pragma("gpuprof region(\"in a macro\")")
#define WITH_REGION(s) _Pragma("gpuprof region") s
typedef __SIZE_TYPE__ size_t;
struct dim3 { unsigned x, y, z; constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
typedef struct CUstream_st *cudaStream_t;
enum cudaError_t { cudaSuccess };
extern "C" {
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = nullptr);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
}
__host__ __device__ int work(int n);
)cu";

class Maker {
public:
  Maker(const uint8_t *Data, size_t Size) : At(Data), End(Data + Size) {}

  Source make() {
    Made.Text = Prelude;
    while (At != End && Made.Text.size() < 16384)
      declaration(0);
    return Made;
  }

private:
  unsigned choose(unsigned Count) { return At == End ? 0 : *At++ % Count; }
  bool chance(unsigned OneIn) { return At != End && choose(OneIn) == 1; }
  template <size_t N> void oneOf(const char *const (&Texts)[N]) { put(Texts[choose(N)]); }
  void put(const std::string &Text) { Made.Text += Text; }
  std::string fresh(const char *Stem) { return Stem + std::to_string(Count++); }

  // ---- Pragmas
  void bytes() {
    for (unsigned I = 0, N = choose(12); I < N; ++I)
      if (const char C = static_cast<char>(choose(256)); C != '\n' && C != '\r')
        Made.Text += C;
  }
  void name() {
    static const char *const Names[] = {"\"a\"", "\"a\" \"b\"", "NAME", "\"\"", "\"a/b\"", "\"a\\tb\"", "\"\\xff\"", "attention", "L\"wide\"",
                                        "u8\"eight\"", "R\"(raw)\"", "\"unended", "\"%s%n\"", "\"\\\"\"", "'c'", "1", "", "\"a\"_x", "__FILE__",
                                        "\"\u00e4\"", "(\"a\")", "\"a\", \"b\"", "\"\\0\"", "\"kind=ignore\""};
    oneOf(Names);
  }
  void clause() {
    static const char *const Clauses[] = {"phase(forward)", "phase(backward)", "category(attention)", "category(\"my own\")", "color(0x00ff00)",
                                          "phase(\"forward\")", "phase(foward)", "phase()", "phase(", "phase", "category(\"\")", "category(\"a/b\")",
                                          "color(red)", "color(0xfff)", "color(0x1000000)", "color(0XFFFFFFu)", "CLAUSE", "phase(WORD)",
                                          "colour(1)", "synapse", "synapse()", "synapse(1, 2)", "phase(forward", "phase(1)", "category(a b)", "color(0x00'ff00)", ")", "category(NAME)"};
    put(" ");
    oneOf(Clauses);
  }
  void regionText() {
    static const char *const Good[] = {"region", "region(\"a\")", "region(\"b\") phase(forward)", "region(\"s\") synapse", "region(\"c\") category(\"my own\") color(0x00ff00)"};
    if (!chance(8))
      return oneOf(Good);
    put("region");
    if (choose(4)) {
      put("(");
      name();
      put(chance(12) ? "" : ")");
    }
    for (unsigned I = 0, N = choose(4); I < N; ++I)
      clause();
  }
  void junk() {
    static const char *const Ends[] = {";", ",", ")", "{", "\\", "// comment", "/* comment */", "#", "\"", "region(\"b\")", "?\?/", "@", "\\u00e4"};
    put(" ");
    chance(3) ? bytes() : oneOf(Ends);
  }
  void regionPragma() {
    if (chance(10)) {
      put(chance(2) ? "REGION " : "_Pragma(\"gpuprof region(\\\"quoted\\\")\") ");
      return;
    }
    put(chance(8) ? "\n # pragma\tgpuprof " : "\n#pragma gpuprof ");
    chance(6) ? put("ignore") : chance(40) ? bytes() : regionText();
    if (chance(40))
      junk();
    put("\n");
  }
  void directivePragma() {
    static const char *const Texts[] = {"expect flops(2.0 * x)", "expect bytes(1) items(y)", "expect flops(1) flops(2)", "expect", "expect flops",
                                        "count(\"n\", 1)", "count(\"n\", x + 1)", "count(n, 1)", "count(\"n\")", "count(\"\", 1)", "count(\"a\\\"b\", 1)",
                                        "spike(x)", "spike(1.0f)", "spike()", "spike((x, y))", "spike(", "spike(})", "spike({)", "step(x)", "step(i)",
                                        "step([] { return 1; }())", "step(step)", "step(0) step(1)", "count(NAME, ({ 1; }))", "spike(x) junk",
                                        "step(({ goto out; 1; }))", "spike(__LINE__)", "count(\"a\" \"b\", work(1))", "expect flops(work(x)) bytes(y)", "synapse(x)", "synapse(x, y) multiply inputs(3)",
                                        "synapse(x, y) inputs", "synapse(x, y) multiply multiply", "synapse(x, y, x)", "synapse(1.0f, x)",
                                        "synapse(-1, x)", "synapse((x, y), ({ 1; }))", "synapse(x, })", "synapse(,)", "synapse(x, y) WORD",
                                        "synapse([] { return 1, 2; }(), x)"};
    static const char *const Good[] = {"count(\"n\", x + 1)", "spike(x)", "step(x)", "synapse(x != 0, 3) inputs(1)"};
    Made.HasExpressions = true;
    put("\n#pragma gpuprof ");
    chance(8) ? oneOf(Texts) : oneOf(Good);
    if (chance(20))
      junk();
    put("\n");
  }
  void maybePragma() {
    while (chance(3))
      regionPragma();
    if (chance(8))
      directivePragma();
  }

  // ---- Statements
  void expression() {
    static const char *const Texts[] = {"x = work(y)", "y += x * 3", "work(x ? y : 1)", "x++", "(void)0", "work([=] { return x; }())", "x = y & 63",
                                        "__builtin_trap()", "asm volatile(\"\")", "x = sizeof(int)"};
    oneOf(Texts);
  }
  void attribute() {
    static const char *const Texts[] = {"[[likely]] ", "[[unlikely]] ", "__attribute__((nomerge)) "};
    if (chance(10))
      oneOf(Texts);
  }
  void block(unsigned Depth) {
    put("{ ");
    for (unsigned I = 0, N = choose(4); I < N; ++I)
      statement(Depth + 1);
    if (chance(12)) // before the brace
      maybePragma();
    put("}\n");
  }
  void loop(unsigned Depth) {
    static const char *const Heads[] = {"for (int i = 0; i < x; i++) ", "while (x-- > 0) ", "for (int i : (const int[3]){1, 2, 3}) ", "for (;;) "};
    const unsigned Kind = choose(5);
    put(Kind == 4 ? "do " : Heads[Kind]);
    ++Loops;
    statement(Depth + 1);
    --Loops;
    if (Kind == 4)
      put("while (x > y);\n");
  }
  void branch(unsigned Depth) {
    static const char *const Heads[] = {"if (x > y) ", "if (int i = work(x)) ", "if constexpr (sizeof(int) == 4) ", "if (x) "};
    oneOf(Heads);
    statement(Depth + 1);
    if (chance(2)) {
      put("else ");
      statement(Depth + 1);
    }
  }
  void choice(unsigned Depth) {
    put("switch (x) { ");
    for (unsigned I = 0, N = choose(4); I < N; ++I) {
      if (chance(16))
        maybePragma();
      put(I + 1 == N && chance(2) ? "default: " : "case " + std::to_string(I) + ": ");
      statement(Depth + 1);
    }
    put("}\n");
  }
  void local() {
    static const char *const Texts[] = {"int l = x;\n", "auto f = [] { return 1; };\n", "struct S { int a; void m() {} } s;\n", "static int s = 1;\n",
                                        "int a[4] = {};\n", "using T = int;\n", "extern int e;\n", "int v = ({ int w = x; w; });\n"};
    put("{ ");
    if (chance(8))
      maybePragma();
    oneOf(Texts);
    put("}\n");
  }
  void jump() {
    static const char *const Texts[] = {"break;\n", "continue;\n", ";\n", "(void)&&out;\n"};
    const bool InLoop = Loops > 0;
    switch (choose(4)) {
    case 1: return put(InLambda || !ReturnsNumber ? "return;\n" : "return 1;\n");
    case 2:
      NeedsLabel |= !InLambda;
      return put(InLambda ? ";\n" : "goto out;\n");
    default:
      if (InLoop || chance(20))
        return oneOf(Texts);
      put(";\n");
    }
  }
  void lambda(unsigned Depth) {
    const bool Outer = InLambda;
    const unsigned OuterLoops = Loops;
    put("([&]() ");
    if (chance(6))
      maybePragma();
    InLambda = true, Loops = 0;
    block(Depth + 1);
    InLambda = Outer, Loops = OuterLoops;
    put(")();\n");
  }
  void statement(unsigned Depth) {
    maybePragma();
    attribute();
    switch (Depth > 6 ? 0 : choose(10)) {
    case 1: return block(Depth);
    case 2: return loop(Depth);
    case 3: return branch(Depth);
    case 4: return choice(Depth);
    case 5: return local();
    case 6: return jump();
    case 7: return lambda(Depth);
    case 8:
      put("WITH_REGION(");
      expression();
      return put(";)\n");
    default: expression(); put(";\n");
    }
  }

  // ---- Declarations
  void function(const std::string &Head, unsigned Depth) {
    put(Head);
    put(chance(24) ? "try " : "");
    const bool Try = Made.Text.compare(Made.Text.size() - 4, 4, "try ") == 0;
    ReturnsNumber = Head.compare(0, 9, "constexpr") == 0;
    NeedsLabel = InLambda = false, Loops = 0;
    put(ReturnsNumber ? "{ int x = n, y = n; " : "{ int x = work(1), y = x; (void)y; ");
    for (unsigned I = 0, N = 1 + choose(6); I < N; ++I)
      statement(Depth + 1);
    if (NeedsLabel || chance(6))
      put("out: ;\n");
    if (chance(10))
      maybePragma();
    put(ReturnsNumber ? "return x; " : "");
    put(Try ? "} catch (...) { }\n" : "}\n");
  }
  void structure(unsigned Depth) {
    const std::string Name = fresh("S");
    put("struct " + Name + " { ");
    for (unsigned I = 0, N = choose(4); I < N; ++I) {
      if (chance(4))
        regionPragma();
      switch (choose(6)) {
      case 1: function(Name + "() : a(work(1)) ", Depth); return put("int a; };\n");
      case 2: put("int " + fresh("m") + " = [] { return 1; }();\n"); break;
      case 3: function("friend __device__ void " + fresh("f") + "(" + Name + " &) ", Depth); break;
      case 4: function("template <class T> __host__ __device__ void " + fresh("f") + "(T n) ", Depth); break;
      default: function("__device__ void " + fresh("f") + "() ", Depth);
      }
    }
    put("};\n");
  }
  void declaration(unsigned Depth) {
    static const char *const Wrong[] = {"using namespace gone;\n", "#include \"none\"\n", "#if 0\n", "#endif\n", "int f( ;\n", "}\n", "template <class\n"};
    if (chance(60))
      oneOf(Wrong);
    static const char *const Plain[] = {"int %; \n", "void %();\n", "typedef int %;\n", "namespace % { }\n", "enum % { };\n", ";\n",
                                        "template <class T> struct %;\n", "static_assert(true);\n", "asm(\"\");\n", "auto % = [] { return 1; }();\n",
                                        "void %() = delete;\n", "extern \"C\" void %();\n", "__device__ int %[4];\n", "#define % 1\n"};
    const unsigned Kind = Depth > 3 ? 0 : choose(14);
    if ((Kind >= 1 && Kind <= 5) || chance(16)) // before functions; elsewhere it is an error
      while (chance(4))
        regionPragma();
    switch (Kind) {
    case 1: return function("__global__ void " + fresh("k") + "(int n) ", Depth);
    case 2: return function("__device__ void " + fresh("f") + "(int n) ", Depth);
    case 3: return function("void " + fresh("f") + "() ", Depth);
    case 4: return function("template <class T> __global__ void " + fresh("k") + "(T n) ", Depth);
    case 5: return function("constexpr __host__ __device__ int " + fresh("f") + "(int n) ", Depth);
    case 6: return structure(Depth);
    case 7:
    case 8:
      put(chance(2) ? "extern \"C\" { " : "namespace N" + std::to_string(Count++) + " { ");
      for (unsigned I = 0, N = choose(4); I < N; ++I)
        declaration(Depth + 1);
      if (chance(16))
        maybePragma();
      return put("}\n");
    case 9: {
      const std::string Name = fresh("k");
      function("template <class T> __global__ void " + Name + "(T n) ", Depth);
      return put("void " + fresh("h") + "() { " + Name + "<<<1, 1>>>(1); " + Name + "<<<1, 1>>>(1.0f); }\n");
    }
    case 10: {
      const std::string Name = fresh("k");
      function("__global__ void " + Name + "() ", Depth);
      return function("void " + fresh("h") + "() { " + Name + "<<<1, 1>>>(); } void " + fresh("h") + "() ", Depth);
    }
    case 11: return function("__host__ __device__ auto " + fresh("f") + " = [](auto n) ", Depth), put(";\n");
    default: {
      std::string Text = Plain[choose(std::size(Plain))];
      if (const size_t At = Text.find('%'); At != std::string::npos)
        Text.replace(At, 1, fresh("d"));
      put(Text);
    }
    }
  }

  const uint8_t *At, *End;
  Source Made;
  unsigned Count = 0, Loops = 0;
  bool InLambda = false, ReturnsNumber = false, NeedsLabel = false;
};

} // namespace

Source makeSource(const uint8_t *Data, size_t Size) { return Maker(Data, Size).make(); }

} // namespace gpuprof::fuzz
