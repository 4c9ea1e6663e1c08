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
planted runtime/core/kernels.c runtime/cuda/cupti.h cuda/cupti.h
planted runtime/core/kernels.c cpu-device/engine/emulator.h engine/emulator.h
planted plugin/analysis/Groups.cpp cpu-device/compiler/Pipeline.h Pipeline.h
planted plugin/instrument/Flush.cpp runtime/core/log.h core/log.h
planted runtime/cuda/graphs.c cpu-device/device_cpu.h device_cpu.h
planted runtime/cuda/graphs.c cpu-device/engine/emulator.h ../../cpu-device/engine/emulator.h
[ $status = 0 ] && echo "layers: each planted breach is seen"
exit $status
