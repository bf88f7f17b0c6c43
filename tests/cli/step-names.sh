#!/bin/bash
# Steps of every kind of atomic operation name their object and its value.
. "$(dirname "$0")/../library.sh"

cat > atomics.c << 'END'
#include <assert.h>
#include <stdatomic.h>
static atomic_int x = 6;
int main(void) {
    atomic_fetch_sub(&x, 1);
    atomic_fetch_or(&x, 2);
    atomic_fetch_add(&x, 1);
    atomic_exchange(&x, 4);
    int four = 4;
    atomic_compare_exchange_strong(&x, &four, 5);
    assert(x != 5);
}
END
expect 1 "$heddle" check --json atomics.c
json '[.errors[0].steps[] | select(.object == "x") | [.kind, .value]] ==
    [["fetch-and-modify", 6], ["fetch-and-modify", 5], ["fetch-add", 7], ["exchange", 8],
     ["compare-and-swap", 1], ["read", 5]]'
