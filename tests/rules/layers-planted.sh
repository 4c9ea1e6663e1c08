#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The rule of layers.py sees each of these breaches, planted into a copy of the two files.
set -u
status=0
copy=$(mktemp -d) && trap 'rm -rf "$copy"' EXIT
planted() { # planted INCLUDER INCLUDED NAME: INCLUDER includes INCLUDED by that name
  rm -rf "${copy:?}"/*
  mkdir -p "$copy/$(dirname "$1")" "$copy/$(dirname "$2")"
  cp "$1" "$copy/$1" && cp "$2" "$copy/$2" || { status=1; return; }
  echo "#include \"$3\"" >>"$copy/$1"
  "${PYTHON:-python3}" tests/rules/layers.py "$copy" |
    grep -F "includes $3: $(dirname "$1") may not include from $(dirname "$2")" >/dev/null ||
    { echo "not seen: $1 includes $3"; status=1; }
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
planted plugin/instrument/Flush.cpp runtime/base/log.h base/log.h
planted runtime/cuda/graphs.c cpu-device/device_cpu.h device_cpu.h
planted runtime/cuda/graphs.c cpu-device/engine/emulator.h ../../cpu-device/engine/emulator.h
# An upward edge is refused although the list allows it.
sed 's|^runtime/core:|& runtime/clones|' tests/rules/layers.allow >"$copy/layers.allow"
"${PYTHON:-python3}" tests/rules/layers.py --list "$copy/layers.allow" |
  grep -F "runtime/core may not include from runtime/clones, which stands above it" >/dev/null ||
  { echo "not seen: an allowed edge upwards"; status=1; }
[ $status = 0 ] && echo "layers: each planted breach is seen"
exit $status
