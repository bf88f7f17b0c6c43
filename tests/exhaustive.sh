#!/bin/bash
# All small programs under every strategy, up to symmetry, each under several first schedules; of the
# larger ones a part. The budget is a number of programs, so that the same ones run everywhere; by
# hand, heddle-fuzz --exhaustive continues for as long as one likes.
set -euo pipefail
cd "$(dirname "$0")/.."
fuzz=build/heddle-fuzz

# enumerate ARGUMENTS...: no difference.
enumerate() {
    local out
    out=$("$fuzz" --exhaustive --jobs=2 "$@") || { echo "$out"; echo "failed: $*"; exit 1; }
    grep -E '^total' <<< "$out" | sed "s|\$|   $*|"
}

# Numbers of programs that were counted by another enumeration.
count=$("$fuzz" --exhaustive --list --operations=2-4 | wc -l)
[ "$count" = 62 ] || { echo "62 programs expected, $count listed"; exit 1; }
parts=$(for part in 1 2 3; do "$fuzz" --exhaustive --list --operations=5 --part=$part/3; done | sort -u | wc -l)
[ "$parts" = 348 ] || { echo "348 programs expected in three parts, $parts listed"; exit 1; }

enumerate --operations=2-4 --kinds=rw --schedules=60
for kinds in rwi rwc rwkl rwlu rwt rwa; do
    enumerate --operations=2-4 --kinds=$kinds --schedules=20
done
enumerate --operations=2-3 --kinds=rwsv --schedules=20
enumerate --operations=5 --kinds=rwi --schedules=20 --part=1/20
enumerate --operations=5 --kinds=rws --schedules=10 --part=1/200
# What context, in earlier versions, lost: five threads and seven operations.
for strategy in context context-observers context-source; do
    enumerate --operations=7 --kinds=rw --schedules=20 --from=16100 --part=2/2 --strategy=$strategy
done
