#!/bin/bash
# --batch: one JSON object per line, in order, for good and bad programs.
. "$(dirname "$0")/../library.sh"

cat > programs <<'END'
# a comment
wx1 / rx / rx

   # another
nonsense
l0 / l0 u0
END
expect 2 "$heddle" check --batch=programs
[ "$(wc -l < out)" = 3 ] || fail "three lines expected"
jq -es '.[0].verdict == "verified" and .[0].executions == 4' < out > /dev/null || fail "first"
jq -es '.[1].verdict == "error" and (.[1].message | test("^programs:5:2: expected"))' < out \
    > /dev/null || fail "second"
jq -es '.[2].verdict == "bug" and .[2].errors[0].kind == "deadlock"' < out > /dev/null || fail "third"

# The exit status is the highest.
status_of() { printf "$2" | { status=0; "$heddle" check "${@:3}" --batch=- > out || status=$?
    [ "$status" = "$1" ] || fail "status $status instead of $1 for $2"; }; }
status_of 0 ''
status_of 0 'wx1\nrx'
status_of 1 'wx1\nl0 l0\nrx\n'
status_of 3 'wx1 / rx\nl0 l0\nrx\n' --max-executions=1
status_of 2 'wx1\nl0 l0\nwhat\n'

# The last line counts without its line end, and carriage returns do not matter.
printf 'wx1 / rx\r\nwx1' | "$heddle" check --batch=- > out
[ "$(jq -c .executions < out | tr '\n' ' ')" = "2 1 " ] || fail "line ends"

# A dialogue: every answer comes before the next question.
coproc "$heddle" check --batch=-
echo 'wx1 / rx / rx' >&"${COPROC[1]}"
read -r -t 10 answer <&"${COPROC[0]}" || fail "no answer"
[ "$(jq .executions <<< "$answer")" = 4 ] || fail "wrong answer"
exec {COPROC[1]}>&-
wait || true

# Thousands.
for i in $(seq 1000); do
    printf 'wx1 / rx / rx\nax / ax / ax rx\nl0 rx u0 ?l1 / l1 l0 u0 u1 / wx1\nwx1 ry / wy1 rx\n'
    printf 'wx1 / wx2 / rx / rx\n'
done > many
expect 1 "$heddle" check -k --batch=many
[ "$(jq -s 'length' < out)" = 5000 ] || fail "5000 answers expected"
[ "$(jq .executions < out | sort -n | uniq -c | tr -s ' \n' ' ')" = \
    " 1000 3 1000 4 1000 5 1000 12 1000 18 " ] || fail "counts"
