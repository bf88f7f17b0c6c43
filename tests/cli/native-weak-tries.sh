#!/bin/bash
# Loops that try to lock a mutex, a semaphore or a read-write lock, under weak memory models: each program of
# tests/native/weak/tries.c and attempts.c has as many executions and livelocks as the same program in the notation
# of abstract programs.
. "$(dirname "$0")/../library.sh"
source=tries

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
        "$heddle" check "${options[@]}" -DWHAT="$1" -DTHREADS="$2" "$root/tests/native/weak/$source.c" > out 2> err || true
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

# Semaphores and read-write locks. As many as there are orders of those who write.
source=attempts
same 0 2 2 0 << 'END'
rwlock l; shared x;
thread p { while (!try_write_lock(l)) {} store(x, 1, relaxed); release(l); }
thread q { while (!try_write_lock(l)) {} store(x, 2, relaxed); release(l); }
END
same 0 3 6 0 << 'END'
rwlock l; shared x;
thread p { while (!try_write_lock(l)) {} store(x, 1, relaxed); release(l); }
thread q { while (!try_write_lock(l)) {} store(x, 2, relaxed); release(l); }
thread r { while (!try_write_lock(l)) {} store(x, 3, relaxed); release(l); }
END
# As with locks: the readers' four operations have six orders, two of which have three places where nobody reads, four two.
same 1 3 14 0 << 'END'
rwlock l; shared x;
thread p { while (!try_write_lock(l)) {} store(x, 1, relaxed); release(l); }
thread q { local a; while (!try_read_lock(l)) {} a = load(x, relaxed); release(l); }
thread r { local a; while (!try_read_lock(l)) {} a = load(x, relaxed); release(l); }
END
same 2 2 1 0 << 'END'
semaphore s; shared x;
thread p { store(x, 1, relaxed); sem_post(s); }
thread q { local a; while (!sem_trywait(s)) {} a = load(x, relaxed); }
END
same 3 3 6 0 << 'END'
semaphore s = 1; shared x;
thread p { while (!sem_trywait(s)) {} store(x, 1, relaxed); sem_post(s); }
thread q { while (!sem_trywait(s)) {} store(x, 2, relaxed); sem_post(s); }
thread r { while (!sem_trywait(s)) {} store(x, 3, relaxed); sem_post(s); }
END
same 4 2 1 1 << 'END'
semaphore s;
thread p { sem_post(s); }
thread q { while (!sem_trywait(s)) {} while (!sem_trywait(s)) {} }
END
# The lock is taken first, or last, or the loop ends by the flag.
same 5 2 3 0 << 'END'
rwlock l; shared x, y;
thread p { read_lock(l); store(x, 1, relaxed); release(l); store(y, 1, relaxed); }
thread q { local done; while (!done) { if (try_write_lock(l)) { release(l); done = 1; } else { done = load(y, relaxed) == 1; } } }
END
