#!/bin/bash
# Loops that try to lock a mutex, under weak memory models: each program of tests/native/weak/tries.c has as
# many executions and livelocks as the same program in the notation of abstract programs.
. "$(dirname "$0")/../library.sh"

# same WHAT THREADS EXECUTIONS DEADLOCKS: all models; the abstract program is the standard input. EXECUTIONS and
# DEADLOCKS are those of RC11.
same() {
    local model wanted
    cat > program.heddle
    for model in sc tso ra rc11; do
        options=(-k --json --algorithm=graph --model=$model)
        "$heddle" check "${options[@]}" program.heddle > abstract || true
        wanted=$(jq -c '[.verdict, .executions, .deadlocks]' abstract)
        last="$heddle check ${options[*]} -DWHAT=$1 -DTHREADS=$2"
        "$heddle" check "${options[@]}" -DWHAT="$1" -DTHREADS="$2" "$root/tests/native/weak/tries.c" > out 2> err || true
        json "[.verdict, .executions, .deadlocks] == $wanted"
    done
    json ".executions == $3 and .deadlocks == $4"
}

same 0 2 2 0 << 'END'
mutex m; shared x;
thread p { while (!trylock(m)) {} store(x, 1, relaxed); unlock(m); }
thread q { while (!trylock(m)) {} store(x, 2, relaxed); unlock(m); }
END
same 0 3 6 0 << 'END'
mutex m; shared x;
thread p { while (!trylock(m)) {} store(x, 1, relaxed); unlock(m); }
thread q { while (!trylock(m)) {} store(x, 2, relaxed); unlock(m); }
thread r { while (!trylock(m)) {} store(x, 3, relaxed); unlock(m); }
END
# Before the other, with x old or new; after it, when everything is seen.
same 1 2 3 0 << 'END'
mutex m; shared x, y;
thread p { store(x, 1, relaxed); lock(m); store(y, 1, relaxed); unlock(m); }
thread q { local a; while (!trylock(m)) {} a = load(y, relaxed); a = load(x, relaxed); unlock(m); }
END
# The lock is taken first, or last, or the loop ends by the flag.
same 2 2 3 0 << 'END'
mutex m; shared x, y;
thread p { lock(m); store(x, 1, relaxed); unlock(m); store(y, 1, relaxed); }
thread q { local done; while (!done) { if (trylock(m)) { unlock(m); done = 1; } else { done = load(y, relaxed) == 1; } } }
END
same 3 2 2 1 << 'END'
mutex m;
thread p { lock(m); }
thread q { while (!trylock(m)) {} unlock(m); }
END
# Each attempt comes before the other's lock, or fails, or comes after its unlock: nine ways, without that in which both
# come first and that in which both come last.
same 4 2 7 0 << 'END'
mutex m, n;
thread p { lock(m); if (trylock(n)) { unlock(n); } unlock(m); }
thread q { lock(n); if (trylock(m)) { unlock(m); } unlock(n); }
END
# What q reads of x is old or new if it is first, new if p is; r reads any of three values.
same 5 3 9 0 << 'END'
mutex m; shared x, y;
thread p { local a; store(x, 1, relaxed); while (!trylock(m)) {} a = load(y, relaxed); store(y, a + 1, relaxed); unlock(m); }
thread q { local a; while (!trylock(m)) {} a = load(y, relaxed); store(y, a + 1, relaxed); unlock(m); a = load(x, relaxed); }
thread r { local a; a = load(y, relaxed); }
END

# Attempts that a loop cannot wait by are named.
cat > tries.c << 'END'
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *run(void *argument) {
    while (WHAT ? sem_trywait(&semaphore) : pthread_rwlock_trywrlock(&lock)) {
    }
    WHAT ? sem_post(&semaphore) : pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t one, other;
    sem_init(&semaphore, 0, 1);
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&other, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
END
for what in 0 1; do
    expect 2 "$heddle" check --model=rc11 -DWHAT=$what tries.c
    says err 'tries a semaphore or a read-write lock'
done
