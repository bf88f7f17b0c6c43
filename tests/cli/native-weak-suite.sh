#!/bin/bash
# The programs of tests/native/weak/suite under every memory model: verdicts, numbers of executions where
# they are known, and under sequential consistency as many as pop has where there is no error.
. "$(dirname "$0")/../library.sh"
suite=$root/tests/native/weak/suite

expect 0 "$heddle" cc -g -o suite "$suite"/*.c

# result ARGUMENT...: "ok", or the kinds of errors, and how many executions there are.
result() {
    "$heddle" check -k --json "$@" ./suite -- "$name" > json 2> err || true
    if [ "$(field verdict json)" = verified ]; then
        echo "ok:$(field executions json)"
    else
        jq -r '"\([.errors[].kind, .verdict] | join(",")):\(.executions)"' json
    fi
}

# is_wanted: what was found has one of the wanted kinds, and the number if there is one.
is_wanted() {
    local kind
    [[ $wanted != *:* || ${wanted#*:} = "${found#*:}" ]] || return 1
    for kind in $(tr '|' ' ' <<< "${wanted%:*}"); do
        [[ ",${found%:*}," != *",$kind,"* ]] || return 0
    done
    return 1
}

while read -r name rows; do
    [ "$name" != '#' ] || continue
    set -- sc tso ra rc11
    for wanted in $rows; do
        found=$(result --algorithm=graph --model=$1)
        is_wanted || fail "$name, $1: $found instead of $wanted"
        if [ $1 = sc ] && [ "${found%:*}" = ok ]; then
            usual=$(result)
            [ "$usual" = "$found" ] || fail "$name: $found under sc, but pop has $usual"
        fi
        shift
    done
done < "$suite/expected"
