#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The rule of layers.py sees each of these breaches, planted into copies of the files.
set -u
status=0
copy=$(mktemp -d) && trap 'rm -rf "$copy"' EXIT
breaches=()
planted() { # planted INCLUDER INCLUDED NAME: INCLUDER includes INCLUDED by that name
  local file
  for file in "$1" "$2"; do
    [ -f "$copy/$file" ] || install -D -m 644 "$file" "$copy/$file" || status=1
  done
  echo "#include \"$3\"" >>"$copy/$1"
  breaches+=("includes $3: $(dirname "$1") may not include from $(dirname "$2")")
}
planted runtime/base/log.c runtime/core/kernels.h core/kernels.h
planted runtime/sheet/modules.c runtime/core/kernels.h core/kernels.h
planted runtime/core/kernels.c runtime/clones/clones.h clones/clones.h
planted runtime/core/counters.c runtime/launch/launch_hook.h launch/launch_hook.h
planted runtime/clones/addresses.c runtime/launch/launch_plan.h launch/launch_plan.h
planted runtime/core/kernels.c runtime/process/select.h process/select.h
planted runtime/exports/registration.c runtime/cuda/cuda_real.h cuda/cuda_real.h
planted cpu-device/engine/warp.c cpu-device/units/matrix.h units/matrix.h
planted cpu-device/memory/arena.c cpu-device/engine/emulator.h engine/emulator.h
planted cpu-device/cuda-api/work/work.c cpu-device/cuda-api/graph/graph.h cuda-api/graph/graph.h
planted cpu-device/cuda-api/graph/capture.c cpu-device/cuda-api/runtime/api_cluster.h cuda-api/runtime/api_cluster.h
planted cpu-device/cuda-api/runtime/api_library.c cpu-device/cuda-api/driver/cpu_driver.h cuda-api/driver/cpu_driver.h
planted runtime/core/kernels.c runtime/cuda/cupti.h cuda/cupti.h
planted runtime/core/kernels.c cpu-device/engine/emulator.h engine/emulator.h
planted plugin/costs/Costs.cpp plugin/analysis/Groups.h analysis/Groups.h
planted plugin/analysis/CountPlan.cpp plugin/instrument/Counters.h instrument/Counters.h
planted plugin/clones/SectorMarkers.cpp plugin/instrument/Counters.h instrument/Counters.h
planted plugin/analysis/Groups.cpp cpu-device/compiler/Pipeline.h Pipeline.h
planted cpu-device/compiler/module/Lowering.cpp cpu-device/compiler/workitem/LoopNest.h workitem/LoopNest.h
planted cpu-device/compiler/inline-ptx/AsmMemory.cpp cpu-device/compiler/lower/Intrinsics.h lower/Intrinsics.h
planted cpu-device/compiler/lower/CompileBudget.cpp cpu-device/compiler/workitem/WorkItemLoops.h workitem/WorkItemLoops.h
planted cpu-device/compiler/workitem/WorkItemLoops.cpp cpu-device/compiler/memtrace/SectorTrace.h memtrace/SectorTrace.h
planted cpu-device/compiler/memtrace/SectorTrace.cpp cpu-device/compiler/vectorize/LaneVectorizer.h vectorize/LaneVectorizer.h
planted cpu-device/compiler/vectorize/VectorPlan.cpp cpu-device/compiler/entries/KernelEntries.h entries/KernelEntries.h
planted plugin/instrument/Flush.cpp runtime/base/log.h base/log.h
planted runtime/cuda/graphs.c cpu-device/device_cpu.h device_cpu.h
planted runtime/cuda/graphs.c cpu-device/engine/emulator.h ../../cpu-device/engine/emulator.h
seen=$("${PYTHON:-python3}" tests/rules/layers.py "$copy")
for breach in "${breaches[@]}"; do
  grep -F "$breach" <<<"$seen" >/dev/null || { echo "not seen: $breach"; status=1; }
done
# An upward edge is refused although the list allows it.
upward() { # upward FOLDER FOLDER_ABOVE
  sed "s|^$1:|& $2|" tests/rules/layers.allow >"$copy/layers.allow"
  "${PYTHON:-python3}" tests/rules/layers.py --list "$copy/layers.allow" |
    grep -F "$1 may not include from $2, which stands above it" >/dev/null ||
    { echo "not seen: an allowed edge upwards, $1 to $2"; status=1; }
}
upward runtime/core runtime/clones
upward cpu-device/compiler/lower cpu-device/compiler/workitem
[ $status = 0 ] && echo "layers: each planted breach is seen"
exit $status
