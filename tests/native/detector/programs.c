/* Programs that a broken race detector judges wrongly; tests/cli/native-detector.sh says which. One
 * is chosen by a macro. All accesses that race are plain, and so done in passing: the order of
 * their threads is the same in every execution, and the detector has to see the race in it. (What a
 * thread does before its first operation, it does when it is created.) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag, other_flag;
static int x, y;

#define RELEASE(variable) atomic_store_explicit(&(variable), 1, memory_order_release)
#define ACQUIRE(variable) atomic_load_explicit(&(variable), memory_order_acquire)

#if defined READERS /* a write after one of two reads: it races with the other */
static void *first(void *a) { return x ? a : NULL; }
static void *second(void *a) { int seen = x; RELEASE(flag); return seen ? a : NULL; }
static void *third(void *a) { if (ACQUIRE(flag)) x = 1; return a; }
#elif defined READ_AFTER_WRITE
static void *first(void *a) { x = 1; return a; }
static void *second(void *a) { return x ? a : NULL; }
#elif defined WRITE_AFTER_READ
static void *first(void *a) { return x ? a : NULL; }
static void *second(void *a) { x = 1; return a; }
#elif defined LOCKED /* no race */
static void *first(void *a) {
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return a;
}
#define second first
#elif defined AFTER_UNLOCK /* what comes after an unlock is not ordered by it */
static void *first(void *a) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    x = 1;
    return a;
}
static void *second(void *a) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return x ? a : NULL;
}
#elif defined SEQUENCE /* no race: an update continues the release sequence of another thread */
static void *first(void *a) { x = 1; atomic_fetch_add_explicit(&flag, 1, memory_order_release); return a; }
static void *second(void *a) { y = 1; atomic_fetch_add_explicit(&flag, 1, memory_order_release); return a; }
static void *third(void *a) { if (ACQUIRE(flag) == 2) x = y; return a; }
#elif defined RELAXED /* a relaxed store releases nothing */
static void *first(void *a) { x = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed); return a; }
static void *second(void *a) { return ACQUIRE(flag) && x ? a : NULL; }
#elif defined SIZES /* no race: the halves of a word are released, the word is acquired */
static _Alignas(4) unsigned short halves[2];
#define WORD (*(unsigned *)halves)
static void *first(void *a) { x = 1; __atomic_store_n(&halves[0], 1, __ATOMIC_RELEASE); return a; }
static void *second(void *a) { y = 1; __atomic_fetch_add(&halves[1], 1, __ATOMIC_RELEASE); return a; }
static void *third(void *a) { if (__atomic_load_n(&WORD, __ATOMIC_ACQUIRE) == 0x10001) x = y; return a; }
#elif defined SIZES_BACK /* no race: the word is released, a half of it is acquired */
static _Alignas(4) unsigned short halves[2];
#define WORD (*(unsigned *)halves)
static void *first(void *a) { x = 1; __atomic_fetch_add(&WORD, 0x10000, __ATOMIC_ACQ_REL); return a; }
static void *second(void *a) { y = 1; __atomic_fetch_add(&halves[0], 1, __ATOMIC_ACQ_REL); return a; }
static void *third(void *a) {
    if (__atomic_load_n(&halves[1], __ATOMIC_ACQUIRE)) x++;
    if (__atomic_fetch_add(&WORD, 0, __ATOMIC_ACQUIRE) & 1) y++;
    return a;
}
#elif defined SIZES_GO_ON /* no race: an update of the word continues the sequence of its half */
static _Alignas(4) unsigned short halves[2];
#define WORD (*(unsigned *)halves)
static void *first(void *a) { x = 1; __atomic_store_n(&halves[0], 1, __ATOMIC_RELEASE); return a; }
static void *second(void *a) { __atomic_fetch_add(&WORD, 0x10000, __ATOMIC_RELAXED); return a; }
static void *third(void *a) { if (__atomic_load_n(&WORD, __ATOMIC_ACQUIRE) == 0x10001) x = 2; return a; }
#elif defined SIZES_LOST /* what was released in a half is gone where the word was stored relaxed */
static _Alignas(4) unsigned short halves[2];
#define WORD (*(unsigned *)halves)
static void *first(void *a) { x = 1; __atomic_store_n(&halves[0], 1, __ATOMIC_RELEASE); return a; }
static void *second(void *a) {
    if (__atomic_load_n(&halves[0], __ATOMIC_RELAXED)) __atomic_store_n(&WORD, 0x20002, __ATOMIC_RELAXED);
    return a;
}
static void *third(void *a) { if (__atomic_load_n(&halves[0], __ATOMIC_ACQUIRE) == 2) x = 2; return a; }
#elif defined MIXED /* an atomic access and then a plain one */
static void *first(void *a) { __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); return a; }
static void *second(void *a) { return !ACQUIRE(flag) && x ? a : NULL; }
#elif defined MIXED_BACK /* a plain access and then an atomic one */
static void *first(void *a) { x = 1; return a; }
static void *second(void *a) { __atomic_store_n(&x, 2, __ATOMIC_RELAXED); return a; }
#elif defined NEIGHBOURS /* no race: other bytes of the same word */
static char letters[4];
static void *first(void *a) { letters[0] = 'a'; return a; }
static void *second(void *a) { letters[1] = 'b'; return a; }
#elif defined LAST_BYTES /* of a block that another thread frees */
static char *block;
static void *first(void *a) { block[20] = 'a'; return a; }
static void *second(void *a) { free(block); return a; }
#define PREPARE() block = malloc(24)
#elif defined RANGE /* the end of what memset writes */
static char table[40];
static void *first(void *a) { memset(table, 1, sizeof table); return a; }
static void *second(void *a) { return table[39] ? a : NULL; }
#elif defined AGAIN /* the same access before and after a release: only the first is ordered */
static void *first(void *a) {
    for (int i = 0; i < 2; i++) {
        y += x;
        RELEASE(flag);
        RELEASE(other_flag);
    }
    return a;
}
static void *second(void *a) { if (ACQUIRE(flag)) x = 1; return a; }
#elif defined STREAK /* the elements of an array one after the other, and then another thread */
static long table[200];
static void *first(void *a) {
    for (int i = 0; i < 200; i++) table[i] = i;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return a;
}
static void *second(void *a) {
    return atomic_load_explicit(&flag, memory_order_relaxed) && table[150] ? a : NULL;
}
#elif defined STREAK_ENDS /* no race: an element after the last one that is written, or read */
static long table[200], total;
static void *first(void *a) {
    for (int i = 0; i < 101; i++) table[i] += i;
    for (int i = 110; i < 130; i++) total += table[i];
    return a;
}
static void *second(void *a) { for (int i = 101; i < 110; i++) table[i] = table[i + 30] = i; return a; }
#elif defined STREAK_GOES_ON /* what comes after a release is not ordered by it */
static long table[200];
static void *first(void *a) {
    for (int i = 0; i < 200; i++) {
        table[i] = i;
        if (i == 99) RELEASE(flag);
    }
    return a;
}
static void *second(void *a) { return ACQUIRE(flag) && table[100] ? a : NULL; }
#elif defined STREAK_BACK /* no race: and all elements are as they were in the execution before */
static int table[200], reads[200];
static void *first(void *a) {
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 200; i++) {
        table[i] += 1;
        reads[i] += table[i];
    }
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 150; i++) table[i] = table[i] * 2;
    pthread_mutex_unlock(&mutex);
    return a;
}
#define second first
#define FINISH() do { \
        for (int i = 0; i < 200; i++) assert(i < 150 ? table[i] == 8 || table[i] == 6 : table[i] == 2); \
        for (int i = 0; i < 200; i++) assert(reads[i] == 3 || reads[i] == 4); \
    } while (0)
#elif defined STREAK_ATOMIC /* no race: atomic accesses after the last element that is written */
static long table[200];
static void *first(void *a) {
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 100; i++) table[i] += 1;
    pthread_mutex_unlock(&mutex);
    __atomic_fetch_add(&table[103], 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&mutex);
    for (int i = 104; i < 200; i++) table[i] = table[i - 104];
    pthread_mutex_unlock(&mutex);
    __atomic_fetch_add(&table[102], 1, __ATOMIC_SEQ_CST);
    return a;
}
#define second first
#define FINISH() assert(table[99] == 2 && table[102] == 2 && table[103] == 2 && table[199] == 2)
#elif defined STREAK_WRITES || defined STREAK_READS /* a call that reads elements writes one later, or the other way */
static char table[64][8] = {[0 ... 63] = "1234567"};
static void scan(const char *text, void *to) { sscanf(text, "%ld", (long *)to); }
static void *first(void *a) {
    char text[8] = "7654321";
    long number;
    for (int i = 0; i < 32; i++)
#ifdef STREAK_WRITES
        scan(table[i], &number);
    scan(text, table[33]);
#else
        scan(text, table[i]);
    scan(table[33], &number);
#endif
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return a;
}
static void *second(void *a) {
    return atomic_load_explicit(&flag, memory_order_relaxed) && *(long *)table[33] ? a : NULL;
}
#elif defined STREAK_BEYOND || defined STREAK_BEYOND_WIDE /* past the end */
static long *block;
static void *first(void *a) {
#ifdef STREAK_BEYOND
    enum { COUNT = 100 };
#else
    enum { COUNT = 1000 };
#endif
    block = malloc(COUNT * sizeof *block);
    for (int i = 0; i <= COUNT; i++) block[i] = i;
    free(block);
    return a;
}
static void *second(void *a) { return a; }
#elif defined LOST /* with --no-race-check: an update is lost only where accesses are steps */
static void *first(void *a) { x = x + 1; return a; }
#define second first
#define FINISH() assert(x == 2)
#elif defined STALE /* with --no-race-check: seen only if both the writes and the reads are steps */
static int seen_x, seen_y;
static void *first(void *a) { x = 1; y = 1; return a; }
static void *second(void *a) { seen_y = y; seen_x = x; return a; }
#define FINISH() assert(!(seen_x && !seen_y))
#elif defined CREATOR /* what main writes after a creation is not ordered by it */
static void *first(void *a) { return x ? a : NULL; }
static void *second(void *a) { return a; }
#define MEANWHILE() x = 1
#elif defined JOINED /* no race: creation and join order */
static void *first(void *a) { x++; return a; }
static void *second(void *a) { y++; return a; }
#define PREPARE() x = y = 1
#define FINISH() assert(x + y == 4)
#endif

#ifndef PREPARE
#define PREPARE() (void)0
#endif
#ifndef MEANWHILE
#define MEANWHILE() (void)0
#endif
#ifndef FINISH
#define FINISH() (void)0
#endif

int main(void) {
    pthread_t threads[3];
    PREPARE();
    pthread_create(&threads[0], NULL, first, NULL);
    MEANWHILE();
    pthread_create(&threads[1], NULL, second, NULL);
#if defined READERS || defined SEQUENCE || defined WORD
    pthread_create(&threads[2], NULL, third, NULL);
    pthread_join(threads[2], NULL);
#endif
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    FINISH();
    return x == 5 && y == 5 && flag && other_flag && !pthread_mutex_trylock(&mutex);
}
