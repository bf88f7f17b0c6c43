#!/bin/bash
# What depends on the processor also compiles for aarch64: clang checks it, with the headers of
# Debian's libc6-dev-arm64-cross.
set -euo pipefail
cd "$(dirname "$0")/.."

headers=/usr/aarch64-linux-gnu/include
if [ ! -e $headers/stdio.h ] || ! command -v clang > /dev/null; then
    echo "skipped: there are no headers for aarch64"
    exit 0
fi
sources() { find src/base src/targets/native src/targets/runtime -name '*.c' ! -name '*_test.c'; }
[ "$(sources | wc -l)" -gt 100 ]
sources | xargs -P 2 -n 16 clang --target=aarch64-linux-gnu -isystem $headers -idirafter /usr/include \
    -fsyntax-only -std=gnu11 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
    -Wpointer-arith -Wundef -Wvla -Isrc -Iinclude -I. '-DHEDDLE_LINKED=""'
