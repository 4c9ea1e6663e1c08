// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/Options.h"
#include "common/Suggest.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprof {
namespace {

struct Row {
  StringRef Name, Values, Default, Help;
  bool takesValue() const { return !Values.empty(); }
  bool isFree() const { return takesValue() && Values.front() >= 'A' && Values.front() <= 'Z'; }
};

constexpr Row Rows[] = {
#define GPUPROF_OPTION(name, values, standard, help) {#name, values, standard, help},
#include "gpuprof/plugin_options.inc"
};

Error optionError(const Twine &Text) { return createStringError(inconvertibleErrorCode(), Text); }

const Row *findRow(StringRef Name) {
  for (const Row &R : Rows)
    if (R.Name == Name)
      return &R;
  return nullptr;
}

constexpr struct {
  StringRef Name, Help;
} WarningGroups[] = {
#define GPUPROF_WARNING_GROUP(identifier, name, help) {name, help},
#include "gpuprof/plugin_warnings.inc"
};

template <class Table> SmallVector<StringRef, 8> namesOf(const Table &Of) {
  SmallVector<StringRef, 8> Names;
  for (const auto &Entry : Of)
    Names.push_back(Entry.Name);
  return Names;
}

Error checkValue(const Row &R, StringRef Value, bool HasValue) {
  if (!R.takesValue())
    return HasValue ? optionError("gpuprof option '" + R.Name + "' takes no value") : Error::success();
  if (Value.empty())
    return optionError("gpuprof option '" + R.Name + "' needs a value: " + R.Name + "=" + R.Values);
  if (R.isFree())
    return Error::success();
  SmallVector<StringRef, 4> Words;
  R.Values.split(Words, '|');
  if (is_contained(Words, Value))
    return Error::success();
  return optionError("gpuprof option '" + R.Name + "' cannot be '" + Value + "': use " + R.Name + "=" +
                     R.Values);
}

/// warn=no-GROUP,no-GROUP…
Error storeWarnings(Options &O, StringRef List) {
  SmallVector<StringRef, 8> Names = namesOf(WarningGroups);
  SmallVector<StringRef, 4> Words;
  List.split(Words, ',');
  for (StringRef Word : Words) {
    StringRef Group = Word;
    bool Off = Group.consume_front("no-");
    auto *Found = llvm::find(Names, Group);
    if (Off && Group == "all")
      O.NoWarnings = ~0u;
    else if (Off && Found != Names.end())
      O.NoWarnings |= 1u << (Found - Names.begin());
    else
      return optionError("gpuprof option 'warn' cannot have '" + Word + "': write no-all, or no-GROUP with a group" +
                         suggestion(Group, Names));
  }
  return Error::success();
}

void setMathematics(Options &O, StringRef Value) {
  O.FastMath = Value == "fast";
  O.FlushDenormals = Value != "precise";
}

Error store(Options &O, StringRef Name, StringRef Value) {
  if (Name == "device")
    O.Devices = Value == "gpu"   ? Options::Device::Gpu
                : Value == "cpu" ? Options::Device::Cpu
                                 : Options::Device::Both;
  else if (Name == "auto")
    O.OnlyAnnotated = Value == "annotated";
  else if (Name == "filter")
    O.Filter = Value.str();
  else if (Name == "arch")
    O.Arch = Value.str();
  else if (Name == "math")
    setMathematics(O, Value);
  else if (Name == "warn")
    return storeWarnings(O, Value);
  else if (Name == "count")
    O.Count = Value.str();
  else if (Name == "twins")
    O.Twins = Value == "on";
  else if (Name == "unique")
    O.Unique = Value.str(), O.IsUniqueGiven = true;
  else if (Name == "check")
    O.Check = Value == "on";
  else if (Name == "requests")
    O.Requests = Value == "on";
  else if (Name == "barriers")
    O.Split = Value == "split";
  else if (Name == "budget")
    O.Budget = Value == "on";
  else if (Name == "headers")
    O.KeepHeaders = Value == "kept";
  else if (Name == "remarks")
    O.Remarks = true;
  else if (Name == "help")
    O.Help = true;

  std::string Why;
  if (Name == "filter" && !Regex(Value).isValid(Why))
    return optionError("gpuprof option 'filter': '" + Value + "' is no regular expression: " + Why);
#if !defined(GPUPROF_CPU_DEVICE)
  if (Name == "device" && O.forCpu())
    return optionError("gpuprof option 'device' cannot be '" + Value +
                       "': this gpuprof is built without the CPU device, so use device=gpu, or build it with "
                       "-DGPUPROF_CPU_DEVICE=ON");
#endif
  if (Name == "arch" && !Regex("^sm_[0-9]+[af]?$").match(Value))
    return optionError("gpuprof option 'arch' cannot be '" + Value + "': use the form arch=sm_90");
  return Error::success();
}

} // namespace

#if defined(GPUPROF_CPU_DEVICE)
Options::Options() : Devices(Device::Both) {}
#else
Options::Options() : Devices(Device::Gpu) {}
#endif

Expected<Options> parseOptions(const std::vector<std::string> &Words) {
  Options O;
  for (StringRef Word : Words) {
    auto [Name, Value] = Word.split('=');
    const Row *R = findRow(Name);
    if (!R)
      return optionError("gpuprof has no option '" + Name + "'" + suggestion(Name, namesOf(Rows)));
    if (Error E = checkValue(*R, Value, Word.contains('=')))
      return E;
    if (Error E = store(O, Name, Value))
      return E;
    O.Text += (O.Text.empty() ? "" : " ") + Word.str();
  }
  return O;
}

namespace {

// A word and its meaning, broken for a terminal of 80 columns as 'gpuprof help plugin-options' does.
void printRow(raw_ostream &Out, StringRef Word, StringRef Help) {
  constexpr size_t Meaning = 34, Width = 80;
  size_t Column = 2 + Word.size();
  Out << "  " << Word;
  if (Column >= Meaning) {
    Out << "\n";
    Column = 0;
  }
  Out.indent(Meaning - Column);
  Column = Meaning;
  SmallVector<StringRef, 32> Words;
  Help.split(Words, ' ');
  for (StringRef W : Words) {
    if (Column > Meaning && Column + 1 + W.size() > Width) {
      Out << "\n";
      Out.indent(Meaning);
      Column = Meaning;
    }
    Out << (Column > Meaning ? " " : "") << W;
    Column += W.size() + (Column > Meaning);
  }
  Out << "\n";
}

} // namespace

std::string optionsHelp() {
  std::string Text = "gpuprof " GPUPROF_VERSION ", options, each as -fplugin-arg-gpuprof-NAME=VALUE:\n";
  raw_string_ostream Out(Text);
  for (const Row &R : Rows)
    printRow(Out, R.Name.str() + (R.takesValue() ? "=" + R.Values.str() : ""),
             R.Help.str() + (R.Default.empty() ? "" : " (default " + R.Default.str() + ")"));
  Out << "groups of warnings:\n";
  for (const auto &Group : WarningGroups)
    printRow(Out, Group.Name, Group.Help);
  return Out.str();
}

} // namespace gpuprof
