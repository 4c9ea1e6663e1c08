#!/usr/bin/env bash
# Includes between folders are those of layers.allow.
exec "${PYTHON:-python3}" tests/rules/layers.py
