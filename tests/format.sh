#!/bin/bash
# Every C file is formatted by the .clang-format of the project.
set -euo pipefail
cd "$(dirname "$0")/.."
make -s check-format
