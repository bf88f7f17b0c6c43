/* A local that a round of a loop writes is read after the loop, by name or in another way. It is 7
 * if there was no round, 3 if there was one, and nothing else; with BUG it has to be 7. */
#include <setjmp.h>
#include <string.h>

#include "spin.h"

#ifdef BUG
#define JUDGE(value) assert((value) == 7)
#else
#define JUDGE(value) assert((value) == 7 || (value) == 3)
#endif

static atomic_int flag;

typedef struct pair {
    int first, second;
} pair;

static void *sets(void *argument) {
    atomic_store(&flag, 1);
    return argument;
}

static void judge(const int *value) {
    JUDGE(*value);
}

#if WAY == 0 /* by its name */
static void waits(void) {
    int value = 7;
    while (!atomic_load(&flag)) {
        value = 3;
    }
    JUDGE(value);
}
#elif WAY == 1  /* by a pointer that was made before */
static void waits(void) {
    int value = 7, *pointer = &value;
    while (!atomic_load(&flag)) {
        value = 3;
    }
    JUDGE(*pointer);
}
#elif WAY == 2  /* by a pointer to its neighbour, the other member */
static void waits(void) {
    pair p = {7, 7};
    int *pointer = &p.first;
    while (!atomic_load(&flag)) {
        p.second = 3;
    }
    JUDGE(((pair *)pointer)->second);
}
#elif WAY == 3  /* by a pointer to the end of the array */
static void waits(void) {
    int before = 1, values[2] = {7, 7}, after = 1, *end = values + 2;
    while (!atomic_load(&flag)) {
        values[0] = 3;
    }
    JUDGE(*(end - 2) + before - after);
}
#elif WAY == 4  /* by an index */
static void waits(void) {
    int values[4] = {7, 7, 7, 7};
    while (!atomic_load(&flag)) {
        values[2] = 3;
    }
    for (int i = 1; i < 3; i++) {
        JUDGE(values[i]);
    }
}
#elif WAY == 5  /* by a copy of the struct */
static void waits(void) {
    pair p = {7, 7}, q;
    while (!atomic_load(&flag)) {
        p.first = 3;
    }
    q = p;
    JUDGE(q.first);
}
#elif WAY == 6  /* by other pieces of it */
static void waits(void) {
    union {
        long all;
        char bytes[8];
    } u = {7};
    while (!atomic_load(&flag)) {
        u.bytes[0] = 3;
    }
    JUDGE(u.all);
}
#elif WAY == 7  /* where a jump leads that is taken from outside */
static jmp_buf place;
static void jumps(void) {
    longjmp(place, 1);
}
static void waits(void) {
    volatile int value = 7;
    if (setjmp(place)) {
        JUDGE(value);
        return;
    }
    while (!atomic_load(&flag)) {
        value = 3;
    }
    jumps();
}
#elif WAY == 8  /* by a function in the function */
static void waits(void) {
    int value = 7;
    int look(void) {
        return value;
    }
    while (!atomic_load(&flag)) {
        value = 3;
    }
    JUDGE(look());
}
#elif WAY == 9  /* by a handler for the end of its scope */
static void waits(void) {
    __attribute__((cleanup(judge))) int value = 7;
    while (!atomic_load(&flag)) {
        value = 3;
    }
}
#elif WAY == 10 /* by a jump to a label that is computed */
static void waits(void) {
    static void *const labels[] = {&&again, &&done};
    int value = 7;
again:
    if (!atomic_load(&flag)) {
        value = 3;
        goto *labels[0];
    }
    goto *labels[1];
done:
    JUDGE(value);
}
#elif WAY == 11 /* in a register, in several types */
static void waits(void) {
    double real = 7;
    long double wide = 7;
    char small = 7;
    while (!atomic_load(&flag)) {
        real = wide = small = 3;
    }
    JUDGE((int)real);
    JUDGE((int)wide);
    JUDGE(small);
}
#elif WAY == 12 /* what a compare-exchange has found */
static void waits(void) {
    int found = 7, expected = 1;
    while (!atomic_compare_exchange_strong(&flag, &expected, 2)) {
        found = expected + 3;
        expected = 1;
    }
    JUDGE(found);
}
#elif WAY == 13 /* one round later, and only if another variable has changed */
static void waits(void) {
    int value = 7, now = 1;
    do {
        int seen = value;
        if (!now) {
            seen = 3;
        }
        value = now ? value : seen;
        now = atomic_load(&flag);
        value = now ? value : 3;
    } while (!now);
    JUDGE(value);
}
#elif WAY == 14 /* by a callee that gets the address after the loop */
static void waits(void) {
    int value = 7;
    while (!atomic_load(&flag)) {
        value = 3;
    }
    judge(&value);
}
#elif WAY == 15 /* by a memcpy, and as a bit-field */
static void waits(void) {
    struct bits {
        unsigned low : 5, high : 27;
    } b = {7, 1}, c;
    while (!atomic_load(&flag)) {
        b.low = 3;
    }
    memcpy(&c, &b, sizeof c);
    JUDGE(c.low);
    assert(c.high == 1);
}
#elif WAY == 16 /* by what a switch leads to */
static void waits(void) {
    int value = 7, state = 0;
    for (;;) {
        switch (state) {
            case 0: state = atomic_load(&flag) ? 5 : 1; break;
            case 1:
                value = 3;
                state = 2;
                break;
            case 2: state = 3; break;
            case 3: state = 4; break;
            case 4: state = 0; break;
            default: JUDGE(value); return;
        }
    }
}
#elif WAY == 17 /* after a function that is declared to return twice */
static jmp_buf place;
#ifndef MARKS
#define MARKS marks
int marks(jmp_buf) __attribute__((returns_twice));
__asm__(".set marks, _setjmp");
#endif
static void jumps(int found) {
    if (found == 2) {
        longjmp(place, 1);
    }
}
static void waits(void) {
    volatile int value = 7, other = 7;
    if (MARKS(place)) {
        JUDGE(value);
        JUDGE(other);
        return;
    }
    while (!atomic_load(&flag)) {
        value = other = 3;
    }
    jumps(2);
    value = other = 0;
    sched_yield();
}
#elif WAY == 18 /* by a callee, in a register that is a variable of the program */
register long value __asm__("r12");
static void looks(void) {
    sched_yield();
    JUDGE(value);
}
static void waits(void) {
    long kept = value;
    value = 7;
    while (!atomic_load(&flag)) {
        value = 3;
    }
    looks();
    value = kept;
}
#elif WAY == 19 /* in a register that only the name of the callee implies */
static void judges(void) {
    sched_yield();
}
static void waits(void) {
    register void (*called)(void) = judges;
    int value = 7;
    while (!atomic_load(&flag)) {
        value = 3;
    }
    called();
    JUDGE(value);
}
#endif

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sets, NULL);
    waits();
    pthread_join(thread, NULL);
}
