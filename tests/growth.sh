#!/bin/bash
# How the algorithms that are not optimal grow (JACM 2017, Tables 1, 3 and 4), under several first
# schedules: source and classic are blocked more and more often where optimal never is.
. "$(dirname "$0")/library.sh"

# executions, blocked: of a program under an algorithm
explore() {
    expect 0 "$heddle" check --json --keep-going --algorithm="$1" "${@:3}" "$root/bench/programs/$2.heddle"
    executions=$(jq .executions < out)
    blocked=$(jq .blocked < out)
}

# figure10: optimal explores 4n+1, source is blocked more often with every group.
for first in lowest highest round-robin; do
    previous=0
    for n in 1 2 3 4 5 6; do
        explore optimal figure10 -DN=$n --first=$first
        [ "$executions $blocked" = "$((4 * n + 1)) 0" ] || fail "optimal: $executions, $blocked"
        explore source figure10 -DN=$n --first=$first
        [ "$executions" = "$((4 * n + 1))" ] || fail "source does not cover figure10($n)"
        [ "$blocked" -gt "$previous" ] || fail "source: $blocked blocked after $previous"
        previous=$blocked
    done
done
# Under "highest" it doubles, as in Table 1.
explore source figure10 -DN=9 --first=highest
[ "$blocked" -gt 1000 ] || fail "source: only $blocked blocked on figure10(9)"

# readers: classic explores (3^N+1)/2, source and optimal 2^N.
power=1
for n in 1 2 3 4 5 6 7 8; do
    power=$((3 * power))
    explore classic readers -DN=$n
    [ "$((executions + blocked))" = "$(((power + 1) / 2))" ] || fail "classic on readers($n)"
    explore source readers -DN=$n
    [ "$executions $blocked" = "$((1 << n)) 0" ] || fail "source on readers($n)"
done

# lastzero: optimal < source <= classic, and the gap widens.
previous=0
for n in 5 8 10; do
    explore optimal lastzero -DN=$n
    optimal=$executions
    explore source lastzero -DN=$n
    source=$((executions + blocked))
    explore classic lastzero -DN=$n
    classic=$((executions + blocked))
    [ "$executions" = "$optimal" ] || fail "classic does not cover lastzero($n)"
    [ "$optimal" -lt "$source" ] && [ "$source" -le "$classic" ] ||
        fail "lastzero($n): optimal $optimal, source $source, classic $classic"
    [ $((100 * classic / optimal)) -gt "$previous" ] || fail "lastzero($n): the gap does not widen"
    previous=$((100 * classic / optimal))
done

# filesystem: source is as good as optimal, classic grows with another base: it also tries to send a
# thread ahead while the other one holds the mutex. With locks that are processes, as in Table 3, a
# request can be sent at any time, which makes four orders of every lock (tests/counts.txt).
for n in 14 16 18; do
    explore source filesystem -DN=$n
    [ "$executions $blocked" = "$((1 << (n - 13))) 0" ] || fail "source on filesystem($n)"
    explore classic filesystem -DN=$n
    [ "$executions" = "$((1 << (n - 13)))" ] || fail "classic does not cover filesystem($n)"
    [ "$((executions + blocked))" = "$((3 ** (n - 13)))" ] || fail "classic: $blocked blocked"
done
