/* Loops whose rounds have atomic sections, as programs of SV-COMP write locks and flags. */
#include "spin.h"

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);

#define ATOMIC(...)                \
    do {                           \
        __VERIFIER_atomic_begin(); \
        __VA_ARGS__;               \
        __VERIFIER_atomic_end();   \
    } while (0)

static int lock, next, serving, first, second, flag;

#if defined TAS
static void take(void) {
    int old;
    do {
        ATOMIC(old = lock; lock = 1);
        PAUSE();
    } while (old);
}
#elif defined CAS
static int try_to_take(void) {
    int free;
    ATOMIC(free = lock == 0; if (free) lock = 1);
    return free;
}

static void take(void) {
    for (;;) {
        if (try_to_take()) {
            break;
        }
        PAUSE();
    }
}
#elif defined NAMED
static int __VERIFIER_atomic_test_and_set(int *place, int value) {
    int old = *place;
    *place = value;
    return old;
}

static void take(void) {
    while (__VERIFIER_atomic_test_and_set(&lock, 1)) {
        PAUSE();
    }
}
#elif defined RESULT
static void __VERIFIER_atomic_compare_and_swap(int *place, int old, int new, int *done) {
    *done = *place == old;
    if (*done) {
        *place = new;
    }
}

static void take(void) {
    int done = 0;
    while (!done) {
        __VERIFIER_atomic_compare_and_swap(&lock, 0, 1, &done);
    }
}
#elif defined STORE /* in every round, without having read what is there */
static void take(void) {
    int old;
    do {
        ATOMIC(next = 1; old = lock; lock = 1);
    } while (old);
}
#elif defined CHOOSES
static void take(void) {
    int old;
    do {
        ATOMIC(old = lock; if (!old && __VERIFIER_nondet_bool()) lock = 1; else old = 1);
    } while (old);
}
#elif defined ASSUMES
static void take(void) {
    ATOMIC(__VERIFIER_assume(lock == 0); lock = 1);
}
#elif defined TTAS /* a section to look, one to take */
static void take(void) {
    int old;
    do {
        do {
            ATOMIC(old = lock);
        } while (old);
        ATOMIC(old = lock; lock = 1);
    } while (old);
}
#endif

#if defined TICKET
static void *body(void *argument) {
    int own, now;
    ATOMIC(own = next++);
    do {
        ATOMIC(now = serving);
    } while (now != own);
    section();
    ATOMIC(serving++);
    return argument;
}
#elif defined BOTH /* waits until two others are free */
static void *body(void *argument) {
    int free = 0;
    if (!argument) {
        ATOMIC(first = 1);
    } else if ((long)argument == 1) {
        ATOMIC(second = 1);
    } else {
        while (!free) {
            ATOMIC(free = first == 0 && second == 0);
        }
        assert(0);
    }
    return argument;
}
#elif defined READERS /* and a writer */
static void *body(void *argument) {
    int done = 0;
    while (!done) {
        if (argument) {
            ATOMIC(if (!first) second++, done = 1);
        } else {
            ATOMIC(if (!first && !second) first = 1, done = 1);
        }
    }
    if (!argument) {
        section();
    }
    if (argument) {
        ATOMIC(second--);
    } else {
        ATOMIC(first = 0);
    }
    return argument;
}
#elif defined FLAG
static void *body(void *argument) {
    int seen;
    if (!argument) {
#ifndef UNSET
        ATOMIC(flag = 1);
#endif
        return NULL;
    }
    do {
        PAUSE();
        ATOMIC(seen = flag);
    } while (!seen);
    return argument;
}
#elif defined RACE /* a plain write races with rounds that do not end the loop, not with the last */
static void *body(void *argument) {
    int seen = 0;
    if (!argument) {
        ATOMIC(seen = first);
        if (seen) {
            flag = 5;
        }
        ATOMIC(flag = 1);
    } else if ((long)argument == 1) {
        ATOMIC(first = 1);
    }
    while ((long)argument == 2 && seen != 1) {
        ATOMIC(seen = flag);
    }
    return argument;
}
#elif defined ABBA
static void *body(void *argument) {
    int *one = argument ? &first : &second, *other = argument ? &second : &first, old;
    do {
        ATOMIC(old = *one; *one = 1);
    } while (old);
    do {
        ATOMIC(old = *other; *other = 1);
    } while (old);
    ATOMIC(first = 0; second = 0);
    return argument;
}
#else
static void *body(void *argument) {
    take();
    section();
    ATOMIC(lock = 0);
    return argument;
}
#endif

int main(void) {
    run_threads(body);
}
