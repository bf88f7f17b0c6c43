#!/bin/bash
# The differential tester for so many seconds on all processors, a few hundred programs with memory
# orders under all memory models, and a few hundred programs in a debug build, where pop and
# observers are compared with the definitions of their sleep sets.
# FUZZ_SEED chooses other programs.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=$(nproc 2> /dev/null || echo 2)
build/heddle-fuzz --seed="${FUZZ_SEED:-1}" --seconds="${1:-30}" --jobs="$jobs"
build/heddle-fuzz --strategy=graph --replay=tests/regressions/graph.txt
build/heddle-fuzz --seed="${FUZZ_SEED:-1}" --strategy=graph --kind=weak --programs=300 --jobs="$jobs" \
    --regressions=
build/heddle-fuzz --seed="${FUZZ_SEED:-1}" --strategy=graph --kind=weakloops --programs=100 --jobs="$jobs" \
    --regressions=
build/heddle-fuzz --seed="${FUZZ_SEED:-1}" --strategy=graph --kind=weaksync --programs=200 --jobs="$jobs" \
    --regressions=
build/torture/heddle-fuzz --strategy=observers --replay=tests/regressions/sections.txt
build/torture/heddle-fuzz --seed="${FUZZ_SEED:-1}" --programs=150 --jobs="$jobs" --regressions=
