#!/bin/bash
# Who may include whom. The layers are those of docs/ARCHITECTURE.md: base, core, explore; then
# strategies, model and report side by side; the command line on top. A rule is the first that
# matches a file's path; its right side is a pattern for the headers that it may include.
#
# The oracle stands apart: it computes happens-before by rules of its own and may not look into the
# core that it judges. Mutants are broken copies of strategies and live by their rules.
set -euo pipefail
cd "$(dirname "$0")/.."

seam='core/(operation|footprint)\.h|explore/target\.h'
rules="
src/base/         base/
src/core/         (base|core)/
src/explore/      (base|core|explore)/
src/strategies/   (base|core|explore|strategies)/
src/model/        base/|$seam|model/
src/native/       base/|$seam|native/|runtime/|heddle\.h
src/runtime/      base/|$seam|runtime/|heddle\.h
src/report/       (base|core|explore|report)/
src/cli/          .
oracle/mutants/   (base|core|explore|strategies|oracle)/
oracle/(differ|mutant|context_test)  (base|model|explore|oracle)/|strategies/registry\.h
oracle/           (base|model|explore|oracle)/
"

# Prints the quoted includes of a file, by the folder of src/ or oracle/ that they lie in.
includes_of() {
    sed -nE 's/^#[[:space:]]*include[[:space:]]+"([^"]+)".*/\1/p' "$1"
}

allowed_for() {
    local prefix allowed
    while read -r prefix allowed; do
        if [ -n "$prefix" ] && [[ $1 =~ ^$prefix ]]; then
            echo "$allowed"
            return
        fi
    done <<< "$rules"
}

failures=0
for file in $(find src oracle -name '*.[ch]' | sort); do
    allowed=$(allowed_for "$file")
    [ -n "$allowed" ] || { echo "$file: no rule for this folder"; failures=1; continue; }
    for header in $(includes_of "$file"); do
        if ! [[ $header =~ ^($allowed) ]]; then
            echo "$file: may not include $header"
            failures=1
        fi
    done
done
exit $failures
