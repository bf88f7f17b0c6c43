#!/bin/bash
# --memory-limit: at the limit the verdict is "incomplete" and says why, with exit status 3, whether
# heddle's own memory or the program's reached it, and also when the system refuses to give more.
. "$(dirname "$0")/../library.sh"

limited() { json '.verdict == "incomplete" and (tostring | contains("memory limit"))'; }

# heddle's own: an optimal exploration whose wakeup trees grow, and a long execution.
expect 3 "$heddle" check --json --memory-limit=1M --algorithm=optimal -DN=15 \
    "$root/bench/programs/lastzero.heddle"
limited
json '.executions > 0 and .executions < 147456'
expect 3 "$heddle" check --json --memory-limit=20M "$root/tests/native/long/spin.c"
limited
json '.peak_bytes < 100000000'

# The program's: it allocates forever.
cat > eat.c << 'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static void *eat(void *unused) {
    for (;;) {
        memset(malloc(1 << 20), 1, 1 << 20);
    }
    return unused;
}
int main(void) {
    pthread_t eater;
    pthread_create(&eater, 0, eat, 0);
    pthread_join(eater, 0);
    return 0;
}
END
for limit in 2M 200M; do
    expect 3 "$heddle" check --json --memory-limit=$limit eat.c
    limited
    expect 3 "$heddle" check --memory-limit=$limit eat.c
    cat out err > both
    says both 'memory limit was reached'
done

# Pieces of work that there is no room for go to a file, and come back. A second, third and so on are
# left by each of the first executions, and with enough memory all of them are in it at once.
cat > comb.c << 'END'
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char chosen;
int main(void) {
    for (int i = 0; i < N; i++) {
        chosen = __VERIFIER_nondet_uchar();
        if (chosen != 1) {
            return 0;
        }
    }
}
END
facts='del(.seconds, .peak_bytes, .workers)'
expect 0 "$heddle" check --json -j 1 -DN=100 comb.c
json '.executions == 25501'
wanted=$(jq "$facts" out)
export HEDDLE_WORKERS_DELAY_MS=0 HEDDLE_STORE_BYTES=0
for jobs in 1 3; do
    expect 0 "$heddle" check --json -j $jobs -DN=100 --memory-limit=$((jobs * 1500))K comb.c
    [ "$(jq "$facts" out)" = "$wanted" ] || fail "the result with a file differs, -j $jobs"
done
# What is in the file is also in a checkpoint; what was interrupted continues where it was.
HEDDLE_STOP_AFTER=50 expect 3 "$heddle" check -j 1 -DN=100 --memory-limit=1500K --checkpoint=state comb.c
expect 3 "$heddle" check --json -j 1 --memory-limit=200K --resume=state
limited
HEDDLE_STOP_AFTER=5000 expect 3 "$heddle" check -j 2 --memory-limit=3M --resume=state
expect 0 "$heddle" check --json -j 1 --memory-limit=1500K --resume=state
[ "$(jq "$facts" out)" = "$wanted" ] || fail "the result after checkpoints differs"
# The disk is full: the verdict is "incomplete", and the checkpoint has what it had before.
(ulimit -f 150
 expect 3 "$heddle" check --json -j 1 -DN=100 --memory-limit=1500K --checkpoint=small comb.c)
json '.warnings | any(test("cannot write the file for work that is left: File too large"))'
expect 0 "$heddle" check --json -j 1 --resume=small
[ "$(jq "$facts" out)" = "$wanted" ] || fail "the result after a full disk differs"
unset HEDDLE_WORKERS_DELAY_MS HEDDLE_STORE_BYTES

# An execution that there is no room for: all that came before is in the checkpoint.
sed -i 's/!= 1/> (i == 3)/' comb.c
rm -f state
expect 3 "$heddle" check --json -j 1 -DN=100 --memory-limit=1500K --checkpoint=state comb.c
limited
expect 0 "$heddle" check --json --resume=state
json '.verdict == "verified" and .warnings == []'

# The system gives no more: nothing to the process that explores, or some. (With less, heddle does not start.)
starts() {
    { (ulimit -v "$1" && "$heddle" check --program='wx1 / rx' 2>&1 || true) |
        grep -q 'the system gives no more'; } 2> /dev/null
}
if [ -z "${HEDDLE:-}" ]; then
    least=30000
    until [ $least -gt 200000 ] || starts $least; do least=$((least + 1000)); done
    for room in $least $((least + 16000)); do
        (ulimit -v $room
         expect 3 "$heddle" check --json --algorithm=optimal -DN=15 "$root/bench/programs/lastzero.heddle"
         limited)
    done
fi

# Enough is enough; and sizes are read as they are meant.
expect 0 "$heddle" check --memory-limit=1G --program='wx1 / rx'
for wrong in 0 x 5X 1MB -1 99999999999999G ''; do
    expect 2 "$heddle" check --memory-limit="$wrong" --program='wx1 / rx'
done
