#!/bin/bash
# Small programs for each primitive, right and with the bugs that such code has: every algorithm finds
# the bug, and verifies the program without it. The head of each program in tests/native/primitives/ says
# what is expected, "verified OPTIONS" of the program as it is and "MACRO OPTIONS: KIND PATTERN" of one with a
# bug: the kind of the error and its message, both as extended regular expressions.
. "$(dirname "$0")/../library.sh"

algorithms=${ALGORITHMS:-pop optimal source observers none}
rows=0

# The program `built`, under all algorithms; `none` sees a part of what is right and has too many interleavings.
decides() { # options, "verified" or a kind, pattern of the message
    for algorithm in $algorithms; do
        local status=0
        last="$heddle check --json --algorithm=$algorithm $1 ./built"
        $last --max-executions=20000 > out 2> err || status=$?
        if [ "$2" != verified ]; then
            [ $status = 1 ] || fail "exit status $status instead of 1"
            error_is "$2" "$3" || fail "no $2 whose message matches: $3"
        elif [ $algorithm = none ]; then
            json '.errors == [] and .verdict != "unsupported"'
        else
            [ $status = 0 ] || fail "exit status $status instead of 0"
            json '.verdict == "verified"'
        fi
    done
    rows=$((rows + 1))
}

for program in "$root"/tests/native/primitives/${ONLY:-*}.c; do
    while read -r comment macro rest; do
        [ "$comment" = // ] || break
        case "$macro $rest" in
            verified*)
                expect 0 "$heddle" cc -Wall -Wextra -Werror "$program" -o built
                decides "$rest" verified
                ;;
            [A-Z]*_[A-Z]*:\ * | [A-Z][A-Z]*:\ * | [A-Z][A-Z]*\ --*:\ *)
                expect 0 "$heddle" cc -Wall -Wextra -Wno-unused "-D${macro%:}" "$program" -o built
                options=
                [ "${macro%:}" = "$macro" ] && { options=${rest%%: *} rest=${rest#*: }; }
                decides "$options" "${rest%% *}" "${rest#* }"
                ;;
        esac
    done < "$program"
done
[ $rows -gt 0 ] || fail 'no programs'
echo "$rows programs"
