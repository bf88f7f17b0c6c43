#!/bin/bash
# Prints the manual page with its options and algorithms as the tool itself declares them:
#   scripts/manual.sh HEDDLE PAGE
# What stands between the lines `.\" BEGIN OPTIONS COMMAND` and `.\" END OPTIONS` is replaced, and so is
# what stands between `.\" BEGIN ALGORITHMS` and `.\" END ALGORITHMS`.
set -euo pipefail
heddle=$1 page=$2

# The algorithms of the help text, whose summaries continue in lines that are further in.
print_algorithms() {
    "$heddle" check --help | awk '
        /^algorithms:$/ { inside = 1; next }
        inside && /^$/ { exit }
        !inside { next }
        { gsub(/-/, "\\-") }
        /^  [^ ]/ {
            if (summary != "") print summary
            print ".TP\n.B " $1
            $1 = ""
            summary = substr($0, 2)
            next
        }
        { $1 = $1; summary = summary (summary == "" ? "" : " ") $0 }
        END { print summary }'
}

skip_to() {
    while IFS= read -r line && [ "$line" != "$1" ]; do :; done
}

while IFS= read -r line; do
    case "$line" in
        '.\" BEGIN OPTIONS '*)
            printf '%s\n' "$line"
            "$heddle" "${line##* }" --help=roff
            skip_to '.\" END OPTIONS'
            ;;
        '.\" BEGIN ALGORITHMS')
            printf '%s\n' "$line"
            print_algorithms
            skip_to '.\" END ALGORITHMS'
            ;;
    esac
    printf '%s\n' "$line"
done < "$page"
