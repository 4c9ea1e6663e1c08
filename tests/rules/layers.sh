#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Includes between folders are those of layers.allow.
exec "${PYTHON:-python3}" tests/rules/layers.py
