#!/bin/bash
# Prints the manual page with its option sections as the tool itself declares them:
#   scripts/manual.sh HEDDLE PAGE
# What stands between the lines `.\" BEGIN OPTIONS COMMAND` and `.\" END OPTIONS` is replaced.
set -euo pipefail
heddle=$1 page=$2

while IFS= read -r line; do
    case "$line" in
        '.\" BEGIN OPTIONS '*)
            printf '%s\n' "$line"
            "$heddle" "${line##* }" --help=roff
            while IFS= read -r line && [ "$line" != '.\" END OPTIONS' ]; do :; done
            ;;
    esac
    printf '%s\n' "$line"
done < "$page"
