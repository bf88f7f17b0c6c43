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
    # In the same groups, none of which is longer than a screen.
    awk '/^[a-z ]+:$/ { title = $0; lines = 0 } ++lines > 50 { print title; exit }' out > long
    [ ! -s long ] || fail "more than a screen of options: $(cat long)"
    sed -n '/^algorithms:/,$d; s/^\([a-z ]*\):$/\1/p' out > groups
    [ "$(wc -l < groups)" -ge 5 ] || fail "the options of $command are not in groups"
    while read -r group; do
        grep -qx "\.SS ${group^}" "$page" || fail "\"$group\" is not in the manual"
    done < groups
done
expect 0 "$heddle" --help
says out '^usage: heddle check'
[ "$(wc -l < out)" -le 24 ] && [ "$(wc -L < out)" -le 80 ] || fail "--help does not fit one screen of 24 lines"
! grep -E '^ ?-|^ {1,30}-[^ ]+( [^ ]+)? [a-z]' out || fail "options are not in columns"
# Every option that it names exists.
grep -oE -- '--[a-z]+[a-z-]*' out | grep -vxE -- '--(gdb|help|version)' | sort -u > named
expect 0 "$heddle" check --help
while read -r option; do says out "^ +(-., )?$option"; done < named
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

# Every key of a report and of an error is described, and no other.
sed -n '/^\.SH JSON/,/^\.SH SCHEDULES/s/^\.BR* \([a-z_]*\).*/\1/p' "$page" | sort -u > described
jq -r '.properties, ."$defs".error.properties | keys[]' "$root/docs/schema/report.json" | sort -u |
    diff described - || fail "keys of JSON in the manual, and in docs/schema/report.json"

# The page has no mistakes that the formatters know of.
if command -v mandoc > /dev/null; then
    mandoc -T lint -W warning "$page" > lint || true
    [ ! -s lint ] || fail "mandoc: $(head -3 lint)"
fi
if command -v groff > /dev/null; then
    groff -man -Tutf8 -ww "$page" > /dev/null 2> lint || fail "groff: $(head -3 lint)"
    [ ! -s lint ] || fail "groff: $(head -3 lint)"
fi
