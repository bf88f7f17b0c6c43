#!/bin/bash
# Runs every row of tests/counts.txt; then, for its one-line programs: no reduction explores more
# (executions and redundant explorations together) than all interleavings are, and none explores
# fewer executions than there are traces.
. "$(dirname "$0")/library.sh"

failures=0
complain() { echo "$*"; failures=$((failures + 1)); }

"$heddle" check --help | sed -n '/^algorithms:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' > built_in
is_built_in() { grep -qx -- "$1" built_in; }

# One row a line, blanks removed: program|algorithm|executions|deadlocks|assumes
sed -E '/^ *(#|$)/d; s/ *\| */|/g; s/ +$//' "$root/tests/counts.txt" > rows
[ -s rows ] || fail "no rows"

expand() { # one row for every algorithm that is built in
    local program algorithm rest name
    while IFS='|' read -r program algorithm rest; do
        for name in ${algorithm/#exact/optimal pop}; do
            if is_built_in "$name"; then echo "$program|$name|$rest"; fi
        done
    done < rows
}
expand > wanted

# What is compared of each answer, one per line: jq takes longer to start than most programs to check.
facts='[.executions, .deadlocks, .assume_blocked, .blocked, .verdict] | @tsv'

# compare PROGRAM ALGORITHM EXECUTIONS DEADLOCKS ASSUMES FACTS
compare() {
    local executions deadlocks assumes blocked verdict
    read -r executions deadlocks assumes blocked verdict <<< "$6"
    local shown="executions $executions, deadlocks $deadlocks, assumes $assumes, blocked $blocked"
    case "$3" in
        '>'*) [ $((executions + blocked)) -gt "${3#>}" ] ;;
        *) [ "$executions" = "$3" ] ;;
    esac && [[ ${4:-0} = '*' || ${4:-0} = "$deadlocks" ]] && [[ -z $5 || $5 = "$assumes" ]] ||
        complain "$1: $2: $shown ($verdict); expected $3${4:+ | $4}${5:+ | $5}"
    case "$2" in
        optimal | pop) [ "$blocked" = 0 ] || complain "$1: $2: $blocked explorations were redundant" ;;
    esac
}

# One-line programs go in one batch for each algorithm.
while read -r algorithm; do
    grep -F "|$algorithm|" wanted | grep -v '^bench/' > part || continue
    "$heddle" check -k --algorithm="$algorithm" --batch=<(cut -d'|' -f1 part) > answers || true
    jq -r "$facts" answers > found
    [ "$(wc -l < found)" = "$(wc -l < part)" ] || fail "$algorithm: answers are missing"
    while IFS='|' read -r program name executions deadlocks assumes <&3; do
        read -r answer <&4
        compare "$program" "$name" "$executions" "$deadlocks" "$assumes" "$answer"
    done 3< part 4< found
done < built_in

grep '^bench/' wanted > part
while IFS='|' read -r program name _; do
    read -ra words <<< "$program"
    answer=$(cd "$root" && "$heddle" check -k --json --algorithm="$name" "${words[@]}") || true
    printf '%s\n' "${answer:-{\}}"
done < part | jq -r "$facts" > found
[ "$(wc -l < found)" = "$(wc -l < part)" ] || fail "answers are missing"
while IFS='|' read -r program name executions deadlocks assumes <&3; do
    read -r answer <&4
    compare "$program" "$name" "$executions" "$deadlocks" "$assumes" "$answer"
done 3< part 4< found

# The oracle looks at outcomes, and tries some hundred first schedules, for what is a regression.
cat "$root"/tests/regressions/*.txt | sort -u > regressions
grep -v '^bench/' rows | cut -d'|' -f1 | sort -u | comm -23 - regressions > forgotten
[ ! -s forgotten ] || complain "not in tests/regressions: $(cat forgotten)"

# Between the number of traces and that of interleavings, under several first schedules.
grep -v '^bench/' rows | grep '|exact|' | cut -d'|' -f1,3 > small
cut -d'|' -f1 small > programs
"$heddle" check -k --algorithm=none --batch=programs > all || true
jq .executions all > most
cut -d'|' -f2 small > least
for algorithm in source classic sleep-sets; do
    for first in lowest highest round-robin random:1; do
        "$heddle" check -k --algorithm=$algorithm --first=$first --batch=programs > answers || true
        jq -r '[.executions, .blocked] | @tsv' answers > found
        while IFS=$'\t' read -r program few many executions blocked; do
            [ "$executions" -ge "$few" ] && [ $((executions + blocked)) -le "$many" ] ||
                complain "$program: $algorithm, $first: $executions + $blocked, not in $few..$many"
            [ $algorithm != sleep-sets ] || [ "$executions" = "$few" ] ||
                complain "$program: $algorithm, $first: $executions of $few traces"
        done < <(paste programs least most found)
    done
done

echo "$(wc -l < wanted) rows of $(wc -l < rows) tried, $(wc -l < small) programs compared"
[ "$failures" = 0 ]
