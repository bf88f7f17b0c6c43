#!/bin/bash
# An exploration that is split into parts, which are explored on their own, has the result of one that
# is not; parts that are missing, unfinished or duplicated are named. With GNU parallel, as the
# recipe in docs/SCALE.md says.
. "$(dirname "$0")/../library.sh"
facts='del(.seconds, .peak_bytes, .workers)'

# so many executions first, so many parts, the rest to check
same() {
    local executions=$1 parts=$2 status=0 wanted_status=0
    shift 2
    rm -f state*
    "$heddle" check --json "$@" > one 2> err < /dev/null || wanted_status=$?
    "$heddle" check -q --max-executions="$executions" --checkpoint=state "$@" > out 2> err \
        < /dev/null || true
    expect 0 "$heddle" split --parts="$parts" state
    for ((part = parts; part; part--)); do
        "$heddle" check -q --resume=state.$part > out 2> err < /dev/null || status=$?
        last="part $part of: $*"
        [ $status -le 1 ] || fail "exit status $status"
    done
    expect "$wanted_status" "$heddle" merge --json state.*
    [ "$(jq "$facts" out)" = "$(jq "$facts" one)" ] || fail "the result of $parts parts differs: $*"
}

same 20 13 --program='wx1 / wx2 / rx / rx ry / wy1 / ry rx'
same 5 3 -k --program='l0 l1 u1 u0 / l1 l0 u0 u1 / l0 u0 / l1 u1'
# Without -k the first error is that of one process, in whatever part it is.
same 1 5 --program='l0 u0 wx1 / l0 u0 rx / l0 l1 u1 u0 / l1 l0 u0 u1'
same 3 4 -k --program='wX1 l0 wy1 u0 rx / rX l0 ry u0 wx1 / wx2 wX2 ry'
same 100 13 -DN=9 "$root/bench/c/lastzero.c"
same 6 4 -DN=4 "$root/bench/c/figure10.c"

# GNU parallel: four at a time, each with what it needs of the files alone.
rm -f state*
expect 0 "$heddle" check --json -DN=11 "$root/bench/c/lastzero.c"
cp out one
expect 3 "$heddle" check --max-executions=500 --checkpoint=state -DN=11 "$root/bench/c/lastzero.c"
expect 0 "$heddle" split --parts=8 state
says out '^[0-9]+ pieces of work in state.1 to state.8$'
if command -v parallel > /dev/null; then
    expect 0 parallel -j 4 --retries 3 "$heddle" check -q --resume=state.{} ::: {1..8}
else
    echo "GNU parallel is not installed: xargs takes its place"
    expect 0 xargs -P 4 -n 1 "$heddle" check -q < <(printf -- '--resume=state.%s\n' {1..8})
fi
expect 0 "$heddle" merge --json state.*
[ "$(jq "$facts" out)" = "$(jq "$facts" one)" ] || fail "the result with parallel differs"

# What is not there.
expect 0 "$heddle" check --resume=state.3
says out '^No errors were detected in part 3 of 8 \(heddle merge gives the verdict\)\.$'
expect 0 "$heddle" check --json --resume=state.3
json '.verdict == "part" and .part == 3 and .parts == 8'
expect 3 "$heddle" merge --json state.{1..4} state.{6..8}
json '.verdict == "incomplete" and (.warnings | any(. == "part 5 of 8 is missing"))'
cp state.2 again
expect 3 "$heddle" merge --json state.* again
json '.verdict == "incomplete" and (.warnings | any(test("part 2 of 8 was given twice: state.2 and again")))'
# Parts that were explored, or begun, are not replaced by mistake; those that nobody has touched are.
cp state.2 kept
expect 2 "$heddle" split --parts=8 state
says err '^heddle: state.1 exists, and it is finished: remove it, or give --force'
cmp state.2 kept || fail "a part was replaced"
expect 0 "$heddle" split --force --parts=8 state
expect 0 "$heddle" split --parts=8 state
expect 3 "$heddle" check --max-executions=3 --resume=state.6
says out '^Note: the remaining work is in state.6: heddle check --resume=state.6 continues'
expect 2 "$heddle" split --parts=8 state
says err '^heddle: state.6 exists, and it was begun'
for part in 1 2 3 4 5 7 8; do expect 0 "$heddle" check -q --resume=state.$part; done
expect 3 "$heddle" merge --json state.*
json '.warnings | any(test("part 6 of 8 is unfinished: heddle check --resume=state.6 continues it"))'
expect 0 "$heddle" check -q --resume=state.6
expect 0 "$heddle" merge --json state.*
[ "$(jq "$facts" out)" = "$(jq "$facts" one)" ] || fail "the result after an unfinished part differs"

# Wrong usage.
expect 2 "$heddle" merge
says err 'name the files'
expect 2 "$heddle" merge state
says err 'not a part that heddle split wrote'
expect 2 "$heddle" split --parts=2 state.1
says err 'is itself a part'
expect 2 "$heddle" split state
says err 'number of parts'
expect 2 "$heddle" split --parts=2 nowhere
says err 'cannot read nowhere'
mkdir other
expect 3 "$heddle" check --max-executions=400 --checkpoint=other/state -DN=11 "$root/bench/c/lastzero.c"
expect 0 "$heddle" split --parts=8 other/state
expect 2 "$heddle" merge state.1 other/state.2
says err 'not parts of the same exploration'
expect 0 "$heddle" check --resume=state
expect 2 "$heddle" split --parts=2 state
says err 'nothing is left'
expect 0 "$heddle" split --help
expect 0 "$heddle" merge --help
