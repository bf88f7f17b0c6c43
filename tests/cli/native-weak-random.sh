#!/bin/bash
# Random one-line programs with memory orders, as abstract programs and as C (tests/native/weak/oneline.c):
# as many executions and deadlocks under every memory model. SEEDS="FIRST LAST" tests others.
. "$(dirname "$0")/../library.sh"
read -r begin end <<< "${SEEDS:-1 25}"

expect 0 "$heddle" cc -g -o oneline "$root/tests/native/weak/oneline.c"

# one_of WORD...: sets `chosen`.
one_of() { local i=$((RANDOM % $# + 1)); chosen=${!i}; }

# One operation, or several that belong together, in `piece`.
add_piece() {
    local x order
    one_of x x y y z; x=$chosen
    case $((RANDOM % 16)) in
        [0-3]) one_of '' :rlx :rlx :acq; piece="r$x$chosen" ;;
        [4-7]) one_of '' :rlx :rlx :rel; order=$chosen; one_of 1 2; piece="w$x$chosen$order" ;;
        8) one_of '' :rlx :acq :rel :ar; piece="a$x$chosen" ;;
        9) one_of '' :rlx :ar :sc.rlx :ar.rlx :acq.rlx :rel; order=$chosen; one_of 1 2; piece="c$x$chosen$order" ;;
        10) one_of f f:acq f:rel f:ar; piece=$chosen ;;
        11) one_of "?w${x}3:rlx" "!w${x}3:rel" "?r$x:rlx" "!a$x:rlx"; piece=$chosen ;;
        12) one_of '' :rlx :acq; piece="l0 r$x$chosen u0" ;;
        13) piece="l0 w${x}1:rlx u0" ;;
        14) one_of "k0 ?u0" "k0 ?w${x}4:rlx" "Rl0 r$x:rlx Ul0" "Wl0 w${x}2:rlx Ul0"; piece=$chosen ;;
        15) one_of "P0 r$x:rlx V0" "p0 ?V0" "P1 w${x}1:rlx" "V1" "P0 a$x:rlx V0"; piece=$chosen ;;
    esac
}

make_program() {
    local threads=$((RANDOM % 2 + 2)) pieces t i
    program=
    for ((t = 0; t < threads; t++)); do
        pieces=$((RANDOM % (threads == 2 ? 4 : 3) + 1))
        [ $t = 0 ] || program+=' /'
        for ((i = 0; i < pieces; i++)); do
            add_piece
            program+=" $piece"
        done
    done
    program=${program# }
}

counts() { echo "$(field verdict out) $(field executions out) $(field deadlocks out)"; }

for seed in $(seq "$begin" "$end"); do
    RANDOM=$seed
    make_program
    for model in sc tso ra rc11; do
        options=(-k --json --algorithm=graph --model=$model)
        last="$heddle check ${options[*]} --program='[sem 1 0] $program'"
        "$heddle" check "${options[@]}" --program="[sem 1 0] $program" > out 2> err || true
        wanted=$(counts)
        last="$heddle check ${options[*]} ./oneline -- '$program'"
        "$heddle" check "${options[@]}" ./oneline -- "$program" > out 2> err || true
        [ "$(counts)" = "$wanted" ] || fail "seed $seed, $model: $(counts) instead of $wanted"
    done
done
