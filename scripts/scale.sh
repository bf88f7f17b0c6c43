#!/bin/bash
# Compares explorations that were done by several processes, by four MPI ranks (if mpirun is there), in
# parts, or with interruptions, with one process: verdict, counts and the set of errors. For the rows of
# tests/counts.txt, and for random programs of one line, every second one of them with at least 200
# executions. With `kills`, each exploration is killed that often with SIGKILL, workers and all, at
# random moments, and resumed.
#   scripts/scale.sh counts [most executions]
#   scripts/scale.sh random [programs [seed]]
#   scripts/scale.sh kills [times [most executions]]
#   scripts/scale.sh random-kills [times [programs [seed]]]
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
heddle=$(realpath "${HEDDLE:-$root/build/heddle}")
directory=$(mktemp -d)
trap finish EXIT
export HEDDLE_WORKERS_DELAY_MS=0 HEDDLE_WORKERS_EAGER=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
differences=0 programs=0 kills=0
ranks=()
if [ -x "$heddle-mpi" ] && command -v mpirun > /dev/null; then
    ranks=(mpirun -q --oversubscribe -n 4 "$heddle-mpi")
fi

# Also of what was done until it is interrupted.
finish() {
    rm -rf "$directory"
    echo "$programs programs, $kills kills, $differences differences"
}

# Of each file, in a line.
facts() { jq -cS '[.verdict, .executions, .events, .deadlocks, .assume_blocked, .blocked,
                   ([.errors[] | [.kind, .message, .file, .line, .count]] | sort)]' "$@" 2> /dev/null; }

differ() {
    differences=$((differences + 1))
    echo "DIFFERENCE: $1: heddle check ${*:2}"
}

# Runs it in all ways, each with an answer in a file that is named after it.
run_all() {
    local state=$directory/state jobs part
    for jobs in 1 2 3 7; do
        "$heddle" check --json -j $jobs "$@" > "$directory/answer.-j $jobs" 2> /dev/null < /dev/null
    done
    if [ ${#ranks[@]} != 0 ]; then
        "${ranks[@]}" check --json "$@" > "$directory/answer.4 ranks" 2> /dev/null < /dev/null
    fi
    "$heddle" check -q --checkpoint="$state" --max-executions=3 "$@" > /dev/null 2>&1 < /dev/null
    [ -e "$state" ] || return
    if "$heddle" split --parts=13 "$state" > /dev/null 2>&1; then
        for part in {1..13}; do
            "$heddle" check -q --resume="$state.$part" > /dev/null 2>&1 < /dev/null
        done
        "$heddle" merge --json "$state".* > "$directory/answer.13 parts" 2> /dev/null < /dev/null
    fi
    "$heddle" check -q --resume="$state" --max-executions=5 > /dev/null 2>&1 < /dev/null
    "$heddle" check --json -j 2 --resume="$state" > "$directory/answer.interrupted" 2> /dev/null < /dev/null
}

# The rest are arguments of heddle check.
compare() {
    local wanted answer
    rm -f "$directory"/answer.* "$directory"/state*
    run_all "$@"
    wanted=$(facts "$directory/answer.-j 1")
    [ -n "$wanted" ] || { differ "no result" "$@"; return; }
    programs=$((programs + 1))
    local all=("$directory"/answer.*)
    [ "$(facts "${all[@]}" | sort | uniq -c)" = "$(printf '%7d %s' ${#all[@]} "$wanted")" ] && return
    for answer in "${all[@]}"; do
        [ "$(facts "$answer")" = "$wanted" ] || differ "${answer##*/answer.}" "$@"
    done
}

# Kills it so many times; whenever an exploration comes to its end in between, it is begun again.
kill_often() {
    local times=$1 state=$directory/state wanted began arguments running
    shift
    began=${EPOCHREALTIME/./}
    "$heddle" check --json "$@" > "$directory/one" 2> /dev/null < /dev/null
    local takes=$((${EPOCHREALTIME/./} - began)) # microseconds
    wanted=$(facts "$directory/one")
    [ -n "$wanted" ] || { differ "no result" "$@"; return; }
    programs=$((programs + 1))
    rm -f "$state"
    for ((i = 0; i <= times; i++)); do
        arguments=(--checkpoint="$state" "$@")
        [ -e "$state" ] && arguments=(--resume="$state")
        HEDDLE_CHECKPOINT_MS=1 "$heddle" check -j $((1 + RANDOM % 3)) --json "${arguments[@]}" \
            > "$directory/other" 2> /dev/null < /dev/null &
        running=$!
        if [ $i != "$times" ]; then
            printf -v pause '0.%06d' $(((RANDOM * 32768 + RANDOM) % (takes < 999999 ? takes : 999999)))
            sleep "$pause"
            kill -KILL $running $(cat /proc/$running/task/$running/children 2> /dev/null) 2> /dev/null &&
                kills=$((kills + 1))
        fi
        if wait $running 2> /dev/null; [ $? != 137 ]; then
            [ "$(facts "$directory/other")" = "$wanted" ] || differ "killed $i times" "$@"
            rm -f "$state"
        fi
    done
}

# Calls the given function for each row of tests/counts.txt with at most so many executions.
rows() {
    local most=$1 program algorithm executions words
    shift
    while IFS='|' read -r program algorithm executions _; do
        read -r -a words <<< "$program"
        read -r algorithm <<< "$algorithm"
        read -r executions <<< "$executions"
        [[ $algorithm == exact || $algorithm == pop ]] && [[ $executions =~ ^[0-9]+$ ]] || continue
        [ "$executions" -le "$most" ] || continue
        if [ -e "$root/${words[0]}" ]; then
            "$@" -k "$root/${words[0]}" "${words[@]:1}"
        else
            "$@" -k --program="${words[*]}"
        fi
    done < <(grep -v '^ *#' "$root/tests/counts.txt" | grep '|')
}

# number, seed: threads of reads, writes, read-modify-writes, awaits, locks of all kinds, plain accesses
generate() {
    awk -v count="$1" -v seed="$2" '
        function below(n) { return int(rand() * n) }
        function variable() { return substr("xyz", 1 + below(3), 1) }
        function access() { return below(2) ? "r" variable() : "w" variable() (1 + below(2)) }
        function operation(   kind) {
            kind = below(24)
            if (kind < 10) return access()
            if (kind < 12) return "c" variable() below(2) (1 + below(2))
            if (kind < 13) return "a" variable()
            if (kind < 14) return "i" variable() 1
            if (kind < 15) return "q" variable() 1
            if (kind < 16) return "r" variable() " ?w" variable() 1
            if (kind < 17) return "t0"
            if (kind < 18) return (below(2) ? "rX" : "wX1")
            if (kind < 19) return (below(2) ? "P0" : "V0")
            if (kind < 20) return (below(2) ? "Rl0 " : "Wl0 ") access() " Ul0"
            if (kind < 21) return "l0 " (below(2) ? "W0.0" : "g0") " u0"
            kind = below(2)
            return "l" kind " " access() " u" kind
        }
        BEGIN {
            srand(seed)
            for (p = 0; p < count; p++) {
                line = ""
                large = below(2)
                for (t = 2 + large + below(3 - large); t; t--) {
                    for (i = 1 + large + below(3); i; i--) line = line operation() (i > 1 ? " " : "")
                    line = line (t > 1 ? " / " : "")
                }
                print line
            }
        }'
}

# Those that end, with fewer than 1,000 executions; every second one has 200 or more.
random_programs() {
    local most=$((10 * $1 + 100)) verdict executions line
    local fewer=$((($1 + 1) / 2)) more=$(($1 / 2))
    generate $most "$2" > "$directory/generated"
    while read -r verdict executions line; do
        [ "$executions" -gt 1 ] && [ "$executions" -lt 1000 ] && [ "$verdict" != incomplete ] || continue
        if [ "$executions" -lt 200 ]; then
            [ $((fewer--)) -gt 0 ] || continue
        else
            [ $((more--)) -gt 0 ] || continue
        fi
        echo "$line"
    done < <("$heddle" check -k --max-executions=1000 --batch="$directory/generated" 2> /dev/null |
        jq -r '"\(.verdict) \(.executions)"' | paste -d ' ' - "$directory/generated")
}

each_random() {
    local line count=$1 seed=$2
    shift 2
    while read -r line; do
        "$@" -k --program="$line"
    done < <(random_programs "$count" "$seed")
}

case ${1:-} in
    counts) rows "${2:-5000}" compare ;;
    kills) rows "${3:-5000}" kill_often "${2:-10}" ;;
    random) each_random "${2:-100}" "${3:-1}" compare ;;
    random-kills) each_random "${3:-100}" "${4:-1}" kill_often "${2:-10}" ;;
    *)
        trap 'rm -rf "$directory"' EXIT
        sed -n '2,11s/^# \{0,1\}//p' "$0"
        exit 2
        ;;
esac
[ $differences = 0 ]
