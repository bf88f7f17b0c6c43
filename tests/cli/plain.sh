#!/bin/bash
# Plain variables of abstract programs: races are errors; plain accesses are no steps unless they race.
. "$(dirname "$0")/../library.sh"

# counts PROGRAM EXECUTIONS EVENTS [OPTION...]
counts() {
    local program=$1 executions=$2 events=$3
    shift 3
    "$heddle" check --json "$@" --program="$program" > json || true
    [ "$(field executions json)" = "$executions" ] || fail "$program: $(field executions json) executions"
    [ "$(field events json)" = "$events" ] || fail "$program: $(field events json) events"
}

# Without races there are as many executions as with shared variables, and fewer events.
counts 'l0 wX1 rX wX2 u0 / l0 rX u0' 2 8
counts 'l0 wx1 rx wx2 u0 / l0 rx u0' 2 16
counts 'wX1 wy1 / ry ?rX' 2 4
counts 'wX1 s1 j1 rX / * wX2' 1 2
counts 'l0 wX1 u0 / l0 rX u0' 2 12 --algorithm=none
counts 'l0 wX1 u0 / l0 rX u0' 2 8 --algorithm=observers

expect 1 "$heddle" check --program='wX1 / ry wX2'
says out "data race on X: write by p1"
says out 'write X = 2'

# Every place that races becomes a step: all executions are there, and all pairs of places.
counts 'wX1 / wX2 / rX' 6 15 -k
[ "$(jq '.errors | length' json)" = 6 ] || fail "six races expected"
expect 1 "$heddle" check -k --schedule=found --program='wX1 l0 wY1 u0 / wX2 l0 wY2 u0'
expect 1 "$heddle" replay found

# The schedule has the plain accesses; a loop of them lets the others continue.
cat > wait.heddle << 'END'
plain flag;
shared x;
thread p { while (!flag) skip; x = 1; }
thread q { x = 2; flag = 1; }
END
expect 1 "$heddle" check --schedule=found wait.heddle
says out 'data race on flag'
expect 1 "$heddle" replay found

expect 2 "$heddle" check --program='iX1 / wX1'
says err 'an await needs a shared variable'
expect 2 "$heddle" check --program='wX1 S1.1 / M'
says err 'cannot send messages'
