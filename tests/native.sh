#!/bin/bash
# The native target: programs with known counts, faults, snapshots, random programs against C.
set -euo pipefail
exec "$(dirname "$0")/native/run.sh"
