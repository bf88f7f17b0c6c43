#!/bin/bash
# Weak memory models of C programs.
. "$(dirname "$0")/../library.sh"
programs=$root/tests/native/weak

# check MODEL STATUS EXECUTIONS NAME [OPTION...]: all executions.
check() {
    local model=$1 status=$2 executions=$3 name=$4
    shift 4
    expect "$status" "$heddle" check -k --json --leaks=ignore --algorithm=graph --model="$model" "$@" \
        "$programs/$name.c"
    json ".executions == $executions and .model == \"$model\""
}

# As many executions as pop has under sequential consistency; the bug that it hides.
check sc 0 20 treiber -DORDER=0
check rc11 1 244 treiber -DORDER=0
json '.errors[0].kind == "assertion"'
check rc11 0 20 treiber -DORDER=1
check rc11 0 2 message -DORDER=2
expect 1 "$heddle" check --model=rc11 --schedule=kept -DORDER=0 "$programs/message.c"
says out 'data-race'
expect 1 "$heddle" replay kept
says out 'data-race'

# What is supported, and what is refused by name.
check rc11 0 2 kinds -DWHAT=0
check tso 0 252 kinds -DWHAT=1
check sc 0 80 kinds -DWHAT=2
refuses() {
    expect 2 "$heddle" check --model=rc11 -DWHAT="$1" "$programs/kinds.c"
    says err "$2"
}
refuses 4 'trylock'
refuses 5 'a spin loop'
refuses 6 'in several sizes'
refuses 7 'a plain write to memory that is accessed atomically'
