#!/bin/bash
# Objects that are initialised again under weak memory models, in random programs (tests/native/weak/phases.c): as many
# executions as the phases before and after have together. SEEDS="FIRST LAST" tests others.
. "$(dirname "$0")/../library.sh"
read -r begin end <<< "${SEEDS:-1 6}"

expect 0 "$heddle" cc -g -o phases "$root/tests/native/weak/phases.c"

# executions MODEL ARGUMENT...
executions() {
    expect 0 "$heddle" check --json --algorithm=graph --model="$1" ./phases -- "${@:2}"
    field executions out
}

for seed in $(seq "$begin" "$end"); do
    for model in sc tso ra rc11; do
        one=$(executions $model "$seed" 1 0)
        other=$(executions $model "$seed" 2 0)
        joined=$(executions $model "$seed" 3 0)
        handed=$(executions $model "$seed" 3 1)
        [ "$joined" = $((one * other)) ] || fail "seed $seed, $model: $joined instead of $one * $other"
        [ "$handed" = $((2 * one * other)) ] || fail "seed $seed, $model: $handed instead of 2 * $one * $other"
    done
done
