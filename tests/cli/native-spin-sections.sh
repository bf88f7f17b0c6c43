#!/bin/bash
# Spin loops of C programs whose rounds have atomic sections: they wait like the same loops with atomic
# operations, with the same counts.
. "$(dirname "$0")/../library.sh"
programs=$root/tests/native/spin

# counts NAME COMPLETE/STUCK/ARTIFACTS [OPTION...]: under every algorithm that explores all traces.
counts() {
    local name=$1 wanted=$2 found algorithm program options
    shift 2
    build_once -k --json "$@" "$programs/$name.c"
    for algorithm in optimal source; do
        "$heddle" check "${options[@]}" --algorithm=$algorithm "$program" > json || true
        found=$(tally json)
        [ "$found" = "$wanted" ] || fail "$name $*, $algorithm: $found instead of $wanted"
    done
}

locks="TAS CAS TICKET"
[ "$(uname -m)" != x86_64 ] || locks="$locks NAMED RESULT" # functions that are atomic by their names
for lock in $locks; do
    counts sections 6/0/0 -DN=3 -D$lock
done
counts sections 2/0/0 -DTAS '-DPAUSE()=sched_yield()'
counts sections 2/0/0 -DCAS '-DPAUSE()=usleep(10)'
counts sections 36/0/0 -DN=3 -DTTAS
counts sections 1/0/0 -DFLAG
counts sections 0/1/0 -DFLAG -DUNSET
counts sections 2/1/0 -DABBA

# The section waits for two variables that different threads change: it has to come before both.
expect 1 "$heddle" check -k --json -DN=3 -DBOTH "$programs/sections.c"
error_is assertion '' || jq -e 'any(.errors[]; .kind == "assertion")' out > /dev/null || fail "$(cat out)"
expect 1 "$heddle" check --schedule=found -DN=3 -DBOTH "$programs/sections.c"
says out 'T3 spins in a loop that reads'
expect 1 "$heddle" replay found
says out 'as recorded'
counts sections 14/0/0 -DN=3 -DREADERS
expect 0 "$heddle" check --algorithm=none --json -DREADERS "$programs/sections.c"
"$heddle" check -k --json -j2 -DN=3 -DREADERS "$programs/sections.c" > json
[ "$(field executions json)" = 14 ] || fail "workers: $(cat json)"

# Races with rounds that are left out, of sections and of atomic accesses.
for algorithm in pop none; do
    expect 1 "$heddle" check --algorithm=$algorithm -DN=3 -DRACE "$programs/sections.c"
    says out 'data race on flag'
    expect 1 "$heddle" check --algorithm=$algorithm -DN=3 "$programs/mixed.c"
    says out 'data race on flag'
done

# What is stored without having been read, and choices: such rounds have an effect.
for round in STORE CHOOSES; do
    expect 3 "$heddle" check --max-steps=100 --max-executions=20 -D$round "$programs/sections.c"
done
expect 2 "$heddle" check --model=rc11 -DTAS "$programs/sections.c"
