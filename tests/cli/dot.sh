#!/bin/bash
# --dot writes what happens before what as a graph: valid, reduced, with the failing step marked.
. "$(dirname "$0")/../library.sh"

# Every line of the file is one of those that are expected, and brackets are closed.
valid() {
    local string='"([^"\\]|\\.)*"'
    ! grep -vE "^digraph heddle \{$|^ *(label=$string|node \[[a-z=, ]*\]|(step|wait)[0-9]+ \[label=$string[a-z0-9=, ]*\]|(step|wait)[0-9]+ -> (step|wait)[0-9]+( \[[a-z0-9=, ]*\])?);$|^ *subgraph cluster[0-9]+ \{$|^ *\}$" "$1" ||
        fail "$1 has a line that is not expected"
    [ "$(grep -c '{$' "$1")" = "$(grep -c '}$' "$1")" ] || fail "$1 is not closed"
    ! command -v dot > /dev/null || dot -Tcanon "$1" > /dev/null || fail "dot refuses $1"
}
between_threads() { grep -E '^    step[0-9]+ -> step[0-9]+;$' "$1" | tr -d ' ;' | sort | paste -sd' '; }

cat > order.heddle << 'END'
shared x = 0, y = 0;
thread p { x = 1; x = 2; y = 1; }
thread q { local a = y; local b = x; assert(a + b < 3); }
END
# What q reads of x follows from what it reads of y: no arrow of its own.
expect 1 "$heddle" check --dot=graph order.heddle
says out 'order\.heddle:3:38: error: assertion failed'
valid graph
says graph '^        label="p";$'
says graph 'label="[0-9]+: read y -> 1\\norder\.heddle:3"\];$'
[ "$(grep -c 'color=red, penwidth=3' graph)" = 1 ] || fail "one step failed"
[ "$(between_threads graph)" = "step3->step4" ] || fail "arrows: $(between_threads graph)"

expect 1 "$heddle" check --dot=graph --program='l0 l1 u1 u0 / l1 l0 u0 u1'
valid graph
[ "$(grep -c '^        wait[01] \[label="lock m[01]", color=red' graph)" = 2 ] || fail "two wait"
[ -z "$(between_threads graph)" ] || fail "the threads are concurrent"

# A weak memory model: the happens-before of C11, and dashed what a read has read that does not happen before it.
weak() { # MODEL ORDERED READ-ONLY FILE...
    local model=$1 ordered=$2 read=$3
    shift 3
    rm -f weak
    expect 1 "$heddle" check --leaks=ignore --model="$model" --dot=weak "$@"
    valid weak
    [ "$(between_threads weak)" = "$ordered" ] || fail "$* under $model: $(between_threads weak)"
    [ "$(grep -- '->.*style=dashed\];$' weak | tr -d ' ' | sed 's/\[.*//' | sort | paste -sd' ')" = "$read" ] ||
        fail "$* under $model: $(cat weak)"
}
weak rc11 'step1->step3 step2->step6' 'step5->step8' -DORDER=0 "$root/tests/native/weak/dekker.c"
cat > chain.heddle << 'END'
shared x;
thread p { store(x, 1, release); }
thread q { fetch_add(x, 1, relaxed); }
thread r { local a = load(x, acquire); assert(a != 2); }
END
cat > fences.heddle << 'END'
shared x, y;
thread p { fence(release); store(x, 1, relaxed); store(y, 1, relaxed); }
thread r { local b = load(y, relaxed); local c = load(x, relaxed); fence(acquire); c = load(x, relaxed); assert(!b || !c); }
END
cat > failure.heddle << 'END'
shared x;
thread p { store(x, 1, release); }
thread r { local a = cas(x, 5, 6, acq_rel, relaxed); a = cas(x, 5, 6, acq_rel, acquire); a = load(x, relaxed); assert(a != 1); }
END
cat > locks.heddle << 'END'
shared x; mutex m; semaphore s;
thread p { lock(m); store(x, 1, relaxed); unlock(m); sem_post(s); }
thread r { lock(m); local a = load(x, relaxed); unlock(m); sem_wait(s); assert(a != 1); }
END
cat > attempt.heddle << 'END'
shared x; mutex m;
thread p { lock(m); store(x, 1, relaxed); unlock(m); }
thread r { local k = trylock(m); local a = load(x, relaxed); assert(k || a != 1); }
END
weak rc11 'step1->step3' 'step1->step2 step2->step3' chain.heddle
for model in tso rc11; do
    weak $model 'step1->step6' 'step2->step5 step2->step7 step3->step4' fences.heddle
    weak $model 'step1->step3' 'step1->step2' failure.heddle
done
weak rc11 'step3->step5 step4->step8' '' locks.heddle
weak rc11 '' 'step2->step4' attempt.heddle

cat > "odd.c" << 'END'
#include <assert.h>
int main(void) {
    assert("a \"quoted\" \\ word" == 0);
    return 0;
}
END
expect 1 "$heddle" check --dot=odd odd.c
valid odd

# Nothing is written without an error, and over no other file.
rm graph
expect 0 "$heddle" check --dot=graph --program='wx1 / rx'
[ ! -e graph ] || fail "a graph of nothing"
echo precious > graph
expect 2 "$heddle" check --dot=graph --program='l0 l1 u1 u0 / l1 l0 u0 u1'
says err 'graph'
[ "$(cat graph)" = precious ] || fail "it was overwritten"
