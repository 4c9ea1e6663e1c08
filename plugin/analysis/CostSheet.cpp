// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/CostSheet.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuprof {
namespace {

std::string idOrDash(int Id) { return Id == CostSheet::None ? "-" : std::to_string(Id); }

// A record is one line with tabs between its fields: neither may occur in a field.
std::string asField(StringRef Text) {
  std::string Field;
  for (char C : Text) {
    const bool Blank = C == '\t' || C == '\n' || C == '\r';
    if (!Blank || (!Field.empty() && Field.back() != ' '))
      Field += Blank ? ' ' : C;
  }
  return Field;
}

} // namespace

int CostSheet::regionBelow(int Parent, StringRef Description) {
  for (size_t I = 0; I < Regions.size(); ++I)
    if (Regions[I].Parent == Parent && Regions[I].Description == Description)
      return static_cast<int>(I);
  Regions.push_back({Parent, Description.str()});
  return static_cast<int>(Regions.size() - 1);
}

bool CostSheet::isWithin(int Region, int Outer) const {
  while (Region != Outer && Region != None)
    Region = Regions[Region].Parent;
  return Region == Outer;
}

int CostSheet::file(const SourceLine &Where) {
  if (Where.File.empty())
    return None;
  auto Found = find(Files, Where.File);
  if (Found == Files.end())
    Found = Files.insert(Found, Where.File);
  return static_cast<int>(Found - Files.begin());
}

void CostSheet::beginKernel(StringRef MangledName, const SourceLine &Where, bool IsFunction) {
  Kernel K;
  K.Name = MangledName.str();
  K.IsFunction = IsFunction;
  K.File = file(Where);
  K.Line = Where.Line;
  Kernels.push_back(std::move(K));
}

void CostSheet::endKernel(unsigned Groups) { Kernels.back().Groups = rowLength(Groups); }

void CostSheet::cost(unsigned Group, int Region, const SourceLine &Where, CostClass Class, uint64_t Amount) {
  Kernels.back().Costs[{Group, Region, file(Where), Where.Line}][Class] += Amount;
}

void CostSheet::detail(size_t Kernel, unsigned Group, CostClass Class, uint64_t Amount) {
  Kernels[Kernel].Costs[{Group, None, None, 0}][Class] += Amount;
}

void CostSheet::value(unsigned Group, int Region, StringRef Record, StringRef Name) {
  Kernels.back().Values.push_back({Group, Region, Record.str(), asField(Name)});
}

bool CostSheet::hasPart(int Region) const {
  const Kernel &K = Kernels.back();
  return any_of(K.Costs, [&](const auto &Cost) { return isWithin(Cost.first.Region, Region); }) ||
         any_of(K.Values, [&](const Value &V) { return isWithin(V.Region, Region); }) ||
         any_of(K.Calls, [&](const auto &Call) { return isWithin(Call.first, Region); });
}

void CostSheet::steps(int Region) { Kernels.back().Steps.insert(Region); }

unsigned CostSheet::call(int Region, StringRef MangledName) {
  auto &Calls = Kernels.back().Calls;
  const std::pair<int, std::string> New(Region, MangledName.str());
  auto Known = find(Calls, New);
  if (Known == Calls.end())
    Known = Calls.insert(Known, New);
  return static_cast<unsigned>(Known - Calls.begin());
}

void CostSheet::uncounted(unsigned Group, const SourceLine &Where, StringRef What, StringRef Why) {
  Kernels.back().Uncounted.insert({Group, file(Where), Where.Line, asField(What), asField(Why)});
}

std::vector<std::string> CostSheet::uncountedOf(size_t Index) const {
  std::vector<std::string> Sentences;
  for (const auto &[Group, File, Line, What, Why] : Kernels[Index].Uncounted) {
    std::string Sentence = What;
    if (File != None)
      Sentence += (" at " + Twine(Files[File]) + ":" + Twine(Line)).str();
    Sentences.push_back(Sentence + ": " + Why);
  }
  return Sentences;
}

std::string CostSheet::text() const {
  std::string Text = "gpuprof-sheet\t1\n";
  if (!Build.empty())
    Text += "build\t" + Build + "\n";
  for (auto [Id, Name] : enumerate(Files))
    Text += ("file\t" + Twine(Id) + "\t" + asField(Name) + "\n").str();
  for (auto [Id, Region] : enumerate(Regions))
    Text += ("region\t" + Twine(Id) + "\t" + idOrDash(Region.Parent) + "\t" + Region.Description + "\n").str();
  for (auto [Index, K] : enumerate(Kernels)) {
    Text += ((K.IsFunction ? "function\t" : "kernel\t") + Twine(Index) + "\t" + K.Name + "\tgroups=" + Twine(K.Groups)).str();
    if (K.File != None)
      Text += ("\tfile=" + Twine(K.File)).str();
    if (K.Line != 0)
      Text += ("\tline=" + Twine(K.Line)).str();
    Text += '\n';
    for (const auto &[P, Amounts] : K.Costs) {
      Text += ("cost\t" + Twine(Index) + "\t" + Twine(P.Group) + "\t" + idOrDash(P.Region) + "\t" + idOrDash(P.File) +
               "\t" + Twine(P.Line))
                  .str();
      for (auto [Class, Amount] : Amounts)
        Text += ("\t" + costClassName(Class) + "=" + Twine(Amount)).str();
      Text += '\n';
    }
    for (const Value &V : K.Values)
      Text += ("value\t" + Twine(Index) + "\t" + Twine(V.Group) + "\t" + idOrDash(V.Region) + "\t" + V.Record + "\t" +
               V.Name + "\n")
                  .str();
    if (!K.Clone.empty())
      Text += ("clone\t" + Twine(Index) + "\t" + K.Clone + "\n").str();
    if (K.Waits)
      Text += ("waits\t" + Twine(Index) + "\n").str();
    for (const std::string &Pair : K.Apart)
      Text += ("apart\t" + Twine(Index) + "\t" + Pair + "\n").str();
    for (const auto &[Record, Facts] : K.Marks)
      Text += (Record + "\t" + Twine(Index) + "\t" + Facts + "\n").str();
    for (int Region : K.Steps)
      Text += ("steps\t" + Twine(Index) + "\t" + idOrDash(Region) + "\n").str();
    for (const auto &[Region, Why] : K.Empty)
      Text += ("empty\t" + Twine(Index) + "\t" + Twine(Region) + "\t" + Why + "\n").str();
    for (const auto &[Region, Name] : K.Calls)
      Text += ("call\t" + Twine(Index) + "\t" + idOrDash(Region) + "\t" + Name + "\n").str();
    for (const auto &[Group, File, Line, What, Why] : K.Uncounted)
      Text += ("uncounted\t" + Twine(Index) + "\t" + Twine(Group) + "\t" + idOrDash(File) + "\t" + Twine(Line) + "\t" +
               What + "\t" + Why + "\n")
                  .str();
  }
  return Text + "end\n";
}

} // namespace gpuprof
