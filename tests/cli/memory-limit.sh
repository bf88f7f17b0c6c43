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

# The system gives no more.
if [ -z "${HEDDLE:-}" ]; then
    (ulimit -v 40000
     expect 3 "$heddle" check --json --algorithm=optimal -DN=15 "$root/bench/programs/lastzero.heddle"
     limited)
fi

# Enough is enough; and sizes are read as they are meant.
expect 0 "$heddle" check --memory-limit=1G --program='wx1 / rx'
for wrong in 0 x 5X 1MB -1 99999999999999G ''; do
    expect 2 "$heddle" check --memory-limit="$wrong" --program='wx1 / rx'
done
