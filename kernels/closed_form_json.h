/* Closed forms as JSON, compared with a report by tests/kernels/check_closed_forms.py. Plain C++, no CUDA.
 */
#ifndef GPUPROF_KERNELS_CLOSED_FORM_JSON_H
#define GPUPROF_KERNELS_CLOSED_FORM_JSON_H

#include "closed_form.h"

#include <stdio.h>

#include <string>
#include <vector>

class ClosedForms {
public:
  struct Region {
    std::string name;
    ClosedForm cost;
  };
  /* Launches of one kernel, and its regions, add up. `regions` are those that carry its name or lie inside
   * it. */
  void add(const std::string &kernel, const ClosedForm &cost, const std::vector<Region> &regions) {
    for (Entry &entry : entries)
      if (entry.name == kernel) {
        entry.cost = entry.cost + cost;
        for (size_t i = 0; i < regions.size(); ++i)
          entry.regions[i].cost = entry.regions[i].cost + regions[i].cost;
        return;
      }
    entries.push_back({kernel, cost, regions, false});
  }

  /* All launches of a region on the host, the only one of this name. */
  void add_case(const std::string &region, const ClosedForm &cost) {
    entries.push_back({region, cost, {}, true});
  }

  bool write(const char *path) const {
    FILE *file = fopen(path, "w");
    if (!file)
      return false;
    fputs("[", file);
    for (const Entry &entry : entries) {
      fprintf(file, "%s\n {\"%s\": \"%s\", \"launches\": %llu, \"threads\": %llu,\n  ",
              &entry == &entries[0] ? "" : ",", entry.is_case ? "case" : "kernel", entry.name.c_str(),
              (unsigned long long)entry.cost.launches, (unsigned long long)entry.cost.threads);
      write_cost(file, entry.cost);
      fprintf(file, ", \"unique\": %llu,\n  \"regions\": [", (unsigned long long)entry.cost.unique);
      for (const Region &region : entry.regions) {
        fprintf(file, "%s\n   {\"name\": \"%s\", ", &region == &entry.regions[0] ? "" : ",",
                region.name.c_str());
        write_cost(file, region.cost);
        fputs("}", file);
      }
      fputs("]}", file);
    }
    fputs("\n]\n", file);
    bool whole = !ferror(file);
    return fclose(file) == 0 && whole;
  }

private:
  struct Entry {
    std::string name;
    ClosedForm cost;
    std::vector<Region> regions;
    bool is_case;
  };
  std::vector<Entry> entries;

  static void write_synapses(FILE *file, const ClosedForm &c) {
    typedef unsigned long long Number;
    if (c.synaptic_accumulates + c.synaptic_multiply_accumulates + c.synaptic_possible == 0)
      return;
    fprintf(file, ", \"synapses\": {\"synaptic_accumulates\": %llu, \"synaptic_multiply_accumulates\": %llu",
            (Number)c.synaptic_accumulates, (Number)c.synaptic_multiply_accumulates);
    if (c.synaptic_possible)
      fprintf(file, ", \"synaptic_possible\": %llu", (Number)c.synaptic_possible);
    fputs("}", file);
  }

  /* As in a report: FLOPs, with two for a fused multiply-add. */
  static void write_cost(FILE *file, const ClosedForm &c) {
    typedef unsigned long long Number;
    fprintf(file,
            "\"flops\": {\"fp32\": {\"add\": %llu, \"mul\": %llu, \"fma\": %llu, \"div\": %llu, \"sqrt\": "
            "%llu, \"accumulate\": %llu}, \"tensor\": {\"fp16\": %llu, \"bf16\": %llu}}, ",
            (Number)c.add, (Number)c.mul, (Number)(2 * c.fma), (Number)c.div, (Number)c.sqrt,
            (Number)c.accumulate, (Number)c.tensor_fp16, (Number)c.tensor_bf16);
    fprintf(file, "\"special_functions\": %llu, \"atomic_ops\": %llu, ", (Number)c.special,
            (Number)c.atomic_ops);
    fprintf(file, "\"bytes\": {\"global\": {\"load\": %llu, \"store\": %llu, \"atomic\": %llu}, ",
            (Number)c.global_load, (Number)c.global_store, (Number)c.global_atomic);
    fprintf(file, "\"shared\": {\"load\": %llu, \"store\": %llu, \"atomic\": %llu}}", (Number)c.shared_load,
            (Number)c.shared_store, (Number)c.shared_atomic);
    write_synapses(file, c);
    if (c.spikes_positive + c.spikes_negative + c.silent)
      fprintf(file, ", \"snn\": {\"spikes_positive\": %llu, \"spikes_negative\": %llu, \"silent\": %llu}",
              (Number)c.spikes_positive, (Number)c.spikes_negative, (Number)c.silent);
  }
};

#endif
