// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures and surfaces: tex, tld4, suld and sust, done by the emulator. Coordinates and results go through
// the thread's memory.
#include "inline-ptx/AsmTextures.h"
#include "gpuprof/cpu_texture.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
struct Geometry {
  const char *Name;
  unsigned Number, Coordinates; // in PTX's order, without padding
};
constexpr Geometry Geometries[] = {
#define GPUPROF_TEXTURE_GEOMETRY(name, number, coordinates) {#name, number, coordinates},
    GPUPROF_TEXTURE_GEOMETRIES(GPUPROF_TEXTURE_GEOMETRY)
#undef GPUPROF_TEXTURE_GEOMETRY
};

// "1d" is no identifier: the header's list has g1d.
const Geometry *geometryOf(ArrayRef<std::string> Pieces) {
  for (const std::string &Piece : Pieces)
    for (const Geometry &G : Geometries)
      if (Piece == StringRef(G.Name).drop_front())
        return &G;
  return nullptr;
}

AllocaInst *slot(CallInst &I, Type *As) {
  BasicBlock &Entry = I.getFunction()->getEntryBlock();
  return IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(As);
}

unsigned numberIn(ArrayRef<const char *> Names, const ptx::Instruction &O, unsigned Otherwise) {
  for (unsigned N = 0; N != Names.size(); ++N)
    if (O.has(Names[N]))
      return N;
  return Otherwise;
}
} // namespace

// "[$4, {$5, $6}]": the object, then the coordinates, each in 32 bits.
bool AsmTextures::textureAddress(StringRef Text, unsigned Coordinates, Value *&Object,
                                 SmallVectorImpl<Value *> &Place) {
  Text = Text.trim();
  if (!Text.consume_front("[") || !Text.consume_back("]"))
    return false;
  auto [Name, List] = Text.split(',');
  Object = read(Name.trim(), B.getInt64Ty());
  return Object && readList(List, B.getInt32Ty(), Place) && Place.size() >= Coordinates;
}

bool AsmTextures::texture(Op O) {
  const StringRef Name = O.Opcode[0];
  const bool IsStore = Name == "sust", IsSurface = IsStore || Name == "suld";
  if ((!IsSurface && Name != "tex" && Name != "tld4") || O.Operands.size() < 2)
    return false;
  const Geometry *G = geometryOf(O.Opcode);
  Value *Object = nullptr;
  SmallVector<Value *> Place, Data;
  if (!G || StringRef(O.Operands[0]).contains('|') || // residency of texels, of sparse arrays
      !textureAddress(O.Operands[IsStore ? 0 : 1], G->Coordinates, Object, Place))
    return false;
  Place.resize(G->Coordinates);
  unsigned Form = G->Number;
  if (IsSurface) {
    constexpr const char *Bounds[] = {"trap", "clamp", "zero"}, *Sizes[] = {"b8", "b16", "b32", "b64"};
    const unsigned Bytes = 1u << numberIn(Sizes, O, 0), Registers = O.has("v4") ? 4 : O.has("v2") ? 2 : 1;
    Form |= GPUPROF_TEXTURE_BOUNDS(numberIn(Bounds, O, 0)) | GPUPROF_TEXTURE_BYTES(Bytes) |
            GPUPROF_TEXTURE_CHANNELS(Registers);
    if (O.Opcode[1] != "b")
      return false;
  } else {
    constexpr const char *Channels[] = {"r", "g", "b", "a"};
    Form |= O.Opcode.back() == "s32" ? GPUPROF_TEXTURE_INTEGER_PLACE : 0;
    Form |= O.has("level") ? GPUPROF_TEXTURE_LEVEL : O.has("grad") ? GPUPROF_TEXTURE_GRADIENT : 0;
    if (Name == "tld4")
      Form |= GPUPROF_TEXTURE_GATHER | GPUPROF_TEXTURE_CHANNELS(numberIn(Channels, O, 0));
    for (size_t N = 2; N < O.Operands.size(); ++N) // the level, or the gradients
      if (StringRef More = StringRef(O.Operands[N]).trim(); More.starts_with("{")) {
        if (!readList(More, B.getInt32Ty(), Place))
          return false;
      } else if (Value *V = read(More, B.getInt32Ty())) {
        Place.push_back(V);
      } else {
        return false;
      }
  }
  if (IsStore && !readList(O.Operands[1], B.getIntNTy(O.has("b64") ? 64 : 32), Data))
    return false;
  auto *Places = ArrayType::get(B.getInt32Ty(), GPUPROF_TEXTURE_PLACES);
  auto *Texel = ArrayType::get(B.getInt64Ty(), 4);
  Value *At = slot(I, Places), *Values = slot(I, Texel);
  for (auto [N, V] : enumerate(Place))
    B.CreateStore(V, B.CreateConstGEP2_32(Places, At, 0, static_cast<unsigned>(N)));
  for (auto [N, V] : enumerate(Data))
    B.CreateStore(B.CreateZExt(V, B.getInt64Ty()),
                  B.CreateConstGEP2_32(Texel, Values, 0, static_cast<unsigned>(N)));
  const StringRef Entry = IsStore     ? "__gpuprof_cpu_surface_store"
                          : IsSurface ? "__gpuprof_cpu_surface_load"
                                      : "__gpuprof_cpu_texture";
  B.CreateCall(L.entry(Entry), {Object, B.getInt32(Form), At, Values});
  if (IsStore)
    return true;
  SmallVector<Value *> Results;
  for (unsigned N = 0; N != 4; ++N) {
    Value *V = B.CreateLoad(B.getInt64Ty(), B.CreateConstGEP2_32(Texel, Values, 0, N));
    Results.push_back(O.has("b64") ? V : B.CreateTrunc(V, B.getInt32Ty()));
  }
  writeList(O.Operands[0], Results);
  return true;
}
} // namespace gpuprof::cpu
