#!/bin/bash
# No file of src/ and oracle/ has more than 500 lines, no function more than 50, its signature and its
# last brace included. The directories in which a mistake is a wrong verdict have at least two assertions
# (CHECK, DEBUG_CHECK, _Static_assert) per hundred lines.
#   tests/size-rules.sh [DIRECTORY]    another copy of the repository
#
# Functions are found by how clang-format lays them out (tests/format.sh checks that): what begins in
# the first column and reaches a brace at the end of a line is a definition, of a function if there is
# a parenthesis and no "=" before the brace, and it ends with a brace in the first column.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

find src oracle -name '*.[ch]' -o -name '*.inc' | LC_ALL=C sort | xargs awk -v file_most=500 -v function_most=50 '
function end_file() {
    if (lines > file_most) {
        printf "%s: %d lines, at most %d are allowed\n", name, lines, file_most
        failures = 1
    }
}
FNR == 1 {
    end_file()
    name = FILENAME
    head = ""
    inside = 0
}
{ lines = FNR }
inside && /^}/ {
    if (inside == 2 && FNR - first + 1 > function_most) {
        printf "%s:%d: a function of %d lines, at most %d are allowed\n", name, first,
            FNR - first + 1, function_most
        failures = 1
    }
    inside = 0
    head = ""
    next
}
inside { next }
head == "" && /^[A-Za-z_]/ { first = FNR }
head == "" && !/^[A-Za-z_]/ { next }
{ head = head $0 }
/{( *\/\*.*\*\/)?$/ {
    inside = head ~ /\(/ && head !~ /=/ ? 2 : 1
    next
}
/;$|^$|}$|:$/ { head = "" }
END {
    end_file()
    exit failures
}' || exit 1

for directory in src/core src/explore src/dpor src/targets/runtime; do
    find "$directory" -name '*.[ch]' ! -name '*_test.[ch]' -print0 | xargs -0 cat |
        awk -v directory="$directory" -v least=2 '
/(^|[^A-Za-z_])(CHECK|DEBUG_CHECK|_Static_assert|static_assert)\(/ { checks++ }
END {
    if (checks * 100 < least * NR) {
        printf "%s: %d assertions in %d lines, at least %d per hundred are wanted\n", directory, checks,
            NR, least
        exit 1
    }
}'
done
