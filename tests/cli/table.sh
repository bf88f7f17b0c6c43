#!/bin/bash
# The counterexample: exactly this table; long schedules are abbreviated, and say so; many threads
# give a list.
. "$(dirname "$0")/../library.sh"

cat > lost.heddle <<'END'
shared x = 0;
thread p { local t = x; x = t + 1; }
thread q {
    local t = x;
    x = t + 1;
}
thread main { join p; join q; assert(x == 2); }
END
expect 1 "$heddle" check --optimal lost.heddle
sed -n '1,/^$/p' out > table
diff table - <<'END' || fail "not this table"
lost.heddle:7:31: error: assertion failed in thread main [assertion]
    thread main { join p; join q; assert(x == 2); }
   step  p            q            main
      1               read x -> 0                  4: local t = x;
         ,------------'
 !    2  read x -> 0                               2: thread p { local t = x; x = t + 1; }
      3  write x = 1                               2: thread p { local t = x; x = t + 1; }
         `------------.
      4               write x = 1                  5: x = t + 1;
                      `------------.
      5                            join p          7: thread main { join p; join q; assert(x == 2); }
      6                            join q          7: thread main { join p; join q; assert(x == 2); }
>     7                            read x -> 1     7: thread main { join p; join q; assert(x == 2); }
  ! after step 2 the error can no longer be avoided

END

# A deadlock with a lost signal.
expect 1 "$heddle" check --program='l0 W0.0 u0 / g0'
says out '^  p0 waits for a signal of c0, since its wait in step [0-9]; the last one came before, in step [0-9], and was lost$'
expect 1 "$heddle" check --program='l0 W0.0 u0'
says out '^  p0 waits for a signal of c0, since its wait in step 2; there is no later signal$'
expect 1 "$heddle" check --program='l0 l0'
says out '^  p0 waits for m0, held by itself since step 1$'
expect 1 "$heddle" check --program='l0 / wx1 l0' --first=lowest
says out '^  p1 waits for m0, held by p0 since step 1, which has ended$'
expect 1 "$heddle" check --program='j1 / l0 l0'
says out '^  p0 waits for the end of p1$'
expect 1 "$heddle" check --program='ix1 / wx2'
says out '^  p0 waits for a change of x$'
expect 1 "$heddle" check --program='[wx1,wy1] l0 l0'
says out 'atomic section write x, write y'

# What the explanation refers to is shown, also in a long schedule.
expect 1 "$heddle" check --program="rx rx l0 rx rx rx rx rx rx W0.0 u0 / $(for i in {1..45}; do echo "wy$i"; done | paste -sd' ')"
step=$(sed -nE 's/.* since its wait in step ([0-9]+);.*/\1/p' out)
says out '\.\.\.  [0-9]+ steps of p1 left out'
says out "^ !? *$step  wait c0$"

# A long run of one thread.
cat > long.heddle <<'END'
shared x = 0;
thread p { local i; for (i = 0; i < 100; i++) { x = i; } assert(0); }
END
expect 1 "$heddle" check long.heddle
says out '\.\.\.  [0-9]+ steps of p left out \([0-9]+ to [0-9]+; --full shows them\)'
[ "$(wc -l < out)" -le 60 ] || fail "not abbreviated"
shown=$(grep -cE '^[> ] +[0-9]+  ' out)
hidden=$(sed -nE 's/.*\.\.\.  ([0-9]+) steps.*/\1/p' out)
[ $((shown + hidden)) = 100 ] || fail "$shown shown and $hidden left out are not 100"
expect 1 "$heddle" check --full long.heddle
[ "$(grep -cE '^[> ] +[0-9]+  ' out)" = 100 ] || fail "not in full"

# Alternating threads: the middle is left out.
cat > long.heddle <<'END'
shared turn = 0;
thread p(i in 0..1) {
    local n;
    for (n = 0; n < 50; n++) { await(turn == i); turn = 1 - i; }
    assert(i == 0);
}
END
expect 1 "$heddle" check --max-executions=1 long.heddle
says out '\.\.\.  [0-9]+ steps of several threads left out'
shown=$(grep -cE '^[> ] +[0-9]+  ' out)
hidden=$(sed -nE 's/.*\.\.\.  ([0-9]+) steps.*/\1/p' out)
[ $((shown + hidden)) = "$(grep -oE '^>? +[0-9]+ ' out | tail -1 | tr -d '> ')" ] || fail "steps are missing"

# Twenty threads do not fit side by side.
cat > many.heddle <<'END'
shared x = 0;
thread p(i in 1..20) { x = i; }
thread main { local i; for (i = 1; i <= 20; i++) { join p(i); } assert(x != 20); }
END
expect 1 "$heddle" check many.heddle
says out '^   step  thread  operation'
says out '^     20  p\(20\)   write x = 20'

# No colours and no progress where there is no terminal.
! grep -q $'\033' out || fail "colours in a file"
silent err

# A thread that is blocked in an atomic section: what it would do there.
cat > section.c << 'END'
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *unused) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&mutex);
    __VERIFIER_atomic_end();
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, f, NULL);
    pthread_join(thread, NULL);
}
END
expect 1 "$heddle" check section.c
says out '^  section\.c:6: T1 waits in an atomic section to write mutex$'
