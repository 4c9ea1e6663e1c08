// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost sheet: the meaning of the counters of a unit's kernels, as text (docs/developer/counting.md).
#ifndef GPUPROF_ANALYSIS_COSTSHEET_H
#define GPUPROF_ANALYSIS_COSTSHEET_H

#include "costs/Costs.h"
#include "directives/Regions.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace gpuprof {

class CostSheet {
public:
  static constexpr int None = -1;

  /// Length of a slot's row of counters: whole lines of 128 bytes. Slots sharing a line would wait for each
  /// other (measured: a short kernel took 1.85 times its own time instead of 1.15). The remaining groups have
  /// no cost.
  static unsigned rowLength(unsigned Groups) { return (Groups + 15) / 16 * 16; }

  /// How the module is compiled: fields `key=value`, separated by tabs.
  void build(std::string Fields) { Build = std::move(Fields); }
  /// Id of the region with this description inside Parent (None: outermost).
  int regionBelow(int Parent, llvm::StringRef Description);
  /// True if a region is Outer or in it; None is around all.
  bool isWithin(int Region, int Outer) const;
  llvm::StringRef description(int Region) const { return Regions[Region].Description; }
  /// Begins the next kernel, or function called by kernels of other units; the following costs belong to it.
  void beginKernel(llvm::StringRef MangledName, const SourceLine &Where, bool IsFunction = false);
  void endKernel(unsigned Groups);
  void cost(unsigned Group, int Region, const SourceLine &Where, CostClass Class, uint64_t Amount);
  /// The same for an ended kernel, in no region and without a line: excluded from all totals.
  void detail(size_t Kernel, unsigned Group, CostClass Class, uint64_t Amount);
  /// The sum of the directives in a group: `Record` is one of directiveRecords().
  void value(unsigned Group, int Region, llvm::StringRef Record, llvm::StringRef Name);
  /// The kernel of this index is counted by a clone: `Facts` are the fields of its record after the index.
  void clone(unsigned Kernel, std::string Facts) { Kernels[Kernel].Clone = std::move(Facts); }
  /// The clone of this kernel may begin while the kernel ends.
  void waits(unsigned Kernel) { Kernels[Kernel].Waits = true; }
  /// The clone of this kernel requires two of its pointers to lie apart: `Facts` are the fields of the
  /// record.
  void apart(unsigned Kernel, std::string Facts) { Kernels[Kernel].Apart.push_back(std::move(Facts)); }
  /// This kernel has a marking companion: `Facts` are the fields of the record after the index. The record is
  /// `addresses` for an address clone and `unique` for a marking kernel.
  void marks(unsigned Kernel, llvm::StringRef Record, const std::string &Facts) {
    Kernels[Kernel].Marks.push_back({Record.str(), Facts});
  }
  /// True if a part of the latest kernel is in the region, or in one inside it.
  bool hasPart(int Region) const;
  /// No part is: `Why` is the record's word for the fate of the region.
  void empty(int Region, llvm::StringRef Why) { Kernels.back().Empty.push_back({Region, Why.str()}); }
  /// The counts of a region and of its content are divided into steps.
  void steps(int Region);
  /// Adds a call of another unit's function in a region. Returns the call's number in the kernel.
  unsigned call(int Region, llvm::StringRef MangledName);
  void uncounted(unsigned Group, const SourceLine &Where, llvm::StringRef What, llvm::StringRef Why);

  /// The uncounted or assumed parts of a kernel (by its place among the begun ones), in words.
  std::vector<std::string> uncountedOf(size_t Kernel) const;

  std::string text() const;

private:
  struct RegionRecord {
    int Parent;
    std::string Description;
  };
  struct Place {
    unsigned Group;
    int Region, File;
    unsigned Line;
    bool operator<(const Place &Other) const {
      return std::tie(Group, Region, File, Line) < std::tie(Other.Group, Other.Region, Other.File, Other.Line);
    }
  };
  struct Value {
    unsigned Group;
    int Region;
    std::string Record, Name;
  };
  struct Kernel {
    std::string Name;
    bool IsFunction = false;
    unsigned Groups = 0;
    int File = None;
    unsigned Line = 0;
    std::map<Place, std::map<CostClass, uint64_t>> Costs;
    std::vector<Value> Values;
    std::set<int> Steps;
    std::vector<std::pair<int, std::string>> Empty;
    std::string Clone; // empty: it has none
    bool Waits = false;
    std::vector<std::pair<std::string, std::string>> Marks;
    std::vector<std::string> Apart;
    std::vector<std::pair<int, std::string>> Calls;
    std::set<std::tuple<unsigned, int, unsigned, std::string, std::string>> Uncounted;
  };

  int file(const SourceLine &Where);

  std::string Build; // empty: unknown
  std::vector<RegionRecord> Regions;
  std::vector<std::string> Files;
  std::vector<Kernel> Kernels;
};

} // namespace gpuprof
#endif
