#!/bin/bash
# bench/scaling: every team that is simulated does all of the work, and one worker wastes nothing.
. "$(dirname "$0")/library.sh"

make -s -C "$root" build/heddle-scaling
expect 0 "$root/build/heddle-scaling" -DN=8 "$root/bench/programs/lastzero.heddle"
says out '^# executions 704,'
says out '^pipe 1 [0-9.]+ 1.000 0 0.000$'
[ "$(grep -c '^[a-z-]* 10000 ' out)" = 4 ] || fail "some team is missing"
expect 2 "$root/build/heddle-scaling"
"$root/bench/scaling/plot" "$folder/picture.svg" "$folder/out" > name
xmllint --noout picture.svg
