#!/bin/bash
# The manual page has the options as the tool declares them, and the version.
. "$(dirname "$0")/../library.sh"

page=$root/docs/heddle.1
"$root/scripts/manual.sh" "$heddle" "$page" > generated
diff "$page" generated || fail "docs/heddle.1 is out of date: make manual"
"$root/scripts/functions.sh" > functions
diff "$root/docs/FUNCTIONS.md" functions || fail "docs/FUNCTIONS.md is out of date: make manual"
version=$("$heddle" --version)
grep -q "^\.TH HEDDLE 1 .*\"$version\"" "$page" || fail "version in the manual page"

# Every option of --help is in the manual.
for command in check replay; do
    expect 0 "$heddle" $command --help
    silent err
    for option in $(grep -oE '^ +(-., )?--[a-z-]+' out | grep -oE -- '--[a-z-]+'); do
        grep -qF -- "${option//-/\\-}" "$page" || fail "$option is not in the manual"
    done
done
expect 0 "$heddle" --help
says out '^usage: heddle check'
expect 0 "$heddle" --version
says out '^heddle [0-9]+\.[0-9]+\.[0-9]+$'

# Every algorithm and exit status is named there.
expect 0 "$heddle" check --help
for algorithm in $(sed -n '/^algorithms:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' out); do
    grep -qxF -- ".B ${algorithm//-/\\-}" "$page" || fail "algorithm $algorithm is not in the manual"
done
for status in 0 1 2 3 70; do
    says out "^  $status +[a-z]"
    grep -qx "\.B $status" "$page" || fail "exit status $status is not in the manual"
done
